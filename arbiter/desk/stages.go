package desk

import (
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/stage"
)

// Exchange is a seed that somebody else can have, and nil or why they no longer can.
type Exchange struct {
	tables.Exchange
	Refused error
}

// Remedies are what staff can do about the places of a stage after a correction in the
// tournaments they come from, or a withdrawal.
type Remedies struct {
	Moved     []tables.SeedChange
	TooFew    bool       // too few are left there to say who would go on
	PlayOff   bool       // a play-off has yet to say it
	Retake    bool       // before the start: all places can be taken again
	Exchanges []Exchange // seeds that others can have
	Reopen    bool       // after the start: the stage can go back before it
	Lost      map[int][]tournament.Pairing
}

// Remedies are what the viewer can do about the places of a stage; Lost are the boards
// whose play would be lost by reopening it, by round from 1.
func (a *Office) Remedies(ctx context.Context, by player.Viewer, t *tournament.Tournament) (r Remedies, err error) {
	if !t.May(by, tournament.ActStage) {
		return r, tournament.ErrNotAllowed
	}
	of, playOffs, err := a.Sources(ctx, t)
	if err != nil || t.Origin.IsPart() {
		return r, err
	}
	awaited, areOver := t.Origin.IsAwaited(), tables.AreOver(of)
	if areOver {
		if awaited {
			_, err = tables.Anew(*t.Origin, nil, of, playOffs)
		} else {
			r.Moved, err = tables.Moved(*t.Origin, of, playOffs)
		}
		r.TooFew, r.PlayOff = errors.Is(err, tournament.ErrFewPlaces), errors.Is(err, tournament.ErrPlayOffOpen)
		if err != nil && !r.TooFew && !r.PlayOff {
			return r, err
		}
	}
	r.Retake = (len(r.Moved) > 0 || awaited && areOver && !r.PlayOff) && t.Status < tournament.Running
	if awaited || t.Status == tournament.Finalized {
		return r, nil
	}
	if !t.Status.IsOver() {
		if r.Exchanges, err = a.exchanges(ctx, by, t, of, playOffs); err != nil {
			return r, err
		}
	}
	if r.Reopen = len(r.Moved) > 0 && t.Status >= tournament.Running; r.Reopen {
		b, err := a.allBegun(ctx, t)
		r.Lost = lossesOf(t, b)
		return r, err
	}
	return r, nil
}

// exchanges are the seeds of a stage that others can have.
func (a *Office) exchanges(ctx context.Context, by player.Viewer, t *tournament.Tournament, of, playOffs []*tournament.Tournament) (
	list []Exchange, err error) {
	all, err := tables.Exchanges(t, of, playOffs)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	b, err := a.begunOf(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if !x.Left && t.Status < tournament.Running { // all places are taken again
			continue
		}
		_, _, refused := stage.Exchange(t.Clone(), by, x.Seed, x.In, of, b.has, kernel.NewMatchID, a.Now())
		list = append(list, Exchange{x, refused})
	}
	return list, nil
}

// Exchange gives a seed of a stage, from 0, whose holder has not begun, to somebody else,
// as tables.Exchanges says. name is whom the viewer has seen there; tournament.ErrNoNext
// if it is somebody else now.
func (a *Office) Exchange(ctx context.Context, d kernel.Step, id tournament.ID, seed int, name string) error {
	if d.Reason == "" {
		return tournament.ErrReason
	}
	var changed []tournament.Pairing
	var told []notice.Notice
	by := d.By
	err := a.undo(ctx, id, undoing{Step: d.Doing(tournament.ActStage),
		judge: func(t *tournament.Tournament, b begun) (void []match.ID, err error) {
			if !t.May(by, tournament.ActStage) {
				return nil, tournament.ErrNotAllowed
			}
			of, playOffs, err := a.Sources(ctx, t)
			if err != nil {
				return nil, err
			}
			list, err := tables.Exchanges(t, of, playOffs)
			if err != nil {
				return nil, err
			}
			at := slices.IndexFunc(list, func(x tables.Exchange) bool { return x.Seed == seed && x.Name == name })
			if at < 0 {
				return nil, tournament.ErrNoNext
			}
			if void, changed, err = stage.Exchange(t, by, seed, list[at].In, of, b.has, kernel.NewMatchID, a.Now()); err != nil {
				return nil, err
			}
			in, err := t.Entry(t.Origin.Seeds[seed].Own)
			told = kernel.Entered(t, by, in)
			return void, err
		}, open: func(*tournament.Tournament) []tournament.Pairing { return changed },
		more: func(tx *store.Tx) error { return a.Notify(tx, told...) }})
	return err
}

// Reopen takes a stage that has begun back before its start, with the places as they
// stand now.
func (a *Office) Reopen(ctx context.Context, by player.Viewer, id tournament.ID, lose bool, reason string) error {
	if reason == "" {
		return tournament.ErrReason
	}
	err := a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActStage, Reason: reason}, look: a.allBegun,
		judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
			if !t.May(by, tournament.ActStage) {
				return nil, tournament.ErrNotAllowed
			}
			of, playOffs, err := a.Sources(ctx, t)
			if err != nil {
				return nil, err
			}
			if !lose && len(lossesOf(t, b)) > 0 {
				return nil, tournament.ErrBegun
			}
			o, err := tables.Anew(*t.Origin, stage.Left(t), of, playOffs)
			if err != nil {
				return nil, err
			}
			return stage.Reopen(t, by, o, of, a.Now())
		}})
	if err != nil {
		return err
	}
	return a.ratings.Sweep(ctx)
}

// allBegun reads which matches of all rounds have begun.
func (a *Office) allBegun(ctx context.Context, t *tournament.Tournament) (begun, error) {
	found := begun{}
	return found, a.look(ctx, found, t.Matches())
}

func lossesOf(t *tournament.Tournament, b begun) map[int][]tournament.Pairing {
	lost := map[int][]tournament.Pairing{}
	for n := range t.Rounds {
		if list := t.Rounds[:n+1].Losses(b.has); len(list) > 0 {
			lost[n+1] = list
		}
	}
	return lost
}
