package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/dryrun"
	"chpok.org/chpok/tournament/outlook"
)

func TestADryRunIsDoneInPieces(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.Swiss, nil, "ana")
		if _, err := h.Events.DryRun(ctx, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("before: %v", err)
		}
		if err := h.Events.StartDryRun(ctx, h.viewer("ana"), id, events.DryRun{Runs: 10, Extra: 0, First: 3, Seed: 1}); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("by a player: %v", err)
		}
		if err := h.Events.StartDryRun(ctx, h.host, id, events.DryRun{Runs: 10, Extra: 0, First: 3, Seed: 1}); !errors.Is(err, dryrun.ErrPlan) {
			t.Errorf("one player: %v", err)
		}
		run := func(seed int64) (r dryrun.Report) {
			t.Helper()
			h.clock.advance(time.Minute)
			h.ok(h.Events.StartDryRun(ctx, h.host, id, events.DryRun{Runs: 150, Extra: 7, First: 3, Seed: seed}))
			for range 200 {
				h.ok(h.Events.WorkDryRuns(ctx))
				got, err := h.Events.DryRun(ctx, id)
				h.ok(err)
				if got.State == store.DryDone {
					if got.Done != 150 || got.Report.Runs != 150 {
						t.Fatalf("done %d: %+v", got.Done, got.Report)
					}
					return got.Report
				}
			}
			t.Fatal("it never ends")
			return r
		}
		first, second := run(7), run(7) // begun a minute apart
		if !second.P50.Equal(first.P50.Add(time.Minute)) || !second.P90.Equal(first.P90.Add(time.Minute)) || second.Separated != first.Separated || second.Peak != first.Peak {
			t.Errorf("the same seed: %+v and %+v", first, second)
		}
		h.ok(h.Events.WorkDryRuns(ctx)) // nothing is left to do

		h.clock.advance(time.Minute)
		h.ok(h.Events.StartDryRun(ctx, h.host, id, events.DryRun{Runs: 2000, Extra: 7, First: 3, Seed: 0}))
		h.ok(h.Events.CancelDryRun(ctx, h.host, id))
		h.ok(h.Events.WorkDryRuns(ctx))
		if got, err := h.Events.DryRun(ctx, id); err != nil || got.State != store.DryCancelled || got.Seed == 0 || got.Done != 0 {
			t.Errorf("state %d, seed %d, done %d: %v", got.State, got.Seed, got.Done, err)
		}
	})
}

func TestTheForecastFollowsTheClocks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 1 }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		first, err := h.Events.Forecast(t.Context(), h.tournament(id))
		h.ok(err)
		if worst := h.clock.now().Add(h.tournament(id).WorstRound()); !first.IsOpen || first.RoundEnd.Latest.After(worst) || first.RoundEnd.From.Before(h.clock.now()) {
			t.Errorf("%+v, the worst case is %v", first, worst)
		}
		h.clock.advance(time.Minute)
		second, err := h.Events.Forecast(t.Context(), h.tournament(id))
		h.ok(err)
		if !second.RoundEnd.Latest.Equal(first.RoundEnd.Latest) || second.RoundEnd.Earliest.Before(first.RoundEnd.Earliest.Add(time.Minute)) {
			t.Errorf("a minute later the clock of the bidding has run: %+v, before %+v", second.RoundEnd, first.RoundEnd)
		}
		for _, p := range h.tournament(id).Rounds[0].Pairings {
			h.ok(h.loses(p))
		}
		if f, err := h.Events.Forecast(t.Context(), h.tournament(id)); err != nil || f.RoundEnd != (outlook.Span{}) {
			t.Errorf("after the end: %+v, %v", f, err)
		}
	})
}
