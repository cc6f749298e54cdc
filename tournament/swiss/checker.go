package swiss

import (
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Difference is a round that was paired differently from this engine.
type Difference struct {
	Round            int
	Criterion        string // the first that differs: C1…C21, order, seats; none: no pairing is legal
	Better           bool   // the report's pairing is better by it: the engine is wrong, or the report breaks another rule
	Expected, Actual tournament.RoundPairing
}

// String names the round, the rule and the boards that differ.
func (d Difference) String() string {
	return fmt.Sprintf("round %d, %s: expected %v, the report has %v", d.Round, d.Criterion,
		only(d.Expected, d.Actual), only(d.Actual, d.Expected))
}

// only lists the boards of a that b does not have.
func only(a, b tournament.RoundPairing) []string {
	var list []string
	for _, x := range a.Boards {
		if !slices.Contains(b.Boards, x) {
			list = append(list, fmt.Sprintf("%d-%d", x.First, x.Second))
		}
	}
	if a.Bye != 0 && a.Bye != b.Bye {
		list = append(list, fmt.Sprintf("bye %d", a.Bye))
	}
	return list
}

// Checker pairs the rounds of a tournament again. The zero value uses Dutch.
type Checker struct {
	Pairer tournament.Pairer
	// TellApart returns the first criterion by which two pairings of a field differ, and whether the
	// second is better by it; nil: that of Dutch.
	TellApart func(f tournament.Field, expected, actual tournament.RoundPairing) (criterion string, better bool, err error)
	Progress  func(done, total int) // called after every round; may be nil
}

// Check compares every played round with the pairer's pairing.
func (c Checker) Check(f tournament.Field) ([]Difference, error) {
	if c.Pairer == nil {
		c.Pairer = Dutch{}
	}
	if c.TellApart == nil {
		c.TellApart = tellApart
	}
	var list []Difference
	for k := range f.Played {
		before, actual := Before(f, k)
		expected, err := c.Pairer.Pair(before)
		switch {
		case errors.Is(err, tournament.ErrNoPairing):
			list = append(list, Difference{Round: k + 1, Criterion: "none", Actual: actual})
		case err != nil:
			return list, fmt.Errorf("round %d: %w", k+1, err)
		case !equal(expected, actual, seated(f, k)):
			d := Difference{Round: k + 1, Expected: expected, Actual: actual}
			if d.Criterion, d.Better, err = c.TellApart(before, expected, actual); err != nil {
				return list, fmt.Errorf("round %d: %w", k+1, err)
			}
			list = append(list, d)
		}
		if c.Progress != nil {
			c.Progress(k+1, f.Played)
		}
	}
	return list, nil
}

// Before returns the field as it was when round k (from 0) was paired, with the byes
// requested for it, and the pairing of that round.
func Before(f tournament.Field, k int) (tournament.Field, tournament.RoundPairing) {
	var p tournament.RoundPairing
	before := f
	before.Played = k
	before.Players = make([]tournament.FieldPlayer, len(f.Players))
	for i, x := range f.Players {
		c := at(x.Rounds, k)
		x.Rounds = slices.Clone(x.Rounds[:min(k, len(x.Rounds))])
		switch {
		case c.Opponent != 0:
			if c.Seat == match.First || c.Seat != match.Second && x.Number < c.Opponent {
				p.Boards = append(p.Boards, tournament.Board{First: x.Number, Second: c.Opponent})
			}
		case c.Outcome == tournament.PairingBye:
			p.Bye = x.Number
		default:
			for len(x.Rounds) < k {
				x.Rounds = append(x.Rounds, tournament.RoundResult{})
			}
			if c.Outcome == tournament.NoRecord {
				c.Outcome = tournament.ZeroBye
			}
			x.Rounds = append(x.Rounds, c)
		}
		before.Players[i] = x
	}
	return before, p
}

// seated returns who has a seat in round k; forfeits may be without.
func seated(f tournament.Field, k int) map[int]bool {
	m := map[int]bool{}
	for _, p := range f.Players {
		m[p.Number] = at(p.Rounds, k).Seat.Valid()
	}
	return m
}

// equal compares as sets; boards without seats match in either direction.
func equal(a, b tournament.RoundPairing, seated map[int]bool) bool {
	if a.Bye != b.Bye || len(a.Boards) != len(b.Boards) {
		return false
	}
	in := map[tournament.Board]bool{}
	for _, x := range a.Boards {
		in[x] = true
	}
	for _, x := range b.Boards {
		if !in[x] && (seated[x.First] || seated[x.Second] || !in[tournament.Board{First: x.Second, Second: x.First}]) {
			return false
		}
	}
	return true
}

func tellApart(f tournament.Field, expected, actual tournament.RoundPairing) (criterion string, better bool, err error) {
	r, err := prepare(f)
	if err != nil {
		return "", false, err
	}
	return r.tellApart(expected, actual)
}

// tellApart returns the first criterion by which two pairings differ, from the highest
// bracket down.
func (r *round) tellApart(expected, actual tournament.RoundPairing) (criterion string, better bool, err error) {
	index := r.index()
	want, err := r.mates(expected, index)
	if err != nil {
		return "", false, err
	}
	have, err := r.mates(actual, index)
	if err != nil {
		return "", false, err
	}
	if slices.Equal(want, have) {
		return "seats", false, nil
	}
	if c := r.broken(have, actual.Bye); c != "" {
		return c, false, nil
	}
	if err := r.begin(); err != nil {
		return "", false, err
	}
	if i, ok := index[actual.Bye]; ok && r.players[i].score != r.bye {
		return "C5", r.players[i].score < r.bye, nil
	}
	a, b := r.brackets(want), r.brackets(have)
	for k := range a {
		x, y := r.assess(a[k]), r.assess(b[k])
		for n := range x {
			if c := slices.Compare(x[n].values, y[n].values); c != 0 {
				return x[n].name, c > 0, nil
			}
		}
		if !slices.Equal(a[k].pairs, b[k].pairs) {
			return "order", false, nil
		}
	}
	return "order", false, nil
}

// index returns the positions of players by their numbers.
func (r *round) index() map[int]int {
	index := make(map[int]int, len(r.players))
	for i, p := range r.players {
		index[p.number] = i
	}
	return index
}

// mates returns everybody's opponent in a pairing, -1 for none.
func (r *round) mates(p tournament.RoundPairing, index map[int]int) ([]int, error) {
	mate := slices.Repeat([]int{-1}, len(r.players))
	for _, b := range p.Boards {
		i, ok := index[b.First]
		j, ok2 := index[b.Second]
		if !ok || !ok2 || i == j {
			return nil, fmt.Errorf("board %d-%d: not two players of this round", b.First, b.Second)
		}
		mate[i], mate[j] = j, i
	}
	return mate, nil
}

// broken returns the absolute criterion that a pairing breaks.
func (r *round) broken(mate []int, bye int) string {
	for i, j := range mate {
		switch p := &r.players[i]; {
		case j < 0 && p.number != bye:
			return "C4"
		case j < 0 && !p.mayBye:
			return "C2"
		case j >= 0 && !r.legal[i].has(j) && sameClaim(p, &r.players[j]):
			return "C3"
		case j >= 0 && !r.legal[i].has(j):
			return "C1"
		}
	}
	return ""
}
