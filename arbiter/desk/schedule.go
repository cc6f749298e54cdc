package desk

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// CheckIn checks an entry in for the next round, or out again. A round that is due opens
// by itself once enough are there.
func (a *Office) CheckIn(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, in bool) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: kernel.Step{By: by, Act: tournament.ActCheckIn},
		Judge: func(t *tournament.Tournament) error {
			return a.check(t, by, e, in)
		},
	})
	if err != nil {
		return err
	}
	return a.rounds.OpenIfDue(ctx, t)
}

// CheckInOwn is CheckIn of the viewer's own entry, or of the teams that they are a captain of.
func (a *Office) CheckInOwn(ctx context.Context, by player.Viewer, id tournament.ID, in bool) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: kernel.Step{By: by, Act: tournament.ActCheckIn},
		Judge: func(t *tournament.Tournament) error {
			own := t.OwnSides(by)
			if len(own) == 0 {
				return tournament.ErrNoEntry
			}
			for _, e := range own {
				if err := a.check(t, by, e.ID, in); err != nil {
					return err
				}
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	return a.rounds.OpenIfDue(ctx, t)
}

// check checks an entry in or out. A draft that nobody has edited follows.
func (a *Office) check(t *tournament.Tournament, by player.Viewer, e tournament.EntryID, in bool) error {
	if err := t.Check(by, e, in, a.Now()); err != nil {
		return err
	}
	return t.PairDraftAgain(format.System(&t.Table))
}

// UncheckAll checks everybody out of the next round.
func (a *Office) UncheckAll(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActCheckIn}, func(t *tournament.Tournament) error {
		return t.UncheckAll(by)
	})
}

// NewTime is a round, and when it opens instead; Shift moves the later rounds by as much.
type NewTime struct {
	Round int
	To    time.Time
	Shift bool
}

// Postpone moves a round to another time; shift moves the later ones with it.
func (a *Office) Postpone(ctx context.Context, d kernel.Step, id tournament.ID, x NewTime) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: d.Doing(tournament.ActPostpone),
		Judge: func(t *tournament.Tournament) error {
			return t.Postpone(d.By, x.Round, x.To.Truncate(time.Millisecond), x.Shift, a.Now())
		},
	})
	if err != nil {
		return err
	}
	return a.rounds.OpenIfDue(ctx, t)
}

// SetRounds changes how many rounds a running Swiss has; see tournament.SetRounds.
func (a *Office) SetRounds(ctx context.Context, d kernel.Step, id tournament.ID, rounds int, sure bool) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: d.Doing(tournament.ActRounds),
		Judge: func(t *tournament.Tournament) error {
			return t.SetRounds(d.By, rounds, sure, a.Now())
		},
	})
	if err != nil {
		return err
	}
	return a.rounds.OpenIfDue(ctx, t)
}

// ExtendWait gives the players of open rounds more time to come: of one match, or with an
// empty ID of all that still wait. It returns how many matches got it;
// tournament.ErrNoBoard when none waits.
func (a *Office) ExtendWait(ctx context.Context, d kernel.Step, id tournament.ID, only match.ID, more time.Duration) (extended int,
	err error) {
	t, err := a.Tournament(ctx, id)
	switch {
	case err != nil:
		return 0, err
	case !t.May(d.By, tournament.ActMatch):
		return 0, tournament.ErrNotAllowed
	}
	q := live.Request{Command: match.ExtendWait{Warrant: match.Warrant{By: string(d.By.ID), Why: d.Reason}, By: more}}
	for round, p := range t.Rounds.Pending() {
		if p.Match == "" || only != "" && p.Match != only {
			continue
		}
		if err := t.PartyOf(d.By, tournament.ActMatch, round, p.Board); err != nil {
			if only == "" {
				continue // all boards but one's own
			}
			return 0, a.JudgesNamed(ctx, err)
		}
		var refused *match.Refusal
		_, err := a.Live.Arbitrate(ctx, p.Match, q)
		switch {
		case errors.As(err, &refused) && (refused.Code == match.NotStarted || errors.Is(err, match.ErrOver)):
		case err != nil:
			return extended, err
		default:
			extended++
		}
	}
	if extended == 0 {
		return 0, tournament.ErrNoBoard
	}
	return extended, nil
}
