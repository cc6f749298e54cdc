package selfplay

import (
	"math/rand/v2"
	"slices"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// taste is what a bot wants from the bidding, within the envelope.
type taste struct {
	time     bidding.TimeControl
	features board.Features
	twoKings bool                     // wants a second king instead of the queen
	budget   [bidding.Targets]int     // chips meant for each target
	weight   [bidding.Targets]float64 // how much each matters
	seed     uint64
}

// Chips are worth nothing after the bidding. One costs little on the target it was meant
// for, and a lot where another target will miss it.
const (
	chipPrice   = 0.03
	excessPrice = 0.35
)

// favorites are switches a bot may want; none takes special skill to play well.
var favorites = []string{"mightyQueens", "cornerBishops", "pawnsBack", "newbornPawns", "noKingPromotion"}

func newTaste(e bidding.Envelope, seed uint64) taste {
	total := 0.0
	t := taste{
		time:     e.Presets[seed%uint64(len(e.Presets))],
		features: e.Defaults,
		twoKings: seed>>8&3 == 0,
		seed:     seed,
	}
	for target := range t.weight {
		t.weight[target] = 0.5 + float64(seed>>(32+8*target)&255)/255
		total += t.weight[target]
	}
	for target := range t.budget {
		t.budget[target] = 1 + int(float64(e.Chips)*t.weight[target]/total)
	}
	t.features.Width = e.Widths[seed>>16%uint64(len(e.Widths))]
	if favorite := favorites[seed>>24%uint64(len(favorites))]; !slices.Contains(e.Forbidden, favorite) {
		*t.features.Switch(favorite) = true
	}
	return t
}

// row returns the home row wanted at a width.
func (t taste) row(width int) board.Row {
	row := board.StandardRow(width)
	if t.twoKings {
		row = board.Row(strings.Replace(string(row), "Q", "K", 1))
	}
	return row
}

// ByTaste bids as the bot of 0.3 did: it weighs how much closer each sensible bid brings
// the terms in force to its taste against what it costs.
func ByTaste(s bidding.State, e bidding.Envelope, seat bidding.Seat, seed uint64, lots *rand.Rand) (best bidding.Bid) {
	t := newTaste(e, seed)
	before := t.value(s, seat)
	bestValue := 0.0
	for _, bid := range t.bids(s, e) {
		next, err := s.Place(seat, bid)
		if err != nil || e.Check(bid) != nil {
			continue
		}
		value := t.value(next, seat) - before - t.cost(s, bid, seat) + 0.1*lots.Float64()
		if best.Chips == 0 || value > bestValue {
			best, bestValue = bid, value
		}
	}
	return best
}

// bids returns the calls, and raises by up to three chips more than necessary, to the
// outcome wanted and to one that is always within bounds.
func (t taste) bids(s bidding.State, e bidding.Envelope) (list []bidding.Bid) {
	width := s.Features().Width
	for target := bidding.White; target <= bidding.Features; target++ {
		if call, err := s.CallOf(target); err == nil {
			list = append(list, call)
		}
		if s.MayRaise(target) != nil {
			continue
		}
		raise := bidding.Bid{Target: target, HasOutcome: target != bidding.White}
		outcomes := []bidding.Bid{raise}
		switch target {
		case bidding.Time:
			outcomes[0].Time = t.time
		case bidding.HomeRow:
			wanted := raise
			outcomes[0].Row, wanted.Row = board.StandardRow(width), t.row(width)
			outcomes = append(outcomes, wanted)
		case bidding.Features:
			wanted := raise
			outcomes[0].Features, wanted.Features = e.Defaults, t.features
			outcomes = append(outcomes, wanted)
		}
		least := s.LeastRaise(target)
		for _, bid := range outcomes {
			for bid.Chips = least; bid.Chips < least+3; bid.Chips++ {
				list = append(list, bid)
			}
		}
	}
	return list
}

func (t taste) cost(s bidding.State, bid bidding.Bid, seat bidding.Seat) float64 {
	left := max(0, t.budget[bid.Target-bidding.White]-s.Stake(bid.Target, seat))
	excess := max(0, bid.Chips-left)
	return chipPrice*float64(bid.Chips) + excessPrice*float64(excess)
}

// value returns how much a seat likes the terms in force.
func (t taste) value(s bidding.State, seat bidding.Seat) float64 {
	value := 0.0
	add := func(target bidding.Target, worth float64) {
		lead := -s.Gap(target, seat) // what the opponent must pay to change it
		value += worth * t.weight[target-bidding.White] * (0.85 + 0.05*float64(max(-3, min(3, lead))))
	}
	switch white, ok := s.White(); {
	case !ok:
		add(bidding.White, 0.3)
	case white == seat:
		add(bidding.White, 0.6)
	}
	switch control, ok := s.Time(); {
	case !ok:
		add(bidding.Time, 0.3)
	case control == t.time:
		add(bidding.Time, 0.6)
	}
	switch row := s.Row(); {
	case row == t.row(s.Features().Width):
		add(bidding.HomeRow, 0.6)
	case row.IsStandard():
		add(bidding.HomeRow, 0.4)
	}
	switch f := s.Features(); f {
	case t.features:
		add(bidding.Features, 0.8)
	case s.Defaults():
		add(bidding.Features, 0.5)
	}
	return value
}
