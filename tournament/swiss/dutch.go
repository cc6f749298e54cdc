// Package swiss pairs the rounds of a Swiss tournament by FIDE's Dutch system (C.04.3, in
// force since February 1, 2026): exactly the pairing of the rules, or none if none is
// legal. Whatever the text leaves to the organizer (points, acceleration, forbidden
// pairs, absences) comes with the field.
package swiss

import (
	"cmp"
	"errors"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/internal/blossom"
)

// Version identifies the behavior of this engine: the same field and version give the
// same pairing on any machine.
const Version = "dutch-2026.02-1"

// ErrCancelled is the error after Cancelled returned true.
var ErrCancelled = errors.New("pairing cancelled")

var errTooWide = errors.New("hundreds of different scores meet in one bracket")

// Dutch is the Dutch system. The zero value is ready.
type Dutch struct {
	Progress  func(done, total int) // called after every bracket with the number of players paired; may be nil
	Cancelled func() bool           // polled; may be nil

	Whole bool // always solve the whole field at once: slow, for comparisons
}

var _ tournament.Pairer = Dutch{}

// Pair returns the pairing of the next round with boards in publishing order. Errors:
// tournament.ErrNoPairing, ErrCancelled, or an inconsistent field.
func (d Dutch) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	r, err := prepare(f)
	if err != nil {
		return tournament.RoundPairing{}, err
	}
	pairs, bye, err := d.pair(r)
	if err != nil {
		return tournament.RoundPairing{}, err
	}
	return r.publish(pairs, bye), nil
}

// pair pairs the round bracket by bracket. Pairs hold indices, the higher ranked first;
// bye is -1 for none.
func (d Dutch) pair(r *round) (pairs [][2]int, bye int, err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case blossom.Stopped:
			pairs, bye, err = nil, -1, ErrCancelled
		case tooWide:
			pairs, bye, err = nil, -1, errTooWide
		default:
			panic(x)
		}
	}()
	n := len(r.players)
	bye = -1
	r.stop = d.Cancelled
	if n == 0 {
		return nil, bye, nil
	}
	if err := r.begin(); err != nil {
		return nil, bye, err
	}
	var moved []int
	for begin := 0; begin < n || len(moved) > 0; {
		if d.Cancelled != nil && d.Cancelled() {
			return nil, bye, ErrCancelled
		}
		if begin == n {
			// Only the holder of the bye is left.
			bye = moved[0]
			break
		}
		end := r.groupEnd(begin)
		w, out := d.bracket(r, moved, begin, end)
		if w.joined && !out.complete {
			return nil, bye, tournament.ErrNoPairing
		}
		for _, p := range out.pairs {
			pairs = append(pairs, [2]int{w.who[p[0]], w.who[p[1]]})
		}
		moved = moved[:0:0]
		for _, v := range out.floaters {
			moved = append(moved, w.who[v])
		}
		begin = end
		if d.Progress != nil {
			d.Progress(2*len(pairs), n)
		}
	}
	if d.Progress != nil {
		d.Progress(n, n)
	}
	return pairs, bye, nil
}

// groupEnd returns the end of the score group that begins at i.
func (r *round) groupEnd(i int) int {
	j := i
	for j < len(r.players) && r.players[j].score == r.players[i].score {
		j++
	}
	return j
}

// bracket pairs one bracket. It looks at the next score group only, as long as the rest
// can be completed; otherwise everybody below joins in.
func (d Dutch) bracket(r *round, moved []int, begin, end int) (*window, paired) {
	n := len(r.players)
	next := r.groupEnd(end)
	mayHoldBye := r.odd && r.bye >= r.players[begin].score
	if !d.Whole && !mayHoldBye && next < n {
		w := r.window(moved, begin, end, next, next)
		if out := w.solve(); r.canComplete(w, out) {
			return w, out
		}
	}
	w := r.window(moved, begin, end, next, n)
	w.joined, w.plain = true, d.Whole
	w.byeIn = mayHoldBye && w.leavesOnlyBye()
	return w, w.solve()
}

// leavesOnlyBye reports whether the bracket can be paired except for the holder of the
// bye, so that C9 applies to it.
func (w *window) leavesOnlyBye() bool {
	adj := w.adjacency()
	able := func(lo, hi int, bye bool) bool {
		alive := newBitset(len(w.who) + 1)
		alive.setRange(lo, hi)
		return w.r.pairable(alive, bye, func(i int) *player { return &w.r.players[w.who[i]] }, func(i int, row []uint64) {
			for k, x := range adj[i] {
				row[k] = x & alive[k]
			}
		})
	}
	return w.size%2 == 1 && able(w.size, len(w.who), false) && able(0, w.size, true)
}

// pairable reports whether all players alive can be paired; with bye, all but one who may
// have it. The last place in the set stands for the bye.
func (r *round) pairable(alive bitset, bye bool, who func(i int) *player, edges func(i int, row []uint64)) bool {
	dummy := len(alive)*64 - 1
	if !bye {
		return len(blossom.NewCardinality(alive, dummy+1, edges).Match()) == 0
	}
	may := make(bitset, len(alive))
	alive.each(func(i int) {
		if p := who(i); p.mayBye && p.score <= r.bye {
			may.set(i)
		}
	})
	alive.set(dummy)
	c := blossom.NewCardinality(alive, dummy+1, func(i int, row []uint64) {
		clear(row)
		if i == dummy {
			copy(row, may)
			return
		}
		edges(i, row)
		if may.has(i) {
			row[dummy>>6] |= 1 << 63
		}
	})
	return len(c.Match()) == 0
}

func (r *round) window(moved []int, begin, end, next, all int) *window {
	w := &window{r: r, stop: r.stop, moved: len(moved), size: len(moved) + end - begin}
	w.next = w.size + next - end
	w.who = append(w.who, moved...)
	for i := begin; i < all; i++ {
		w.who = append(w.who, i)
	}
	return w
}

// begin checks C4 for the whole round and sets the score of the bye (C5).
func (r *round) begin() error {
	n := len(r.players)
	legal := func(i int, row []uint64) { copy(row, r.legal[i]) }
	who := func(i int) *player { return &r.players[i] }
	everybody := func() bitset {
		alive := newBitset(n + 1)
		alive.setRange(0, n)
		return alive
	}
	if !r.odd {
		if !r.pairable(everybody(), false, who, legal) {
			return tournament.ErrNoPairing
		}
		return nil
	}
	if left := blossom.NewCardinality(everybody(), len(everybody())*64, legal).Match(); len(left) != 1 {
		return tournament.ErrNoPairing
	}
	for end := n; end > 0; {
		r.bye = r.players[end-1].score
		if r.pairable(everybody(), true, who, legal) {
			return nil
		}
		for end > 0 && r.players[end-1].score == r.bye {
			end--
		}
	}
	return tournament.ErrNoPairing
}

// canComplete reports whether the players left over by a window, and everybody below it,
// can be paired (C4), with the bye at the lowest possible score (C5).
func (r *round) canComplete(w *window, out paired) bool {
	n := len(r.players)
	alive := newBitset(n + 1)
	floating := make(bitset, len(alive))
	for _, v := range out.floaters {
		floating.set(w.who[v])
	}
	for v, g := range w.who {
		if (v >= w.size || floating.has(g)) && !out.later[v] {
			alive.set(g)
		}
	}
	alive.setRange(w.who[len(w.who)-1]+1, n)
	return r.pairable(alive, r.odd, func(i int) *player { return &r.players[i] }, func(i int, row []uint64) {
		for k, x := range r.legal[i] {
			row[k] = x & alive[k]
		}
		if floating.has(i) {
			for k := range row {
				row[k] &^= floating[k]
			}
		}
	})
}

// publish assigns seats and orders the boards by the score of the higher player, that of
// the lower, and the rank of the higher, without acceleration.
func (r *round) publish(pairs [][2]int, bye int) tournament.RoundPairing {
	type board struct {
		high, low *player
		first     bool
	}
	var boards []board
	for _, p := range pairs {
		a, b := &r.players[min(p[0], p[1])], &r.players[max(p[0], p[1])]
		seat, _ := r.seatOf(a, b)
		x := board{a, b, seat == match.First}
		if b.plain > a.plain || b.plain == a.plain && b.rank < a.rank {
			x = board{b, a, !x.first}
		}
		boards = append(boards, x)
	}
	slices.SortFunc(boards, func(a, b board) int {
		return cmp.Or(cmp.Compare(b.high.plain, a.high.plain), cmp.Compare(b.low.plain, a.low.plain), cmp.Compare(a.high.rank, b.high.rank))
	})
	var out tournament.RoundPairing
	for _, b := range boards {
		if b.first {
			out.Boards = append(out.Boards, tournament.Board{First: b.high.number, Second: b.low.number})
		} else {
			out.Boards = append(out.Boards, tournament.Board{First: b.low.number, Second: b.high.number})
		}
	}
	if bye >= 0 {
		out.Bye = r.players[bye].number
	}
	return out
}
