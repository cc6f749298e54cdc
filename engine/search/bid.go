package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// bidder looks a few bids ahead for the terms its seat can expect most from. Chips have
// no price of their own: they are worth what they can still change.
type bidder struct {
	ctx      context.Context // checked often, so that others can go first; once it is done, nothing is looked ahead
	envelope bidding.Envelope
	seat     match.Seat
	time     bidding.TimeControl // what it asks for when it bids on the time
	seed     uint64
	whim     float64 // by how much it misjudges terms

	twists   map[int][]board.Features // those allowed, by width
	armies   map[int][]board.Row
	known    map[sealed]float64
	byRow    map[board.Row][2]board.Features // best for Black, best for White
	byTwist  map[board.Features][2]board.Row
	extremes [2]float64 // White's least and greatest share on any terms
}

// errNoBid cannot happen: a call, or a raise to a preset, the standard row or the
// defaults, is always possible (Rules D6).
var errNoBid = errors.New("search: no bid is possible")

const (
	lookBids = 2    // bids to look ahead
	tie      = 1e-6 // a smaller difference is none
)

func newBidder(ctx context.Context, s bidding.State, e bidding.Envelope, seat match.Seat, taste Taste) *bidder {
	b := &bidder{
		ctx: ctx, envelope: e, seat: seat, seed: taste.Seed, whim: taste.Whim, time: e.Presets[taste.Seed%uint64(len(e.Presets))],
		twists: map[int][]board.Features{}, armies: map[int][]board.Row{}, known: map[sealed]float64{},
		byRow: map[board.Row][2]board.Features{}, byTwist: map[board.Features][2]board.Row{}, extremes: [2]float64{1, 0},
	}
	for _, width := range e.Widths {
		for _, f := range Twists(e.Defaults, width) {
			if e.Check(bidding.Bid{Target: bidding.Features, HasOutcome: true, Features: f}) == nil {
				b.twists[width] = append(b.twists[width], f)
			}
		}
		for _, row := range Armies(width) {
			if e.Check(bidding.Bid{Target: bidding.HomeRow, HasOutcome: true, Row: row}) == nil {
				b.armies[width] = append(b.armies[width], row)
			}
		}
	}
	b.bound()
	return b
}

// bound finds the least and the greatest share White has on any terms.
func (b *bidder) bound() {
	for _, width := range b.envelope.Widths {
		for _, f := range b.twists[width] {
			if b.ctx.Err() != nil {
				return
			}
			for _, row := range b.armies[width] {
				white := b.white(f, row)
				b.extremes[0], b.extremes[1] = min(b.extremes[0], white), max(b.extremes[1], white)
			}
		}
	}
}

// white returns White's share on some terms, as this bidder sees it.
func (b *bidder) white(f board.Features, row board.Row) float64 {
	key := seal(f, row)
	share, ok := b.known[key]
	if !ok {
		share = WorthOfWhite(f, row)
		if b.whim > 0 {
			h := b.seed ^ saltOf(key.features) ^ uint64(key.features.MoveLimit)
			for _, letter := range []byte(row) {
				h = mix(h ^ uint64(letter))
			}
			share += b.whim * (float64(h&0xffff)/0x8000 - 1)
		}
		b.known[key] = share
	}
	return share
}

// forRow returns the allowed features that are best for Black and for White with the
// row in force.
func (b *bidder) forRow(s bidding.State) [2]board.Features {
	row := s.Row()
	best, ok := b.byRow[row]
	if !ok {
		worst, most := 2.0, -1.0
		for _, width := range b.envelope.Widths {
			for _, f := range b.twists[width] {
				white := b.white(f, s.RowAt(width))
				if white < worst {
					worst, best[0] = white, f
				}
				if white > most {
					most, best[1] = white, f
				}
			}
		}
		b.byRow[row] = best
	}
	return best
}

// forFeatures returns the allowed home rows that are best for Black and for White.
func (b *bidder) forFeatures(f board.Features) [2]board.Row {
	best, ok := b.byTwist[f]
	if !ok {
		worst, most := 2.0, -1.0
		for _, row := range append([]board.Row{board.StandardRow(f.Width)}, b.armies[f.Width]...) {
			white := b.white(f, row)
			if white < worst {
				worst, best[0] = white, row
			}
			if white > most {
				most, best[1] = white, row
			}
		}
		b.byTwist[f] = best
	}
	return best
}

// share turns White's share into a seat's; while the color is open, it is a coin toss.
func share(white float64, holder, seat match.Seat) float64 {
	switch holder {
	case seat:
		return white
	case seat.Other():
		return 1 - white
	}
	return 0.5
}

// now returns what a seat could expect if the bidding ended here.
func (b *bidder) now(s bidding.State, seat match.Seat) float64 {
	holder, _ := s.White()
	return share(b.white(s.Features(), s.Row()), holder, seat)
}

// reach returns the most a seat could get with its chips if the other did nothing.
func (b *bidder) reach(s bidding.State, seat match.Seat) float64 {
	purse := s.Purse(seat)
	best := b.now(s, seat)
	holder, _ := s.White()
	for _, takes := range []bool{false, true} {
		left, color := purse, holder
		if takes {
			left, color = purse-leastRaise(s, bidding.White, seat), seat
		}
		if left < 0 || color == 0 {
			continue
		}
		best = max(best, share(b.white(s.Features(), s.Row()), color, seat))
		serves := 0 // index into a pair: which of the two is good for the seat
		if color == seat {
			serves = 1
		}
		features, row := leastRaise(s, bidding.Features, seat), leastRaise(s, bidding.HomeRow, seat)
		if features <= left {
			f := b.forRow(s)[serves]
			best = max(best, share(b.white(f, s.RowAt(f.Width)), color, seat))
		}
		if row <= left {
			best = max(best, share(b.white(s.Features(), b.forFeatures(s.Features())[serves]), color, seat))
		}
		if features+row <= left {
			best = max(best, share(b.extremes[serves], color, seat))
		}
	}
	return best
}

// value returns what the bidder's seat can expect here: part is what is in force, part
// what either side could still make of it with its chips.
func (b *bidder) value(s bidding.State) float64 {
	me, other := s.Purse(b.seat), s.Purse(b.seat.Other())
	now := b.now(s, b.seat)
	if me+other == 0 {
		return now
	}
	mine := float64(me) / float64(me+other)
	return 0.4*now + 0.6*(mine*b.reach(s, b.seat)+(1-mine)*(1-b.reach(s, b.seat.Other())))
}

// ahead returns the value after looking depth bids ahead.
func (b *bidder) ahead(s bidding.State, depth int) float64 {
	turn, ok := s.Turn()
	if _, pending := s.Pending(); depth == 0 || !ok || pending || b.ctx.Err() != nil {
		return b.value(s)
	}
	best, found := 0.0, false
	for _, bid := range b.bids(s, turn) {
		next, err := s.Place(turn, bid)
		if err != nil {
			continue
		}
		v := b.ahead(next, depth-1)
		if !found || (turn == b.seat) == (v > best) {
			best, found = v, true
		}
	}
	if !found {
		return b.value(s)
	}
	return best
}

// leastRaise returns the chips the smallest raise on a target takes a seat, even out
// of turn.
func leastRaise(s bidding.State, t bidding.Target, seat match.Seat) int {
	return max(1, s.Gap(t, seat)+1)
}

// bids returns the calls and raises worth considering: to what is best for either color,
// with the fewest chips, a few more, or so many that nobody can answer. It stakes at most
// two thirds of the chips on one target, as long as there is any other bid: whoever
// outbids it there has nothing left for the rest.
func (b *bidder) bids(s bidding.State, seat match.Seat) (list []bidding.Bid) {
	all := b.allBids(s, seat)
	most := (s.Chips() + s.Extra(seat)) * 2 / 3
	for _, bid := range all {
		if s.Stake(bid.Target, seat)+bid.Chips <= most {
			list = append(list, bid)
		}
	}
	if len(list) == 0 {
		return all
	}
	return list
}

func (b *bidder) allBids(s bidding.State, seat match.Seat) (list []bidding.Bid) {
	raise := func(bid bidding.Bid, outcomes bool) {
		least := leastRaise(s, bid.Target, seat)
		final := least + s.Purse(seat.Other())
		bid.HasOutcome = outcomes
		for _, chips := range [...]int{least, least + 2, final} {
			bid.Chips = chips
			if chips <= s.Purse(seat) && (chips != least+2 || chips < final) && b.envelope.Check(bid) == nil {
				list = append(list, bid)
			}
		}
	}
	for target := bidding.White; target <= bidding.Features; target++ {
		if gap := s.Gap(target, seat); gap > 0 && gap <= s.Purse(seat) {
			list = append(list, bidding.Bid{Target: target, Chips: gap})
		}
	}
	raise(bidding.Bid{Target: bidding.White}, false)
	f := s.Features()
	raise(bidding.Bid{Target: bidding.HomeRow, Row: board.StandardRow(f.Width)}, true)
	for _, row := range b.forFeatures(f) {
		raise(bidding.Bid{Target: bidding.HomeRow, Row: row}, true)
	}
	raise(bidding.Bid{Target: bidding.Features, Features: b.envelope.Defaults}, true)
	for _, f := range b.forRow(s) {
		raise(bidding.Bid{Target: bidding.Features, Features: f}, true)
	}
	if least := leastRaise(s, bidding.Time, seat); least <= s.Purse(seat) {
		list = append(list, bidding.Bid{Target: bidding.Time, Chips: least, HasOutcome: true, Time: b.time})
	}
	return list
}

// best returns the bid the seat can expect most after, and how much that is. Most early
// bids merely wait, which is worth the same on every target, so the seed breaks ties.
func (b *bidder) best(s bidding.State) (best bidding.Bid, most float64, err error) {
	err = errNoBid
	for _, bid := range b.bids(s, b.seat) {
		next, refused := s.Place(b.seat, bid)
		if refused != nil {
			continue
		}
		h := mix(b.seed ^ mix(uint64(s.Purse(b.seat))<<16|uint64(bid.Target)<<8|uint64(bid.Chips)))
		if v := b.ahead(next, lookBids-1) + tie*float64(h&0xffff)/0xffff; err != nil || v > most {
			best, most, err = bid, v, nil
		}
	}
	return best, most, err
}

// Taste is what a bidder goes by beside the worth of terms.
type Taste struct {
	Seed uint64  // also breaks ties
	Whim float64 // by how much it misjudges terms at most
}

// BestBid returns the bid of a seat whose turn it is.
func BestBid(ctx context.Context, s bidding.State, e bidding.Envelope, seat match.Seat, taste Taste) (bidding.Bid, error) {
	bid, _, err := newBidder(ctx, s, e, seat, taste).best(s)
	return bid, err
}

// JudgeBid returns what a bid gave away of the expected score, and a better bid, which
// has no chips if there was none.
func JudgeBid(
	ctx context.Context, s bidding.State, e bidding.Envelope, seat match.Seat, bid bidding.Bid,
) (loss float64, better bidding.Bid) {
	b := newBidder(ctx, s, e, seat, Taste{})
	best, most, err := b.best(s)
	next, refused := s.Place(seat, bid)
	if err != nil || refused != nil {
		return 0, bidding.Bid{}
	}
	if loss = most - b.ahead(next, lookBids-1); loss <= tie {
		return 0, bidding.Bid{}
	}
	return loss, best
}

// Option is a bid worth considering, and what its seat can expect after it.
type Option struct {
	Bid   bidding.Bid
	Worth float64
}

// Options returns the bids of a seat whose turn it is, best first, after looking ahead
// bids ahead. Of bids that ask for the same, it keeps the best.
func Options(ctx context.Context, s bidding.State, e bidding.Envelope, seat match.Seat, ahead int) (list []Option) {
	b := newBidder(ctx, s, e, seat, Taste{})
	places := map[bidding.Bid]int{}
	for _, bid := range b.bids(s, seat) {
		next, refused := s.Place(seat, bid)
		if refused != nil {
			continue
		}
		o := Option{bid, b.ahead(next, ahead-1)}
		asks := bid
		asks.Chips = 0
		if bid.Chips == s.Gap(bid.Target, seat) {
			asks.Chips = -1 // a call
		}
		if at, ok := places[asks]; !ok {
			places[asks] = len(list)
			list = append(list, o)
		} else if o.Worth > list[at].Worth+tie {
			list[at] = o
		}
	}
	slices.SortStableFunc(list, func(a, b Option) int { return cmp.Compare(b.Worth, a.Worth) })
	return list
}
