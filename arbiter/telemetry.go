package arbiter

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Tell takes in what a player's match page tells of itself, and answers all
// that is kept of it so far. Errors: live.ErrNotPlaying, fairplay.ErrTold.
func (a *Arbiter) Tell(ctx context.Context, by player.Viewer, id match.ID, list []review.Told) (told []review.Told, err error) {
	if len(list) > review.MostToldAtOne {
		return nil, review.ErrTold
	}
	for _, t := range list {
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	state, _, err := a.live.State(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Move = moveOf(state) // not by the page's word
	}
	err = a.store.Write(ctx, func(tx *store.Tx) (err error) {
		told, err = a.tellTx(tx, by, id, list)
		return err
	})
	return told, err
}

func (a *Arbiter) tellTx(tx *store.Tx, by player.Viewer, id match.ID, list []review.Told) ([]review.Told, error) {
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
		return nil, review.ErrTold
	}
	if err != nil {
		return nil, err
	}
	have, err := tx.Told(id, seat)
	if err != nil || head.Status == match.Over || len(have)+len(list) > review.MostTold {
		return have, err
	}
	before := ""
	if len(have) > 0 {
		before = have[len(have)-1].Hash
	}
	now := a.now()
	fresh := make([]review.Told, len(list))
	for i, t := range list {
		t.At = now
		fresh[i] = t.Chain(before)
		before = fresh[i].Hash
	}
	return append(have, fresh...), tx.AddTold(id, seat, by.ID, len(have), fresh)
}

// noteSilence notes at the end of a match whose page told nothing, where the
// policy asks it to.
func (a *Arbiter) noteSilence(ctx context.Context, head store.Head, with Assurance, state match.State) error {
	if !with.Policy.Telemetry {
		return nil
	}
	return a.store.Write(ctx, func(tx *store.Tx) error {
		for _, seat := range [...]match.Seat{match.First, match.Second} {
			own, last := review.OwnMoves(state.Standing(), seat)
			rows, err := tx.Told(head.ID, seat)
			if err != nil {
				return err
			}
			if head.Bots[seat.Index()] || !review.IsSilent(rows, own, last) {
				continue
			}
			if err := tx.AddFacts(head.ID, fairplay.Fact{Kind: fairplay.NoTelemetry, Seat: seat, At: head.LastAt}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Forget takes away what is kept of fair play and whose term is over: see
// store.Terms.
func (a *Arbiter) Forget(ctx context.Context) error {
	now := a.now()
	var failed []error
	for _, t := range store.Terms {
		failed = append(failed, a.store.Write(ctx, func(tx *store.Tx) error { return tx.Forget(t, now) }))
	}
	return errors.Join(failed...)
}

// waitsForSteward tells whether what a match was worth still waits for the word
// of a steward.
func waitsForSteward(with Assurance, endedAt, now time.Time) bool {
	if !with.Policy.Steward || !now.Before(endedAt.Add(fairplay.SignWithin)) {
		return false
	}
	for _, seat := range [...]match.Seat{match.First, match.Second} {
		if !hasWord(with.Facts, seat) && !waives(with.Facts, seat, fairplay.DemandSteward) {
			return true
		}
	}
	return false
}

func hasWord(facts []fairplay.Fact, seat match.Seat) bool {
	for _, f := range facts {
		if f.Seat == seat && (f.Kind == fairplay.StewardSigned || f.Kind == fairplay.StewardPartly || f.Kind == fairplay.StewardNot) {
			return true
		}
	}
	return false
}
