// Package lesson teaches the game by doing: seven short lessons, each a position,
// a goal, what Pishak answers, and the keys of the words. The rulebooks of the
// bidding and the board judge every act. It refuses to keep anything: where a
// learner stands is the acts so far.
package lesson

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Status is how far a lesson is.
type Status uint8

const (
	Asked Status = iota + 1 // the learner is to act
	Again                   // that was possible, but not it: answered, then tried again
	Done
)

// Lesson is one of them. Exactly one of Bids and Board is set.
type Lesson struct {
	Key   string // of its words
	Bids  *Bids
	Board *Board
}

// Bids is a lesson of the bidding phase, of Chips each.
type Bids struct {
	Chips  int
	Before []bidding.Bid // placed in turn; the learner is to act after them
	Me     bidding.Seat  // the learner's
	Target bidding.Target
	Coin   bidding.Seat // who plays White when a call leaves it to chance
}

// Board is a lesson of the board phase, with the learner as White.
type Board struct {
	Position string // CFEN
	Features board.Features
	Acts     []string // that are it, of which one suffices; none: the points decide
	Points   int      // that are it, gained within Moves
	Moves    int      // of the learner, at most
	Replies  []string // Pishak's, the first that is possible
	Almost   []string // acts that have an answer of their own, with the key of it: act, key, act, key
}

// Step is where a lesson stands after some acts.
type Step struct {
	Status Status
	Word   string // the last part of the key of what Pishak says now
	Bids   bidding.State
	Board  board.Position
	Before board.Position // the position before the last action, for what moved
	Last   board.Action   // the last action of anybody
	Gained int            // points of the learner since the lesson began
	Played int            // acts of the learner; on the board since the last try began
	Taken  int            // of all acts those before the refused one
}

var (
	// ErrAct is the refusal of a text that is no act of the lesson.
	ErrAct = errors.New("lesson: no such act")
	// ErrNone is the refusal of a lesson that is not there.
	ErrNone = errors.New("lesson: no such lesson")
)

// Lessons are all of them, in order.
func Lessons() []Lesson { return lessons[:] }

// Get is the lesson of that number, from 1.
func Get(number int) (Lesson, error) {
	if number < 1 || number > len(lessons) {
		return Lesson{}, ErrNone
	}
	return lessons[number-1], nil
}

// Play is where a lesson stands after the learner's acts: "call", or "raise 3",
// with a row "raise 2 RNBQKBNR", and on the board an action's text (Rules 9).
// The error is ErrAct, a *bidding.Refusal, a *board.SetupError or a
// *board.IllegalError of the last act; the step is the one before it then.
func (l Lesson) Play(acts []string) (Step, error) {
	if l.Bids != nil {
		return l.Bids.play(acts)
	}
	return l.Board.play(acts)
}

func (b Bids) start() bidding.State {
	s := bidding.Start(b.Chips, board.DefaultFeatures())
	by := bidding.First
	for _, bid := range b.Before {
		next, err := s.Place(by, bid)
		if err != nil {
			panic(err) // the lessons are played by their test
		}
		s, by = next, by.Other()
	}
	return s
}

func (b Bids) play(acts []string) (Step, error) {
	step := Step{Status: Asked, Bids: b.start()}
	for _, act := range acts {
		if step.Status == Done {
			return step, ErrAct
		}
		bid, err := b.read(step.Bids, act)
		if err != nil {
			return step, err
		}
		calls := bid.Chips == step.Bids.Gap(b.Target, b.Me)
		next, err := step.Bids.Place(b.Me, bid)
		if err != nil {
			return step, err
		}
		step.Played++
		step.Taken++
		step.Status, step.Word, step.Bids = Done, "raised", next
		if calls {
			step.Word = "called"
			if b.Target == bidding.White {
				step.Status = Again
				if step.Bids, err = next.Draw(bidding.Draw{Target: bidding.White, White: b.Coin}); err != nil {
					return step, err
				}
			}
		}
		if step.Status == Again { // answered, and tried from the start
			if step.Played < len(acts) {
				step.Bids, step.Status = b.start(), Asked
			}
		}
	}
	return step, nil
}

func (b Bids) read(s bidding.State, act string) (bidding.Bid, error) {
	words := strings.Fields(act)
	switch {
	case len(words) == 1 && words[0] == "call":
		return s.CallOf(b.Target)
	case len(words) < 2 || words[0] != "raise":
		return bidding.Bid{}, ErrAct
	}
	n, err := strconv.Atoi(words[1])
	if err != nil {
		return bidding.Bid{}, ErrAct
	}
	bid := bidding.Bid{Target: b.Target, Chips: n}
	if b.Target == bidding.HomeRow {
		if len(words) != 3 {
			return bidding.Bid{}, ErrAct
		}
		bid.HasOutcome, bid.Row = true, board.Row(words[2])
		if err := board.ValidateRow(bid.Row, s.Features().Width); err != nil {
			return bidding.Bid{}, err
		}
	}
	return bid, nil
}

func (b Board) start() board.Position {
	p, err := board.ParseCFEN(b.Features, b.Position)
	if err != nil {
		panic(err) // the lessons are played by their test
	}
	return p
}

func (b Board) play(acts []string) (Step, error) {
	start := b.start()
	step := Step{Status: Asked, Board: start, Before: start}
	for _, text := range acts {
		switch step.Status {
		case Done:
			return step, ErrAct
		case Again:
			step = Step{Status: Asked, Board: start, Before: start, Taken: step.Taken}
		}
		act, err := board.ParseAction(text)
		if err != nil {
			return step, ErrAct
		}
		next, _, err := step.Board.Play(act)
		if err != nil {
			return step, err
		}
		step.Before, step.Board, step.Last = step.Board, next, act
		step.Played++
		step.Taken++
		step.Gained = next.Points(board.White) - start.Points(board.White)
		b.judge(&step, text)
		if step.Status != Done && !next.IsOver() {
			b.reply(&step)
		}
	}
	return step, nil
}

func (b Board) judge(s *Step, act string) {
	switch {
	case slices.Contains(b.Acts, act), len(b.Acts) == 0 && s.Gained >= b.Points:
		s.Status, s.Word = Done, "right"
	case s.Played >= b.Moves:
		s.Status, s.Word = Again, "wrong"
		for i := 0; i+1 < len(b.Almost); i += 2 {
			if b.Almost[i] == act {
				s.Word = b.Almost[i+1]
			}
		}
	default:
		s.Status, s.Word = Asked, "on"
	}
}

// reply is Pishak's: what the lesson wants of them, else a move of their king that
// takes nothing.
func (b Board) reply(s *Step) {
	actions := s.Board.Moves(nil)
	chosen := board.Action(0)
	for _, a := range actions {
		piece := s.Board.At(a.From())
		if chosen == 0 && piece.Kind() == board.King && s.Board.At(a.To()).IsEmpty() {
			chosen = a
		}
	}
	for _, text := range slices.Backward(b.Replies) {
		if i := slices.IndexFunc(actions, func(a board.Action) bool { return a.String() == text }); i >= 0 {
			chosen = actions[i]
		}
	}
	if chosen == 0 {
		return
	}
	next, _ := s.Board.PlayUnchecked(chosen)
	s.Before, s.Board, s.Last = s.Board, next, chosen
}
