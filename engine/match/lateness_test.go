package match_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
)

// waiting opens a match that waits five minutes for its players, with forfeits on claim.
func waiting(t testing.TB) *table {
	o := options(1)
	o.Lateness, o.OnClaim = 5*time.Minute, true
	return sit(t, o)
}

func TestAForfeitIsClaimedAfterTheLateness(t *testing.T) {
	t.Parallel()
	b := waiting(t)
	b.refused(10, match.ClaimForfeit{Seat: first}, match.NoForfeit) // nobody is there
	b.do(20, match.Ready{Seat: first})
	b.refused(299, match.ClaimForfeit{Seat: first}, match.NoForfeit)
	b.refused(300, match.ClaimForfeit{Seat: second}, match.NoForfeit) // who is late claims nothing
	if from, ok := b.state.ForfeitClaim(first); !ok || !from.Equal(at(300)) {
		t.Errorf("claimed from %v on, %v", from, ok)
	}
	b.do(300, match.ClaimForfeit{Seat: first})
	b.ended(match.FirstWins, match.Forfeit)
}

func TestWithoutAClaimTheWaitLastsTwice(t *testing.T) {
	t.Parallel()
	b := waiting(t)
	b.do(20, match.Ready{Seat: second})
	b.do(599, match.CheckClock{})
	if b.state.Status() != match.Waiting {
		t.Fatal("it has ended before the second wait")
	}
	b.do(600, match.CheckClock{})
	b.ended(match.SecondWins, match.Forfeit)

	b = waiting(t)
	b.do(20, match.Ready{Seat: second})
	b.do(599, match.Ready{Seat: first})
	if b.state.Status() != match.Bidding {
		t.Fatal("who comes before a claim plays")
	}
}

func TestWhenBothAreMissingBothForfeitAtOnce(t *testing.T) {
	t.Parallel()
	b := waiting(t)
	b.do(299, match.CheckClock{})
	b.do(300, match.CheckClock{})
	b.ended(match.BothLose, match.Forfeit)
}

func TestAnArbiterGivesMoreTimeToCome(t *testing.T) {
	t.Parallel()
	b := waiting(t)
	b.refused(10, match.ExtendWait{Warrant: word("the tram"), By: -time.Minute}, match.BadClock)
	b.do(10, match.ExtendWait{Warrant: word("the tram"), By: 10 * time.Minute})
	b.do(20, match.Ready{Seat: first})
	b.do(30, match.Pause{Warrant: word("no light")}) // 870 s of 900 are left until the claim
	b.do(1000, match.Resume{Warrant: word("light")})
	b.refused(1869, match.ClaimForfeit{Seat: first}, match.NoForfeit)
	b.do(1870, match.ClaimForfeit{Seat: first})
	b.ended(match.FirstWins, match.Forfeit)

	b = sit(t, options(1))
	b.refused(10, match.ExtendWait{Warrant: word("the tram"), By: time.Minute}, match.NotStarted)
}

// Whatever the players do, the wait at most doubles, and a player who was there never forfeits.
func TestNobodyWaitsForLongerThanTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := waiting(t)
		now := 0
		for range 8 {
			now += rapid.IntRange(0, 200).Draw(r, "pause")
			seat := rapid.SampledFrom([]match.Seat{first, second}).Draw(r, "seat")
			c := rapid.SampledFrom([]match.Command{match.Ready{Seat: seat}, match.ClaimForfeit{Seat: seat}, match.CheckClock{}}).Draw(r, "command")
			_, _ = b.try(float64(now), c)
		}
		_, _ = b.try(600, match.CheckClock{})
		if b.state.Status() == match.Waiting {
			r.Fatal("somebody waits still after twice the lateness")
		}
		if w, ok := b.state.Result().Outcome.Winner(); ok && b.state.Result().Reason == match.Forfeit && (!b.state.IsReady(w) || b.state.IsReady(w.Other())) {
			r.Fatalf("%v wins by forfeit, ready: %v %v", w, b.state.IsReady(first), b.state.IsReady(second))
		}
	})
}
