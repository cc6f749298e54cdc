package match_test

import (
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
)

// In a match to learn by, and in one by correspondence, each bid and move has a whole day, whatever was bid for the clock, and a
// match abandoned for a day ends.
func TestNoClockCountsInAMatchThatIsNotTimed(t *testing.T) {
	t.Parallel()
	hasADayForEachMove(t, false, true)
	hasADayForEachMove(t, true, false)
}

func hasADayForEachMove(t *testing.T, byMove, untimed bool) {
	t.Helper()
	const day = 24 * 60 * 60
	o := options(1)
	o.BidTime, o.ByMove, o.Untimed = day*time.Second, byMove, untimed
	b := sit(t, o)
	b.do(day-1, bidWhite(first, 1))
	b.clocks(day-1, day, day)
	b.do(2*day-2, bidTime(second, 1, 1, 0))
	b.clocks(2*day-2, day, day) // not the minute that was bid

	opened := 2.0*day - 2 + 5 // White's clock starts 5 s after the bidding
	b.do(opened+day-1, move(t, first, "e2e4"))
	b.clocks(opened+day-1, day, day)
	if due, _ := b.state.Deadline(); !due.Equal(at(opened + 2*day - 1)) {
		t.Errorf("Black may think until %v", due)
	}
	b.do(opened+2*day, match.CheckClock{})
	b.ended(match.FirstWins, match.FlagBoard)
}

func TestAnUntimedMatchNeedsAnEnd(t *testing.T) {
	t.Parallel()
	for _, is := range [][2]bool{{true, false}, {false, true}} {
		o := options(1)
		o.Untimed, o.ByMove = is[0], is[1]
		if o.Validate() == nil {
			t.Error("it could stand for ever:", is)
		}
	}
}

func TestTheLogKeepsThatAMatchIsNotTimed(t *testing.T) {
	t.Parallel()
	o := options(1)
	o.BidTime, o.Untimed, o.ByMove = time.Hour, true, true
	kind, version, body, err := match.Encode(match.Open(o, match.Seed{1})[0])
	if err != nil {
		t.Fatal(err)
	}
	e, err := match.Decode(kind, version, body)
	if opened, ok := e.(match.Opened); err != nil || !ok || !opened.Options.Untimed || !opened.Options.ByMove {
		t.Errorf("%v: %+v", err, e)
	}
}
