package match_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
)

func TestTheLongestMatchFromItsOpening(t *testing.T) {
	t.Parallel()
	o := options(8)
	o.Lateness = 5 * time.Minute
	o.Envelope.Minutes, o.Envelope.Increment, o.Envelope.MoveLimit, o.Envelope.Undos = [2]int{1, 10}, [2]int{0, 3}, [2]int{10, 60}, [2]int{0, 0}
	o.Envelope.Presets, o.Envelope.Defaults.MoveLimit = append(o.Envelope.Presets[:0:0], preset(5, 3)), 60
	b := sit(t, o)
	// 5:00 of waiting, 2 × 8 × 100 s of bids, 5 s, 2 × (10:00 + 59 × 3 s)
	if have, want := b.state.Longest(noon), 57*time.Minute+39*time.Second; have != want {
		t.Errorf("%v, want %v", have, want)
	}
	if have, want := b.state.Longest(at(60)), 56*time.Minute+39*time.Second; have != want {
		t.Errorf("a minute later %v, want %v", have, want)
	}
	b.do(299, match.Ready{Seat: first})
	b.do(299, match.Ready{Seat: second})
	if have := b.state.Longest(at(299)); have > 57*time.Minute {
		t.Errorf("once both are there, %v", have)
	}
}

// At any moment of a match, Longest reaches to its end.
func TestNoMatchLastsLongerThanItsLongest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		o := options(rapid.IntRange(1, 4).Draw(r, "chips"))
		o.Lateness = time.Duration(rapid.IntRange(0, 3).Draw(r, "lateness")) * time.Minute
		o.OnClaim = o.Lateness > 0 && rapid.Bool().Draw(r, "on claim")
		o.Envelope.Minutes, o.Envelope.Increment, o.Envelope.MoveLimit, o.Envelope.Undos = [2]int{1, 2}, [2]int{0, 20}, [2]int{10, 12}, [2]int{0, 2}
		o.Envelope.Presets, o.Envelope.Defaults.MoveLimit = append(o.Envelope.Presets[:0:0], preset(2, 20)), 12
		switch rapid.IntRange(0, 2).Draw(r, "clocks") {
		case 1:
			o.BidTime, o.Untimed = match.MinBidTime, true
		case 2:
			o.BidTime, o.ByMove = match.MinBidTime, true
		}
		o.Newcomer = [2]bool{rapid.Bool().Draw(r, "First is new"), rapid.Bool().Draw(r, "Second is new")}
		b := &table{t: t}
		b.record(match.Open(o, match.Seed{5}), noon)
		now, bound := noon, noon.Add(b.state.Longest(noon))
		for b.state.Status() != match.Over {
			now = now.Add(time.Duration(rapid.SampledFrom([]int{1, 10}).Draw(r, "times")*rapid.IntRange(0, 90_000).Draw(r, "pause")) * time.Millisecond)
			if due, _ := b.state.Deadline(); now.After(due) {
				now = due
			}
			c := anyCommand(r, b.state)
			if _, gives := c.(match.CreditOutage); gives {
				continue
			}
			if events, err := match.Decide(b.state, c, now); err == nil {
				b.record(events, b.state.At(now))
			}
			if end := now.Add(b.state.Longest(now)); end.Before(bound) && b.state.Status() != match.Over {
				bound = end
			}
			if now.After(bound) {
				r.Fatalf("at %v the match goes on, or has just ended; its longest end was %v", now, bound)
			}
		}
	})
}

func preset(minutes, increment int) bidding.TimeControl {
	return bidding.TimeControl{Minutes: minutes, Increment: increment}
}
