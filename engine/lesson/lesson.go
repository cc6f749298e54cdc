// Package lesson teaches the game by doing: seven short lessons, each with a position, a goal,
// Pishak's replies and the keys of its texts. Packages bidding and board judge every act. The
// package keeps nothing: the acts so far are a learner's progress.
package lesson

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Status is the status of a lesson.
type Status uint8

const (
	Asked Status = iota + 1 // the learner is to act
	Again                   // a legal act that misses the goal; the next one starts over
	Done
)

// Lesson is a lesson. Exactly one of Bids and Board is set.
type Lesson struct {
	Key   string // of its texts
	Bids  *Bids
	Board *Board
}

// Bids is a lesson of the bidding phase.
type Bids struct {
	Chips  int           // of each player
	Before []bidding.Bid // placed in turn before the learner's
	Me     bidding.Seat  // the learner
	Target bidding.Target
	Coin   bidding.Seat // who plays White after a call on white
}

// Board is a lesson of the board phase, with the learner as White.
type Board struct {
	Position string // CFEN
	Features board.Features
	Acts     []string          // acts that reach the goal, each by itself; none: Points do
	Points   int               // to gain within Moves
	Moves    int               // of the learner, at most
	Replies  []string          // Pishak's; he plays the first that is legal
	Almost   map[string]string // acts with an answer of their own: the last part of its key
}

// Step is a lesson after some acts.
type Step struct {
	Status Status
	Word   string // last part of the key of what Pishak says now
	Bids   bidding.State
	Board  board.Position
	Before board.Position // the position before Last
	Last   board.Action   // of either player
	Gained int            // points of the learner since the lesson began
	Played int            // acts of the learner; on the board, in the current try
	Taken  int            // accepted acts in all tries
}

var (
	// ErrAct is returned for a text that is not an act of the lesson.
	ErrAct = errors.New("lesson: no such act")
	// ErrNone is returned for a lesson that does not exist.
	ErrNone = errors.New("lesson: no such lesson")
)

// Lessons returns all lessons in order.
func Lessons() []Lesson { return lessons[:] }

// Get returns a lesson by number, from 1.
func Get(number int) (Lesson, error) {
	if number < 1 || number > len(lessons) {
		return Lesson{}, ErrNone
	}
	return lessons[number-1], nil
}

// Play returns the step after the learner's acts: "call", "raise 3" or, on the home row, "raise 2
// RNBQKBNR" in the bidding, and the texts of Rules 9 on the board. An error is ErrAct, a
// *bidding.Refusal, a *board.SetupError or a *board.IllegalError. The step is then the one
// before the refused act.
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
			panic(err) // a test plays all lessons
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
		if step.Status == Again && step.Played < len(acts) { // start over
			step.Bids, step.Status = b.start(), Asked
		}
	}
	return step, nil
}

// read reads a bid.
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
		panic(err) // a test plays all lessons
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

// judge decides about the learner's act.
func (b Board) judge(s *Step, act string) {
	switch {
	case slices.Contains(b.Acts, act), len(b.Acts) == 0 && s.Gained >= b.Points:
		s.Status, s.Word = Done, "right"
	case s.Played >= b.Moves:
		s.Status, s.Word = Again, cmp.Or(b.Almost[act], "wrong")
	default:
		s.Status, s.Word = Asked, "on"
	}
}

// reply plays for Pishak: the first of the lesson's replies that is legal, else a king move that
// captures nothing.
func (b Board) reply(s *Step) {
	actions, chosen := s.Board.Moves(nil), -1
	for _, text := range b.Replies {
		if chosen < 0 {
			chosen = slices.IndexFunc(actions, func(a board.Action) bool { return a.String() == text })
		}
	}
	if chosen < 0 {
		chosen = slices.IndexFunc(actions, func(a board.Action) bool {
			return s.Board.At(a.From()).Kind() == board.King && s.Board.At(a.To()).IsEmpty()
		})
	}
	if chosen < 0 {
		return
	}
	next, _ := s.Board.PlayUnchecked(actions[chosen])
	s.Before, s.Board, s.Last = s.Board, next, actions[chosen]
}
