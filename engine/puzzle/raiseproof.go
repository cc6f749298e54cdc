package puzzle

import (
	"cmp"
	"context"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// proves reports whether the right choice is worth more than any other bid of a table by at least pays, and every
// choice as much as is said of it. What terms are worth is taken as measured (search.WorthOfWhite); nothing else is.
func (t Table) proves(ctx context.Context, plays int) bool {
	s, by, err := t.State()
	if err != nil || t.Right < 0 || t.Right >= len(t.Choices) {
		return false
	}
	right := t.Choices[t.Right].Bid.Bid
	offers, margin := audit(ctx, plays, t.limits(), s)
	if margin < pays || offers[0].Bid != right || right.Chips <= s.Gap(right.Target, by) {
		return false
	}
	for i, c := range t.Choices {
		at := slices.IndexFunc(offers, func(o search.Option) bool { return o.Bid == c.Bid.Bid })
		if at < 0 || percent(offers[at].Worth) != c.Worth || slices.Contains(t.Choices[:i], c) {
			return false
		}
	}
	return true
}

// limits are those of the table: none but the rules. What an event narrowed besides is not shown to who solves the puzzle.
func (t Table) limits() bidding.Envelope {
	e := bidding.DefaultEnvelope()
	e.Chips, e.Defaults = t.Chips, t.Defaults
	return e
}

// audit returns the bids of the seat whose turn it is, the best first, and by how much the best leads: nothing if another one
// might be as good where both may ask for anything the rules allow (search.Extremes), not only for what bidders consider.
func audit(ctx context.Context, plays int, e bidding.Envelope, s bidding.State) (offers []search.Option, margin float64) {
	by, _ := s.Turn()
	narrow := &auditor{ctx: ctx, plays: plays, envelope: e, us: by}
	offers = narrow.offers(s)
	if len(offers) < 2 {
		return nil, 0
	}
	if margin = offers[0].Worth - offers[1].Worth; margin < pays {
		return offers, margin
	}
	all := (&auditor{ctx: ctx, plays: plays, envelope: e, us: by, anything: true}).offers(s)
	if len(all) < 2 || all[0].Bid != offers[0].Bid || all[0].Worth-all[1].Worth < sure {
		return offers, 0
	}
	return offers, margin
}

// sure is the least lead over bids that ask for what nobody has played.
const sure = 0.01

// auditor tries every bid of both sides up to the end of a bidding: on each target, with each number of chips, and for
// each outcome that bidders consider (search.Twists, search.Armies). It knows the rules and what terms are worth; which
// bids promise something, it does not guess.
type auditor struct {
	ctx      context.Context
	plays    int // bids left to try
	envelope bidding.Envelope
	us       bidding.Seat
	anything bool // features beyond those that bidders consider, too

	twists []board.Features
	armies map[int][]board.Row // by width
	known  map[bidding.State]float64
}

// offers returns the bids of the seat whose turn it is with what they are worth to it in the end, the best first; of
// bids that differ in chips only, the best. It is nil if the budget or the context ends before.
func (a *auditor) offers(s bidding.State) (list []search.Option) {
	a.known, a.armies = map[bidding.State]float64{}, map[int][]board.Row{}
	for _, width := range a.envelope.Widths {
		features := search.Twists(a.envelope.Defaults, width)
		if a.anything {
			features = append(features, search.Extremes(a.envelope.Defaults, width)...)
		}
		for _, f := range features {
			if a.envelope.Check(bidding.Bid{Target: bidding.Features, HasOutcome: true, Features: f}) == nil {
				a.twists = append(a.twists, f)
			}
		}
		for _, row := range search.Armies(width) {
			if a.envelope.Check(bidding.Bid{Target: bidding.HomeRow, HasOutcome: true, Row: row}) == nil {
				a.armies[width] = append(a.armies[width], row)
			}
		}
	}
	for bid := range a.bids(s) {
		next, err := s.Place(a.us, bid)
		if a.plays--; err != nil {
			continue
		}
		o := search.Option{Bid: bid, Worth: a.worth(next)}
		// Calls and raises on a target differ in more than chips.
		at := slices.IndexFunc(list, func(x search.Option) bool {
			gap := s.Gap(bid.Target, a.us)
			return asksFor(x.Bid, bid) && (x.Bid.Chips == gap) == (bid.Chips == gap)
		})
		switch {
		case at < 0:
			list = append(list, o)
		case o.Worth > list[at].Worth+tie:
			list[at] = o
		}
	}
	if a.plays < 0 {
		return nil
	}
	slices.SortStableFunc(list, func(x, y search.Option) int { return cmp.Compare(y.Worth, x.Worth) })
	return list
}

// tie is a difference that is none.
const tie = 1e-6

// worth returns what a table is worth to us if both bid as well as can be.
func (a *auditor) worth(s bidding.State) float64 {
	if due, pending := s.Pending(); pending {
		return a.drawn(s, due)
	}
	by, ok := s.Turn()
	if !ok {
		return a.share(s)
	}
	if known, ok := a.known[s]; ok {
		return known
	}
	best := -1.0
	for bid := range a.bids(s) {
		next, err := s.Place(by, bid)
		if err != nil {
			continue
		}
		if a.plays--; a.plays < 0 || a.plays%64 == 0 && a.ctx.Err() != nil {
			a.plays = -1
			return 0
		}
		if v := a.worth(next); best < 0 || (by == a.us) == (v > best) {
			best = v
		}
	}
	a.known[s] = best
	return best
}

// drawn returns what a table is worth on which a draw is due: who has White is a coin toss, and no time is better than
// another.
func (a *auditor) drawn(s bidding.State, due bidding.Target) float64 {
	if due == bidding.Time {
		next, err := s.Draw(bidding.Draw{Target: due, Time: a.envelope.Presets[0]})
		if err != nil {
			return 0 // a preset is always one of those
		}
		return a.worth(next)
	}
	sum := 0.0
	for _, seat := range [...]bidding.Seat{bidding.First, bidding.Second} {
		next, err := s.Draw(bidding.Draw{Target: due, White: seat})
		if err != nil {
			return 0
		}
		sum += a.worth(next)
	}
	return sum / 2
}

// share returns our part of the point on the terms in force.
func (a *auditor) share(s bidding.State) float64 {
	white := search.WorthOfWhite(s.Features(), s.Row())
	if holder, _ := s.White(); holder != a.us {
		return 1 - white
	}
	return white
}

// bids yields every call and raise of the seat whose turn it is; some may be none by the rules.
func (a *auditor) bids(s bidding.State) func(yield func(bidding.Bid) bool) {
	return func(yield func(bidding.Bid) bool) {
		by, _ := s.Turn()
		for target := bidding.White; target <= bidding.Features; target++ {
			if call, err := s.CallOf(target); err == nil && !yield(call) {
				return
			}
			for chips := s.LeastRaise(target); chips <= s.Purse(by); chips++ {
				for _, bid := range a.raises(s, target) {
					bid.Target, bid.Chips = target, chips
					if !yield(bid) {
						return
					}
				}
			}
		}
	}
}

// raises returns the outcomes that a raise on a target can ask for.
func (a *auditor) raises(s bidding.State, target bidding.Target) (list []bidding.Bid) {
	switch target {
	case bidding.White:
		return []bidding.Bid{{}}
	case bidding.Time:
		return []bidding.Bid{{HasOutcome: true, Time: a.envelope.Presets[0]}}
	case bidding.HomeRow:
		for _, row := range a.armies[s.Features().Width] {
			list = append(list, bidding.Bid{HasOutcome: true, Row: row})
		}
	case bidding.Features:
		for _, f := range a.twists {
			list = append(list, bidding.Bid{HasOutcome: true, Features: f})
		}
	}
	return list
}
