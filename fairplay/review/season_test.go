package review_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
)

func TestSeasonsAreQuartersOfUTC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, month, season string }{
		{"2026-01-01T00:00:00Z", "2026-01", "2026-Q1"},
		{"2026-04-01T02:00:00+03:00", "2026-03", "2026-Q1"},
		{"2026-09-30T23:59:59Z", "2026-09", "2026-Q3"},
		{"2026-12-31T12:00:00Z", "2026-12", "2026-Q4"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		m := review.MonthOf(at)
		if s := review.SeasonOf(m).String(); string(m) != c.month || s != c.season {
			t.Errorf("%s is of %s, %s", c.at, m, s)
		}
	}
	q4 := review.Season{Year: 2026, Quarter: 4}
	newYear := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if q4.IsOver(newYear.Add(-time.Millisecond)) || !q4.IsOver(newYear) {
		t.Error("the fourth quarter does not end with the year")
	}
}

// closedReview is one that host opened at their wish, told and decided.
func closedReview(t *testing.T, of player.ID, opened time.Time, d review.Decision, after int) *review.Review {
	t.Helper()
	r := review.New("of-"+string(of), of, "tournaments/event", review.OpenedByArbiter, "host", opened)
	if err := r.Tell(review.Judge{ID: "host"}, "why?", opened); err != nil {
		t.Fatal(err)
	}
	if err := r.Reply(of, "because", opened); err != nil {
		t.Fatal(err)
	}
	if err := r.Decide(review.Judge{ID: "host"}, review.Proposal{Decision: d, Why: "so"}, false, false, opened.AddDate(0, 0, after)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReviewsAreCountedWhenThingsHappen(t *testing.T) {
	t.Parallel()
	october, november, december := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	nothing := closedReview(t, "anna", october, review.DecideNothing, 15)
	talk := closedReview(t, "borys", november, review.DecideTalk, 3)
	if err := talk.Contest("borys", "no", november.AddDate(0, 0, 4)); err != nil {
		t.Fatal(err)
	}
	if err := talk.Hear(review.Judge{ID: "x"}, true, false, "no", december.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	list := []review.Review{*nothing, *talk}
	want := review.Counts{"opened.arbiter": 1, "decided.nothing": 1, "decided.talk": 1, "days.15": 1, "days.3": 1, "appeals.appealed": 1}
	if diff := cmp.Diff(want, review.CountReviews(list, november, december)); diff != "" {
		t.Errorf("November: wanted (-), counted (+):\n%s", diff)
	}
	if diff := cmp.Diff(review.Counts{"appeals.overturned": 1}, review.CountReviews(list, december, december.AddDate(0, 1, 0))); diff != "" {
		t.Errorf("December: wanted (-), counted (+):\n%s", diff)
	}
	looks := map[string][]review.Access{"of-anna": {
		{By: "second", At: november}, {By: "second", At: november.AddDate(0, 0, 1)}, // twice is once
		{By: "host", At: november}, // they decided
		{By: "late", At: december}, // after its end
		{By: "early", At: october.AddDate(0, 0, -1)},
	}}
	judges := map[player.ID]review.Counts{"host": {"decided": 2, "opened-for-nothing": 1}, "second": {"looked-only": 1}}
	if diff := cmp.Diff(judges, review.CountJudges(list, looks, november, december)); diff != "" {
		t.Errorf("those who judge in November: wanted (-), counted (+):\n%s", diff)
	}
	if diff := cmp.Diff(map[player.ID]review.Counts{"host": {"overturned": 1}}, review.CountJudges(list, nil, december, december.AddDate(0, 1, 0))); diff != "" {
		t.Errorf("those who judge in December: wanted (-), counted (+):\n%s", diff)
	}
}

func TestWhyLessWasAchievedIsCountedOnceAMatch(t *testing.T) {
	t.Parallel()
	c := review.Counts{}
	c.CountLowered(fairplay.Achievement{Reasons: []fairplay.Reason{
		{Key: "no-check-in", Seat: 1, Caps: fairplay.Declared}, {Key: "no-check-in", Seat: 2, Caps: fairplay.Declared},
		{Key: "checked-by-code", Seat: 1}, // a remark
		{Key: "of-a-later-release", Seat: 1, Caps: fairplay.Open},
	}})
	if diff := cmp.Diff(review.Counts{"lowered.no-check-in": 1, "lowered.other": 1}, c); diff != "" {
		t.Errorf("wanted (-), counted (+):\n%s", diff)
	}
}

func TestNoSmallNumberIsPublished(t *testing.T) {
	t.Parallel()
	c := review.Counts{
		"demanded.verified": 40, "achieved.verified": 36, "achieved.declared": 4, "opened.signal": 5, "opened.reports": 4,
		"decided.talk": 5, "days.1": 2, "days.4": 2, "days.30": 1,
	}
	q3 := review.Season{Year: 2026, Quarter: 3}
	at := func(s review.SeasonNumbers, group, line string) review.Number {
		for _, g := range s.Groups {
			for _, l := range g.Lines {
				if g.Name == group && l.Name == line {
					return l
				}
			}
		}
		return review.Number{Name: "missing"}
	}
	over := review.NumbersOf(q3, c, time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))
	for _, want := range []struct {
		group string
		review.Number
	}{
		{"demanded", review.Number{Name: "verified", N: 40}},
		{"demanded", review.Number{Name: "open", Few: true}}, // none is few as well
		{"achieved", review.Number{Name: "declared", Few: true}},
		{"opened", review.Number{Name: "signal", N: 5}},
		{"opened", review.Number{Name: "reports", Few: true}},
		{"appeals", review.Number{Name: "overturned", Few: true}},
		{"days", review.Number{Name: "median", N: 4}},
	} {
		if got := at(over, want.group, want.Name); got != want.Number {
			t.Errorf("%s: %+v, want %+v", want.group, got, want.Number)
		}
	}
	running := review.NumbersOf(q3, c, time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC))
	if running.Over || at(running, "demanded", "verified").N != 40 || at(running, "opened", "signal").Name != "missing" {
		t.Errorf("a season that runs tells of reviews: %+v", running)
	}
	c["days.30"] = 0
	if got := at(review.NumbersOf(q3, c, time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)), "days", "median"); !got.Few {
		t.Errorf("the median of four: %+v", got)
	}
}
