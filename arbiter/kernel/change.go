package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// TournamentVersions is where tournaments stand, for nudges that were lost.
func (a *Kernel) TournamentVersions(ctx context.Context, ids []string) (map[string]int64, error) {
	wanted := make([]tournament.ID, len(ids))
	for i, id := range ids {
		wanted[i] = tournament.ID(id)
	}
	found := map[string]int64{}
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		versions, err := tx.TournamentVersions(wanted)
		for id, v := range versions {
			found[string(id)] = v
		}
		return err
	})
	return found, err
}

// Tournament is one tournament as it stands.
func (a *Kernel) Tournament(ctx context.Context, id tournament.ID) (*tournament.Tournament, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (*tournament.Tournament, error) { return tx.Tournament(id) })
}

// Step is what is being done to a tournament, for its log; the zero viewer is
// the site by itself.
type Step struct {
	By     player.Viewer
	Act    tournament.Act
	Reason string
}

// check is nil or why the act cannot be done with that reason.
func (d Step) check() error { return tournament.CheckReason(d.Act, d.Reason) }

// Deed is the line of the log, before it has a number and changes.
func (d Step) Deed(t *tournament.Tournament, now time.Time) ledger.Deed {
	return ledger.Deed{At: now, By: d.By.ID, Duty: t.DutyOf(d.By), Act: d.Act, Reason: d.Reason}
}

// Change is one optimistic change of a tournament.
type Change struct {
	Act   Step
	Judge func(context.Context, *tournament.Tournament) error // decides on a copy; may be asked again
	Also  func(*store.Tx, *tournament.Tournament) error       // nil, or what belongs to it in the same transaction
}

// Apply reads a tournament, has the change judged, and writes the difference and
// the deed; when another change came first, all of it again. What could not be
// paired may be paired after a change, so it is tried again.
func (a *Kernel) Apply(ctx context.Context, id tournament.ID, c Change) (after *tournament.Tournament, err error) {
	if err := c.Act.check(); err != nil {
		return nil, err
	}
	err = a.InTurn(ctx, string(id), func(ctx context.Context) error {
		before, err := a.Tournament(ctx, id)
		if err != nil {
			return err
		}
		after = before.Clone()
		if err := c.Judge(ctx, after); err != nil {
			return err
		}
		after.Stuck = ""
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			if c.Also != nil {
				if err := c.Also(tx, after); err != nil {
					return err
				}
			}
			return a.Save(tx, before, after, c.Act.By, c.Act.Deed(before, a.Now()))
		})
	})
	if err != nil {
		return nil, err
	}
	a.Nudge(after)
	return after, nil
}

// Amend applies what needs nothing but the tournament.
func (a *Kernel) Amend(ctx context.Context, id tournament.ID, d Step,
	f func(*tournament.Tournament) error) (*tournament.Tournament, error) {
	return a.Apply(ctx, id, Change{Act: d, Judge: func(_ context.Context, t *tournament.Tournament) error { return f(t) }})
}

func (a *Kernel) Nudge(t *tournament.Tournament) {
	a.Live.Nudge(live.TournamentTopic(string(t.ID)), t.Version)
}

const SweepSize = 200

// ForEach does one thing for each of many. Where it fails, or a rulebook panics,
// that is logged as trouble with the one of that kind, and the others go on.
func ForEach[ID ~string](ctx context.Context, log *slog.Logger, kind, trouble string, ids []ID, do func(context.Context, ID) error) error {
	for _, id := range ids {
		if err := Guard(func() error { return do(ctx, id) }); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			log.Error(trouble, kind, id, "err", err)
		}
	}
	return nil
}

// Guard turns the panic of a rulebook into an error: a broken match must not take
// down those who play elsewhere.
func Guard(do func() error) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("broken: %v\n%s", broken, debug.Stack())
		}
	}()
	return do()
}

// OfTournament does something beside a tournament and notes it in its log, if
// the act has a name; when another change came first, all of it again.
func (a *Kernel) OfTournament(ctx context.Context, id tournament.ID, f func(*store.Tx, *tournament.Tournament) (Step, error)) error {
	return a.InTurn(ctx, string(id), func(ctx context.Context) error {
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			t, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			d, err := f(tx, t)
			if err != nil || d.Act == "" {
				return err
			}
			return tx.SaveTournament(t, t.Clone(), d.Deed(t, a.Now()))
		})
	})
}

func (a *Kernel) NudgeByID(ctx context.Context, id tournament.ID) error {
	versions, err := a.TournamentVersions(ctx, []string{string(id)})
	if err != nil {
		return err
	}
	a.Nudge(&tournament.Tournament{ID: id, Version: versions[string(id)]})
	return nil
}
