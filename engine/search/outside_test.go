package search_test

import (
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// narrowed is a valid envelope by lot, with defaults that nobody considers.
func narrowed(lots *rand.Rand) bidding.Envelope {
	for {
		e := bidding.DefaultEnvelope()
		e.Chips = 2 + lots.IntN(6)
		e.Widths = []int{board.MinWidth + lots.IntN(board.MaxWidth-board.MinWidth+1)}
		e.Defaults = anyFeatures(lots, e.Widths[0])
		e.AnyRow = lots.IntN(2) == 0
		if lots.IntN(2) == 0 {
			e.MoveLimit = [2]int{10 + lots.IntN(10), 25 + lots.IntN(10)}
		}
		if lots.IntN(2) == 0 {
			e.MovePoints = [2]int{0, lots.IntN(4)}
		}
		for _, key := range bidding.Switches {
			if lots.IntN(3) == 0 {
				e.Forbidden = append(e.Forbidden, key)
			}
		}
		if lots.IntN(3) > 0 {
			e.Defaults = board.DefaultFeatures()
			e.Defaults.Width = e.Widths[0]
		}
		if e.Validate() == nil {
			return e
		}
	}
}

// Whatever an event allows, and whatever its players have asked for, terms that nobody considers included: the engine bids as
// the rules and the event allow, and says of any bid how much it gave away, and one instead that is allowed.
func TestTheEngineBidsAndJudgesOnTermsThatNobodyConsiders(t *testing.T) {
	t.Parallel()
	lots := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		e := narrowed(lots)
		s := bidding.Start(e.Chips, e.Defaults)
		for {
			by, ok := s.Turn()
			if _, pending := s.Pending(); !ok || pending {
				break
			}
			best, err := search.BestBid(t.Context(), s, e, by, search.Taste{Seed: lots.Uint64()})
			if err != nil {
				t.Fatalf("%+v: %v", e, err)
			}
			if _, err := s.Place(by, best); err != nil || e.Check(best) != nil {
				t.Fatalf("%+v: %+v is not allowed: %v %v", e, best, err, e.Check(best))
			}
			placed := best
			for range 20 { // a raise on terms by lot, if one is allowed
				b := bidding.Bid{Target: bidding.Features, HasOutcome: true, Features: anyFeatures(lots, e.Widths[0])}
				if lots.IntN(2) == 0 {
					row := []byte(board.StandardRow(s.Features().Width))
					row[lots.IntN(len(row))] = "KQRBNDP"[lots.IntN(7)]
					b = bidding.Bid{Target: bidding.HomeRow, HasOutcome: true, Row: board.Row(row)}
				}
				b.Chips = s.LeastRaise(b.Target)
				if _, err := s.Place(by, b); err == nil && e.Check(b) == nil {
					placed = b
					break
				}
			}
			loss, better := search.JudgeBid(t.Context(), s, e, by, placed)
			if loss < 0 || loss > 1 {
				t.Fatalf("%+v: %+v gave away %v", e, placed, loss)
			}
			if better.Chips > 0 {
				if _, err := s.Place(by, better); err != nil || e.Check(better) != nil {
					t.Fatalf("%+v: better %+v is not allowed: %v %v", e, better, err, e.Check(better))
				}
			}
			for _, o := range search.Options(t.Context(), s, e, by, 1) {
				if o.Worth < 0 || o.Worth > 1 {
					t.Fatalf("%+v: %+v is worth %v", e, o.Bid, o.Worth)
				}
			}
			if s, err = s.Place(by, placed); err != nil {
				t.Fatal(err)
			}
		}
	}
}
