package rounds

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// GroupActs are the steps that can be taken in all groups of an event, in the order in which they are offered.
var GroupActs = []tournament.Act{tournament.ActStart, tournament.ActPublish, tournament.ActDraft, tournament.ActPair}

// GroupStep is what staff do next about a group of an event.
type GroupStep struct {
	Group   *tournament.Tournament
	Act     tournament.Act // tournament.StepDue
	Refused error          // why the viewer cannot do it now
}

// GroupError is why a step cannot be taken in a group.
type GroupError struct {
	Group string // its name
	Err   error
}

func (e *GroupError) Error() string { return e.Group + ": " + e.Err.Error() }

// Unwrap returns why.
func (e *GroupError) Unwrap() error { return e.Err }

// GroupSteps returns what is due in each group, unjudged.
func GroupSteps(groups []*tournament.Tournament) (list []GroupStep) {
	for _, x := range groups {
		list = append(list, GroupStep{Group: x, Act: x.StepDue()})
	}
	return list
}

// JudgedGroupSteps returns what is due in each group, judged as it would be done, without writing anything.
func (a *Office) JudgedGroupSteps(ctx context.Context, by player.Viewer, groups []*tournament.Tournament) ([]GroupStep, error) {
	list := GroupSteps(groups)
	by.Shown = 0
	for i, x := range list {
		if x.Act == "" {
			continue
		}
		_, list[i].Refused = a.judgedStep(ctx, x.Group, by, x.Act)
	}
	return list, ctx.Err()
}

// judgedStep judges what is due in a group as its own desk would, and as kernel.Save does.
func (a *Office) judgedStep(ctx context.Context, t *tournament.Tournament, by player.Viewer, act tournament.Act) (*opening, error) {
	x, err := a.judged(ctx, t, func(t *tournament.Tournament) error {
		if act == tournament.ActStart {
			return nil // Start judges that itself
		}
		return mayOpen(t, by, act)
	}, kernel.Step{By: by, Act: act})
	if err == nil {
		_, err = tables.OwnInterest(x.Before, x.After, by, act, a.Now())
	}
	return x, a.JudgesNamed(ctx, err)
}

// StepGroups takes a step in every group of an event that it is due in, in one transaction. All groups start or none;
// of drafts, those that cannot be published stay as long as others can. shown are the versions of the groups that the
// viewer saw, by id. Errors also: *GroupError, tournament.ErrNoStepDue.
func (a *Office) StepGroups(ctx context.Context, by player.Viewer, id tournament.ID, act tournament.Act, shown map[tournament.ID]int64) error {
	var list []*opening
	err := a.InTurn(ctx, string(id), func() error {
		t, err := a.Tournament(ctx, id)
		switch {
		case err != nil:
			return err
		case !slices.Contains(GroupActs, act):
			return tournament.ErrNoStepDue
		case !t.May(by, act):
			return tournament.ErrNotAllowed
		case !t.Origin.IsAwaited():
			return tournament.ErrNoOrigin
		}
		groups, _, err := a.Sources(ctx, t)
		if err != nil {
			return err
		}
		if list, err = a.openingsOf(ctx, by, groups, act, shown); err != nil {
			return err
		}
		all := make([]kernel.Judged, len(list))
		for i, x := range list {
			all[i] = x.Judged
		}
		err = a.WriteAll(ctx, all...)
		var failed *kernel.Unwritten
		if errors.As(err, &failed) {
			return &GroupError{failed.Of.Name, err}
		}
		return err
	})
	if err != nil {
		return err
	}
	return a.goOn(ctx, list...)
}

// openingsOf judges a step in every group that it is due in.
func (a *Office) openingsOf(ctx context.Context, by player.Viewer, groups []*tournament.Tournament, act tournament.Act,
	shown map[tournament.ID]int64) (list []*opening, err error) {
	var unfit error
	for _, x := range groups {
		if x.StepDue() != act {
			continue
		}
		by.Shown = shown[x.ID]
		o, err := a.judgedStep(ctx, x, by, act)
		switch {
		case errors.Is(err, kernel.ErrSame):
		case doesNotFit(err):
			unfit = &GroupError{x.Name, err}
		case err != nil:
			return nil, &GroupError{x.Name, err}
		default:
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		return nil, cmp.Or(unfit, tournament.ErrNoStepDue)
	}
	return list, nil
}
