package seats

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// ErrBeingPlayed refuses to analyze a position of a match that is being played.
var ErrBeingPlayed = refusal.Conflict("fairplay.error.being-played", "arbiter: a match with this position is being played")

// longestFeed bounds how long after its end a match is looked at.
const longestFeed = time.Hour

// MayAnalyse is nil, or ErrBeingPlayed: our analysis answers for no position of a match
// of Declared or above that is running, or whose last moves watchers have not seen,
// unless everybody could know the position before that match opened. A refusal is noted.
// Asking, refused or not, is a signal if the asker plays in that match, or asks from a
// browser it is played from.
func (a *Office) MayAnalyse(ctx context.Context, by player.Viewer, device string, p board.Position) error {
	guarded, err := a.guarded(ctx)
	if err != nil {
		return err
	}
	var refused error
	for _, h := range guarded {
		state, head, err := a.Live.State(ctx, h.ID)
		if err != nil {
			return fmt.Errorf("analysis lock: %w", err)
		}
		key, locked := fairplay.Locked(state.Game(), p)
		if !locked {
			continue
		}
		known, err := store.Get(ctx, a.Store, func(tx *store.Tx) (bool, error) { return tx.IsKnown(key.Mark(), head.OpenedAt) })
		if err != nil {
			return err
		}
		if !known {
			refused = ErrBeingPlayed
		}
		if err := a.noteAnalysis(ctx, by, device, head, assurance.MoveOf(state), p, known); err != nil {
			return err
		}
	}
	return refused
}

// guarded are the matches of Declared and above that are running or whose end watchers have
// not seen yet.
func (a *Office) guarded(ctx context.Context) ([]store.Head, error) {
	now := a.Now()
	heads, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.Guarded(now.Add(-longestFeed)) })
	return slices.DeleteFunc(heads, func(h store.Head) bool {
		return h.Status == match.Over && !now.Before(h.Feed.Until(h.LastAt))
	}), err
}

func (a *Office) noteAnalysis(ctx context.Context, by player.Viewer, device string, head store.Head, move int, p board.Position,
	answered bool) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if !answered {
			refusal := store.AnalysisRefusal{ID: store.NewID(), Match: head.ID, Player: by.ID, At: a.Now(), Position: p.CFEN()}
			if err := tx.AddAnalysisRefusal(refusal); err != nil {
				return err
			}
		}
		seat := head.SeatOf(by.ID)
		if !seat.Valid() {
			devices, err := tx.Devices(head.ID)
			if err != nil {
				return err
			}
			for _, d := range devices {
				if device != "" && d.Device == device {
					seat = d.Seat
				}
			}
		}
		if !seat.Valid() {
			return nil
		}
		n := Noted{Office: a, Head: head, seat: seat, At: a.Now(), Move: move}
		return n.SignalTx(tx, head.Players[seat.Index()], review.SignalAnalysis, p.CFEN())
	})
}

// MayReadAnalysis is nil, or ErrBeingPlayed: nobody reads our analysis of a finished
// match while one of its positions stands, or may stand, in a match of Declared or above
// that was opened before it ended. Else a player could have the same position played out
// elsewhere and read there what to do.
func (a *Office) MayReadAnalysis(ctx context.Context, h store.Head, g match.Game) error {
	if !g.OnBoard() {
		return nil
	}
	guarded, err := a.guarded(ctx)
	if err != nil || len(guarded) == 0 {
		return err
	}
	asked := fairplay.PlacementsOf(g.Positions())
	for _, other := range guarded {
		if other.ID == h.ID || other.OpenedAt.After(h.LastAt) {
			continue
		}
		state, head, err := a.Live.State(ctx, other.ID)
		if err != nil {
			return fmt.Errorf("analysis lock: %w", err)
		}
		for _, key := range fairplay.LockedOf(state.Game(), asked) {
			known, err := store.Get(ctx, a.Store, func(tx *store.Tx) (bool, error) { return tx.IsKnown(key.Mark(), head.OpenedAt) })
			if err != nil || !known {
				return errors.Join(err, ErrBeingPlayed)
			}
		}
	}
	return nil
}
