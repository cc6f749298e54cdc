package puzzle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Table is an unfinished bidding with a choice of bids.
type Table struct {
	Chips    int            `json:"chips"`
	Extra    [2]int         `json:"extra"`
	Defaults board.Features `json:"defaults"`
	Bids     []Bid          `json:"bids"`
	Choices  []Choice       `json:"choices"`
	Right    int            `json:"right"` // index of the right choice
}

// Bid is a bid with the JSON of records.
type Bid struct{ bidding.Bid }

// UnmarshalJSON implements json.Unmarshaler.
func (b *Bid) UnmarshalJSON(raw []byte) (err error) {
	b.Bid, err = bidding.ParseBid(raw)
	return err
}

// Choice is a bid with the share of the point that the bidder can expect, in hundredths.
type Choice struct {
	Bid   Bid `json:"bid"`
	Worth int `json:"worth"`
}

// errDrawn is returned for a table where nobody can bid, or a draw is due.
var errDrawn = errors.New("puzzle: nobody can bid")

// State returns the bidding so far, and whose turn it is.
func (t Table) State() (s bidding.State, by bidding.Seat, err error) {
	s = bidding.Start(t.Chips, t.Defaults).WithExtra(t.Extra)
	by, ok := s.Turn()
	for _, b := range t.Bids {
		if !ok {
			break
		}
		if s, err = s.Place(by, b.Bid); err != nil {
			return s, by, err
		}
		by, ok = s.Turn()
	}
	if !ok {
		return s, by, errDrawn
	}
	return s, by, nil
}

// Pick returns Solved or Wrong for a choice, or ErrAct if there is no such choice.
func (t Table) Pick(n int) (Status, error) {
	switch {
	case n < 0 || n >= len(t.Choices):
		return Asked, ErrAct
	case n == t.Right:
		return Solved, nil
	}
	return Wrong, nil
}

// Limits of puzzles about raises.
const (
	mostChoices = 4
	fewest      = 2    // bids before it
	mostChips   = 3    // left to both, so that every bid up to the end of the bidding can be tried
	pays        = 0.03 // least lead over any other bid
)

// Raise returns the puzzle of a bidding: the place where one raise is worth most more than any
// other bid at the end of the bidding, whatever both bid until then. bids are those before the
// first draw, under limits of which the chips and the defaults count. It reports false if there is no such place.
func Raise(ctx context.Context, e bidding.Envelope, extra [2]int, bids []bidding.Bid) (p Puzzle, ok bool) {
	most := 0.0
	t := Table{Chips: e.Chips, Extra: extra, Defaults: e.Defaults}
	for i, b := range bids {
		if i >= fewest && ctx.Err() == nil {
			if found, margin := t.raise(ctx); margin > most {
				p, most, ok = found, margin, true
			}
		}
		t.Bids = append(t.Bids, Bid{b})
	}
	if !ok || ctx.Err() != nil {
		return p, false
	}
	s, by, _ := p.Table.State() // raise read it
	p.Rating = rateRaise(ctx, s, t.limits(), by, p.Table.Choices[p.Table.Right].Bid.Bid)
	return p, true
}

// raise returns the puzzle of a table and the lead of its answer, 0 if there is none: the best bid
// is a call, or on the time, or another one is nearly as good.
func (t Table) raise(ctx context.Context) (p Puzzle, margin float64) {
	s, by, err := t.State()
	if err != nil {
		return p, 0
	}
	left := s.Purse(by) + s.Purse(by.Other())
	if _, pending := s.Pending(); pending || left > mostChips {
		return p, 0
	}
	options, margin := audit(ctx, mostTried, t.limits(), s)
	if len(options) < 3 || margin < pays {
		return p, 0
	}
	best := options[0]
	if best.Bid.Chips <= s.Gap(best.Bid.Target, by) || best.Bid.Target == bidding.Time {
		return p, 0
	}
	t.Bids = slices.Clone(t.Bids)
	for _, o := range options[:min(mostChoices, len(options))] {
		t.Choices = append(t.Choices, Choice{Bid{o.Bid}, percent(o.Worth)})
	}
	// The order must not give the answer away: sort by target and chips, and rotate by hash.
	slices.SortStableFunc(t.Choices, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.Bid.Target, b.Bid.Target), cmp.Compare(a.Bid.Chips, b.Bid.Chips))
	})
	turn := sha256.Sum256(t.tableID())
	shift := int(turn[0]) % len(t.Choices)
	t.Choices = append(t.Choices[shift:], t.Choices[:shift:shift]...)
	t.Right = slices.IndexFunc(t.Choices, func(c Choice) bool { return c.Bid.Bid == best.Bid })
	return Puzzle{Features: t.Defaults, Theme: Pays, Table: &t}, margin
}

func percent(share float64) int { return int(100*share + 0.5) }

// asksFor reports whether two bids differ in chips only.
func asksFor(a, b bidding.Bid) bool {
	a.Chips = b.Chips
	return a == b
}

// misjudged lists how far bidders misjudge terms, the worst first.
var misjudged = [...]float64{0.24, 0.12, 0.06, 0.03}

// rateRaise returns the initial rating: the better a bidder has to judge to find the raise, the
// higher it is.
func rateRaise(ctx context.Context, s bidding.State, e bidding.Envelope, by bidding.Seat, right bidding.Bid) int {
	rating := easiest + 150
	for _, whim := range misjudged {
		hits := 0
		for seed := uint64(1); seed <= 3; seed++ {
			if bid, err := search.BestBid(ctx, s, e, by, search.Taste{Seed: seed, Whim: whim}); err == nil && asksFor(bid, right) {
				hits++
			}
		}
		if hits >= 2 {
			break
		}
		rating += harder
	}
	return rating
}

// tableID identifies a table, whatever its choices.
func (t Table) tableID() []byte {
	t.Choices, t.Right = nil, 0
	raw, _ := json.Marshal(t) // it always encodes
	return raw
}
