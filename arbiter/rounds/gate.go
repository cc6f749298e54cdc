package rounds

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// OpenRegistration announces a tournament, or opens the registration of an announced one.
func (a *Office) OpenRegistration(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActOpen}, func(t *tournament.Tournament) error {
		return t.OpenRegistration(by, a.Now())
	})
}

// CloseRegistration stops entries.
func (a *Office) CloseRegistration(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActClose}, func(t *tournament.Tournament) error {
		return t.CloseRegistration(by, a.Now())
	})
}

// SweepGates opens and closes registrations that are due.
func (a *Office) SweepGates(ctx context.Context) error {
	stay, err := a.Stay(ctx)
	if err != nil {
		return err
	}
	due, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]tournament.ID, error) { return tx.DueGates(a.Now(), kernel.SweepSize) })
	if err != nil {
		return err
	}
	return kernel.ForEach(ctx, a.Log, kernel.Work{Of: "tournament", Trouble: "registration not opened or closed"}, due,
		func(ctx context.Context,
			id tournament.ID) error {
			t, err := a.Tournament(ctx, id)
			if err != nil {
				return err
			}
			what, move := tournament.ActOpen, func(t *tournament.Tournament) bool { return t.MoveGate(a.Now()) }
			at, _ := t.NextGateAt()
			switch {
			case t.Gate.Closed && stay.Holds(t.Settings.Entry.Closes): // it opens first; its close is held by the next sweep
				move = func(t *tournament.Tournament) bool { return t.MoveGate(t.Settings.Entry.Opens) }
			case !t.Gate.Closed && stay.Holds(at):
				until := stay.Until.Add(time.Minute - 1).Truncate(time.Minute)
				what, move = tournament.ActGiveBack, func(t *tournament.Tournament) bool { return t.StayOpen(until) }
			default:
				t.MoveGate(a.Now())
				if t.Gate.Closed {
					what = tournament.ActClose
				}
			}
			err = a.Amend(ctx, id, kernel.Step{Act: what}, func(t *tournament.Tournament) error {
				if !move(t) {
					return errNotDue
				}
				return nil
			})
			if errors.Is(err, errNotDue) {
				return nil
			}
			return err
		})
}
