package tournament

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// ResultKind is the result of a board.
type ResultKind uint8

const (
	Pending ResultKind = iota // no result yet
	FirstWins
	SecondWins
	Drawn
	FirstByForfeit  // Second did not appear
	SecondByForfeit // First did not appear
	DoubleForfeit
)

var resultTexts = [...]string{"", "1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"}

// String returns the result as "1-0", "0-1" or "1/2-1/2", a forfeit as "+/-", "-/+" or "-/-",
// and Pending as "".
func (k ResultKind) String() string { return nameOf(resultTexts[:], k) }

// Swapped returns the result with the seats swapped.
func (k ResultKind) Swapped() ResultKind {
	return [...]ResultKind{Pending, SecondWins, FirstWins, Drawn, SecondByForfeit, FirstByForfeit, DoubleForfeit}[k]
}

// ParseResultKind reads what String writes, except for the empty text.
func ParseResultKind(s string) (ResultKind, error) {
	return parseName[ResultKind]("result", resultTexts[:], s)
}

// Result is the result of a board.
type Result struct {
	Kind   ResultKind   `json:"kind"`
	Points [2]int       `json:"points"` // Chpok points by seat
	Reason match.Reason `json:"reason,omitempty"`
	By     player.ID    `json:"by,omitempty"` // who entered it; empty: it is the match's own
	At     time.Time    `json:"at"`
	Rated  ResultKind   `json:"rated,omitempty"` // what ratings count instead; Pending: the same
	Was    ResultKind   `json:"was,omitempty"`   // before a player's leaving, or the forfeit of a match of teams, made it a forfeit
	Why    string       `json:"why,omitempty"`   // why it was entered by hand
	Stood  ResultKind   `json:"stood,omitempty"` // before the first correction
	Odds   match.Seat   `json:"odds,omitempty"`  // who advances with a draw (Pairing.Sealed) or by lot; 0: nobody
	Gone   []EntryID    `json:"gone,omitempty"`  // knock-out: everybody who had left when it came
}

// IsPending reports whether there is no result yet.
func (r Result) IsPending() bool { return r.Kind == Pending }

// IsPlayed reports whether the match was played.
func (r Result) IsPlayed() bool { return r.Kind >= FirstWins && r.Kind <= Drawn }

// Outcome returns the outcome for a seat.
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

// ResultOf converts the result of a match. A void match leaves the board without a result, for
// staff to enter one.
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

// Enter enters the first result of a board by hand; one that stands is changed by Correct alone, with a
// reason. isOver says that the board's match, if any, has ended.
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
	case !p.Result.IsPending():
		return ErrSettled
	}
	r := Result{Kind: kind, Reason: match.Adjudicated, By: by.ID, At: now, Odds: p.Result.Odds, Gone: t.Gone()}
	if kind >= FirstByForfeit {
		r.Reason = match.Forfeit
	}
	stood := p.Result
	p.Result = r
	if len(t.strays()) > 0 {
		p.Result = stood
		return ErrGoesOn
	}
	t.judgeLeavers()
	t.redraft()
	t.reopen(len(t.Rounds) >= t.Settings.Rounds)
	return nil
}

// TakeResultBack removes a slip at the desk: a result in the latest round, for whoever entered
// it. Once the next round is drafted or paired, the result has to be corrected instead.
func (t *Tournament) TakeResultBack(by player.Viewer, round, board int) error {
	if err := t.MayTakeResultBack(by, round, board); err != nil {
		return err
	}
	p, _ := t.pairing(round, board)
	p.Result = Result{Odds: p.Result.Odds} // a lot is drawn once
	t.judgeLeavers()
	t.replan()
	return nil
}

// MayTakeResultBack returns nil, or why TakeResultBack refuses.
func (t *Tournament) MayTakeResultBack(by player.Viewer, round, board int) error {
	p, err := t.pairing(round, board)
	switch {
	case !t.May(by, ActResult):
		return ErrNotAllowed
	case t.Status != Running:
		return ErrNotRunning
	case err != nil:
		return err
	case p.Result.IsPending():
		return ErrNoResult
	case t.isSettled(round) || t.Draft != nil || t.supports(p):
		return ErrLaterRound
	case !by.Is(p.Result.By):
		return ErrNotYours
	}
	return nil
}

// isSettled reports whether a later round was paired on the results of a round. At the rolling
// pace each board decides that (see supports).
func (t *Tournament) isSettled(round int) bool { return round != len(t.Rounds) && !t.Pace.IsAtOnce() }

// Record records the result of a finished match unless the board has one, and reports whether
// it did.
func (t *Tournament) Record(id match.ID, r Result) bool {
	for _, p := range t.AllBoards() {
		if p.Match == id && p.Result.IsPending() && !r.IsPending() {
			p.Result, p.Result.Gone = r, t.Gone()
			t.judgeLeavers()
			return true
		}
	}
	return false
}

// IsRuled reports whether a board's result is not simply what was played there: it was
// corrected, changed by a policy, or entered by staff or by a player.
func (l Entries) IsRuled(p Pairing) bool {
	return p.IsRuled() || l.IsOwn(p) && !p.Result.IsPending()
}

// IsRuled is the same for boards that are played on the server.
func (p Pairing) IsRuled() bool {
	r := p.Result
	return !r.IsPending() && (r.By != "" && p.Match != "" || r.Was != Pending || r.Stood != Pending || r.Rated != Pending)
}

// IsOwn reports whether one of the players entered a board's result.
func (l Entries) IsOwn(p Pairing) bool {
	for _, id := range [...]EntryID{p.First, p.Second} {
		if i := l.index(id); i >= 0 && p.Result.By != "" && l[i].Player == p.Result.By {
			return true
		}
	}
	return false
}

// RuledBoard returns the board of an entry in a round, and whether IsRuled holds for it.
func (t *Table) RuledBoard(id EntryID, round int) (Pairing, bool) {
	if round < 1 || round > len(t.Rounds) {
		return Pairing{}, false
	}
	p, sits := t.Rounds[round-1].BoardOf(id)
	return p, sits && t.IsRuled(p)
}

// BoardAt returns a board, or ErrNoBoard.
func (l Rounds) BoardAt(round, board int) (Pairing, error) {
	p, err := l.pairing(round, board)
	if err != nil {
		return Pairing{}, err
	}
	return *p, nil
}

// pairing returns a board to change, or ErrNoBoard.
func (l Rounds) pairing(round, board int) (*Pairing, error) {
	for n, p := range l.AllBoards() {
		if n == round && p.Board == board {
			return p, nil
		}
	}
	return nil, ErrNoBoard
}
