package bidding_test

import (
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// TestWithAHandicapABidIsAlwaysPossible is D6 for unequal purses: whatever is
// bid, whoever is to bid can call some target, and chips neither come nor go.
func TestWithAHandicapABidIsAlwaysPossible(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		chips := rapid.IntRange(1, 20).Draw(t, "chips")
		extra := [2]int{}
		extra[rapid.IntRange(0, 1).Draw(t, "who")] = rapid.IntRange(1, bidding.MaxExtra).Draw(t, "extra")
		if err := bidding.ValidExtra(extra); err != nil {
			t.Fatal(err)
		}
		s := bidding.Start(chips, board.DefaultFeatures()).WithExtra(extra)
		for !s.IsOver() {
			if target, pending := s.Pending(); pending {
				var err error
				if s, err = s.Draw(bidding.Draw{Target: target, White: bidding.First, Time: bidding.TimeControl{Minutes: 5}}); err != nil {
					t.Fatal(err)
				}
				continue
			}
			turn, _ := s.Turn()
			var possible []bidding.Bid
			for target := bidding.White; target <= bidding.Features; target++ {
				for k := max(1, s.Gap(target, turn)); k <= s.Purse(turn); k++ {
					bid := bidding.Bid{Target: target, Chips: k, HasOutcome: k != s.Gap(target, turn), Time: bidding.TimeControl{Minutes: 3}, Row: board.StandardRow(8), Features: board.DefaultFeatures()}
					possible = append(possible, bid)
				}
			}
			if len(possible) == 0 {
				t.Fatalf("%v cannot bid with %d chips", turn, s.Purse(turn))
			}
			next, err := s.Place(turn, rapid.SampledFrom(possible).Draw(t, "bid"))
			if err != nil {
				t.Fatal(err)
			}
			s = next
		}
		spent := 0
		for target := bidding.White; target <= bidding.Features; target++ {
			spent += s.Stake(target, bidding.First) + s.Stake(target, bidding.Second)
		}
		if spent != 2*chips+extra[0]+extra[1] {
			t.Fatalf("%d chips were laid", spent)
		}
	})
	for _, extra := range [][2]int{{7, 0}, {1, 1}, {-1, 0}} {
		if bidding.ValidExtra(extra) == nil {
			t.Errorf("%v was taken for a handicap", extra)
		}
	}
}
