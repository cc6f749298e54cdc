package arbiter

import (
	"context"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// CheckIn checks an entry in for the next round, or out again. A round whose
// time has come opens by itself once enough are there.
func (a *Arbiter) CheckIn(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, in bool) error {
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActCheckIn}, func(t *tournament.Tournament) error {
		return t.Check(by, e, in, a.now())
	})
	if err != nil {
		return err
	}
	return a.openIfDue(ctx, t)
}

// CheckInOwn is CheckIn of the viewer's own entry.
func (a *Arbiter) CheckInOwn(ctx context.Context, by player.Viewer, id tournament.ID, in bool) error {
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActCheckIn}, func(t *tournament.Tournament) error {
		e, entered := t.EntryOf(by.ID)
		if !entered {
			return tournament.ErrNoEntry
		}
		return t.Check(by, e.ID, in, a.now())
	})
	if err != nil {
		return err
	}
	return a.openIfDue(ctx, t)
}

// UncheckAll checks everybody out of the next round.
func (a *Arbiter) UncheckAll(ctx context.Context, by player.Viewer, id tournament.ID) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActCheckIn}, func(t *tournament.Tournament) error { return t.UncheckAll(by) })
	return err
}

// PauseRounds keeps rounds from opening, for a reason that everybody reads.
func (a *Arbiter) PauseRounds(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActPause, Reason: reason}, func(t *tournament.Tournament) error {
		return t.PauseRounds(by, reason, a.now())
	})
	return err
}

// ContinueRounds ends the pause; a round that is due opens.
func (a *Arbiter) ContinueRounds(ctx context.Context, by player.Viewer, id tournament.ID) error {
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActPause}, func(t *tournament.Tournament) error { return t.Continue(by, a.now()) })
	if err != nil {
		return err
	}
	return a.openIfDue(ctx, t)
}

// Postpone gives a round another time; shift moves the later ones along.
func (a *Arbiter) Postpone(ctx context.Context, by player.Viewer, id tournament.ID, round int, to time.Time, shift bool, reason string) error {
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActPostpone, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Postpone(by, round, to.UTC().Truncate(time.Millisecond), shift, a.now())
	})
	if err != nil {
		return err
	}
	return a.openIfDue(ctx, t)
}
