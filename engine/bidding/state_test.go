package bidding_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

const first, second = bidding.First, bidding.Second

// placed is a bid with who makes it.
type placed struct {
	by  bidding.Seat
	bid bidding.Bid
}

func white(by bidding.Seat, chips int) placed {
	return placed{by, bidding.Bid{Target: bidding.White, Chips: chips}}
}

func call(by bidding.Seat, t bidding.Target, chips int) placed {
	return placed{by, bidding.Bid{Target: t, Chips: chips}}
}

func timed(by bidding.Seat, chips, minutes, increment int) placed {
	return placed{by, bidding.Bid{Target: bidding.Time, Chips: chips, HasOutcome: true, Time: bidding.TimeControl{Minutes: minutes, Increment: increment}}}
}

func row(by bidding.Seat, chips int, pieces board.Row) placed {
	return placed{by, bidding.Bid{Target: bidding.HomeRow, Chips: chips, HasOutcome: true, Row: pieces}}
}

func wide(by bidding.Seat, chips, width int) placed {
	f := board.DefaultFeatures()
	f.Width = width
	return placed{by, bidding.Bid{Target: bidding.Features, Chips: chips, HasOutcome: true, Features: f}}
}

func start(chips int, bids ...placed) (bidding.State, error) {
	s := bidding.Start(chips, board.DefaultFeatures())
	for _, p := range bids {
		var err error
		if s, err = s.Place(p.by, p.bid); err != nil {
			return s, err
		}
	}
	return s, nil
}

func TestBidsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		bids []placed
		code string
	}{
		{"the second player cannot open", []placed{white(second, 1)}, bidding.NotYourTurn},
		{"a player cannot bid twice while the other has chips", []placed{white(first, 1), white(first, 1)}, bidding.NotYourTurn},
		{"a bid takes a chip", []placed{white(first, 0)}, bidding.BadChips},
		{"a bid takes chips the player has", []placed{white(first, 16)}, bidding.NotEnoughChips},
		{"there is no target 0", []placed{call(first, 0, 1)}, bidding.UnknownTarget},
		{"a bid below the gap", []placed{white(first, 3), white(second, 2)}, bidding.BelowGap},
		{"there is no all-in below the gap", []placed{white(first, 8), timed(second, 10, 5, 0), white(first, 6), white(second, 5)}, bidding.BelowGap},
		{"a call states no time", []placed{timed(first, 3, 5, 3), timed(second, 3, 5, 3)}, bidding.OutcomeOnCall},
		{"a call states no row", []placed{row(first, 1, "RNBQKBNK"), row(second, 1, "RNBQKBNR")}, bidding.OutcomeOnCall},
		{"a call states no features", []placed{wide(first, 1, 9), wide(second, 1, 8)}, bidding.OutcomeOnCall},
		{"a raise states a time", []placed{call(first, bidding.Time, 1)}, bidding.BadTime},
		{"a raise states a row", []placed{call(first, bidding.HomeRow, 1)}, bidding.BadRow},
		{"a raise states features", []placed{call(first, bidding.Features, 1)}, bidding.BadFeatures},
		{"minutes end at 180", []placed{timed(first, 1, 181, 0)}, bidding.BadTime},
		{"a row has the width in force", []placed{wide(first, 1, 9), row(second, 1, "RNBQKBNR")}, bidding.BadRow},
		{"a row has a king", []placed{row(first, 1, "RNBQQBNR")}, bidding.BadRow},
		{"widths end at 10", []placed{wide(first, 1, 11)}, bidding.BadFeatures},
		{"a draw comes before the next bid", []placed{white(first, 1), white(second, 1), white(first, 1)}, bidding.DrawPending},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := start(15, tt.bids[:len(tt.bids)-1]...)
			if err != nil {
				t.Fatal(err)
			}
			last := tt.bids[len(tt.bids)-1]
			after, err := s.Place(last.by, last.bid)
			var r *bidding.Refusal
			if !errors.As(err, &r) || r.Code != tt.code {
				t.Fatalf("have %v, want %s", err, tt.code)
			}
			if after != s {
				t.Error("a refused bid changed the state")
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	t.Run("a raise on white makes the raiser White", func(t *testing.T) {
		t.Parallel()
		s, err := start(15, white(first, 1), white(second, 2))
		if w, ok := s.White(); err != nil || !ok || w != second {
			t.Errorf("White is %v %v, %v", w, ok, err)
		}
	})
	t.Run("a call on time opens it until the draw", func(t *testing.T) {
		t.Parallel()
		s, err := start(15, timed(first, 3, 5, 3), call(second, bidding.Time, 3))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Time(); ok {
			t.Error("the time is not open")
		}
		if due, ok := s.Pending(); !ok || due != bidding.Time {
			t.Errorf("due is %v %v", due, ok)
		}
		if turn, _ := s.Turn(); turn != first {
			t.Errorf("%v bids next", turn)
		}
		s, err = s.Draw(bidding.Draw{Target: bidding.Time, Time: bidding.TimeControl{Minutes: 10, Increment: 5}})
		if c, ok := s.Time(); err != nil || !ok || c.String() != "10+5" {
			t.Errorf("the time is %v %v, %v", c, ok, err)
		}
	})
	t.Run("a call on the home row brings the standard row back", func(t *testing.T) {
		t.Parallel()
		s, err := start(15, row(first, 1, "KKKKKKKK"), call(second, bidding.HomeRow, 1))
		if err != nil || s.Row() != "RNBQKBNR" {
			t.Errorf("the row is %s, %v", s.Row(), err)
		}
	})
	t.Run("a call on features brings the envelope's defaults back", func(t *testing.T) {
		t.Parallel()
		defaults := board.DefaultFeatures()
		defaults.MoveLimit = 40
		s := bidding.Start(15, defaults)
		p := wide(first, 2, 10)
		s, err := s.Place(p.by, p.bid)
		if err != nil || s.Features().MoveLimit != 888 || s.Features().Width != 10 {
			t.Fatalf("after the raise: %+v, %v", s.Features(), err)
		}
		s, err = s.Place(second, bidding.Bid{Target: bidding.Features, Chips: 2})
		if err != nil || s.Features() != defaults {
			t.Errorf("after the call: %+v, %v", s.Features(), err)
		}
	})
	t.Run("the row comes back whole when the width does", func(t *testing.T) { // Rules D23
		t.Parallel()
		s, err := start(15, row(first, 1, "QKQRBNND"), wide(second, 1, 6))
		if err != nil || len(s.Row()) != 6 {
			t.Fatalf("at width 6: %s, %v", s.Row(), err)
		}
		p := wide(first, 2, 8)
		if s, err = s.Place(p.by, p.bid); err != nil || s.Row() != "QKQRBNND" {
			t.Errorf("back at width 8: %s, %v", s.Row(), err)
		}
	})
	t.Run("the standard row follows the width", func(t *testing.T) {
		t.Parallel()
		s, err := start(15, row(first, 1, "RNBQKBNR"), wide(second, 1, 10))
		if err != nil || s.Row() != "RNBDQKDBNR" {
			t.Errorf("at width 10: %s, %v", s.Row(), err)
		}
	})
}

func TestTheEnd(t *testing.T) {
	t.Parallel()
	t.Run("a player whose opponent has no chips bids on until his own are gone", func(t *testing.T) { // Rules D7
		t.Parallel()
		s, err := start(3, white(first, 3), timed(second, 1, 5, 0), timed(second, 1, 6, 0))
		if turn, ok := s.Turn(); err != nil || !ok || turn != second || s.IsOver() {
			t.Fatalf("%v bids next, %v", turn, err)
		}
		s, err = s.Place(second, bidding.Bid{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: "RNBQKBNK"})
		if err != nil || !s.IsOver() {
			t.Fatalf("not over: %v", err)
		}
		terms, err := s.Terms()
		want := bidding.Terms{White: first, Time: bidding.TimeControl{Minutes: 6}, Row: "RNBQKBNK", Features: board.DefaultFeatures()}
		if err != nil || terms != want {
			t.Errorf("terms %+v, want %+v, %v", terms, want, err)
		}
	})
	t.Run("white, then time are drawn when nobody bid on them", func(t *testing.T) {
		t.Parallel()
		if _, err := start(1, wide(first, 1, 6), wide(second, 1, 6)); err == nil {
			t.Fatal("a call with an outcome passed")
		}
		s, err := start(1, wide(first, 1, 6), call(second, bidding.Features, 1))
		if err != nil || s.IsOver() {
			t.Fatalf("over before the draws, %v", err)
		}
		var buf [2]bidding.Target
		if due := s.AppendPending(buf[:0]); len(due) != 2 || due[0] != bidding.White || due[1] != bidding.Time {
			t.Fatalf("due are %v", due)
		}
		if _, err := s.Draw(bidding.Draw{Target: bidding.Time, Time: bidding.TimeControl{Minutes: 1}}); err == nil {
			t.Error("time was drawn before white")
		}
		s, err = s.Draw(bidding.Draw{Target: bidding.White, White: second})
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.Draw(bidding.Draw{Target: bidding.Time, Time: bidding.TimeControl{Minutes: 1}}); err != nil || !s.IsOver() {
			t.Errorf("not over after the draws, %v", err)
		}
	})
	t.Run("the draw of a call comes before the draws at the end", func(t *testing.T) { // Rules D22
		t.Parallel()
		s, err := start(1, timed(first, 1, 5, 5), call(second, bidding.Time, 1))
		var buf [2]bidding.Target
		if due := s.AppendPending(buf[:0]); err != nil || len(due) != 2 || due[0] != bidding.Time || due[1] != bidding.White {
			t.Errorf("due are %v, %v", due, err)
		}
		if _, ok := s.Turn(); ok {
			t.Error("somebody bids without chips")
		}
	})
}

func TestCallAndRaiseAreOfferedWhereLegal(t *testing.T) {
	t.Parallel()
	s, err := start(5, white(first, 3), timed(second, 4, 5, 3))
	if err != nil {
		t.Fatal(err)
	}
	// First has 2 chips; the gaps are −3 on white and 4 on time.
	if _, err := s.CallOf(bidding.White); !errors.Is(err, &bidding.Refusal{Code: bidding.BelowGap}) {
		t.Errorf("a call on white: %v", err)
	}
	if _, err := s.CallOf(bidding.Time); !errors.Is(err, &bidding.Refusal{Code: bidding.NotEnoughChips}) {
		t.Errorf("a call on time: %v", err)
	}
	if err := s.MayRaise(bidding.Time); !errors.Is(err, &bidding.Refusal{Code: bidding.NotEnoughChips}) {
		t.Errorf("a raise on time: %v", err)
	}
	for _, target := range []bidding.Target{bidding.White, bidding.HomeRow, bidding.Features} {
		if err := s.MayRaise(target); err != nil || s.LeastRaise(target) != 1 {
			t.Errorf("a raise on %v: %d, %v", target, s.LeastRaise(target), err)
		}
	}
	bid, err := start(5, white(first, 3))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := bid.CallOf(bidding.White); err != nil || c != (bidding.Bid{Target: bidding.White, Chips: 3}) {
		t.Errorf("the call is %+v, %v", c, err)
	}
}

// drawBid is any bid the state allows.
func drawBid(t *rapid.T, s bidding.State) bidding.Bid {
	by, _ := s.Turn()
	var possible []bidding.Target
	for target := bidding.White; target <= bidding.Features; target++ {
		if gap := s.Gap(target, by); max(gap, 1) <= s.Purse(by) {
			possible = append(possible, target)
		}
	}
	if len(possible) == 0 { // Rules D6
		t.Fatalf("no bid is possible with %d chips", s.Purse(by))
	}
	b := bidding.Bid{Target: rapid.SampledFrom(possible).Draw(t, "target")}
	gap := s.Gap(b.Target, by)
	b.Chips = rapid.IntRange(max(gap, 1), s.Purse(by)).Draw(t, "chips")
	if b.Chips == gap {
		return b
	}
	b.HasOutcome = b.Target != bidding.White
	switch b.Target {
	case bidding.Time:
		b.Time = bidding.TimeControl{Minutes: rapid.IntRange(1, 180).Draw(t, "minutes"), Increment: rapid.IntRange(0, 60).Draw(t, "increment")}
	case bidding.HomeRow:
		b.Row = board.StandardRow(s.Features().Width)
	case bidding.Features:
		b.Features = board.DefaultFeatures()
		b.Features.Width = rapid.IntRange(6, 10).Draw(t, "width")
	}
	return b
}

func TestChipsAreConservedAndTheEndIsWhenNoneAreLeft(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		chips := rapid.IntRange(1, 99).Draw(t, "start")
		s := bidding.Start(chips, board.DefaultFeatures())
		for range 500 {
			for _, by := range []bidding.Seat{first, second} {
				sum := s.Purse(by)
				for target := bidding.White; target <= bidding.Features; target++ {
					sum += s.Stake(target, by)
				}
				if sum != chips || s.Purse(by) < 0 {
					t.Fatalf("%v has %d chips in all, %d left", by, sum, s.Purse(by))
				}
			}
			if s.IsOver() {
				if s.Purse(first)+s.Purse(second) != 0 {
					t.Fatal("over with chips left")
				}
				if _, err := s.Terms(); err != nil {
					t.Fatal(err)
				}
				return
			}
			var err error
			if due, ok := s.Pending(); ok {
				s, err = s.Draw(bidding.Draw{Target: due, White: second, Time: bidding.TimeControl{Minutes: 3, Increment: 2}})
			} else {
				by, _ := s.Turn()
				s, err = s.Place(by, drawBid(t, s))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Fatal("the bidding does not end")
	})
}
