package judges

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/store"
)

// Assure determines what a finished match achieved, signs it and stores it; a repetition
// changes nothing. A match that went on after its end is judged again at the next. until
// is how long it waits for a steward to sign.
func (a *Office) Assure(ctx context.Context, id match.ID) (until time.Time, err error) {
	var head store.Head
	var with assurance.Known
	var known bool
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if head, err = tx.Match(id); err != nil || head.Status != match.Over || head.Achieved != 0 {
			return err
		}
		with, known, err = assurance.Of(tx, head)
		return err
	})
	if err != nil || !known {
		return until, err
	}
	if waitsForSteward(with, head.LastAt, a.Now()) {
		return head.LastAt.Add(fairplay.SignWithin), nil
	}
	state, _, err := a.Live.State(ctx, id)
	if err != nil || state.Seq() != head.Seq { // it has gone on, and will end again
		return until, err
	}
	if err := errors.Join(a.noteSilence(ctx, head, with, state), a.notePatterns(ctx, head, state)); err != nil {
		return until, err
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		with, _, err = assurance.Of(tx, head)
		return err
	})
	if err != nil {
		return until, err
	}
	s, err := a.assurance.Stated(ctx, head, state, with)
	if err != nil {
		return until, fmt.Errorf("assure %s: %w", id, err)
	}
	key, err := a.SiteKey(ctx)
	if err != nil {
		return until, err
	}
	signed, err := fairplay.Sign(key, s, with.Policy)
	if err != nil {
		return until, fmt.Errorf("assure %s: %w", id, err)
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetAchieved(id, head.Seq, signed); err != nil {
			return err
		}
		return tx.AskChoices(head)
	})
	if errors.Is(err, store.ErrConflict) {
		return until, nil // another node was quicker
	}
	return until, err
}

// noteSilence notes at the end of a match that a page did not report although the policy
// asked it to.
func (a *Office) noteSilence(ctx context.Context, head store.Head, with assurance.Known, state match.State) error {
	if !with.Policy.Telemetry {
		return nil
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, seat := range match.Seats {
			own, last := review.OwnMoves(state.Standing(), seat)
			rows, err := tx.Telemetry(head.ID, seat)
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

// waitsForSteward reports whether a match still waits for a steward to sign.
func waitsForSteward(with assurance.Known, endedAt, now time.Time) bool {
	return with.Policy.Steward && now.Before(endedAt.Add(fairplay.SignWithin)) &&
		slices.ContainsFunc(match.Seats[:], func(seat match.Seat) bool {
			return !assurance.HasWord(with.Facts, seat) && !with.Waives(seat, fairplay.DemandSteward)
		})
}
