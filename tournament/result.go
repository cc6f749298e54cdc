package tournament

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// ResultKind is who got what of a pairing. The zero value: no result yet.
type ResultKind uint8

const (
	Pending ResultKind = iota
	FirstWins
	SecondWins
	Drawn
	FirstByForfeit  // Second did not appear
	SecondByForfeit // First did not appear
	DoubleForfeit
)

var resultTexts = [...]string{"", "1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"}

// String is "1-0", "0-1", "1/2-1/2", for forfeits "+/-", "-/+", "-/-", and ""
// while there is none.
func (k ResultKind) String() string { return nameOf(resultTexts[:], int(k)) }

// ParseResultKind reads what String writes, save the empty text.
func ParseResultKind(s string) (ResultKind, error) {
	i, err := parseName("result", resultTexts[:], s)
	return ResultKind(i), err
}

// Result is how a pairing ended. Who entered it by hand is By; a match's own
// result has none.
type Result struct {
	Kind   ResultKind   `json:"kind"`
	Points [2]int       `json:"points"` // Chpok points by seat
	Reason match.Reason `json:"reason,omitempty"`
	By     player.ID    `json:"by,omitempty"`
	At     time.Time    `json:"at"`
	Rated  ResultKind   `json:"rated,omitempty"` // what the ratings count instead; Pending: the same
	Was    ResultKind   `json:"was,omitempty"`   // as played, where somebody's leaving made it a forfeit
	Why    string       `json:"why,omitempty"`   // the reason of who entered it by hand
	Stood  ResultKind   `json:"stood,omitempty"` // what it was before it was first corrected
	Odds   match.Seat   `json:"odds,omitempty"`  // who goes on if it is drawn (Pairing.Sealed); none: neither
}

// IsPending reports whether there is no result yet.
func (r Result) IsPending() bool { return r.Kind == Pending }

// IsPlayed reports whether the two met.
func (r Result) IsPlayed() bool { return r.Kind >= FirstWins && r.Kind <= Drawn }

// Outcome is what the result gives a seat.
func (r Result) Outcome(s match.Seat) Outcome {
	switch r.Kind {
	case Drawn:
		return Draw
	case FirstWins, SecondWins:
		if (r.Kind == FirstWins) == (s == match.First) {
			return Win
		}
		return Loss
	case FirstByForfeit, SecondByForfeit:
		if (r.Kind == FirstByForfeit) == (s == match.First) {
			return ForfeitWin
		}
		return ForfeitLoss
	case DoubleForfeit:
		return ForfeitLoss
	}
	return Unfinished
}

// ResultOf is what a match's end means for its pairing. A void match leaves the
// pairing without a result: the organizer has to enter one.
func ResultOf(r match.Result, at time.Time) Result {
	out := Result{Points: r.Points, Reason: r.Reason, At: at}
	byForfeit := r.Reason == match.Forfeit
	switch r.Outcome {
	case match.FirstWins:
		out.Kind = FirstWins
		if byForfeit {
			out.Kind = FirstByForfeit
		}
	case match.SecondWins:
		out.Kind = SecondWins
		if byForfeit {
			out.Kind = SecondByForfeit
		}
	case match.Draw:
		out.Kind = Drawn
	case match.BothLose:
		out.Kind = DoubleForfeit
	default:
		return Result{}
	}
	return out
}

// Enter writes a result by hand: on a board that no match decides, or, by who may
// correct, over the one that stands. isOver says that the board's match, if there
// is one, has ended. Rounds paired since stay as they were paired.
func (t *Tournament) Enter(by player.Viewer, round, board int, kind ResultKind, isOver bool, now time.Time) error {
	if !t.May(by, ActResult) {
		return ErrNotAllowed
	}
	switch {
	case t.Status == Finalized:
		return ErrFinalized
	case t.Status != Running && t.Status != Finished:
		return ErrNotRunning
	}
	p, err := t.pairing(round, board)
	if err != nil {
		return err
	}
	switch {
	case kind < FirstWins || kind > DoubleForfeit:
		return fmt.Errorf("no such result: %d", kind)
	case p.Match != "" && !isOver:
		return ErrBeingPlayed
	case !p.Result.IsPending() && !t.May(by, ActCorrect):
		return ErrNotAllowed
	}
	r := Result{Kind: kind, Reason: match.Adjudicated, By: by.ID, At: now, Odds: p.Result.Odds}
	if kind >= FirstByForfeit {
		r.Reason = match.Forfeit
	}
	stood := p.Result
	if p.Result = r; len(t.strays()) > 0 {
		p.Result = stood
		return ErrGoesOn
	}
	t.judgeLeavers()
	t.redraft()
	t.reopen(len(t.Rounds) >= t.Settings.Rounds)
	return nil
}

// TakeResultBack removes a result of the round that is played, or was last, for whoever
// entered it: a slip at the desk. What came of it since stays, so it is refused
// once the next round is drafted or paired; then the result is corrected.
func (t *Tournament) TakeResultBack(by player.Viewer, round, board int) error {
	p, err := t.pairing(round, board)
	switch {
	case !t.May(by, ActResult):
		return ErrNotAllowed
	case t.Status != Running:
		return ErrNotRunning
	case err != nil:
		return err
	case p.Result.IsPending() || t.isSettled(round) || t.Draft != nil || t.supports(p):
		return ErrNoResult
	case !by.Is(p.Result.By):
		return ErrNotAllowed
	}
	p.Result = Result{Odds: p.Result.Odds} // the lot of a board is drawn once
	t.judgeLeavers()
	t.replan()
	return nil
}

// isSettled reports whether a later round has been paired on the results of one. At the
// rolling pace that is for each board to say (see supports).
func (t *Course) isSettled(round int) bool { return round != len(t.Rounds) && t.Pace != Rolling }

// Record writes the result of a match that has ended. A result that stands
// already stays; false: nothing was changed.
func (t *Course) Record(id match.ID, r Result) bool {
	for i := range t.Rounds {
		for j := range t.Rounds[i].Pairings {
			p := &t.Rounds[i].Pairings[j]
			if p.Match == id && p.Result.IsPending() && !r.IsPending() {
				p.Result = r
				t.judgeLeavers()
				return true
			}
		}
	}
	return false
}

// IsRuled reports whether a board's result is another than what was played there:
// somebody gave, changed or outweighed it, or entered their own.
func (l Entries) IsRuled(p Pairing) bool {
	return p.IsRuled() || l.IsOwn(p) && !p.Result.IsPending()
}

// IsRuled is the same of a board on which a match was played.
func (p Pairing) IsRuled() bool {
	r := p.Result
	return !r.IsPending() && (r.By != "" && p.Match != "" || r.Was != Pending || r.Stood != Pending || r.Rated != Pending)
}

// IsOwn reports whether a board's result was entered by somebody who plays on it.
func (l Entries) IsOwn(p Pairing) bool {
	for _, id := range [...]EntryID{p.First, p.Second} {
		if i := l.index(id); i >= 0 && p.Result.By != "" && l[i].Player == p.Result.By {
			return true
		}
	}
	return false
}

// RuledBoard is the board of an entry in a round if its result is another than what
// was played there.
func (t *Table) RuledBoard(id EntryID, round int) (Pairing, bool) {
	if round < 1 || round > len(t.Rounds) {
		return Pairing{}, false
	}
	p, sits := t.Rounds[round-1].BoardOf(id)
	return p, sits && t.IsRuled(p)
}

// HasResult reports whether a board has one.
func (l Rounds) HasResult(round, board int) bool {
	p, err := l.pairing(round, board)
	return err == nil && !p.Result.IsPending()
}

func (l Rounds) pairing(round, board int) (*Pairing, error) {
	if round < 1 || round > len(l) {
		return nil, ErrNoBoard
	}
	for i := range l[round-1].Pairings {
		if p := &l[round-1].Pairings[i]; p.Board == board {
			return p, nil
		}
	}
	return nil, ErrNoBoard
}
