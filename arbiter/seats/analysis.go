package seats

import (
	"context"
	"errors"
	"fmt"
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

// ErrBeingPlayed refuses to analyse a position of a match that is being played.
var ErrBeingPlayed = refusal.Conflict("fairplay.error.being-played", "arbiter: a match with this position is being played")

// longestFeed bounds for how long after its end a match is looked at.
const longestFeed = time.Hour

// MayAnalyse is nil, or ErrBeingPlayed: our analysis answers for no position of
// a match of Declared or above that runs, or whose last moves watchers do not see
// yet, unless everybody could have known it before that match opened. Who was refused
// is noted; to ask, refused or not, is a signal where they play in that match themselves, or
// asks from a browser from which it is played.
func (a *Office) MayAnalyse(ctx context.Context, by player.Viewer, device string, p board.Position) error {
	now := a.Now()
	guarded, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.Guarded(now.Add(-longestFeed)) })
	if err != nil {
		return err
	}
	var refused error
	for _, h := range guarded {
		if h.Status == match.Over && !now.Before(h.Feed.Until(h.LastAt)) {
			continue
		}
		state, head, err := a.Live.State(ctx, h.ID)
		if err != nil {
			return fmt.Errorf("analysis lock: %w", err)
		}
		key, locked := fairplay.Locked(state.Game(), p)
		if !locked {
			continue
		}
		var known bool
		known, err = store.Get(ctx, a.Store, func(tx *store.Tx) (bool, error) { return tx.IsKnown(key.Mark(), head.OpenedAt) })
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

func (a *Office) noteAnalysis(ctx context.Context, by player.Viewer, device string, head store.Head, move int, p board.Position,
	answered bool) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if answered {
			// Nothing was refused.
		} else if err := tx.AddAnalysisRefusal(store.AnalysisRefusal{ID: store.NewID(), Match: head.ID, Player: by.ID, At: a.Now(),
			Position: p.CFEN()}); err != nil {
			return err
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
// match while a position of it stands, or may stand, in a match of Declared or above
// that was opened before it ended. Else whoever plays would have the same position
// played out elsewhere, and read there what to do.
func (a *Office) MayReadAnalysis(ctx context.Context, h store.Head, g match.Game) error {
	if !g.OnBoard() {
		return nil
	}
	now := a.Now()
	guarded, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.Guarded(now.Add(-longestFeed)) })
	if err != nil || len(guarded) == 0 {
		return err
	}
	asked := fairplay.PlacementsOf(g.Positions())
	for _, other := range guarded {
		if other.ID == h.ID || other.OpenedAt.After(h.LastAt) || other.Status == match.Over && !now.Before(other.Feed.Until(other.LastAt)) {
			continue
		}
		state, head, err := a.Live.State(ctx, other.ID)
		if err != nil {
			return fmt.Errorf("analysis lock: %w", err)
		}
		for _, key := range fairplay.LockedOf(state.Game(), asked) {
			var known bool
			known, err = store.Get(ctx, a.Store, func(tx *store.Tx) (bool, error) { return tx.IsKnown(key.Mark(), head.OpenedAt) })
			if err != nil || !known {
				return errors.Join(err, ErrBeingPlayed)
			}
		}
	}
	return nil
}
