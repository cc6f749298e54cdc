package rounds

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

// At is a board.
type At struct {
	Tournament   tournament.ID
	Round, Board int
}

// ProposeTime proposes a time for the viewer's board.
func (a *Office) ProposeTime(ctx context.Context, by player.Viewer, x At, at time.Time) error {
	theirs, err := a.daysOfOther(ctx, by, x)
	if err != nil {
		return err
	}
	return a.arrange(ctx, by, x, func(t *tournament.Tournament) error {
		return t.ProposeTime(by, x.Round, x.Board, fixture.Offer{At: at.UTC().Truncate(time.Minute), Now: a.Now(), Theirs: theirs})
	})
}

// daysOfOther returns the days off of the viewer's opponent at a board; of nobody if they have none there.
func (a *Office) daysOfOther(ctx context.Context, by player.Viewer, x At) (theirs fixture.DaysOff, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		t, err := tx.Tournament(x.Tournament)
		if err != nil {
			return err
		}
		p, err := t.BoardAt(x.Round, x.Board)
		me, plays := t.EntryOf(by.ID)
		if err != nil || !plays || !p.SeatOf(me.ID).Valid() {
			return nil // the rulebook refuses it
		}
		other, err := t.Entry(p.EntryAt(p.SeatOf(me.ID).Other()))
		if err != nil || other.Player == "" {
			return nil
		}
		days, err := a.DaysOff(tx, other.Player)
		theirs = days[other.Player]
		return err
	})
	return theirs, err
}

// AgreeTime accepts a time that the viewer's opponent has proposed. A match whose time is near opens at once.
func (a *Office) AgreeTime(ctx context.Context, by player.Viewer, x At, at time.Time) error {
	return a.arrange(ctx, by, x, func(t *tournament.Tournament) error {
		return t.AgreeTime(by, x.Round, x.Board, at.UTC(), a.Now())
	})
}

// Object disputes a forfeit of the viewer's.
func (a *Office) Object(ctx context.Context, by player.Viewer, x At, text string) error {
	return a.arrange(ctx, by, x, func(t *tournament.Tournament) error { return t.Object(by, x.Round, x.Board, text, a.Now()) })
}

// GiveUpForfeit gives up a forfeit that the viewer would win, so that the two play.
func (a *Office) GiveUpForfeit(ctx context.Context, by player.Viewer, x At) error {
	return a.arrange(ctx, by, x, func(t *tournament.Tournament) error { return t.GiveUpForfeit(by, x.Round, x.Board, a.Now()) })
}

// arrange makes a change by a player of the board, who must meet the event's demands now.
func (a *Office) arrange(ctx context.Context, by player.Viewer, x At, f func(*tournament.Tournament) error) error {
	t, err := a.Apply(ctx, x.Tournament, kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActArrange}, Judge: f})
	if err != nil {
		return err
	}
	return a.OpenIfDue(ctx, t)
}

// Extend gives a board until later to be played.
func (a *Office) Extend(ctx context.Context, d kernel.Step, x At, until time.Time) error {
	return a.Amend(ctx, x.Tournament, d.Doing(tournament.ActExtend), func(t *tournament.Tournament) error {
		return t.Extend(d.By, x.Round, x.Board, until.UTC().Truncate(time.Minute), a.Now())
	})
}

// settleFixtures opens agreed matches that are due and decides boards whose time is over, once, however many nodes try.
func (a *Office) settleFixtures(ctx context.Context, id tournament.ID) error {
	stay, err := a.Stay(ctx)
	if err != nil {
		return err
	}
	var boards []tournament.Pairing
	var opened []match.ID
	t, err := a.Apply(ctx, id, kernel.Change{Step: kernel.Step{Act: tournament.ActSettle}, Judge: func(t *tournament.Tournament) error {
		var changed bool
		if boards, changed = t.SettleFixtures(kernel.NewMatchID, stay.Holds, a.Now()); !changed {
			return errNotDue
		}
		t.Conclude(a.Now())
		return nil
	}, Also: func(tx *store.Tx, t *tournament.Tournament) (err error) {
		opened, err = a.OpenBoards(tx, t, boards)
		return err
	}})
	if errors.Is(err, errNotDue) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(opened) > 0 {
		if err := a.Live.Opened(ctx, opened...); err != nil {
			return err
		}
	}
	return a.AfterRound(ctx, t)
}

// fixtureEnded does what follows the end of an arranged match that does not count as it is, and reports whether that
// was so.
func (a *Office) fixtureEnded(ctx context.Context, id tournament.ID, head store.Head) (follows bool, err error) {
	err = a.Amend(ctx, id, kernel.Step{Act: tournament.ActSettle}, func(t *tournament.Tournament) error {
		if follows = t.FixtureEnded(head.ID, head.Result, a.Now()); !follows {
			return errNotDue
		}
		return nil
	})
	if errors.Is(err, errNotDue) {
		return false, nil
	}
	return follows, err
}
