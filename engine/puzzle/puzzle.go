// Package puzzle decides which positions and biddings of played games are worth solving: those
// with exactly one answer. It judges tries.
//
// It refuses positions with two answers, or whose answer is to capture a hanging piece. It does
// not know who solves, whose game it was, or where puzzles are kept.
package puzzle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Theme says what the answer does.
type Theme uint8

const (
	King  Theme = iota + 1 // captures the last king
	Goal                   // takes a king to the hill, or to the end of its run
	Claim                  // keeps a lead until it can be claimed
	Save                   // alone does not lose
	Piece                  // wins a piece
	Pays                   // raises, to the greatest benefit
)

var themes = [...]string{"", "king", "goal", "claim", "save", "piece", "raise"}

// String returns the theme as in the keys of texts.
func (t Theme) String() string { return themes[t] }

// MarshalText implements encoding.TextMarshaler.
func (t Theme) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Theme) UnmarshalText(text []byte) error {
	i := slices.Index(themes[:], string(text))
	if i < 1 {
		return fmt.Errorf("puzzle: no theme %q", text)
	}
	*t = Theme(i)
	return nil
}

// Puzzle is a position with its answer or, if Table is set, a bidding, of which only Features,
// Theme and Rating are set besides.
type Puzzle struct {
	Features board.Features `json:"features"`
	Table    *Table         `json:"table,omitempty"`
	Position string         `json:"position"`       // CFEN
	Streak   [3]int         `json:"streak"`         // progress of claims, as in search.Root
	Last     board.Action   `json:"last,omitempty"` // action that led to the position
	Theme    Theme          `json:"theme"`
	Prize    string         `json:"prize,omitempty"` // letter of the piece that is won
	Answer   []board.Action `json:"answer"`          // the solver's actions and replies, in turn
	Rating   int            `json:"rating"`          // initial
}

// ID identifies a position or bidding, wherever it was found.
func (p Puzzle) ID() string {
	features, _ := json.Marshal(p.Features) // it always encodes
	what := []byte(p.Position)
	if p.Table != nil {
		what = p.Table.tableID()
	}
	sum := sha256.Sum256(append(append(features, ' '), what...))
	return hex.EncodeToString(sum[:6])
}

// Moves returns the solver's actions in the answer, or the moves left until the claim.
func (p Puzzle) Moves() int {
	if root, err := p.Root(); err == nil && p.Theme == Claim {
		_, left, _ := root.ClaimIn()
		return left
	}
	return (len(p.Answer) + 1) / 2
}

// Root returns the position to search from.
func (p Puzzle) Root() (search.Root, error) {
	position, err := board.ParseCFEN(p.Features, p.Position)
	if err != nil {
		return search.Root{}, err
	}
	return search.RootAt(position, p.Streak), nil
}

// Status is a solver's status.
type Status uint8

const (
	Asked Status = iota + 1 // for the next action
	Wrong
	Solved
)

// Step is a puzzle after some actions of the solver.
type Step struct {
	Status Status
	Root   search.Root
	Last   board.Action // of either side
	Played int          // right actions of the solver
}

// ErrAct is returned for an illegal action.
var ErrAct = errors.New("puzzle: no such act")

// Try returns the step after the solver's actions. The one that decides is the last that counts: what comes after it is not
// looked at, so that nobody hears of a refusal what they were not judged for. With ErrAct it is the step before the refused action.
func (p Puzzle) Try(acts []board.Action) (Step, error) {
	root, err := p.Root()
	step := Step{Status: Asked, Root: root, Last: p.Last}
	for i := 0; err == nil && i < len(acts) && step.Status == Asked; i++ {
		a := acts[i]
		if 2*i >= len(p.Answer) || !step.Root.Position.Legal(a) {
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

// alsoRight reports whether an action is as good as the last one of the answer: it wins at once,
// or wins a piece of at least the same value.
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
