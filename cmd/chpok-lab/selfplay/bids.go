package selfplay

import (
	"context"
	"math/rand/v2"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
	"chpok.org/chpok/engine/search"
)

// Bidder is a way of bidding: it returns the bid of a seat whose turn it is. The seed is
// the same throughout a match.
type Bidder func(s bidding.State, e bidding.Envelope, seat bidding.Seat, seed uint64, lots *rand.Rand) bidding.Bid

// Bidders are the opponents our bidder is measured against, by name.
var Bidders = map[string]Bidder{
	"taste": ByTaste, "random": atRandom,
	"white": only(bidding.White), "time": only(bidding.Time), "homeRow": only(bidding.HomeRow), "features": only(bidding.Features),
}

// BidMatch plays matches between our bidder and another. Our engine plays the board phase
// for both, and the seats are exchanged in pairs.
func BidMatch(ctx context.Context, against Bidder, e bidding.Envelope, pairs, nodes int, seed uint64) (t duel.Tally, err error) {
	engine := search.NewEngine(14)
	for pair := range pairs {
		points := 0
		for game := range 2 {
			lots := rand.New(rand.NewPCG(seed, uint64(pair)))
			ours := bidding.First + bidding.Seat(game)
			terms, err := bid(ctx, against, e, ours, lots)
			if err != nil {
				return t, err
			}
			white, err := selfPlay(ctx, engine, terms.Features, terms.Row, nodes, lots)
			if err != nil {
				return t, err
			}
			score := white - 1
			if terms.White != ours {
				score = -score
			}
			points += score
			t.Add(score, "")
		}
		t.Pairs[points+2]++
	}
	return t, nil
}

func bid(ctx context.Context, against Bidder, e bidding.Envelope, ours bidding.Seat, lots *rand.Rand) (bidding.Terms, error) {
	s := bidding.Start(e.Chips, e.Defaults)
	seed := lots.Uint64()
	for !s.IsOver() {
		if target, pending := s.Pending(); pending {
			d := bidding.Draw{Target: target, White: bidding.First + bidding.Seat(lots.IntN(2)), Time: e.Presets[lots.IntN(len(e.Presets))]}
			var err error
			if s, err = s.Draw(d); err != nil {
				return bidding.Terms{}, err
			}
			continue
		}
		seat, _ := s.Turn()
		bid := bidding.Bid{}
		var err error
		if seat == ours {
			if bid, err = search.BestBid(ctx, s, e, seat, search.Taste{Seed: seed}); err != nil {
				return bidding.Terms{}, err
			}
		} else {
			bid = against(s, e, seat, seed, lots)
		}
		if s, err = s.Place(seat, bid); err != nil {
			return bidding.Terms{}, err
		}
	}
	return s.Terms()
}

// atRandom bids anything allowed on terms somebody might think of.
func atRandom(s bidding.State, e bidding.Envelope, seat bidding.Seat, _ uint64, lots *rand.Rand) bidding.Bid {
	for {
		if b, ok := on(bidding.White+bidding.Target(lots.IntN(bidding.Targets)), s, e, seat, lots); ok {
			return b
		}
	}
}

// only bids on one target while it can, then at random.
func only(t bidding.Target) Bidder {
	return func(s bidding.State, e bidding.Envelope, seat bidding.Seat, seed uint64, lots *rand.Rand) bidding.Bid {
		if b, ok := on(t, s, e, seat, lots); ok {
			return b
		}
		return atRandom(s, e, seat, seed, lots)
	}
}

// on raises a target by up to three chips more than necessary, or calls if a raise is not
// possible.
func on(t bidding.Target, s bidding.State, e bidding.Envelope, seat bidding.Seat, lots *rand.Rand) (bidding.Bid, bool) {
	if s.MayRaise(t) != nil {
		b, err := s.CallOf(t)
		return b, err == nil
	}
	least := s.LeastRaise(t)
	b := bidding.Bid{Target: t, Chips: min(s.Purse(seat), least+lots.IntN(4)), HasOutcome: t != bidding.White}
	width := s.Features().Width
	switch t {
	case bidding.Time:
		b.Time = e.Presets[lots.IntN(len(e.Presets))]
	case bidding.HomeRow:
		rows := search.Armies(width)
		b.Row = rows[lots.IntN(len(rows))]
	case bidding.Features:
		twists := search.Twists(e.Defaults, e.Widths[lots.IntN(len(e.Widths))])
		b.Features = twists[lots.IntN(len(twists))]
	}
	if e.Check(b) != nil {
		b.Row, b.Features = board.StandardRow(width), e.Defaults
	}
	return b, true
}
