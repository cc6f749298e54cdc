package match_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
)

func sealedFor(chips int) match.Options {
	o := options(chips)
	o.Lateness, o.Odds = 5*time.Minute, true
	return o
}

// With 8 chips each First would play without 2, Second without 3: Second has the draw
// odds and 5 chips, First has 8 and opens the bidding. Until then only the seals are seen.
func TestTheHigherSealedBidHasDrawOddsAndFewerChips(t *testing.T) {
	t.Parallel()
	b := sit(t, sealedFor(8))
	b.refused(1, match.Ready{Seat: first, Sealed: 7}, match.BadSeal) // six is the most that a handicap can be
	b.refused(1, match.Ready{Seat: first, Sealed: -1}, match.BadSeal)
	ready := b.do(2, match.Ready{Seat: first, Sealed: 2})[0].(match.PlayerReady)
	if seen := match.Public(ready).(match.PlayerReady); seen.Sealed != 0 || len(seen.Seal) != 64 || seen.Seal != match.SealsIn(b.state)[0] || match.SealsIn(b.state)[1] != "" {
		t.Fatalf("before the start everybody sees %+v and the seals %q", seen, match.SealsIn(b.state))
	}
	if match.OddsIn(b.state).Seat.Valid() {
		t.Fatal("odds are given before both have bid")
	}
	started := b.do(3, match.Ready{Seat: second, Sealed: 3})[1].(match.Started)
	o := match.OddsIn(b.state)
	if o != started.Odds || o.Seat != second || o.Bids != [2]int{2, 3} {
		t.Fatalf("the odds are %+v", o)
	}
	sum := sha256.Sum256([]byte(o.Salts[0] + "/2"))
	if got := hex.EncodeToString(sum[:]); got != ready.Seal {
		t.Errorf("the salt and 2 chips come to %s, the seal was %s", got, ready.Seal)
	}
	bids := b.state.Game().Bids()
	if bids.Purse(first) != 8 || bids.Purse(second) != 5 || b.state.Options().Envelope.Chips != 5 {
		t.Errorf("purses %d and %d", bids.Purse(first), bids.Purse(second))
	}
	if to, ok := b.state.ToAct(); !ok || to != first {
		t.Errorf("%v opens the bidding", to)
	}
	folded, err := match.Fold(decodeLog(t, encodeLog(t, b.log)))
	if err != nil || match.OddsIn(folded) != o {
		t.Errorf("read from its log the odds are %+v, %v", match.OddsIn(folded), err)
	}
}

// Equal bids are decided by a lot that follows from the seed. With one chip there is nothing to
// bid, and a missing bid is 0.
func TestALotDecidesEqualSealedBids(t *testing.T) {
	t.Parallel()
	for _, chips := range []int{1, 8} {
		b := sit(t, sealedFor(chips))
		if chips == 1 {
			b.refused(1, match.Ready{Seat: first, Sealed: 1}, match.BadSeal)
		}
		b.do(2, match.Ready{Seat: second})
		b.do(3, match.Ready{Seat: first})
		want := []match.Seat{first, second}[b.state.Lot("odds", 2)]
		if o := match.OddsIn(b.state); o.Seat != want || b.state.Game().Bids().Purse(first) != chips || b.state.Game().Bids().Purse(second) != chips {
			t.Errorf("%d chips: %+v, want the odds with %v", chips, o, want)
		}
	}
}

func TestALogOfOtherOddsIsRefused(t *testing.T) {
	t.Parallel()
	b := sit(t, sealedFor(8))
	b.do(2, match.Ready{Seat: first, Sealed: 2})
	b.do(3, match.Ready{Seat: second, Sealed: 1})
	for what, forge := range map[string]func(log []match.Recorded){
		"another bid than was sealed": func(log []match.Recorded) {
			log[1].Event = match.PlayerReady{Seat: first, Sealed: 3, Seal: match.SealsIn(b.state)[0]}
		},
		"odds for the lower bid": func(log []match.Recorded) {
			log[3].Event = match.Started{Odds: match.Odds{Bids: [2]int{2, 1}, Seat: second}}
		},
		"no odds": func(log []match.Recorded) { log[3].Event = match.Started{} },
	} {
		log := decodeLog(t, encodeLog(t, b.log))
		forge(log)
		if _, err := match.Fold(log); err == nil {
			t.Errorf("%s: it is read", what)
		}
	}
}

func TestWhereSealedBidsAreRefused(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*match.Options){
		"nobody is awaited": func(o *match.Options) { o.Lateness = 0 },
		"a handicap":        func(o *match.Options) { o.Extra[0] = 1 },
	} {
		o := sealedFor(8)
		if change(&o); o.Validate() == nil {
			t.Errorf("%s: it is taken", what)
		}
	}
	for text, want := range map[string]match.Command{
		`{"ready":true,"sealed":4}`: match.Ready{Seat: first, Sealed: 4}, `{"ready":true}`: match.Ready{Seat: first},
	} {
		if c, err := match.ParseCommand(first, []byte(text)); err != nil || c != want {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
	if _, err := match.ParseCommand(first, []byte(`{"ready":true,"sealed":"4"}`)); err == nil {
		t.Error("a bid in quotes is taken")
	}
	b := sit(t, func() match.Options { o := options(8); o.Lateness = time.Minute; return o }())
	b.do(1, match.Ready{Seat: first, Sealed: 3})
	b.do(2, match.Ready{Seat: second})
	if match.OddsIn(b.state).Seat.Valid() || b.state.Game().Bids().Purse(first) != 8 {
		t.Error("a bid counts where nothing is bid for")
	}
}
