package contest

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// Losers says what happens to the losers of a contest.
type Losers string

const (
	Out            Losers = "out"          // single elimination
	Reseed         Losers = "reseed"       // out; in each round the lowest number left meets the highest
	ForThird       Losers = "third"        // out, but the losing semifinalists meet
	ForConsolation Losers = "consolation"  // out, but a first-match loss leads to the consolation bracket
	ForPlaces      Losers = "places"       // play on until every place is decided
	Twice          Losers = "double"       // double elimination with a single grand final
	TwiceReset     Losers = "double-reset" // double elimination, in the grand final too
)

// AllLosers lists every mode.
var AllLosers = []Losers{Out, ForThird, Reseed, ForConsolation, ForPlaces, Twice, TwiceReset}

// IsDouble reports whether it takes two losses to be out.
func (l Losers) IsDouble() bool { return l == Twice || l == TwiceReset }

// Bounds returns the fewest and the most players.
func (l Losers) Bounds() (least, most int) {
	if l.IsDouble() {
		return 3, 128
	}
	return 2, 256
}

// Build returns the bracket for n players. Numbers above n are byes.
func Build(n int, losers Losers) Graph {
	lines := make([]Slot, 0, Size(n))
	for _, number := range Lines(Size(n)) {
		if number > n {
			lines = append(lines, Slot{})
			continue
		}
		lines = append(lines, Slot{Player, number})
	}
	var b builder
	if losers.IsDouble() && len(lines) > 2 {
		b.double(lines, losers == TwiceReset)
	} else {
		b.single(lines, losers)
	}
	if losers == ForConsolation && len(lines) > 2 {
		b.consolation(lines)
	}
	return b.inWaves()
}

// Pots yields the half-open ranges of numbers, from 0, that lots are drawn within. The
// first two are seeded. The next two, four, eight and so on, up to a quarter of the field,
// are drawn among themselves, and then all others.
func Pots(n int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		low := 2
		for ; low*2 <= n/4; low *= 2 {
			if !yield(low, low*2) {
				return
			}
		}
		if low < n {
			yield(low, n)
		}
	}
}

// FirstPairs yields the pairs of numbers that meet in the first round of n players.
func FirstPairs(n int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		lines := Lines(Size(n))
		for i := 0; i < len(lines); i += 2 {
			if lines[i] <= n && lines[i+1] <= n && !yield(lines[i], lines[i+1]) {
				return
			}
		}
	}
}

// builder collects contests in any order.
type builder struct{ g Graph }

// column pairs neighbors in contests like c.
func (b *builder) column(lines []Slot, c Contest) (winners, losers []Slot) {
	for i := 0; i < len(lines); i += 2 {
		c.Slots = [2]Slot{lines[i], lines[i+1]}
		winners, losers = append(winners, Slot{Winner, len(b.g)}), append(losers, Slot{Loser, len(b.g)})
		b.g = append(b.g, c)
	}
	return winners, losers
}

// tree is a set of lines that play for the same places.
type tree struct {
	lines []Slot
	like  Contest
}

// single adds a single elimination and the contests of its losers.
func (b *builder) single(lines []Slot, losers Losers) {
	trees := []tree{{lines, Contest{Level: 1, Places: [2]int{1, len(lines)}}}}
	for wave := 1; len(trees) > 0; wave++ {
		var next []tree
		for _, x := range trees {
			best, half := x.like.Places[0], len(x.lines)/2
			goOn := half > 1 && (losers == ForPlaces || losers == ForThird && half == 2 && best == 1)
			x.like.Wave, x.like.After = wave, 0
			if !goOn {
				x.like.After = best + half
			}
			winners, out := b.column(x.lines, x.like)
			if losers == Reseed && half > 1 {
				for i, rank := range Lines(half) {
					winners[i] = Slot{Best, rank}
				}
			}
			if half > 1 {
				x.like.Level++
				next = append(next, tree{winners, x.like})
			}
			if goOn {
				next = append(next, tree{out, Contest{Part: Places, Level: 1, Places: [2]int{best + half, best + 2*half - 1}}})
			}
		}
		trees = next
	}
}

// consolation adds a bracket for those who lost their first match: in the first round, or
// in the second after a bye.
func (b *builder) consolation(lines []Slot) {
	var own []Slot
	for i := 0; i < len(lines); i += 4 {
		second := Slot{FirstLoser, len(lines)/2 + i/4}
		for k := range 2 {
			slot := Slot{Loser, i/2 + k}
			if lines[i+2*k].Kind == Nobody || lines[i+2*k+1].Kind == Nobody {
				slot, second = second, Slot{} // of two players with byes, one loses in round 2
			}
			own = append(own, slot)
		}
	}
	for level := 1; len(own) > 1; level++ {
		from := len(b.g)
		own, _ = b.column(own, Contest{Part: Consolation, Level: level})
		for i := range b.g[from:] {
			c := &b.g[from+i]
			for _, slot := range c.Slots {
				if slot.Kind != Nobody {
					c.Wave = max(c.Wave, b.g[slot.Of].Wave+1)
				}
			}
		}
	}
}

// drops holds, by bracket size, the order in which the losers of each round of the upper
// bracket drop into the lower one; see ordered. It delays rematches for as long as possible.
var drops = map[int]string{4: "nn", 8: "nrn", 16: "nrrn", 32: "nrhrn", 64: "nqrhrn", 128: "nqrhhrn"}

// ordered returns lines as they are (n), reversed (r), second half first (h), or with each
// half reversed (q).
func ordered(lines []Slot, order byte) []Slot {
	list, half := slices.Clone(lines), len(lines)/2
	switch order {
	case 'r':
		slices.Reverse(list)
	case 'h':
		list = slices.Concat(lines[half:], lines[:half])
	case 'q':
		slices.Reverse(list[:half])
		slices.Reverse(list[half:])
	}
	return list
}

// double adds a double elimination. A round of the upper bracket is not played until the
// lower bracket is ready for its losers.
func (b *builder) double(lines []Slot, reset bool) {
	places, rounds := [2]int{1, len(lines)}, bits.Len(uint(len(lines)))-1
	order := cmp.Or(drops[len(lines)], strings.Repeat("n", rounds)) // an imported file may exceed Bounds
	upper, out := b.column(lines, Contest{Wave: 1, Level: 1, Places: places})
	level := 1
	below := func(lines []Slot, after int) (winners []Slot) {
		winners, _ = b.column(lines, Contest{Wave: level + 1, Part: Lower, Level: level, Places: places, After: after})
		level++
		return winners
	}
	left := below(ordered(out, order[0]), 3*len(out)/2+1)
	for round := 2; round <= rounds; round++ {
		upper, out = b.column(upper, Contest{Wave: 2*round - 2, Level: round, Places: places})
		var pairs []Slot
		for i, loser := range ordered(out, order[round-1]) {
			pairs = append(pairs, left[i], loser)
		}
		if left = below(pairs, 2*len(out)+1); len(left) > 1 {
			left = below(left, 3*len(left)/2+1)
		}
	}
	final := Contest{Wave: 2 * rounds, Part: GrandFinal, Level: 1, Places: places, After: 2}
	won, lost := b.column([]Slot{upper[0], left[0]}, final)
	if reset {
		final.Wave, final.Part = final.Wave+1, Reset
		b.column([]Slot{lost[0], won[0]}, final)
	}
}

// inWaves returns the graph in the order of play.
func (b *builder) inWaves() Graph {
	order := make([]int, len(b.g))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(b.g[x].Wave, b.g[y].Wave), cmp.Compare(b.g[x].Part, b.g[y].Part))
	})
	at := make([]int, len(order))
	for i, x := range order {
		at[x] = i
	}
	g := make(Graph, len(order))
	for i, x := range order {
		g[i] = b.g[x]
		for k, slot := range g[i].Slots {
			if slot.Kind > Player && slot.Kind != Best {
				g[i].Slots[k].Of = at[slot.Of]
			}
		}
	}
	return g
}
