package rounds

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
)

// Record takes the result of a finished match into its tournament; a second call changes
// nothing. What follows from the last result of a round, the time of the next one or the end,
// is written in the same transaction.
func (a *Office) Record(ctx context.Context, ref store.PairingRef, head store.Head) error {
	result := tournament.ResultOf(head.Result, head.LastAt)
	if !ref.Format.InRounds() && head.Result.Reason == match.Voided {
		result = arena.Voided(head.LastAt)
	}
	if head.Status != match.Over {
		return nil
	}
	if ref.Arranged {
		if follows, err := a.fixtureEnded(ctx, ref.Tournament, head); err != nil || follows {
			return err
		}
	}
	if result.IsPending() {
		return nil
	}
	missing, declared, err := a.absent(ctx, head)
	if err != nil {
		return err
	}
	switch declared.By {
	case match.FairPlay:
	case match.AtEnd:
		if result.Rated, err = a.ratedAtEnd(ctx, head.ID); err != nil {
			return err
		}
	default:
		result.By, result.Why = player.ID(declared.By), declared.Why
	}
	if result.Odds, err = a.oddsOf(ctx, ref, head.ID); err != nil {
		return err
	}
	var after *tournament.Tournament
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		after = nil
		if ref.Format.HasBracket() {
			t, err := tx.Tournament(ref.Tournament)
			if err != nil {
				return err
			}
			result.Gone = t.Gone()
		}
		recorded, err := tx.RecordResult(head.ID, result)
		if err != nil || !recorded {
			return err
		}
		if err := noteNoShows(tx, ref, head, missing, result); err != nil {
			return err
		}
		if !ref.Format.InRounds() {
			after, err = a.backToArena(tx, ref, head, missing)
			if err != nil || after != nil {
				return err
			}
		}
		open, err := tx.OpenBoards(ref.Tournament)
		if err != nil || open > 0 && !ref.Format.HasBracket() {
			return err
		}
		before, err := tx.Tournament(ref.Tournament)
		if err != nil {
			return err
		}
		if !before.RoundIsOver() && before.Pace != tournament.Rolling {
			return nil // in an arena whoever waits is paired
		}
		after = before.Clone()
		after.Conclude(a.Now())
		return a.Save(tx, before, after, player.Viewer{}, kernel.Step{Act: tournament.ActConclude}.Deed(before, a.Now()))
	})
	if err != nil {
		return err
	}
	if after == nil {
		return a.NudgeByID(ctx, ref.Tournament)
	}
	return a.AfterRound(ctx, after)
}

// oddsOf returns who advances if a knock-out's match leaves its contest level: after sealed bids
// the player with draw odds, and where lots decide the one named by the match's lot.
func (a *Office) oddsOf(ctx context.Context, ref store.PairingRef, id match.ID) (match.Seat, error) {
	if !ref.Format.HasBracket() {
		return 0, nil
	}
	if !ref.Sealed {
		if t, err := a.Tournament(ctx, ref.Tournament); err != nil || !t.DrawsLots() {
			return 0, err
		}
	}
	s, _, err := a.Live.State(ctx, id)
	if err != nil {
		return 0, err
	}
	if ref.Sealed {
		return match.OddsIn(s).Seat, nil
	}
	return match.LotIn(s, "contest"), nil
}

// AfterRound does what may follow the end of a round.
func (a *Office) AfterRound(ctx context.Context, t *tournament.Tournament) error {
	a.Nudge(t)
	if t.Status.IsOver() {
		return a.ratings.Rate(ctx, t.ID)
	}
	return a.OpenIfDue(ctx, t)
}

// Seen is a board as whoever enters its result sees it.
type Seen struct {
	Round, Board int
	First        tournament.EntryID // who sits there first; 0: whoever it is
}

// EnterResult writes the first result of a board by hand, where no match decides. A result that stands is the answer
// where it is the same, else kernel.ErrOvertaken. With first it refuses a board that now belongs to others; 0: whoever
// sits there. If the tournament is rated already, the ratings are recalculated from it on.
func (a *Office) EnterResult(ctx context.Context, by player.Viewer, id tournament.ID, at Seen, kind tournament.ResultKind) error {
	round, board := at.Round, at.Board
	var rated bool
	var stands tournament.Result
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: kernel.Step{By: by, Act: tournament.ActResult},
		Judge: func(t *tournament.Tournament) error {
			b, _ := t.BoardAt(round, board) // the rulebook refuses what is no board
			if at.First != 0 && b.First != at.First {
				return tournament.ErrMoved
			}
			stands = b.Result
			isOver, err := a.isOver(ctx, b)
			if err != nil {
				return err
			}
			rated = !t.RatedAt.IsZero()
			if t.NeedsLot(round, board) {
				d, err := a.NextDraw(ctx, t)
				if err != nil {
					return err
				}
				t.DrawLot(round, board, tables.DrawingFrom(d))
			}
			if err := t.Enter(by, round, board, kind, isOver, a.Now()); err != nil {
				return err
			}
			t.Conclude(a.Now())
			return nil
		},
	})
	if errors.Is(err, tournament.ErrSettled) {
		if stands.Kind == kind {
			return nil
		}
		return a.Settled(ctx, id, round, board, stands)
	}
	if err != nil {
		return err
	}
	if rated {
		if err := a.ratings.Sweep(ctx); err != nil || t.Status.IsOver() {
			return err
		}
	}
	return a.AfterRound(ctx, t)
}

// TakeResultBack removes a result that the same person has just entered.
func (a *Office) TakeResultBack(ctx context.Context, by player.Viewer, id tournament.ID, round, board int) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActResult}, func(t *tournament.Tournament) error {
		return t.TakeResultBack(by, round, board)
	})
}

// isOver reports whether the match of a board has ended; true if there is none.
func (a *Office) isOver(ctx context.Context, p tournament.Pairing) (bool, error) {
	if p.Match == "" {
		return true, nil
	}
	head, err := store.Get(ctx, a.Store, func(tx *store.Tx) (store.Head, error) { return tx.Match(p.Match) })
	return head.Status == match.Over, err
}

// Finish ends a tournament before its last round.
func (a *Office) Finish(ctx context.Context, by player.Viewer, id tournament.ID) error {
	if err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActFinish},
		func(t *tournament.Tournament) error { return t.Finish(by, a.Now()) }); err != nil {
		return err
	}
	return a.ratings.Rate(ctx, id)
}
