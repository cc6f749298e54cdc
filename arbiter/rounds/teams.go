package rounds

import (
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// LineUpSeen is the field of a form with when the line-up was handed in that it shows; 1: none was.
const LineUpSeen = "seen"

// HandIn names the players of a team for its match in a round, sealed until the round is open and both teams have handed in or the time
// is up. by.Shown
// is when the line-up was handed in that its author saw, in milliseconds; what another captain has handed in since stays:
// kernel.ErrOvertaken. The match opens once both teams have handed in.
func (a *Office) HandIn(ctx context.Context, by player.Viewer, id tournament.ID, round int, l store.TeamLineUp) error {
	err := a.Beside(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (kernel.Step, error) {
		switch n, err := t.LineUpFor(by, l.Team); {
		case err != nil:
			return kernel.Step{}, err
		case n != round:
			return kernel.Step{}, tournament.ErrNotAwaited
		}
		if err := t.CheckLineUp(l.Team, l.Players); err != nil {
			return kernel.Step{}, err
		}
		named, err := tx.TeamLineUps(id, round)
		if err != nil {
			return kernel.Step{}, err
		}
		old, isNamed := named[l.Team]
		if isNamed && slices.Equal(old.Players, l.Players) {
			return kernel.Step{}, nil
		}
		if at := old.At.UnixMilli(); isNamed && by.Shown > 0 && old.By != by.ID && at > by.Shown {
			e := kernel.OvertakenBeside(old.By, old.At, "log.act.", string(tournament.ActLineUp), at)
			e.Field = LineUpSeen
			return kernel.Step{}, e.Named(tx)
		}
		l.By, l.At = by.ID, a.Now()
		return kernel.Step{By: by, Act: tournament.ActLineUp}, tx.SetTeamLineUp(id, round, l)
	})
	if err != nil {
		return err
	}
	return a.openTeamMatches(ctx, id, false)
}

// handedIn returns the line-ups that teams have handed in for a round; nil if nobody plays in teams.
func (a *Office) handedIn(ctx context.Context, t *tournament.Tournament, round int) (tournament.LineUps, error) {
	if !t.HasTeams() {
		return nil, nil
	}
	list, err := store.Get(ctx, a.Store, func(tx *store.Tx) (map[tournament.EntryID]store.TeamLineUp, error) {
		return tx.TeamLineUps(t.ID, round)
	})
	named := tournament.LineUps{}
	for team, l := range list {
		named[team] = l.Players
	}
	return named, err
}

// openTeamMatches opens the boards of matches whose teams have both handed in their line-ups, or of all.
func (a *Office) openTeamMatches(ctx context.Context, id tournament.ID, all bool) error {
	var boards []tournament.Pairing
	var opened []match.ID
	t, err := a.Apply(ctx, id, kernel.Change{Step: kernel.Step{Act: tournament.ActLineUps}, Judge: func(t *tournament.Tournament) error {
		boards = nil
		awaited := t.Awaited()
		if len(awaited) == 0 {
			return errNotDue // another node was quicker
		}
		round := t.Rounds[len(t.Rounds)-1]
		named, err := a.handedIn(ctx, t, round.Number)
		if err != nil {
			return err
		}
		if err := a.leaveOut(ctx, t); err != nil {
			return err
		}
		for _, n := range awaited {
			if m := round.Teams[n-1]; !all && (named[m.First] == nil || named[m.Second] == nil) {
				continue
			}
			list, err := t.OpenTeamMatch(n, named, kernel.NewMatchID, a.Now())
			if err != nil {
				return err
			}
			boards = append(boards, list...)
		}
		if len(boards) == 0 {
			return errNotDue
		}
		t.Conclude(a.Now()) // all boards may be forfeited
		return nil
	}, Also: func(tx *store.Tx, t *tournament.Tournament) (err error) {
		opened, err = a.OpenBoards(tx, t, boards)
		return err
	}})
	if errors.Is(err, errNotDue) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(opened) > 0 {
		if err := a.Live.Opened(ctx, opened...); err != nil {
			return err
		}
	}
	return a.AfterRound(ctx, t)
}

// openBoardsIfDue opens the boards of matches whose line-ups are due. In an outage captains could not hand them in; so
// they wait as long after it as it took.
func (a *Office) openBoardsIfDue(ctx context.Context, t *tournament.Tournament) error {
	due, _ := t.BoardsDueAt()
	if due.After(a.Now()) {
		return nil
	}
	stay, err := a.Stay(ctx)
	if err != nil || due.After(stay.Passed(a.Now())) {
		return err
	}
	return a.openTeamMatches(ctx, t.ID, true)
}
