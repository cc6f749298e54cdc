package puzzle

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Table is a bidding to go on with: what was bid so far, and what may be bid now.
type Table struct {
	Chips    int            `json:"chips"`
	Extra    [2]int         `json:"extra"`
	Defaults board.Features `json:"defaults"`
	Bids     []Bid          `json:"bids"`
	Choices  []Choice       `json:"choices"`
	Right    int            `json:"right"` // of the choices
}

// Bid is one as records have it.
type Bid struct{ bidding.Bid }

// UnmarshalJSON reads what the bid has written.
func (b *Bid) UnmarshalJSON(raw []byte) (err error) {
	b.Bid, err = bidding.ParseBid(raw)
	return err
}

// Choice is a bid, and what whoever makes it can expect, in hundredths of a point.
type Choice struct {
	Bid   Bid `json:"bid"`
	Worth int `json:"worth"`
}

// errDrawn is the error for a table on which a draw is due, or nobody can bid.
var errDrawn = errors.New("puzzle: nobody can bid")

// State is the bidding as it stands, and whose bid it is.
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

// Pick is whether a choice is the right one.
func (t Table) Pick(n int) (Status, error) {
	switch {
	case n < 0 || n >= len(t.Choices):
		return Asked, ErrAct
	case n == t.Right:
		return Solved, nil
	}
	return Wrong, nil
}

// Of a raise that pays.
const (
	mostChoices = 4
	fewest      = 2    // bids before it
	pays        = 0.03 // by how much any other bid is worse
	paysAhead   = 0.02 // and looking one bid further
)

// Raise is the puzzle of a bidding: the place in it where one raise was worth much
// more than any other bid, seen two bids ahead and three. Bids are those before the
// first draw; false: there is no such place.
func Raise(ctx context.Context, e bidding.Envelope, extra [2]int, bids []bidding.Bid) (p Puzzle, ok bool) {
	most := pays
	t := Table{Chips: e.Chips, Extra: extra, Defaults: e.Defaults}
	for i, b := range bids {
		if i >= fewest && ctx.Err() == nil {
			if found, margin := t.raise(ctx, e); margin > most {
				p, most, ok = found, margin, true
			}
		}
		t.Bids = append(t.Bids, Bid{b})
	}
	if !ok || ctx.Err() != nil {
		return p, false
	}
	s, by, _ := p.Table.State() // it was read once already
	right := p.Table.Choices[p.Table.Right].Bid.Bid
	further := search.Options(ctx, s, e, by, 3)
	if !asksFor(further[0].Bid, right) || further[0].Worth-further[1].Worth < paysAhead {
		return p, false
	}
	p.Rating = rateRaise(ctx, s, e, by, right)
	return p, true
}

// raise is the puzzle of a table, and by how much its answer is better than the
// rest; none where the best is to call, or to bid on the time.
func (t Table) raise(ctx context.Context, e bidding.Envelope) (p Puzzle, margin float64) {
	s, by, err := t.State()
	if err != nil {
		return p, 0
	}
	if _, pending := s.Pending(); pending {
		return p, 0
	}
	options := search.Options(ctx, s, e, by, 2)
	if len(options) < 3 {
		return p, 0
	}
	best := options[0]
	if best.Bid.Chips <= s.Gap(best.Bid.Target, by) || best.Bid.Target == bidding.Time {
		return p, 0
	}
	t.Bids = slices.Clone(t.Bids)
	for _, o := range options[:min(mostChoices, len(options))] {
		t.Choices = append(t.Choices, Choice{Bid{o.Bid}, int(100*o.Worth + 0.5)})
	}
	// Not the best first: by target and by chips, beginning anywhere.
	slices.SortStableFunc(t.Choices, func(a, b Choice) int {
		return 100*(int(a.Bid.Target)-int(b.Bid.Target)) + a.Bid.Chips - b.Bid.Chips
	})
	turn := sha256.Sum256(t.tableID()) // or the second would be right most often
	shift := int(turn[0]) % len(t.Choices)
	t.Choices = append(t.Choices[shift:], t.Choices[:shift:shift]...)
	t.Right = slices.IndexFunc(t.Choices, func(c Choice) bool { return c.Bid.Bid == best.Bid })
	return Puzzle{Features: e.Defaults, Theme: Pays, Table: &t}, best.Worth - options[1].Worth
}

// asksFor reports whether two bids ask for the same on the same target.
func asksFor(a, b bidding.Bid) bool {
	a.Chips = b.Chips
	return a == b
}

// misjudged is how far bidders misjudge terms, the worst first.
var misjudged = [...]float64{0.24, 0.12, 0.06, 0.03}

func rateRaise(ctx context.Context, s bidding.State, e bidding.Envelope, by bidding.Seat, right bidding.Bid) int {
	rating := easiest + 150
	for _, whim := range misjudged {
		hits := 0
		for seed := uint64(1); seed <= 3; seed++ {
			if bid, err := search.BestBid(ctx, s, e, by, seed, whim); err == nil && asksFor(bid, right) {
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

// tableID names a table as it stands, whatever its choices are.
func (t Table) tableID() []byte {
	t.Choices, t.Right = nil, 0
	raw, _ := json.Marshal(t) // it can be written
	return raw
}
