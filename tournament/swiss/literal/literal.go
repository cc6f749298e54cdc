// Package literal pairs small fields by the Dutch system exactly as its text reads: it
// generates every candidate of every bracket, weighs them by one criterion after the
// other, and takes the first of the best. It is the reference for the fast engine and
// shares no code with it.
package literal

import (
	"errors"
	"math/bits"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// MaxPlayers limits the players to be paired; the number of candidates grows factorially.
const MaxPlayers = 10

// ErrTooMany refuses a field that is too large.
var ErrTooMany = errors.New("too many players for trying every candidate")

// Pairer is the Dutch system by exhaustive search.
type Pairer struct{}

var _ tournament.Pairer = Pairer{}

// Pair returns the pairing of the next round, with boards in no particular order.
func (Pairer) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	e := read(f)
	if len(e.players) > MaxPlayers {
		return tournament.RoundPairing{}, ErrTooMany
	}
	return e.pair()
}

// event is a field with its players in order (1.2).
type event struct {
	players  []entrant
	last     bool
	opening  match.Seat
	banned   map[[2]int]bool // by number
	memo     map[[2]uint]bool
	byeScore tournament.Score
	lower    map[uint]bracketQuality // C8, by downfloaters
}

type entrant struct {
	number, rank  int
	score, plain  tournament.Score
	games         []match.Seat
	met           map[int]bool
	difference    int // games as First minus games as Second
	down, up      [2]bool
	byeless, star bool // may have the bye; topscorer
	idle          int  // rounds without a game
}

func (e *event) odd() bool { return len(e.players)%2 == 1 }

// pair pairs the score groups in turn.
func (e *event) pair() (tournament.RoundPairing, error) {
	var out tournament.RoundPairing
	n := len(e.players)
	if n == 0 {
		return out, nil
	}
	if !e.findByeScore() {
		return out, tournament.ErrNoPairing
	}
	var moved []int
	for begin := 0; begin < n; {
		end := e.groupEnd(begin)
		c := e.best(moved, begin, end)
		for _, p := range c.pairs {
			a, b := &e.players[p[0]], &e.players[p[1]]
			if e.seat(a, b) == match.First {
				out.Boards = append(out.Boards, tournament.Board{First: a.number, Second: b.number})
			} else {
				out.Boards = append(out.Boards, tournament.Board{First: b.number, Second: a.number})
			}
		}
		moved, begin = c.floaters, end
	}
	if len(moved) > 0 {
		out.Bye = e.players[moved[0]].number
	}
	return out, nil
}

func (e *event) groupEnd(i int) int {
	j := i
	for j < len(e.players) && e.players[j].score == e.players[i].score {
		j++
	}
	return j
}

// mayMeet checks C1 and C3.
func (e *event) mayMeet(i, j int) bool {
	a, b := &e.players[i], &e.players[j]
	if a.met[b.number] || e.banned[[2]int{a.number, b.number}] {
		return false
	}
	wa, sa := a.wish()
	wb, sb := b.wish()
	return sa < 3 || sb < 3 || wa != wb || e.last && (a.star || b.star)
}

// findByeScore sets the lowest score that can have the bye (C5), and reports whether the
// round can be paired at all.
func (e *event) findByeScore() bool {
	all := uint(1)<<len(e.players) - 1
	if !e.odd() {
		return e.completes(all, 0)
	}
	for i := len(e.players) - 1; i >= 0; i-- {
		e.byeScore = e.players[i].score
		e.memo = map[[2]uint]bool{}
		if e.completes(all, 0) {
			return true
		}
	}
	return false
}

// completes reports whether the set can be paired, with one left over if it is odd, and
// no two floaters meeting each other (C4).
func (e *event) completes(set, floaters uint) bool {
	if set == 0 {
		return true
	}
	key := [2]uint{set, floaters}
	if known, ok := e.memo[key]; ok {
		return known
	}
	i := bits.TrailingZeros(set)
	rest := set &^ (1 << i)
	found, odd := false, bits.OnesCount(set)%2 == 1
	if p := &e.players[i]; odd && p.byeless && p.score <= e.byeScore {
		found = e.completes(rest, floaters)
	}
	for j := i + 1; j < len(e.players) && !found; j++ {
		if rest>>j&1 != 0 && (floaters>>i&1 == 0 || floaters>>j&1 == 0) && e.mayMeet(i, j) {
			found = e.completes(rest&^(1<<j), floaters)
		}
	}
	e.memo[key] = found
	return found
}

// candidate is one way to pair a bracket.
type candidate struct {
	pairs    [][2]int
	floaters []int
}

// candidates calls f with every legal candidate of a bracket after which the round can be
// completed.
func (e *event) candidates(moved []int, begin, end int, f func(candidate)) {
	bracket := slices.Clone(moved)
	for i := begin; i < end; i++ {
		bracket = append(bracket, i)
	}
	var below uint
	for i := end; i < len(e.players); i++ {
		below |= 1 << i
	}
	used := make([]bool, len(bracket))
	var c candidate
	var walk func(k int)
	walk = func(k int) {
		for k < len(bracket) && used[k] {
			k++
		}
		if k == len(bracket) {
			var floating uint
			for _, i := range c.floaters {
				floating |= 1 << i
			}
			if e.completes(below|floating, floating) {
				f(candidate{slices.Clone(c.pairs), slices.Clone(c.floaters)})
			}
			return
		}
		used[k] = true
		for m := max(k+1, len(moved)); m < len(bracket); m++ {
			if !used[m] && e.mayMeet(bracket[k], bracket[m]) {
				used[m] = true
				c.pairs = append(c.pairs, [2]int{bracket[k], bracket[m]})
				walk(k + 1)
				c.pairs = c.pairs[:len(c.pairs)-1]
				used[m] = false
			}
		}
		c.floaters = append(c.floaters, bracket[k])
		walk(k + 1)
		c.floaters = c.floaters[:len(c.floaters)-1]
		used[k] = false
	}
	walk(0)
}

// best returns the first of the best candidates.
func (e *event) best(moved []int, begin, end int) candidate {
	var best candidate
	var quality, order []int
	none := true
	// C9 is about brackets whose only downfloater is the holder of the bye.
	single := e.odd() && e.byeScore >= e.players[begin].score && e.fewest(moved, begin, end) == 1
	e.candidates(moved, begin, end, func(c candidate) {
		q := e.quality(c, len(moved), begin, end, single)
		d := slices.Compare(q, quality)
		if !none && d > 0 {
			return
		}
		o := order
		if none || d <= 0 {
			o = e.place(c, moved, begin, end)
		}
		if none || d < 0 || slices.Compare(o, order) < 0 {
			best, quality, order, none = c, q, o, false
		}
	})
	return best
}

// fewest returns the smallest number of downfloaters of a bracket.
func (e *event) fewest(moved []int, begin, end int) int {
	n := len(e.players) + 1
	e.candidates(moved, begin, end, func(c candidate) { n = min(n, len(c.floaters)) })
	return n
}
