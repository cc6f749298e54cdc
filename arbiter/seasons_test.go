package arbiter_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// counted are the numbers of a season, and those of each who judges.
func (h *hall) counted(s review.Season) (site review.Counts, judges map[player.ID]review.Counts) {
	h.t.Helper()
	h.ok(h.Judges.CountSeasons(h.t.Context()))
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		all, err := tx.SeasonCounts()
		if err != nil {
			return err
		}
		each, err := tx.JudgeCounts()
		site, judges = all[s], each[s]
		return err
	}))
	return site, judges
}

func TestWhoIsErasedIsNotCountedAgain(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.until(time.Date(2026, 9, 10, 12, 0, 0, 0, time.UTC))
		tour := h.lost()
		h.ok(h.Sweep(t.Context()))
		id, err := h.Judges.OpenReview(t.Context(), h.host, tour.ID.Place(), h.player("ana").ID)
		h.ok(err)
		h.ok(h.Judges.Execute(t.Context(), h.host, id, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: review.DecideNothing, Why: "nothing"}}))
		q3 := review.Season{Year: 2026, Quarter: 3}
		if _, judges := h.counted(q3); judges[h.host.ID]["decided"] != 1 {
			t.Fatalf("before: %v", judges)
		}
		now := h.clock.now()
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error { return tx.AskErasure(h.host.ID, now, now) }))
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error { return tx.Erase(h.host.ID, now) }))
		if site, judges := h.counted(q3); len(judges) != 0 || site["decided.nothing"] != 1 {
			t.Errorf("afterwards: %v, of the site %v", judges, site)
		}
	})
}

func TestASeasonIsCountedAndStaysWhenItsRowsGo(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.until(time.Date(2026, 9, 10, 12, 0, 0, 0, time.UTC))
		tour := h.lost() // two matches at Open
		h.ok(h.Sweep(t.Context()))
		id, err := h.Judges.OpenReview(t.Context(), h.host, tour.ID.Place(), h.player("ana").ID)
		h.ok(err)
		h.clock.advance(50 * time.Hour)
		h.ok(h.Judges.Execute(t.Context(), h.host, id, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: review.DecideNothing, Why: "nothing"}}))
		q3 := review.Season{Year: 2026, Quarter: 3}
		want := review.Counts{"demanded.open": 2, "achieved.open": 2, "opened.arbiter": 1, "decided.nothing": 1, "days.2": 1}
		wantJudges := map[player.ID]review.Counts{h.host.ID: {"decided": 1, "opened-for-nothing": 1}}
		check := func(when string) {
			t.Helper()
			site, judges := h.counted(q3)
			if diff := cmp.Diff(want, site); diff != "" {
				t.Errorf("%s: wanted (-), counted (+):\n%s", when, diff)
			}
			if diff := cmp.Diff(wantJudges, judges); diff != "" {
				t.Errorf("%s, those who judge: wanted (-), counted (+):\n%s", when, diff)
			}
		}
		check("in the month")
		check("once more")
		h.until(time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC))
		check("in the next month")
		h.until(time.Date(2027, 1, 20, 0, 0, 0, 0, time.UTC))
		h.ok(h.Persons.Forget(t.Context())) // the review is gone after 90 days
		if list := h.reviewsOf("ana"); len(list) != 0 {
			t.Fatal("the review is still there")
		}
		check("after its term")
	})
}
