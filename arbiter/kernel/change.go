package kernel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// Version is the version of a tournament, 0 without one.
func (a *Kernel) Version(ctx context.Context, id tournament.ID) (int64, error) {
	versions, err := store.Get(ctx, a.Store, func(tx *store.Tx) (map[tournament.ID]int64, error) {
		return tx.TournamentVersions([]tournament.ID{id})
	})
	return versions[id], err
}

// Tournament is one tournament as it stands.
func (a *Kernel) Tournament(ctx context.Context, id tournament.ID) (*tournament.Tournament, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (*tournament.Tournament, error) { return tx.Tournament(id) })
}

// Step is an act on a tournament, for its log; the zero viewer is the site itself.
type Step struct {
	By     player.Viewer
	Act    tournament.Act
	Reason string
}

// For is a step by whoever acts and why; the office that takes it says what it is.
func For(by player.Viewer, reason string) Step { return Step{By: by, Reason: player.Tidy(reason)} }

// Doing is the step as an act.
func (d Step) Doing(act tournament.Act) Step {
	d.Act = act
	return d
}

// check is nil or why the act cannot be done for that reason.
func (d Step) check() error { return tournament.CheckReason(d.Act, d.Reason) }

// Deed is the line of the log, before it has a number and changes.
func (d Step) Deed(t *tournament.Tournament, now time.Time) ledger.Deed {
	return ledger.Deed{At: now, By: d.By.ID, Duty: t.DutyOf(d.By), Act: d.Act, Reason: d.Reason}
}

// Change is one optimistic change of a tournament.
type Change struct {
	Step
	Judge func(*tournament.Tournament) error            // decides and changes a copy; may run again
	Also  func(*store.Tx, *tournament.Tournament) error // more to write, before the tournament itself; or nil
	Then  func(*store.Tx, *tournament.Tournament) error // the same after it; or nil
}

// Judged is a change that is judged and not yet written.
type Judged struct {
	Change
	Before, After *tournament.Tournament
	passed        []tournament.Entry // who waits and got no free place
}

// Apply reads a tournament, has the change judged, and writes it; if another change came first, it starts
// over. A change that is done already leaves the tournament as it is.
func (a *Kernel) Apply(ctx context.Context, id tournament.ID, c Change) (after *tournament.Tournament, err error) {
	err = a.InTurn(ctx, string(id), func() error {
		before, err := a.Tournament(ctx, id)
		if err != nil {
			return err
		}
		x, err := a.Judged(ctx, before, c)
		if errors.Is(err, ErrSame) {
			after = before
			return nil
		}
		if err != nil {
			return err
		}
		after = x.After
		return a.WriteAll(ctx, x)
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// Judged judges a change of a tournament without writing anything. What somebody else has changed since the
// author saw it stays: ErrOvertaken, or ErrSame where it is what the author wants. After a change, free places
// go to those who wait and still fit, and a round that could not be paired is tried again.
func (a *Kernel) Judged(ctx context.Context, before *tournament.Tournament, c Change) (Judged, error) {
	x := Judged{Change: c, Before: before, After: before.Clone()}
	if err := c.check(); err != nil {
		return x, err
	}
	since, err := a.Since(ctx, before, c.By, c.Judge)
	if err != nil {
		return x, err
	}
	if err := a.Decide(ctx, since, before, x.After, c.Judge(x.After)); err != nil {
		return x, err
	}
	if x.passed, err = a.promote(ctx, x.After); err != nil {
		return x, err
	}
	if c.Act != tournament.ActStuck {
		x.After.Stuck = ""
	}
	x.After.MarkOvertaken(&before.Table)
	return x, nil
}

// Unwritten is why one of several changes could not be written.
type Unwritten struct {
	Of  *tournament.Tournament
	Err error
}

func (e *Unwritten) Error() string { return e.Err.Error() }

// Unwrap returns why.
func (e *Unwritten) Unwrap() error { return e.Err }

// WriteAll writes judged changes with their deeds, all of them or none, if nothing else has changed their
// tournaments: store.ErrConflict. What fails in one of them is an *Unwritten.
func (a *Kernel) WriteAll(ctx context.Context, list ...Judged) error {
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, x := range list {
			if err := a.write(tx, x); err != nil {
				return &Unwritten{x.Before, err}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range list {
		a.Nudge(x.After)
	}
	return nil
}

// write writes one judged change.
func (a *Kernel) write(tx *store.Tx, x Judged) error {
	if x.Also != nil {
		if err := x.Also(tx, x.After); err != nil {
			return err
		}
	}
	if err := a.Save(tx, x.Before, x.After, x.By, x.Deed(x.Before, a.Now())); err != nil {
		return err
	}
	if err := a.Notify(tx, passedOver(x.After, x.passed)...); err != nil {
		return err
	}
	if x.Then != nil {
		return x.Then(tx, x.After)
	}
	return nil
}

// promote gives free places to those who wait, and returns whom it passed over.
func (a *Kernel) promote(ctx context.Context, t *tournament.Tournament) (passed []tournament.Entry, err error) {
	waiting := t.WaitingList()
	if len(waiting) == 0 {
		return nil, nil
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		var anew map[tournament.EntryID]tournament.Candidate // read once a place is free
		passed = t.Promote(func(e tournament.Entry) bool {
			if anew == nil && err == nil {
				anew, err = a.Anew(tx, t, waiting...)
			}
			return err == nil && (t.IsTeam(e) || t.Fits(anew[e.ID], false, a.Now()) == nil)
		}, a.Now())
		return err
	})
	return passed, err
}

// passedOver tells players once that a place went past them.
func passedOver(t *tournament.Tournament, passed []tournament.Entry) (list []notice.Notice) {
	for _, e := range passed {
		list = append(list, notice.Notice{To: e.Player, Kind: notice.PassedOver, URL: TournamentPath(t.ID),
			Key: fmt.Sprint(t.ID, "/passed/", e.EnteredAt.UnixMilli()), Args: map[string]string{"Tournament": t.Name}})
	}
	return list
}

// Amend applies a change that needs nothing but the tournament.
func (a *Kernel) Amend(ctx context.Context, id tournament.ID, d Step, f func(*tournament.Tournament) error) error {
	_, err := a.Apply(ctx, id, Change{Step: d, Judge: f})
	return err
}

// Stay is when no deadline passes now. All that costs somebody something by itself for not acting
// asks it: line-ups, the close of registration, the deadlines of a ladder.
func (a *Kernel) Stay(ctx context.Context) (store.Stay, error) {
	if err := a.Live.Awake(ctx); err != nil { // an outage that just ended is known
		return store.Stay{}, err
	}
	return store.Get(ctx, a.Store, func(tx *store.Tx) (store.Stay, error) { return tx.StayAt(a.Now()) })
}

// Nudge wakes those who watch a tournament.
func (a *Kernel) Nudge(t *tournament.Tournament) { a.nudge(t.ID, t.Version) }

func (a *Kernel) nudge(id tournament.ID, version int64) {
	a.Live.Nudge(live.TournamentTopic(string(id)), version)
}

// SweepSize is how many items of a kind a sweep handles at a time.
const SweepSize = 200

// Work is what a sweep does for each of its items.
type Work struct {
	Of      string // kind of the items, for the log
	Trouble string // what it logs if one fails
}

// Sweep calls do for each id that due returns. An error or a panic is logged as trouble
// with that id, and the others go on.
func Sweep[ID ~string](ctx context.Context, k *Kernel, w Work, due func(*store.Tx) ([]ID, error),
	do func(context.Context, ID) error) error {
	ids, err := store.Get(ctx, k.Store, due)
	if err != nil {
		return err
	}
	return ForEach(ctx, k.Log, w, ids, do)
}

// ForEach is Sweep for known ids.
func ForEach[ID ~string](ctx context.Context, log *slog.Logger, w Work, ids []ID, do func(context.Context, ID) error) error {
	for _, id := range ids {
		if err := Guard(func() error { return do(ctx, id) }); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			log.Error(w.Trouble, w.Of, id, "err", err)
		}
	}
	return nil
}

// Guard turns a panic of a rulebook into an error: one broken match must not take down
// the others.
func Guard(do func() error) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("broken: %v\n%s", broken, debug.Stack())
		}
	}()
	return do()
}

// Beside does something beside a tournament and logs the step it returns, unless that has no act.
func (a *Kernel) Beside(ctx context.Context, id tournament.ID, f func(*store.Tx, *tournament.Tournament) (Step, error)) error {
	var after *tournament.Tournament
	err := a.InTurn(ctx, string(id), func() error {
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			after = nil
			t, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			d, err := f(tx, t)
			if err != nil || d.Act == "" {
				return err
			}
			after = t.Clone()
			return a.Save(tx, t, after, d.By, d.Deed(t, a.Now()))
		})
	})
	if err == nil && after != nil {
		a.Nudge(after)
	}
	return err
}

// BesideBy is Beside for a viewer whose duty allows the act. What somebody else has done of the kind since
// the viewer saw it stays: ErrOvertaken.
func (a *Kernel) BesideBy(ctx context.Context, id tournament.ID, d Step, f func(*store.Tx) error) error {
	return a.Beside(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (Step, error) {
		if !t.May(d.By, d.Act) {
			return Step{}, tournament.ErrNotAllowed
		}
		if err := Unseen(tx, t, d); err != nil {
			return Step{}, err
		}
		return d, f(tx)
	})
}

// NudgeByID is Nudge for a tournament that was not read.
func (a *Kernel) NudgeByID(ctx context.Context, id tournament.ID) error {
	version, err := a.Version(ctx, id)
	if err == nil {
		a.nudge(id, version)
	}
	return err
}
