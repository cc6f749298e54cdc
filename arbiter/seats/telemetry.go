package seats

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Tell stores what a player's match page reports about itself and returns all that is
// kept of it. Errors: live.ErrNotPlaying, review.ErrTelemetry.
func (a *Office) Tell(ctx context.Context, by player.Viewer, id match.ID, list []review.Telemetry) (told []review.Telemetry, err error) {
	if len(list) > review.MostTelemetryAtOnce {
		return nil, review.ErrTelemetry
	}
	for _, t := range list {
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	state, _, err := a.Live.State(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Move = assurance.MoveOf(state) // not what the page says
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		told, err = a.tellTx(tx, by, id, list)
		return err
	})
	return told, err
}

func (a *Office) tellTx(tx *store.Tx, by player.Viewer, id match.ID, list []review.Telemetry) ([]review.Telemetry, error) {
	head, err := tx.Match(id)
	if err != nil {
		return nil, err
	}
	seat := head.SeatOf(by.ID)
	if !seat.Valid() {
		return nil, live.ErrNotPlaying
	}
	with, err := tx.MatchPolicy(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !with.Policy.Telemetry {
		return nil, review.ErrTelemetry
	}
	if err != nil {
		return nil, err
	}
	have, err := tx.Telemetry(id, seat)
	if err != nil || head.Status == match.Over || len(have)+len(list) > review.MostTelemetry {
		return have, err
	}
	before := ""
	if len(have) > 0 {
		before = have[len(have)-1].Hash
	}
	now := a.Now()
	fresh := make([]review.Telemetry, len(list))
	for i, t := range list {
		t.At = now
		fresh[i] = t.Chain(before)
		before = fresh[i].Hash
	}
	return append(have, fresh...), tx.AddTelemetry(id, seat, by.ID, len(have), fresh)
}
