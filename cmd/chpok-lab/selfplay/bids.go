package selfplay

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"chpok.org/chpok/engine/analysis"
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
	seed := lots.Uint64()
	return bidOn(ctx, bidding.Start(e.Chips, e.Defaults), e, lots, func(s bidding.State, seat bidding.Seat) (bidding.Bid, error) {
		if seat != ours {
			return against(s, e, seat, seed, lots), nil
		}
		return search.BestBid(ctx, s, e, seat, search.Taste{Seed: seed})
	})
}

// misjudged is by how much of the point the bidders of Terms misjudge terms at most.
const misjudged = 0.05

// Terms returns what two bidders of ours, who misjudge terms differently, make of an envelope.
func Terms(ctx context.Context, e bidding.Envelope, lots *rand.Rand) (bidding.Terms, error) {
	seeds := [2]uint64{lots.Uint64(), lots.Uint64()}
	return bidOn(ctx, bidding.Start(e.Chips, e.Defaults), e, lots, func(s bidding.State, seat bidding.Seat) (bidding.Bid, error) {
		return search.BestBid(ctx, s, e, seat, search.Taste{Seed: seeds[seat.Index()], Whim: misjudged})
	})
}

// bidOn brings a bidding to its end: lots decide its draws, by bids for whoever's turn it is.
func bidOn(
	ctx context.Context, s bidding.State, e bidding.Envelope, lots *rand.Rand, by func(bidding.State, bidding.Seat) (bidding.Bid, error),
) (bidding.Terms, error) {
	for !s.IsOver() {
		var err error
		if target, pending := s.Pending(); pending {
			d := bidding.Draw{Target: target, White: bidding.First + bidding.Seat(lots.IntN(2)), Time: e.Presets[lots.IntN(len(e.Presets))]}
			if s, err = s.Draw(d); err != nil {
				return bidding.Terms{}, err
			}
			continue
		}
		seat, _ := s.Turn()
		bid, err := by(s, seat)
		if err != nil {
			return bidding.Terms{}, err
		}
		if s, err = s.Place(seat, bid); err != nil {
			return bidding.Terms{}, err
		}
	}
	return s.Terms()
}

// DearBid is a bid that is said to give something away: how much of the point, and how much more the better one brought in
// one match each.
type DearBid struct{ Said, Brought float64 }

// DearBids finds dear bids of bidders who bid at random, the first one of each bidding. From each, and from the better one,
// our engine bids on for both seats and plays the match.
func DearBids(ctx context.Context, e bidding.Envelope, count, nodes int, seed uint64) (list []DearBid, err error) {
	engine := search.NewEngine(14)
	for n := uint64(0); len(list) < count; n++ {
		lots := rand.New(rand.NewPCG(seed, n))
		_, err := bidOn(ctx, bidding.Start(e.Chips, e.Defaults), e, lots, func(s bidding.State, seat bidding.Seat) (bidding.Bid, error) {
			placed := atRandom(s, e, seat, 0, lots)
			if !analysis.JudgesBids(s) {
				return placed, ctx.Err()
			}
			d := DearBid{}
			var better bidding.Bid
			if d.Said, better = search.JudgeBid(ctx, s, e, seat, placed); d.Said < analysis.DearFrom {
				return placed, ctx.Err()
			}
			for i, b := range []bidding.Bid{placed, better} {
				points, err := playOn(ctx, engine, s, e, seat, b, nodes, rand.New(rand.NewPCG(seed+1, n)))
				if err != nil {
					return bidding.Bid{}, err
				}
				d.Brought += float64(2*i-1) * points
			}
			list = append(list, d)
			return bidding.Bid{}, errDear
		})
		if err != nil && !errors.Is(err, errDear) {
			return nil, err
		}
	}
	return list, nil
}

// errDear ends a bidding at its first dear bid.
var errDear = errors.New("a dear bid")

// playOn returns what a seat gets of the point by a bid, our engine doing the rest for both.
func playOn(
	ctx context.Context, engine *search.Engine, s bidding.State, e bidding.Envelope, seat bidding.Seat, b bidding.Bid,
	nodes int, lots *rand.Rand,
) (float64, error) {
	s, err := s.Place(seat, b)
	if err != nil {
		return 0, err
	}
	seed := lots.Uint64()
	terms, err := bidOn(ctx, s, e, lots, func(s bidding.State, seat bidding.Seat) (bidding.Bid, error) {
		return search.BestBid(ctx, s, e, seat, search.Taste{Seed: seed})
	})
	if err != nil {
		return 0, err
	}
	white, err := selfPlay(ctx, engine, terms.Features, terms.Row, nodes, lots)
	if terms.White != seat {
		white = 2 - white
	}
	return float64(white) / 2, err
}

// Brought returns, of the bids said to give away so much or more, how many there are, what they are said to give away on
// average, and what the better ones brought on average, with half of its interval of 95 %.
func Brought(list []DearBid, from float64) (n int, said, brought, margin float64) {
	squares := 0.0
	for _, d := range list {
		if d.Said >= from {
			n++
			said, brought, squares = said+d.Said, brought+d.Brought, squares+d.Brought*d.Brought
		}
	}
	if n < 2 {
		return n, said, brought, 1
	}
	k := float64(n)
	said, brought = said/k, brought/k
	return n, said, brought, 1.96 * math.Sqrt((squares/k-brought*brought)/(k-1))
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
