package arbiter

import (
	"context"
	"errors"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// recordResult takes the result of a match that is over into its tournament, if
// it belongs to one, or into its ladder, and that of a rated challenge or ladder
// into the ratings; a second time changes nothing. With the last result of a
// round comes what follows from it, in the same transaction: the date of the
// next round, or the end.
func (a *Arbiter) recordResult(ctx context.Context, id match.ID) error {
	var ref store.PairingRef
	var head store.Head
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if head, err = tx.Match(id); err != nil {
			return err
		}
		ref, err = tx.PairingOf(id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) && head.ID != "" {
		// Not of a tournament.
		return errors.Join(a.rateChallengeOf(ctx, id), a.recordLadderResult(ctx, id), a.rateLadderMatch(ctx, id))
	}
	if err != nil {
		return err
	}
	result := tournament.ResultOf(head.Result, head.LastAt)
	if head.Status != match.Over || result.IsPending() {
		return nil
	}
	missing, declared, err := a.absent(ctx, head)
	if err != nil {
		return err
	}
	if declared.By != match.FairPlay {
		result.By, result.Why = player.ID(declared.By), declared.Why
	}
	var after *tournament.Tournament
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		after = nil
		recorded, err := tx.RecordResult(id, result)
		if err != nil || !recorded {
			return err
		}
		if err := noteNoShows(tx, ref, head, missing, result); err != nil {
			return err
		}
		open, err := tx.OpenBoards(ref.Tournament)
		if err != nil || open > 0 {
			return err
		}
		before, err := tx.Tournament(ref.Tournament)
		if err != nil {
			return err
		}
		after = before.Clone()
		after.Conclude(a.now())
		return a.save(tx, before, after, player.Viewer{}, act{Act: tournament.ActConclude}.deed(before, a.now()))
	})
	if err != nil {
		return err
	}
	if after == nil {
		return a.nudgeByID(ctx, ref.Tournament)
	}
	return a.afterRound(ctx, after)
}

// afterRound does what may follow the end of a round.
func (a *Arbiter) afterRound(ctx context.Context, t *tournament.Tournament) error {
	a.nudge(t)
	if t.Status.IsOver() {
		return a.rate(ctx, t.ID)
	}
	return a.openIfDue(ctx, t)
}

func (a *Arbiter) nudgeByID(ctx context.Context, id tournament.ID) error {
	versions, err := a.versions(ctx, []string{string(id)})
	if err != nil {
		return err
	}
	a.nudge(&tournament.Tournament{ID: id, Version: versions[string(id)]})
	return nil
}

// EnterResult writes a result by hand, where no match decides or as a
// correction. When the tournament is rated already, the ratings are made
// anew from it on.
func (a *Arbiter) EnterResult(ctx context.Context, by player.Viewer, id tournament.ID, round, board int, kind tournament.ResultKind) error {
	var rated bool
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActResult}, func(t *tournament.Tournament) error {
		isOver, err := a.isOver(ctx, t, round, board)
		if err != nil {
			return err
		}
		stood := t.HasResult(round, board)
		if err := t.Enter(by, round, board, kind, isOver, a.now()); err != nil {
			return err
		}
		if stood {
			if err := a.mayOverwrite(ctx, t, round, board); err != nil {
				return err
			}
		}
		rated = !t.RatedAt.IsZero()
		t.Conclude(a.now())
		return nil
	})
	if err != nil {
		return err
	}
	if rated {
		return a.SweepRatings(ctx)
	}
	return a.afterRound(ctx, t)
}

// TakeResultBack removes a result that the same person has just entered.
func (a *Arbiter) TakeResultBack(ctx context.Context, by player.Viewer, id tournament.ID, round, board int) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActResult}, func(t *tournament.Tournament) error {
		return t.TakeResultBack(by, round, board)
	})
	return err
}

// mayOverwrite is nil, or tournament.ErrReason where a review of one of the two
// runs: their results are corrected with a reason (Correct).
func (a *Arbiter) mayOverwrite(ctx context.Context, t *tournament.Tournament, round, board int) error {
	for _, p := range t.Rounds[round-1].Pairings {
		if p.Board != board {
			continue
		}
		for _, e := range [...]tournament.EntryID{p.First, p.Second} {
			if err := a.reviewed(ctx, t, e, tournament.ErrReason, (*review.Review).Runs); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOver tells whether the match of a board, if there is one, has ended.
func (a *Arbiter) isOver(ctx context.Context, t *tournament.Tournament, round, board int) (bool, error) {
	if round < 1 || round > len(t.Rounds) {
		return true, nil
	}
	for _, p := range t.Rounds[round-1].Pairings {
		if p.Board == board && p.Match != "" {
			var head store.Head
			err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
				head, err = tx.Match(p.Match)
				return err
			})
			return head.Status == match.Over, err
		}
	}
	return true, nil
}

// Finish ends a tournament before its last round.
func (a *Arbiter) Finish(ctx context.Context, by player.Viewer, id tournament.ID) error {
	if _, err := a.change(ctx, id, act{By: by, Act: tournament.ActFinish},
		func(t *tournament.Tournament) error { return t.Finish(by, a.now()) }); err != nil {
		return err
	}
	return a.rate(ctx, id)
}
