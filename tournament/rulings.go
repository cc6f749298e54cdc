package tournament

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// MayRevise returns nil, or why the match of a board can be neither reopened nor replayed. No
// later pairing may rely on its result.
func (t *Tournament) MayRevise(by player.Viewer, a Act, id match.ID) error {
	if !t.May(by, a) {
		return ErrNotAllowed
	}
	p, err := t.revisable(id)
	if err == nil && a == ActReplay && (t.hasLeft(p.First) || t.hasLeft(p.Second)) {
		return ErrWithdrawn
	}
	return err
}

// revisable returns the board of a match if no later round is drafted or paired on its result.
func (t *Tournament) revisable(id match.ID) (*Pairing, error) {
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
	for n, p := range t.AllBoards() {
		if id != "" && p.Match == id {
			if t.isSettled(n) || t.supports(p) {
				return nil, ErrLaterRound
			}
			return p, nil
		}
	}
	return nil, ErrNoBoard
}

// Reopen removes the result of a match that is reopened; see MayRevise.
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

// Replay gives the board of a void match another match; see MayRevise.
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

// PlaysIn reports whether an entry plays on a board.
func (l Rounds) PlaysIn(id EntryID, round, board int) bool {
	p, err := l.pairing(round, board)
	return err == nil && p.SeatOf(id).Valid()
}
