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

// check is nil or why the act cannot be done for that reason.
func (d Step) check() error { return tournament.CheckReason(d.Act, d.Reason) }

// Deed is the line of the log, before it has a number and changes.
func (d Step) Deed(t *tournament.Tournament, now time.Time) ledger.Deed {
	return ledger.Deed{At: now, By: d.By.ID, Duty: t.DutyOf(d.By), Act: d.Act, Reason: d.Reason}
}

// Change is one optimistic change of a tournament.
type Change struct {
	Act   Step
	Judge func(context.Context, *tournament.Tournament) error // decides and changes a copy; may run again
	Also  func(*store.Tx, *tournament.Tournament) error       // more to write in the same transaction; or nil
}

// Apply reads a tournament, has the change judged, and writes the difference and the
// deed; if another change came first, it starts over. What somebody else has changed since the author
// saw it stays: ErrOvertaken, or no change at all where it is what the author wants. After a change, free
// places go to those who wait and still fit, and a round that could not be paired is tried again.
func (a *Kernel) Apply(ctx context.Context, id tournament.ID, c Change) (after *tournament.Tournament, err error) {
	if err := c.Act.check(); err != nil {
		return nil, err
	}
	err = a.InTurn(ctx, string(id), func(ctx context.Context) error {
		before, err := a.Tournament(ctx, id)
		if err != nil {
			return err
		}
		since, err := a.Since(ctx, before, c.Act.By, c.Judge)
		if err != nil {
			return err
		}
		after = before.Clone()
		if err := a.Decide(ctx, since, before, after, c.Judge(ctx, after)); errors.Is(err, ErrSame) {
			after = before
			return nil
		} else if err != nil {
			return err
		}
		passed, err := a.promote(ctx, after)
		if err != nil {
			return err
		}
		after.Stuck = ""
		after.MarkOvertaken(&before.Table)
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			if c.Also != nil {
				if err := c.Also(tx, after); err != nil {
					return err
				}
			}
			if err := a.Save(tx, before, after, c.Act.By, c.Act.Deed(before, a.Now())); err != nil {
				return err
			}
			return a.Notify(tx, passedOver(after, passed)...)
		})
	})
	if err != nil {
		return nil, err
	}
	a.Nudge(after)
	return after, nil
}

// promote gives free places to those who wait, and returns whom it passed over.
func (a *Kernel) promote(ctx context.Context, t *tournament.Tournament) (passed []tournament.Entry, err error) {
	if len(t.WaitingList()) == 0 {
		return nil, nil
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		passed = t.Promote(func(e tournament.Entry) bool {
			unfit, failed := a.Unfit(tx, t, e)
			err = errors.Join(err, failed)
			return unfit == nil && failed == nil
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
	_, err := a.Amended(ctx, id, d, f)
	return err
}

// Amended is Amend, and the tournament after it.
func (a *Kernel) Amended(ctx context.Context, id tournament.ID, d Step,
	f func(*tournament.Tournament) error) (*tournament.Tournament, error) {
	return a.Apply(ctx, id, Change{Act: d, Judge: func(_ context.Context, t *tournament.Tournament) error { return f(t) }})
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
func (a *Kernel) Nudge(t *tournament.Tournament) {
	a.Live.Nudge(live.TournamentTopic(string(t.ID)), t.Version)
}

// SweepSize is how many items of a kind a sweep handles at a time.
const SweepSize = 200

// Sweep calls do for each id that due returns. An error or a panic is logged as trouble
// with that id, and the others go on.
func Sweep[ID ~string](ctx context.Context, k *Kernel, kind, trouble string, due func(*store.Tx) ([]ID, error),
	do func(context.Context, ID) error) error {
	ids, err := store.Get(ctx, k.Store, due)
	if err != nil {
		return err
	}
	return ForEach(ctx, k.Log, kind, trouble, ids, do)
}

// ForEach is Sweep for known ids.
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

// OfTournament does something beside a tournament, and logs the step it returns unless
// that has no act. If another change came first, it starts over.
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

// Beside does something beside a tournament for a viewer whose duty allows the act, and
// logs it. What somebody else has done of the kind since the viewer saw it stays: ErrOvertaken.
func (a *Kernel) Beside(ctx context.Context, id tournament.ID, d Step, f func(*store.Tx) error) error {
	err := a.OfTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (Step, error) {
		if !t.May(d.By, d.Act) {
			return Step{}, tournament.ErrNotAllowed
		}
		if err := Unseen(tx, t, d); err != nil {
			return Step{}, err
		}
		return d, f(tx)
	})
	if err != nil {
		return err
	}
	return a.NudgeByID(ctx, id)
}

// NudgeByID is Nudge for a tournament that was not read.
func (a *Kernel) NudgeByID(ctx context.Context, id tournament.ID) error {
	version, err := a.Version(ctx, id)
	if err != nil {
		return err
	}
	a.Nudge(&tournament.Tournament{ID: id, Version: version})
	return nil
}
