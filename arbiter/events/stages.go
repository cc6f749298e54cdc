package events

import (
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/stage"
)

// Stage is a request for a later stage.
type Stage struct {
	Name    string
	With    []tournament.ID // other tournaments that players go on from
	Each    int             // how many of each
	Format  tournament.Format
	Carry   string // which results count there (stages.Carries)
	PlayOff bool   // a play-off for the shared last place that goes on
}

// Follow makes a later stage of a finished tournament, and of others beside it: its
// players are those who have qualified, in order of their seeds.
func (a *Office) Follow(ctx context.Context, by player.Viewer, id tournament.ID, s Stage) (tournament.ID, error) {
	list := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(s.With), id))))
	if len(list) > tournament.MaxTables || s.Each < 1 {
		return "", tournament.ErrFewPlaces
	}
	of, err := a.Tournaments(ctx, list)
	if err != nil {
		return "", err
	}
	for _, t := range of {
		if err := t.MayFollow(by); err != nil {
			return "", err
		}
		if t.Origin.IsPlayOff() {
			return "", tournament.ErrOfPlayOff
		}
	}
	playOffs, err := a.PlayOffs(ctx, list...)
	if err != nil {
		return "", err
	}
	o, next, err := a.nextOf(of, playOffs, id, s)
	if err != nil {
		return "", err
	}
	if next.ClubID == "" && !by.MayCreateTournament() {
		return "", tournament.ErrNotAllowed
	}
	if err := errors.Join(CheckSettings(next), a.inClubsName(ctx, by, &next)); err != nil {
		return "", err
	}
	t, err := stage.Follow(by, tournament.ID(store.NewID()), next, o, of, a.Now())
	if err != nil {
		return "", err
	}
	note, err := tables.OwnStage(t, of, leastOf(of, playOffs, s, t.LeastPlayers()), by, a.Now())
	if err != nil {
		return "", a.JudgesNamed(ctx, err)
	}
	if note != nil {
		t.Interests = append(t.Interests, *note)
	}
	if err := a.Promise(ctx, t); err != nil {
		return "", err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddTournament(t, kernel.Step{By: by, Act: tournament.ActCreate}.Deed(t, a.Now())); err != nil {
			return err
		}
		return a.Notify(tx, kernel.Entered(t, by, t.Entries...)...)
	}); err != nil {
		return "", err
	}
	a.Nudge(t)
	return t.ID, nil
}

// nextOf is who goes on, and the settings; in a play-off, those who share the last place
// of one tournament.
func (a *Office) nextOf(of, playOffs []*tournament.Tournament, id tournament.ID, s Stage) (
	o tournament.Origin, next tournament.Settings, err error) {
	if !s.PlayOff {
		if err := stage.MayCarry(s.Carry, s.Format, of); err != nil {
			return o, next, err
		}
		o, err = tables.Qualified(of, tables.Asked{Each: s.Each, PlayOffs: playOffs, Carry: s.Carry})
		next = stage.Next(of[0].Settings, s.Format, s.Name, len(o.Seeds))
		next.Double = s.Carry == stage.CarryMutual && of[0].Double
		return o, next, err
	}
	if len(of) != 1 || of[0].ID != id {
		return o, next, tournament.ErrOnePlayOff
	}
	o, err = tables.PlayOff(of[0], playOffs, s.Each)
	return o, stage.PlayOff(of[0].Settings, s.Name, len(o.Seeds)), err
}

// leastOf is who would go on if as few did as a stage of so many players can have; nobody to a play-off, whose players are
// chosen by the place that it is for.
func leastOf(of, playOffs []*tournament.Tournament, s Stage, players int) tournament.Origin {
	for each := 1; each <= s.Each && !s.PlayOff; each++ {
		o, err := tables.Qualified(of, tables.Asked{Each: each, PlayOffs: playOffs, Carry: s.Carry})
		if err == nil && len(o.Seeds) >= players { // a number for which nobody can say who goes on cannot be chosen
			return o
		}
	}
	return tournament.Origin{}
}

// Division is how to divide a tournament's players into groups.
type Division struct {
	Groups int
	Each   int  // how many of each go on
	Pots   bool // by lots from pots, else by rating in a snake
}

// Divide makes round-robin groups of the players of a tournament that has not started.
func (a *Office) Divide(ctx context.Context, by player.Viewer, id tournament.ID, d Division) error {
	if d.Groups < 2 || d.Groups > draw.MostGroups {
		return tournament.ErrFewPlaces
	}
	var list []*tournament.Tournament
	step := kernel.Step{By: by, Act: tournament.ActStage}
	_, err := a.Apply(ctx, id, kernel.Change{Step: step, Judge: func(t *tournament.Tournament) (err error) {
		drawn, err := a.NextDraw(ctx, t)
		if err != nil {
			return err
		}
		how := tables.Divided(t, d.Groups, d.Pots, tables.DrawingFrom(drawn))
		groups := make([]stage.Group, len(how.Groups))
		for i, part := range how.Groups {
			groups[i] = stage.Group{ID: tournament.ID(store.NewID()), Of: part,
				Name: player.Cut(t.Name, tournament.MaxNameLength-3) + ": " + string(rune('A'+i))}
		}
		if list, err = stage.Divide(t, by, groups, d.Each, how, a.Now()); err != nil {
			return err
		}
		if d.Pots {
			t.Promise = drawn.Next
		}
		for _, x := range list {
			err = errors.Join(err, CheckSettings(x.Settings), a.Promise(ctx, x))
		}
		return err
	}, Also: func(tx *store.Tx, _ *tournament.Tournament) error {
		for _, x := range list {
			if err := tx.AddTournament(x, kernel.Step{By: by, Act: tournament.ActCreate}.Deed(x, a.Now())); err != nil {
				return err
			}
			if err := a.Notify(tx, kernel.Entered(x, by, x.Entries...)...); err != nil {
				return err
			}
		}
		return nil
	}})
	return err
}

// Retake takes the places of a later stage again, as they stand now.
func (a *Office) Retake(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	if !t.May(by, tournament.ActStage) {
		return tournament.ErrNotAllowed
	}
	of, playOffs, err := a.Sources(ctx, t)
	if err != nil {
		return err
	}
	if reason == "" && !t.Origin.IsAwaited() {
		return tournament.ErrReason
	}
	o, err := tables.Anew(*t.Origin, stage.Left(t), of, playOffs)
	if err != nil {
		return err
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActStage, Reason: reason}, func(t *tournament.Tournament) error {
		return stage.Retake(t, by, o, of, a.Now())
	})
}
