package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// ScheduleRound sets when the draft is published by itself; the zero time: by hand.
func (a *Office) ScheduleRound(ctx context.Context, by player.Viewer, id tournament.ID, at time.Time) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActDraft}, func(t *tournament.Tournament) error {
		return t.Schedule(by, at.UTC(), a.Now())
	})
}

// EditDraft changes the drafted round.
func (a *Office) EditDraft(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.Edit, reason string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActDraft, Reason: reason}, func(t *tournament.Tournament) error {
		return t.EditDraft(by, e, format.System(&t.Table))
	})
}

// DiscardDraft discards the drafted round; see tournament.Discard.
func (a *Office) DiscardDraft(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActDraft}, func(t *tournament.Tournament) error {
		return t.Discard(by, a.Now())
	})
}

// ReleaseRound lets the pace pair the round again whose draft was discarded, at once if
// it is due.
func (a *Office) ReleaseRound(ctx context.Context, by player.Viewer, id tournament.ID) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step:  kernel.Step{By: by, Act: tournament.ActDraft},
		Judge: func(t *tournament.Tournament) error { return t.Release(by) },
	})
	if err != nil {
		return err
	}
	return a.rounds.OpenIfDue(ctx, t)
}

// Forbid keeps entries from meeting; a soft prohibition is a wish.
func (a *Office) Forbid(ctx context.Context, by player.Viewer, id tournament.ID, f tournament.ForbiddenEntries, reason string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActForbid, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Forbid(by, f)
	})
}

// Allow lifts a prohibition.
func (a *Office) Allow(ctx context.Context, by player.Viewer, id tournament.ID, f tournament.ForbiddenEntries) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActForbid}, func(t *tournament.Tournament) error { return t.Allow(by, f) })
}

// Hide takes an announced tournament back to a draft.
func (a *Office) Hide(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActHide, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Hide(by)
	})
}

// Finalize signs a finished tournament off. Errors: those of tournament.Finalize, and
// tournament.ErrProvisional while reviews can change its results.
func (a *Office) Finalize(ctx context.Context, by player.Viewer, id tournament.ID, note string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActFinalize, Reason: note}, func(t *tournament.Tournament) error {
		if err := t.Finalize(by, note, a.Now()); err != nil {
			return err
		}
		return a.assurance.ReviewsDone(ctx, t, by)
	})
}

// Unfinalize takes the sign-off back.
func (a *Office) Unfinalize(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActUnfinalize, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Unfinalize(by)
	})
}

// Unfinish reopens a finished tournament; its ratings are taken back.
func (a *Office) Unfinish(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step:  kernel.Step{By: by, Act: tournament.ActUnfinish, Reason: reason},
		Judge: func(t *tournament.Tournament) error { return t.Unfinish(by) },
	})
	if err != nil {
		return err
	}
	return errors.Join(a.ratings.Sweep(ctx), a.rounds.OpenIfDue(ctx, t))
}

// Unstart goes back to registration; see tournament.Unstart.
func (a *Office) Unstart(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	return a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActUnstart, Reason: reason},
		judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
			return t.Unstart(by, b.has)
		}})
}

// Unpair takes the last round back to a draft; see tournament.Unpair.
func (a *Office) Unpair(ctx context.Context, by player.Viewer, id tournament.ID, lose bool, reason string) error {
	return a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActUnpair, Reason: reason},
		judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
			void, err := t.Unpair(by, lose, b.has, a.Now())
			if err == nil {
				err = t.Uphold(format.System(&t.Table))
			}
			return void, err
		}})
}

// EditRound changes boards of the open round where nothing has happened.
func (a *Office) EditRound(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.Edit, reason string) error {
	var changed []tournament.Pairing
	return a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActRepair, Reason: reason},
		judge: func(t *tournament.Tournament, b begun) (void []match.ID, err error) {
			void, changed, err = t.EditRound(by, e, b.has, kernel.NewMatchID)
			return void, err
		}, open: func(*tournament.Tournament) []tournament.Pairing { return changed }})
}

// Expel disqualifies an entry; see tournament.Expel. Errors also: ErrOfPlay,
// ErrReviewRuns.
func (a *Office) Expel(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, x tables.Expulsion) error {
	return a.ExpelAs(ctx, id, Expulsion{Step: kernel.Step{By: by, Act: tournament.ActExpel, Reason: x.Reason}, Entry: e,
		May: func(t *tournament.Tournament) error {
			if err := a.assurance.MayExpel(ctx, t, e); err != nil {
				return err
			}
			if !x.Conduct && t.Policy.OrOpen().Level >= fairplay.Verified {
				return assurance.ErrOfPlay
			}
			return nil
		}})
}

// Expulsion disqualifies an entry.
type Expulsion struct {
	kernel.Step
	Entry tournament.EntryID
	May   func(*tournament.Tournament) error // why not; or nil
	More  func(*store.Tx) error              // more to write in the same transaction; or nil
}

// ExpelAs disqualifies an entry.
func (a *Office) ExpelAs(ctx context.Context, id tournament.ID, x Expulsion) error {
	err := a.undo(ctx, id, undoing{Step: x.Step, judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
		void, err := t.Expel(x.By, x.Entry, b.has, a.Now())
		if err == nil && x.May != nil {
			err = x.May(t)
		}
		t.Conclude(a.Now())
		return void, err
	}, more: x.More})
	return a.AfterJudgement(ctx, id, err)
}

// Reinstate takes a disqualification back. Errors also: ErrReviewStands.
func (a *Office) Reinstate(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, reason string) error {
	err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActReinstate, Reason: reason}, func(t *tournament.Tournament) error {
		if err := t.Reinstate(by, e); err != nil {
			return err
		}
		return a.assurance.MayReinstate(ctx, t, e)
	})
	return a.AfterJudgement(ctx, id, err)
}

// Correct changes a result that stands; see tournament.Correct, ErrUnseen, kernel.ErrOvertaken.
func (a *Office) Correct(ctx context.Context, by player.Viewer, id tournament.ID, c tables.Correction, reason string) error {
	rated := false
	err := a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActCorrect, Reason: reason}, look: nothingSeen,
		judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
			if !t.May(by, tournament.ActCorrect) {
				return nil, tournament.ErrNotAllowed
			}
			if by.Shown == 0 {
				return nil, tables.ErrUnseen
			}
			before := t.Matches()
			rated = !t.RatedAt.IsZero()
			if err := t.Correct(by, c.Round, c.Board, c.Kind, c.Reach, format.System(&t.Table), a.Now()); err != nil {
				return nil, err
			}
			void := gone(before, t)
			rated = rated && t.RatedAt.IsZero()
			return void, a.look(ctx, b, void)
		}})
	if err == nil && rated {
		err = a.ratings.Sweep(ctx) // it was reopened: its ratings are taken back
	}
	return a.AfterJudgement(ctx, id, err)
}

// gone are the matches, of those before, that a tournament has no longer.
func gone(before []match.ID, t *tournament.Tournament) []match.ID {
	kept := t.Matches()
	return slices.DeleteFunc(before, func(id match.ID) bool { return slices.Contains(kept, id) })
}

// AfterJudgement does what follows a change of a tournament's results.
func (a *Office) AfterJudgement(ctx context.Context, id tournament.ID, err error) error {
	if err != nil {
		return err
	}
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	if !t.RatedAt.IsZero() {
		return a.ratings.Sweep(ctx)
	}
	return a.rounds.AfterRound(ctx, t)
}

// begun is the state of the last round's matches when it was looked at.
type begun map[match.ID]progress

type progress struct {
	seq   int64
	begun bool
}

func (b begun) has(id match.ID) bool { return b[id].begun }

// begunOf reads which matches of the last round have begun: somebody has acted.
func (a *Office) begunOf(ctx context.Context, t *tournament.Tournament) (begun, error) {
	found := begun{}
	if len(t.Rounds) == 0 {
		return found, nil
	}
	var ids []match.ID
	for _, p := range t.Rounds[len(t.Rounds)-1].Pairings {
		if p.Match != "" {
			ids = append(ids, p.Match)
		}
	}
	return found, a.look(ctx, found, ids)
}

// look reads the state of matches that were not looked at yet.
func (a *Office) look(ctx context.Context, found begun, ids []match.ID) error {
	for _, id := range ids {
		if _, seen := found[id]; seen {
			continue
		}
		state, _, err := a.Live.State(ctx, id)
		if err != nil {
			return err
		}
		b := progress{seq: state.Seq()}
		for _, e := range state.Standing() {
			switch e.Event.(type) {
			case match.BidPlaced, match.Played:
				b.begun = true
			}
		}
		found[id] = b
	}
	return nil
}

// Losses are the boards whose play would be lost if the last round were taken back.
func (a *Office) Losses(ctx context.Context, t *tournament.Tournament) ([]tournament.Pairing, error) {
	b, err := a.begunOf(ctx, t)
	return t.Losses(b.has), err
}

// undoing is a change after which matches are no longer played, and others may be instead.
type undoing struct {
	kernel.Step
	look  func(context.Context, *tournament.Tournament) (begun, error) // which matches have begun; nil: those of the last round
	judge func(*tournament.Tournament, begun) (void []match.ID, err error)
	open  func(*tournament.Tournament) []tournament.Pairing // boards to open; or nil
	more  func(*store.Tx) error                             // more to write; or nil
}

// nothingSeen is for acts that look only at the matches they take back.
func nothingSeen(context.Context, *tournament.Tournament) (begun, error) { return begun{}, nil }

// undo makes such a change: all of it in one transaction. A match that has gone on meanwhile is looked at again.
func (a *Office) undo(ctx context.Context, id tournament.ID, x undoing) error {
	if x.look == nil {
		x.look = a.begunOf
	}
	var rulings []live.Ruling
	var boards []tournament.Pairing
	var opened []match.ID
	_, err := a.Apply(ctx, id, kernel.Change{Step: x.Step, Judge: func(t *tournament.Tournament) error {
		b, err := x.look(ctx, t)
		if err != nil {
			return err
		}
		void, err := x.judge(t, b)
		if err != nil {
			return err
		}
		if rulings, err = a.voidings(ctx, void, b, x.Step); errors.Is(err, match.ErrStale) {
			return errors.Join(store.ErrConflict, err)
		}
		boards = nil
		if x.open != nil {
			boards = x.open(t)
		}
		return err
	}, Also: func(tx *store.Tx, t *tournament.Tournament) (err error) {
		opened = nil
		if len(boards) > 0 {
			if opened, err = a.rounds.OpenBoards(tx, t, boards); err != nil {
				return err
			}
		}
		for _, r := range rulings {
			if err := a.Live.RuleTx(tx, r); err != nil {
				return err
			}
		}
		if x.more != nil {
			return x.more(tx)
		}
		return nil
	}})
	if err != nil || len(opened) == 0 {
		return err
	}
	return a.Live.Opened(ctx, opened...)
}

// voidings make matches void in the state they were looked at.
func (a *Office) voidings(ctx context.Context, void []match.ID, b begun, d kernel.Step) ([]live.Ruling, error) {
	why := strings.TrimSpace(d.Reason)
	if why == "" {
		why = string(d.Act)
	}
	var rulings []live.Ruling
	for _, id := range void {
		seq := b[id].seq
		r, err := a.Live.Prepare(ctx, id, live.Request{Seq: &seq, Command: match.MakeVoid{Warrant: match.Warrant{By: string(d.By.ID), Why: why}}})
		if err != nil {
			return nil, err
		}
		if !r.IsDone() {
			rulings = append(rulings, r)
		}
	}
	return rulings, nil
}

// TryExpel disqualifies an entry of t for conduct without writing anything.
func (a *Office) TryExpel(ctx context.Context, t *tournament.Tournament, by player.Viewer, e tournament.EntryID) error {
	b, err := a.begunOf(ctx, t)
	if err != nil {
		return err
	}
	err = a.try(ctx, t, by, tournament.ActExpel, func() error {
		_, err := t.Expel(by, e, b.has, a.Now())
		return err
	})
	if err != nil {
		return err
	}
	return a.assurance.MayExpel(ctx, t, e)
}

// TryReinstate takes a disqualification in t back without writing anything.
func (a *Office) TryReinstate(ctx context.Context, t *tournament.Tournament, by player.Viewer, e tournament.EntryID) error {
	if err := a.try(ctx, t, by, tournament.ActReinstate, func() error { return t.Reinstate(by, e) }); err != nil {
		return err
	}
	return a.assurance.MayReinstate(ctx, t, e)
}

// try does an act to t without writing it, and judges it as Save would.
func (a *Office) try(ctx context.Context, t *tournament.Tournament, by player.Viewer, act tournament.Act, do func() error) error {
	before := t.Clone()
	err := do()
	if err == nil {
		_, err = tables.OwnInterest(before, t, by, act, a.Now())
	}
	return a.JudgesNamed(ctx, err)
}
