package swiss

import (
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Difference is a round that was paired otherwise than this engine pairs it.
type Difference struct {
	Round            int
	Criterion        string // the first that tells the two apart: C1…C21, order, seats; none: no pairing is legal
	Better           bool   // the pairing of the report does better there: then the engine is wrong, or the report breaks a rule below
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
	Pairer   tournament.Pairer
	Progress func(done, total int) // after every round; nil: not
}

// Check compares every round played with what the pairer gives for it.
func (c Checker) Check(f tournament.Field) ([]Difference, error) {
	if c.Pairer == nil {
		c.Pairer = Dutch{}
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
			r, err := prepare(before)
			if err != nil {
				return list, fmt.Errorf("round %d: %w", k+1, err)
			}
			if d.Criterion, d.Better, err = r.tellApart(expected, actual); err != nil {
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

// Before is the field as it was when round k (from 0) was paired, with the byes
// asked for in it, and the pairing of that round.
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

// seated lists those who have a seat in round k; a forfeit may be without.
func seated(f tournament.Field, k int) map[int]bool {
	m := map[int]bool{}
	for _, p := range f.Players {
		m[p.Number] = at(p.Rounds, k).Seat.Valid()
	}
	return m
}

// equal compares as sets; boards without seats match either way round.
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

// tellApart is the first criterion by which two pairings differ, from the
// highest bracket down.
func (r *round) tellApart(expected, actual tournament.RoundPairing) (criterion string, better bool, err error) {
	index := map[int]int{}
	for i, p := range r.players {
		index[p.number] = i
	}
	read := func(p tournament.RoundPairing) (mate []int, err error) {
		mate = make([]int, len(r.players))
		for i := range mate {
			mate[i] = -1
		}
		for _, b := range p.Boards {
			i, ok := index[b.First]
			j, ok2 := index[b.Second]
			if !ok || !ok2 {
				return nil, fmt.Errorf("%d and %d are paired, but one of them is absent", b.First, b.Second)
			}
			mate[i], mate[j] = j, i
		}
		return mate, nil
	}
	want, err := read(expected)
	if err != nil {
		return "", false, err
	}
	have, err := read(actual)
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

// broken is the absolute criterion a pairing breaks.
func (r *round) broken(mate []int, bye int) string {
	for i, j := range mate {
		if j < 0 {
			if r.players[i].number != bye {
				return "C4"
			}
			if !r.players[i].mayBye {
				return "C2"
			}
			continue
		}
		if !r.legal[i].has(j) {
			a, b := &r.players[i], &r.players[j]
			if a.strength == absolute && b.strength == absolute && a.want == b.want && !a.top && !b.top {
				return "C3"
			}
			return "C1"
		}
	}
	return ""
}
