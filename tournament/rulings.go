package tournament

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// MayRevise is nil or why the match of a board can neither go on nor be played
// again: that changes a result on which nothing may be built yet.
func (t *Tournament) MayRevise(by player.Viewer, a Act, id match.ID) error {
	if !t.May(by, a) {
		return ErrNotAllowed
	}
	_, err := t.revisable(id)
	return err
}

// revisable is the board of a match in the round that is being played, while no
// next one is drafted on its results.
func (t *Course) revisable(id match.ID) (*Pairing, error) {
	switch t.Status {
	case Running:
	case Finalized:
		return nil, ErrFinalized
	case Finished:
		return nil, ErrFinished
	default:
		return nil, ErrNotRunning
	}
	if t.Draft != nil {
		return nil, ErrDraftOpen
	}
	for i := range t.Rounds {
		for j := range t.Rounds[i].Pairings {
			if p := &t.Rounds[i].Pairings[j]; id != "" && p.Match == id {
				if t.isSettled(i+1) || t.supports(p) {
					return nil, ErrLaterRound
				}
				return p, nil
			}
		}
	}
	return nil, ErrNoBoard
}

// Reopen takes the result of a match back that goes on. Rounds that are paired
// since stand on it, so then it is refused.
func (t *Tournament) Reopen(by player.Viewer, id match.ID) error {
	if err := t.MayRevise(by, ActReopen, id); err != nil {
		return err
	}
	p, err := t.revisable(id)
	if err != nil {
		return err
	}
	p.Result = Result{}
	return nil
}

// Replay gives the board of a match that is void another match. Rounds that are
// paired since stand on its result, so then it is refused.
func (t *Tournament) Replay(by player.Viewer, id, next match.ID) (Pairing, error) {
	if err := t.MayRevise(by, ActReplay, id); err != nil {
		return Pairing{}, err
	}
	p, err := t.revisable(id)
	if err != nil {
		return Pairing{}, err
	}
	p.Match, p.Result = next, Result{}
	return *p, nil
}

// PlaysIn reports whether an entry sits at a board of a round.
func (l Rounds) PlaysIn(id EntryID, round, board int) bool {
	p, err := l.pairing(round, board)
	return err == nil && p.SeatOf(id).Valid()
}
