package desk

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// PauseRounds keeps rounds from opening, for a reason everybody reads. With matches, the
// running ones of the open round stop, too. They are in the log before they stop:
// whatever happens in between, ContinueRounds knows them.
func (a *Office) PauseRounds(ctx context.Context, by player.Viewer, id tournament.ID, reason string, matches bool) error {
	var running []match.ID
	if matches {
		t, err := a.Tournament(ctx, id)
		if err != nil {
			return err
		}
		if running, err = a.runningMatches(ctx, t); err != nil {
			return err
		}
	}
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: kernel.Step{By: by, Act: tournament.ActPause, Reason: reason},
		Judge: func(t *tournament.Tournament) error {
			return t.PauseRounds(by, reason, running, a.Now())
		},
	})
	if err != nil {
		return err
	}
	pause := t.Timetable.Pause
	var failed []error
	for _, m := range pause.Matches {
		_, err := a.Live.Arbitrate(ctx, m, live.Request{Command: match.Pause{Warrant: match.Warrant{By: string(by.ID), Why: pause.Reason}}})
		if !errors.Is(err, match.ErrOver) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// runningMatches are the matches of open rounds whose clocks nobody has stopped.
func (a *Office) runningMatches(ctx context.Context, t *tournament.Tournament) ([]match.ID, error) {
	var running []match.ID
	for _, p := range t.Rounds.Pending() {
		if p.Match == "" {
			continue
		}
		state, _, err := a.Live.State(ctx, p.Match)
		if err != nil {
			return nil, err
		}
		if !assurance.StandsForArbiter(state) && state.Status() != match.Over {
			running = append(running, p.Match)
		}
	}
	return running, nil
}

// ContinueRounds ends the pause: a round that is due opens, and the matches that this
// pause stopped go on. Matches first: if it breaks off in between, continuing again does
// the rest.
func (a *Office) ContinueRounds(ctx context.Context, by player.Viewer, id tournament.ID) error {
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	if err := t.MayContinue(by); err != nil {
		return err
	}
	if err := a.resumeMatches(ctx, by, t.Timetable.Pause); err != nil {
		return err
	}
	t, err = a.Apply(ctx, id, kernel.Change{
		Step: kernel.Step{By: by, Act: tournament.ActPause},
		Judge: func(t *tournament.Tournament) error {
			return t.Continue(by, a.Now())
		},
	})
	if err != nil {
		return err
	}
	return a.rounds.OpenIfDue(ctx, t)
}

func (a *Office) resumeMatches(ctx context.Context, by player.Viewer, p tournament.Pause) error {
	for _, m := range p.Matches {
		state, _, err := a.Live.State(ctx, m)
		if errors.Is(err, store.ErrNotFound) {
			continue // its round was taken back
		}
		if err != nil {
			return err
		}
		if still, ok := state.Standstill(); !ok || !p.Holds(still) {
			continue
		}
		seq := state.Seq()
		_, err = a.Live.Arbitrate(ctx, m, live.Request{Seq: &seq, Command: match.Resume{Warrant: match.Warrant{By: string(by.ID),
			Why: p.Reason}}})
		if err != nil && !errors.Is(err, match.ErrOver) && !errors.Is(err, match.ErrStale) {
			return err
		}
	}
	return nil
}
