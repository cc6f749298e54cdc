package arbiter_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// TestRatingsAreMadeAnewForGamesOnly, not for whatever else is done to a
// tournament that is rated.
func TestRatingsAreMadeAnewForGamesOnly(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.played(1, [][2]string{{"ana", "bob"}}, []tournament.ResultKind{tournament.FirstWins})
		stale := func() (n int) {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
				folds, err := tx.PendingFolds()
				for _, f := range folds {
					if f.IsStale() {
						n++
					}
				}
				return err
			}))
			return n
		}
		h.ok(h.Events.SetChat(t.Context(), h.host, id, false))
		h.ok(h.Desk.Finalize(t.Context(), h.host, id, ""))
		h.ok(h.Desk.Unfinalize(t.Context(), h.host, id, "a mistake"))
		if n := stale(); n != 0 {
			t.Errorf("%d lists are to be made anew", n)
		}
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			before, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			after := before.Clone()
			after.Rounds[0].Pairings[0].Result.Kind = tournament.Drawn
			return tx.SaveTournament(before, after, ledger.Deed{At: h.clock.now(), Act: tournament.ActCorrect})
		}))
		if stale() == 0 {
			t.Error("another result makes no list anew")
		}
	})
}

// TestOfSeveralChangesAllAreWrittenOrNone: where one has been overtaken, the error names its tournament, and the others
// stand as they stood.
func TestOfSeveralChangesAllAreWrittenOrNone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		first, second := h.create(tournament.Swiss, nil, "ana", "bob"), h.create(tournament.Swiss, nil, "cyn", "dan")
		withdrawn := func(id tournament.ID) kernel.Judged {
			x, err := h.Rounds.Judged(ctx, h.tournament(id), kernel.Change{Step: kernel.Step{By: h.host, Act: tournament.ActWithdraw},
				Judge: func(t *tournament.Tournament) error { return t.Withdraw(h.host, 1) }})
			h.ok(err)
			return x
		}
		all := []kernel.Judged{withdrawn(first), withdrawn(second)}
		h.ok(h.Entries.WithdrawPlayer(ctx, h.viewer("dan"), second, "dan"))
		var failed *kernel.Unwritten
		err := h.Rounds.WriteAll(ctx, all...)
		if !errors.As(err, &failed) || failed.Of.ID != second || !errors.Is(err, store.ErrConflict) {
			t.Errorf("%v, of %+v", err, failed)
		}
		if got := h.standing(first, "ana"); got != tournament.Active {
			t.Errorf("ana is %v in the event that nobody else has changed", got)
		}
		h.ok(h.Rounds.WriteAll(ctx, withdrawn(first), withdrawn(second)))
		if a, c := h.standing(first, "ana"), h.standing(second, "cyn"); a != tournament.Withdrawn || c != tournament.Withdrawn {
			t.Errorf("written in the end: ana %v, cyn %v", a, c)
		}
	})
}

// TestATournamentThatGoesOnIsNotRated, though it was over when that was asked.
func TestATournamentThatGoesOnIsNotRated(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, nil, "ana", "bob")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		err := h.store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.MarkRated(store.RatedEvent{Tournament: id}, false, h.clock.now(), h.clock.now())
			return err
		})
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("rated: %v", err)
		}
	})
}

// TestWhatWasNotWrittenIsNamed: of two changes that are judged, one is overtaken; then neither is written.
func TestWhatWasNotWrittenIsNamed(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ids := []tournament.ID{h.create(tournament.Swiss, nil, "ana"), h.create(tournament.Swiss, nil, "bob")}
		judged := func(id tournament.ID) kernel.Judged {
			x, err := h.Judged(t.Context(), h.tournament(id), kernel.Change{Step: kernel.Step{By: h.host, Act: tournament.ActSettings},
				Judge: func(t *tournament.Tournament) error { t.Name = "Saturday"; return nil }})
			h.ok(err)
			return x
		}
		for i, id := range ids {
			list := []kernel.Judged{judged(ids[0]), judged(ids[1])}
			h.ok(h.Events.SetChat(t.Context(), h.host, id, i == 1))
			h.ok(h.Events.SetChat(t.Context(), h.host, id, i == 0))
			err := h.WriteAll(t.Context(), list...)
			var failed *kernel.Unwritten
			if !errors.As(err, &failed) || failed.Of.ID != id || !errors.Is(err, store.ErrConflict) {
				t.Errorf("of %s: %v", id, err)
			}
		}
		for _, id := range ids {
			if name := h.tournament(id).Name; name != "Friday" {
				t.Errorf("%s is written", name)
			}
		}
	})
}
