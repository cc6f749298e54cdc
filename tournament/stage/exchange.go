package stage

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// mayStage returns nil, or why the viewer cannot change where the players of a stage come
// from.
func mayStage(t *tournament.Tournament, by player.Viewer) error {
	switch {
	case !t.May(by, tournament.ActStage):
		return tournament.ErrNotAllowed
	case t.Origin == nil || t.Origin.IsPart():
		return tournament.ErrNoOrigin
	}
	return nil
}

// Exchange gives a seed, from 0, to another player before its holder's first match begins:
// to its owner after a correction, or to a reserve if the holder left. It returns the
// matches that are no longer played and the boards that have new ones.
func Exchange(t *tournament.Tournament, by player.Viewer, seed int, q tournament.Qualifier, of []*tournament.Tournament,
	begun func(match.ID) bool, newID func() match.ID, now time.Time) (void []match.ID, changed []tournament.Pairing, err error) {
	if err := mayStage(t, by); err != nil {
		return nil, nil, err
	}
	switch {
	case t.Status.IsOver():
		return nil, nil, tournament.ErrFinished
	case seed < 0 || seed >= len(t.Origin.Seeds) || q.Of < 0 || q.Of >= len(of):
		return nil, nil, tournament.ErrNoNext
	case t.Origin.Carry != "":
		return nil, nil, tournament.ErrCarried
	}
	c := t.Clone()
	was := c.Origin.Seeds[seed]
	out := was.Own
	if e, err := c.Entry(out); err != nil {
		return nil, nil, err
	} else if e.Status == tournament.Withdrawn {
		c.Origin.Left = append(c.Origin.Left, was)
	}
	if q.Own, err = enter(c, of[q.Of], q, now); err != nil {
		return nil, nil, err
	}
	if c.Origin.SeedOf(q.Own) >= 0 {
		return nil, nil, tournament.ErrQualifiedTwice
	}
	if void, changed, err = c.Replace(out, q.Own, begun, newID); err != nil {
		return nil, nil, err
	}
	c.Origin.Seeds[seed] = q
	c.Origin.Next = slices.DeleteFunc(c.Origin.Next, q.IsOf)
	*t = *c
	return void, changed, nil
}

// Reopen takes a stage that has begun or is over back to before its start, with the players
// of the corrected places. All its matches are lost; it returns their ids.
func Reopen(t *tournament.Tournament, by player.Viewer, o tournament.Origin, of []*tournament.Tournament,
	now time.Time) ([]match.ID, error) {
	if err := mayStage(t, by); err != nil {
		return nil, err
	}
	switch {
	case t.Status == tournament.Finalized:
		return nil, tournament.ErrFinalized
	case t.Status < tournament.Running:
		return nil, tournament.ErrNotRunning
	}
	for n, p := range t.AllBoards() {
		if err := t.PartyOf(by, tournament.ActUnpair, n, p.Board); err != nil {
			return nil, err
		}
	}
	c := t.Clone()
	void := c.Unstarted()
	if err := Retake(c, by, o, of, now); err != nil {
		return nil, err
	}
	*t = *c
	return void, nil
}

// Reserve returns the first reserve of the seed's table who does not hold a seed and is
// still active there, and whether there is one.
func Reserve(o tournament.Origin, seed int, of []*tournament.Tournament) (tournament.Qualifier, bool) {
	for _, q := range o.Next {
		if q.Of != o.Seeds[seed].Of || q.Of >= len(of) || slices.ContainsFunc(o.Seeds, q.IsOf) {
			continue
		}
		if e, err := of[q.Of].Entry(q.Entry); err == nil && e.Status == tournament.Active {
			return q, true
		}
	}
	return tournament.Qualifier{}, false
}

// Left returns the places of players who left a stage; they do not qualify again.
func Left(t *tournament.Tournament) []tournament.Qualifier {
	list := slices.Clone(t.Origin.Left)
	for _, q := range t.Origin.Seeds {
		if e, err := t.Entry(q.Own); err == nil && e.Status == tournament.Withdrawn {
			list = append(list, q)
		}
	}
	return list
}
