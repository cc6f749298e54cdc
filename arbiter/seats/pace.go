package seats

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// NotePace notes, once per match, that a player acts in it or asks for it faster than a
// person does. It ignores people who do not play in it, and matches at Open or not
// running.
func (a *Office) NotePace(ctx context.Context, by player.Viewer, id match.ID, kind review.SignalKind) error {
	state, head, err := a.Live.State(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	seat := head.SeatOf(by.ID)
	if !seat.Valid() || head.Level <= fairplay.Open || head.Status == match.Over {
		return nil
	}
	has, err := store.Get(ctx, a.Store, func(tx *store.Tx) (bool, error) { return tx.HasSignal(by.ID, id, kind) })
	if err != nil || has {
		return err
	}
	here := Noted{Office: a, Head: head, seat: seat, player: by.ID, At: a.Now(), Move: assurance.MoveOf(state)}
	return here.signal(ctx, kind, "")
}
