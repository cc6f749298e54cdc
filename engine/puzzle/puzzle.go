// Package puzzle decides which positions of a game that was played are worth
// solving: those with exactly one answer. It judges who tries.
//
// It refuses positions with two answers, those where the answer is to take what
// hangs, and to know who solves, whose game it was and where puzzles are kept.
package puzzle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Theme is what is to be found.
type Theme uint8

const (
	King  Theme = iota + 1 // takes the last king
	Goal                   // brings a king to the hill, or to the end of its run
	Claim                  // holds a lead until it may be claimed
	Save                   // alone does not lose
	Piece                  // wins a piece
	Pays                   // is the raise that brings most
)

var themes = [...]string{"", "king", "goal", "claim", "save", "piece", "raise"}

// String is the theme as texts are keyed by it.
func (t Theme) String() string { return themes[t] }

// MarshalText writes the theme as String does.
func (t Theme) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (t *Theme) UnmarshalText(text []byte) error {
	for i, name := range themes {
		if i > 0 && name == string(text) {
			*t = Theme(i)
			return nil
		}
	}
	return fmt.Errorf("puzzle: no theme %q", text)
}

// Puzzle is a position and what is to be found in it; with a table that a bid is to
// be found there, and nothing else of it means anything but features and rating.
type Puzzle struct {
	Features board.Features `json:"features"`
	Table    *Table         `json:"table,omitempty"`
	Position string         `json:"position"`       // CFEN
	Streak   [3]int         `json:"streak"`         // how near claims are, as search.Root has it
	Last     board.Action   `json:"last,omitempty"` // what led to it
	Theme    Theme          `json:"theme"`
	Prize    string         `json:"prize,omitempty"` // the letter of the piece that is won
	Answer   []board.Action `json:"answer"`          // of the solver and the other side in turn
	Rating   int            `json:"rating"`          // to begin with
}

// ID is the same for the same position, wherever it was found.
func (p Puzzle) ID() string {
	features, _ := json.Marshal(p.Features) // it can be written
	what := []byte(p.Position)
	if p.Table != nil {
		what = p.Table.tableID()
	}
	sum := sha256.Sum256(append(append(features, ' '), what...))
	return hex.EncodeToString(sum[:6])
}

// Moves is how many of the solver's the answer has, or are left until the claim.
func (p Puzzle) Moves() int {
	if root, err := p.Root(); err == nil && p.Theme == Claim {
		_, left, _ := root.ClaimIn()
		return left
	}
	return (len(p.Answer) + 1) / 2
}

// Root is where it begins.
func (p Puzzle) Root() (search.Root, error) {
	position, err := board.ParseCFEN(p.Features, p.Position)
	if err != nil {
		return search.Root{}, err
	}
	return search.RootAt(position, p.Streak), nil
}

// Status is how far a solver is.
type Status uint8

const (
	Asked Status = iota + 1 // to act
	Wrong
	Solved
)

// Step is where a puzzle stands after some acts of the solver.
type Step struct {
	Status Status
	Root   search.Root
	Last   board.Action // of anybody
	Played int          // acts of the solver that were right
}

// ErrAct is the refusal of what is not allowed in the position, or comes when all is
// said.
var ErrAct = errors.New("puzzle: no such act")

// Try is where the solver's acts lead. Of ErrAct the step is the one before it.
func (p Puzzle) Try(acts []board.Action) (Step, error) {
	root, err := p.Root()
	step := Step{Status: Asked, Root: root, Last: p.Last}
	for i := 0; err == nil && i < len(acts); i++ {
		a := acts[i]
		if step.Status != Asked || 2*i >= len(p.Answer) || !step.Root.Position.Legal(a) {
			return step, ErrAct
		}
		isLast := 2*i == len(p.Answer)-1
		if a != p.Answer[2*i] && !(isLast && p.alsoRight(step.Root, a)) {
			step.Status, step.Root, step.Last = Wrong, step.Root.Play(a), a
			continue
		}
		step.Played++
		step.Root, step.Last = step.Root.Play(a), a
		if isLast {
			step.Status = Solved
			continue
		}
		a = p.Answer[2*i+1]
		step.Root, step.Last = step.Root.Play(a), a
	}
	return step, err
}

// alsoRight reports whether an action is as good as the last one of the answer: it
// wins at once like that, or takes what is worth as much.
func (p Puzzle) alsoRight(root search.Root, a board.Action) bool {
	switch p.Theme {
	case Save:
		return false
	case Piece:
		_, effect := root.Position.PlayUnchecked(a)
		kind, ok := board.ParseKind((p.Prize + " ")[0])
		return ok && len(p.Answer) > 1 && worth[effect.Captured.Kind()] >= worth[kind] && effect.Captured.Color() != root.Position.Turn()
	}
	return (&prover{plays: mostPlays}).winsBy(root, a, 1)
}
