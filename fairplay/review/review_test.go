package review_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
)

var reviewDay = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func judge(id player.ID) review.Judge { return review.Judge{ID: id} }

// opponent met anna at a board; chief may judge in the event, too.
func opponent(id player.ID) review.Judge {
	return review.Judge{ID: id, Case: fairplay.Case{Parties: []player.ID{"anna", id}, Judges: []player.ID{id, "chief"}}}
}

func toldReview(t *testing.T) *review.Review {
	t.Helper()
	r := review.New("r", "anna", "tournaments/event", review.OpenedBySignal, "", reviewDay)
	if err := r.Tell(judge("host"), "A program moved for you.", reviewDay); err != nil {
		t.Fatal(err)
	}
	return r
}

func wants(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func TestNobodyIsJudgedUnheard(t *testing.T) {
	t.Parallel()
	talk := review.Proposal{Decision: review.DecideTalk, Why: "to hear it"}
	r := review.New("r", "anna", "tournaments/event", review.OpenedByArbiter, "host", reviewDay)
	wants(t, "before he was told", r.Decide(judge("host"), talk, true, true, reviewDay), review.ErrUnheard)
	r = toldReview(t)
	wants(t, "on day 13", r.Decide(judge("host"), talk, true, true, reviewDay.Add(14*24*time.Hour-time.Second)), review.ErrUnheard)
	wants(t, "somebody else answers", r.Reply("borys", "no", reviewDay), review.ErrInvolved)
	wants(t, "the answer", r.Reply("anna", "It was my board.", reviewDay), nil)
	wants(t, "a second answer", r.Reply("anna", "And more.", reviewDay), review.ErrOrder)
	wants(t, "after the answer", r.Decide(judge("host"), talk, true, true, reviewDay), nil)
	r = toldReview(t)
	wants(t, "after 14 days without one", r.Decide(judge("host"), talk, true, true, reviewDay.Add(14*24*time.Hour)), nil)
	r = review.New("r", "anna", "tournaments/event", review.OpenedByReports, "", reviewDay)
	wants(t, "nothing", r.Decide(judge("host"), review.Proposal{Decision: review.DecideNothing, Why: "a shared house"}, false, false, reviewDay), nil)
	if r.Status != review.StatusClosed || r.IsUpheld() {
		t.Errorf("%s, upheld %v", r.Status, r.IsUpheld())
	}
}

func TestAPatternOfResultsHoldsAnOpenEventOnlyOnceAnArbiterTookItUp(t *testing.T) {
	t.Parallel()
	holds := func(what string, r *review.Review, want ...bool) {
		t.Helper()
		for i, level := range []fairplay.Assurance{fairplay.Open, fairplay.Declared, fairplay.Verified, fairplay.Supervised} {
			if got := r.HoldsResults(level); got != want[i] {
				t.Errorf("%s at %s: holds %v", what, level, got)
			}
		}
	}
	r := review.New("r", "anna", "tournaments/event", review.OpenedByResults, "", reviewDay)
	holds("by the site alone", r, false, false, true, true)
	wants(t, "tell", r.Tell(judge("host"), "Four short losses.", reviewDay), nil)
	holds("told", r, true, true, true, true)
	r = review.New("r", "anna", "tournaments/event", review.OpenedByResults, "", reviewDay)
	wants(t, "close", r.Decide(judge("host"), review.Proposal{Decision: review.DecideNothing, Why: "a beginner"}, false, false, reviewDay), nil)
	holds("closed", r, false, false, false, false)
	for _, o := range []review.Opening{review.OpenedBySignal, review.OpenedByReports, review.OpenedByArbiter} {
		holds(string(o), review.New("r", "anna", "tournaments/event", o, "", reviewDay), true, true, true, true)
	}
}

// Also what one decides alone is not an opponent's to decide: dropping it as little
// as acting on it.
func TestWhoPlayedThePlayerDecidesNothingInTheirReview(t *testing.T) {
	t.Parallel()
	for _, d := range review.Decisions {
		r := toldReview(t)
		wants(t, "the answer", r.Reply("anna", "no", reviewDay), nil)
		err := r.Decide(opponent("rival"), review.Proposal{Decision: d, Ground: review.GroundFact, Days: 9, Why: "because"}, true, true, reviewDay)
		var party *fairplay.PartyError
		if !errors.As(err, &party) || !slices.Equal(party.CanDecide(), []player.ID{"chief"}) {
			t.Errorf("%s by an opponent: %v", d, err)
		}
		if r.Decided != nil || r.Proposed != nil {
			t.Errorf("%s: decided all the same", d)
		}
	}
	r := toldReview(t)
	wants(t, "the answer", r.Reply("anna", "no", reviewDay), nil)
	p := review.Proposal{Decision: review.DecideAnnul, Ground: review.GroundFact, Why: "because"}
	wants(t, "a proposal", r.Decide(judge("host"), p, true, true, reviewDay), nil)
	wants(t, "an opponent rejects it", r.Reject(opponent("rival"), "no", reviewDay), fairplay.ErrParty)
	wants(t, "who proposed it does", r.Reject(judge("host"), "no", reviewDay), nil)
	wants(t, "an opponent's note", r.Note(opponent("rival"), "I sat there.", reviewDay), nil)
}

// Two arbiters look at one review, of four steps.
func TestWhoJudgesHasReadAllThatWasSaid(t *testing.T) {
	t.Parallel()
	r := toldReview(t)
	p := review.Proposal{Decision: review.DecideAnnul, Ground: review.GroundFact, Why: "because"}
	wants(t, "the answer", r.Reply("anna", "no", reviewDay), nil)
	wants(t, "a proposal", r.Decide(judge("host"), p, true, true, reviewDay), nil)
	if len(r.Steps) != 4 {
		t.Fatalf("steps: %+v", r.Steps)
	}
	for _, x := range []struct {
		by   player.ID
		kind string
		seen int
		want string // the step that they have not seen
	}{
		{"second", "confirm", 4, ""},
		{"second", "confirm", 3, review.StepPropose},
		{"second", review.StepReject, 3, review.StepPropose},
		{"second", "confirm", 0, review.StepPropose},
		{"second", "confirm", 99, ""},
		{"second", "confirm", -1, review.StepPropose},
		{"host", review.StepReject, 3, ""}, // their own
		{"host", review.StepPropose, 2, review.StepAnswer},
		{"second", review.StepNote, 0, ""},
		{"boss", review.StepUphold, 0, review.StepPropose},
		{"anna", review.StepAnswer, 0, ""},
		{"second", review.StepExplain, 0, ""},
	} {
		s, is := r.Unseen(x.by, x.kind, x.seen)
		if s.Kind != x.want || is != (x.want != "") {
			t.Errorf("%s by %s after %d steps: %q", x.kind, x.by, x.seen, s.Kind)
		}
	}
	wants(t, "host ticks", r.Explain(judge("host"), review.Explanations[:1], reviewDay), nil)
	if s, _ := r.Unseen("second", review.StepExplain, 4); s.Kind != review.StepExplain {
		t.Error("ticks are overwritten by ticks")
	}
}

// Acceptance 18, of the rule itself.
func TestAnnullingAndExcludingNeedTwoWhoDidNotPlayHimAndAGround(t *testing.T) {
	t.Parallel()
	for _, d := range []review.Decision{review.DecideAnnul, review.DecideExclude} {
		p := review.Proposal{Decision: d, Ground: review.GroundFact, Days: 90, Why: "because"}
		r := toldReview(t)
		if err := r.Reply("anna", "no", reviewDay); err != nil {
			t.Fatal(err)
		}
		wants(t, "no fact", r.Decide(judge("host"), p, false, true, reviewDay), review.ErrNoGround)
		bare := p
		bare.Ground = ""
		wants(t, "no ground", r.Decide(judge("host"), bare, true, true, reviewDay), review.ErrNoGround)
		wants(t, "an opponent proposes", r.Decide(opponent("host"), p, true, true, reviewDay), fairplay.ErrParty)
		wants(t, "himself", r.Decide(judge("anna"), p, true, true, reviewDay), review.ErrInvolved)
		wants(t, "the first", r.Decide(judge("host"), p, true, true, reviewDay), nil)
		if r.Decided != nil || r.Status != review.StatusTold {
			t.Fatalf("%s: one alone has decided", d)
		}
		wants(t, "alone", r.Confirm(judge("host"), reviewDay), review.ErrAlone)
		wants(t, "an opponent confirms", r.Confirm(opponent("second"), reviewDay), fairplay.ErrParty)
		wants(t, "he confirms", r.Confirm(judge("anna"), reviewDay), review.ErrInvolved)
		wants(t, "the second", r.Confirm(judge("second"), reviewDay), nil)
		if !r.Stands(d) || r.Decided.By != "host" || r.Second != "second" {
			t.Errorf("%+v", r)
		}
		if d == review.DecideExclude && !r.Excluded.Equal(reviewDay.Add(90*24*time.Hour)) {
			t.Errorf("excluded until %v", r.Excluded)
		}
	}
}

func TestAnAppealIsJudgedByThreeOthers(t *testing.T) {
	t.Parallel()
	decided := func() *review.Review {
		r := toldReview(t)
		later := reviewDay.Add(14 * 24 * time.Hour)
		p := review.Proposal{Decision: review.DecideExclude, Ground: review.GroundFact, Days: 30, Why: "because"}
		if err := errors.Join(r.Decide(judge("host"), p, true, false, later), r.Confirm(judge("second"), later)); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := decided()
	wants(t, "too late", r.Contest("anna", "no", r.AppealBy()), review.ErrTooLate)
	if r.Expire(r.AppealBy().Add(-1)) || !r.Expire(r.AppealBy()) || r.Status != review.StatusClosed || !r.IsUpheld() {
		t.Errorf("not closed at the end of the term: %s", r.Status)
	}
	r = decided()
	wants(t, "in time", r.Contest("anna", "no", r.AppealBy().Add(-1)), nil)
	if want := reviewDay.Add(14*24*time.Hour + review.AppealWithin - 1 + 30*24*time.Hour); !r.JudgeBy().Equal(want) {
		t.Errorf("to be judged by %v, want %v", r.JudgeBy(), want)
	}
	var party *fairplay.PartyError
	wants(t, "an arbiter", r.Hear(judge("x"), false, false, "not shown", reviewDay), review.ErrAppeal)
	wants(t, "an operator who decided", r.Hear(judge("second"), true, false, "not shown", reviewDay), review.ErrAppeal)
	wants(t, "the player, who operates", r.Hear(judge("anna"), true, false, "not shown", reviewDay), review.ErrAppeal)
	if err := r.Hear(opponent("z"), true, false, "not shown", reviewDay); !errors.As(err, &party) {
		t.Errorf("an operator who played them: %v", err)
	}
	wants(t, "without a reason", r.Hear(judge("boss"), true, false, " ", reviewDay), review.ErrText)
	upheld := *r
	wants(t, "it stands", upheld.Hear(judge("boss"), true, true, "shown", reviewDay), nil)
	if upheld.Status != review.StatusClosed || !upheld.IsUpheld() || upheld.Excluded.IsZero() || !upheld.JudgeBy().IsZero() {
		t.Errorf("%s, upheld %v, excluded until %v", upheld.Status, upheld.IsUpheld(), upheld.Excluded)
	}
	wants(t, "it is taken back", r.Hear(judge("boss"), true, false, "not shown", reviewDay), nil)
	wants(t, "judged twice", r.Hear(judge("chief"), true, true, "shown", reviewDay), review.ErrOrder)
	if r.Status != review.StatusClosed || r.IsUpheld() || !r.Excluded.IsZero() {
		t.Errorf("%s, upheld %v, excluded until %v", r.Status, r.IsUpheld(), r.Excluded)
	}
}

// TestNoDecisionWithoutASecondPerson: whatever is done in any order, a heavy
// decision has two names that are not one, and nobody judges himself.
func TestNoDecisionWithoutASecondPerson(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := review.New("r", "anna", "tournaments/event", review.OpenedBySignal, "", reviewDay)
		now := reviewDay
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 10*24).Draw(rt, "hours")) * time.Hour)
			by := judge(rapid.SampledFrom([]player.ID{"anna", "host", "second"}).Draw(rt, "by"))
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				_ = r.Tell(by, "look", now)
			case 1:
				_ = r.Reply(by.ID, "no", now)
			case 2:
				p := review.Proposal{Decision: rapid.SampledFrom(review.Decisions).Draw(rt, "decision"), Ground: review.GroundFact, Days: 30, Why: "so"}
				_ = r.Decide(by, p, true, true, now)
			case 3:
				_ = r.Confirm(by, now)
			case 4:
				_ = r.Reject(by, "no", now)
			case 5:
				_ = r.Contest(by.ID, "no", now)
			case 6:
				r.Expire(now)
			}
			if r.Decided == nil {
				continue
			}
			if r.Decided.By == "anna" || r.Second == "anna" {
				rt.Fatal("he judges himself")
			}
			if r.Decided.Decision.NeedsTwo() && (r.Second == "" || r.Second == r.Decided.By) {
				rt.Fatalf("decided by %q and %q", r.Decided.By, r.Second)
			}
		}
	})
}

func TestALookIsNotedOnceAnHour(t *testing.T) {
	t.Parallel()
	noted := []review.Access{{By: "host", At: reviewDay}}
	for _, c := range []struct {
		name string
		by   player.ID
		at   time.Time
		want bool
	}{
		{"the first of another", "second", reviewDay, true},
		{"again at once", "host", reviewDay, false},
		{"within the hour", "host", reviewDay.Add(59 * time.Minute), false},
		{"after it", "host", reviewDay.Add(time.Hour), true},
	} {
		if got := review.IsNewAccess(noted, c.by, c.at); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestClassesAreCappedAndNeverSummedUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		of   review.Evidence
		want []review.Weighed
	}{
		{"nothing", nil, nil},
		{"a shared network weighs nothing", review.Evidence{"shared-network": 4}, []review.Weighed{{review.ServerFacts, []string{"shared-network"}, 0, 0}}},
		{"often is not more", review.Evidence{"token": 9}, []review.Weighed{{review.ServerFacts, []string{"token"}, 0, 200}}},
		{"three facts of the server", review.Evidence{"token": 1, "analysis": 1, "shared-device": 1}, []review.Weighed{{review.ServerFacts, []string{"analysis", "token", "shared-device"}, 0, 300}}},
		{"three things a page told", review.Evidence{"paste": 1, "untrusted": 1, "webdriver": 1}, []review.Weighed{{review.PageAgainst, []string{"untrusted", "webdriver", "paste"}, 0, 90}}},
		{"all of them", review.Evidence{"paste": 1, "untrusted": 1, "webdriver": 1, "no-pointer": 1, "other-tab": 1}, []review.Weighed{{review.PageAgainst, []string{"untrusted", "webdriver", "no-pointer", "paste", "other-tab"}, 0, 100}}},
		{"a count of focus and silence", review.Evidence{"focus": 40, "no-telemetry": 2}, []review.Weighed{{review.PageFocus, []string{"focus"}, 0, 0}, {review.PageSilent, []string{"no-telemetry"}, 0, 0}}},
		{"timing", review.Evidence{review.InstantReplies: 7}, []review.Weighed{{review.ServerTiming, []string{review.InstantReplies}, 0, 50}}},
	} {
		got := test.of.Weigh()
		same := slices.EqualFunc(got, test.want, func(a, b review.Weighed) bool {
			return a.Class == b.Class && a.Low == b.Low && a.High == b.High && slices.Equal(a.Kinds, b.Kinds)
		})
		if !same {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestQuickRepliesAreThoseToTheOtherSide(t *testing.T) {
	t.Parallel()
	entry := func(seat match.Seat, ms int) match.Entry {
		var e match.Entry
		e.At, e.Event = reviewDay.Add(time.Duration(ms)*time.Millisecond), match.Played{Seat: seat}
		return e
	}
	undone := match.Entry{}
	undone.At, undone.Event = reviewDay.Add(5000*time.Millisecond), match.Undone{Seat: match.First}
	log := []match.Entry{
		entry(match.First, 0), entry(match.Second, 149), // quick, move 1
		entry(match.First, 299),                                     // 150 ms: not
		entry(match.Second, 400),                                    // quick, move 2
		entry(match.Second, 410),                                    // after an own one: not
		entry(match.First, 4990), undone, entry(match.Second, 5001), // after an undo: not
	}
	got := review.QuickReplies(log, match.Second)
	want := []review.Reply{{1, 149 * time.Millisecond}, {2, 101 * time.Millisecond}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := review.QuickReplies(log, match.First); len(got) != 0 {
		t.Errorf("first: %v", got)
	}
	if e := review.Gather(nil, nil, want, nil); len(e) != 0 {
		t.Errorf("two are repeated: %v", e)
	}
}

func TestTheChainShowsWhatWasChanged(t *testing.T) {
	t.Parallel()
	var rows []review.Telemetry
	before := ""
	for i, kind := range []review.TelemetryKind{review.TelemetryHello, review.TelemetryFocus, review.TelemetryPaste} {
		r := review.Telemetry{Kind: kind, Move: i, Number: i, At: reviewDay.Add(time.Duration(i) * time.Second)}.Chain(before)
		before = r.Hash
		rows = append(rows, r)
	}
	if i := review.CheckChain(rows); i != -1 {
		t.Fatalf("row %d of a whole chain", i)
	}
	changed := slices.Clone(rows)
	changed[1].Number = 9
	if i := review.CheckChain(changed); i != 1 {
		t.Errorf("a changed row is seen at %d", i)
	}
	if i := review.CheckChain(slices.Delete(slices.Clone(rows), 1, 2)); i != 1 {
		t.Errorf("a missing row is seen at %d", i)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	hello := []review.Telemetry{{Kind: review.TelemetryHello, Move: 1}}
	for _, test := range []struct {
		rows      []review.Telemetry
		own, last int
		want      bool
	}{{nil, 0, 0, false}, {nil, 1, 1, true}, {hello, 9, 9, false}, {hello, 10, 10, true}} {
		if got := review.IsSilent(test.rows, test.own, test.last); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func TestAStewardWorksInOrder(t *testing.T) {
	t.Parallel()
	w := fairplay.Watch{Steward: "steward"}
	wants(t, "opens before he accepts", w.Open("steward", reviewDay), fairplay.ErrWatchOrder)
	wants(t, "another accepts", w.Accept("anna", reviewDay), fairplay.ErrNotSteward)
	wants(t, "accepts", w.Accept("steward", reviewDay), nil)
	wants(t, "checks before he opens", w.Check("steward", "there", reviewDay), fairplay.ErrWatchOrder)
	wants(t, "signs what he did not see", w.Sign("steward", fairplay.StewardSigned, true, reviewDay), fairplay.ErrWatchOrder)
	wants(t, "opens", w.Open("steward", reviewDay), nil)
	wants(t, "notes nothing", w.Check("steward", " ", reviewDay), fairplay.ErrWatchNote)
	wants(t, "notes", w.Check("steward", "hands on the table", reviewDay), nil)
	wants(t, "signs while it goes on", w.Sign("steward", fairplay.StewardSigned, false, reviewDay), fairplay.ErrWatchOrder)
	wants(t, "the player has gone", w.SetAbsent("steward", true, reviewDay), nil)
	wants(t, "signs", w.Sign("steward", fairplay.StewardPartly, true, reviewDay), nil)
	wants(t, "signs again", w.Sign("steward", fairplay.StewardSigned, true, reviewDay), fairplay.ErrWatchOrder)
	if !w.Absent.IsZero() || len(w.Checks) != 1 {
		t.Errorf("%+v", w)
	}
}

func TestAMissedCheckOpensNoReviewByItself(t *testing.T) {
	t.Parallel()
	if review.SignalMidCheck.IsGrave() {
		t.Error("it is grave")
	}
}
