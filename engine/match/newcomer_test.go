package match_test

import (
	"bytes"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
)

// greet returns options of a match of three chips each in which these seats are newcomers.
func greet(newcomers ...match.Seat) match.Options {
	o := options(3)
	for _, by := range newcomers {
		o.Newcomer[by.Index()] = true
	}
	return o
}

// The clock shows 100 s at the start and gains 100 s by a bid, 200 s at most (Rules 5.2).
func TestANewcomersClockStartsWithTheirFirstBid(t *testing.T) {
	t.Parallel()
	b := sit(t, greet(second))
	b.do(40, bidWhite(first, 1)) // First is none, so 40 s are gone
	b.clocks(40, 160, 100)
	b.clocks(290, 160, 100) // Second reads for 250 s
	if !b.state.IsFirstBidAwaited(second) || b.state.IsFirstBidAwaited(first) {
		t.Error("the first bid of Second is awaited")
	}
	b.do(290, bidWhite(second, 2))
	b.clocks(290, 160, 200)
	if b.state.IsFirstBidAwaited(second) {
		t.Error("Second has bid")
	}
	b.do(300, bidTime(first, 1, 1, 0))
	b.clocks(310, 200, 190) // from their second bid on it runs at once
}

func TestNobodyHoldsAMatchWithAFirstBidThatNeverComes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		play   func(*table)
		falls  float64 // seconds after the start of the bidding
		winner match.Outcome
	}{
		{"after five minutes the 100 s run", func(*table) {}, 300 + 100, match.SecondWins},
		{"both newcomers have the same five minutes", func(b *table) { b.do(250, bidWhite(first, 1)) }, 300 + 100, match.FirstWins},
		{"whoever comes later has none of them left", func(b *table) { b.do(350, bidWhite(first, 1)) }, 350 + 100, match.FirstWins},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := sit(t, greet(first, second))
			test.play(b)
			if due, _ := b.state.Deadline(); !due.Equal(at(test.falls)) {
				t.Fatalf("the flag falls at %v, not at %v", due, at(test.falls))
			}
			b.do(test.falls-0.001, match.CheckClock{})
			b.do(test.falls, match.CheckClock{})
			b.ended(test.winner, match.FlagBidding)
		})
	}
}

func TestTheLongestMatchCountsTheWaitForAFirstBidOnce(t *testing.T) {
	t.Parallel()
	usual, greeted := greet().Longest(), greet(first, second).Longest()
	if greeted-usual != 5*time.Minute || greet(second).Longest() != greeted {
		t.Errorf("%v, without newcomers %v", greeted, usual)
	}
	slow := greet(first)
	slow.BidTime = time.Hour
	if plain := slow.Longest(); plain != 6*time.Hour+slow.WorstBoard() {
		t.Errorf("bids by correspondence wait for nobody else: %v", plain)
	}
}

// What a node reads from the log is the match as it was: the clock goes on waiting.
func TestTheLogKeepsWhoIsANewcomer(t *testing.T) {
	t.Parallel()
	b := sit(t, greet(second))
	b.do(40, bidWhite(first, 1))
	var log []match.Recorded
	for _, e := range b.state.History() {
		log = append(log, e.Recorded)
	}
	written := encodeLog(t, log)
	if !bytes.Contains(written, []byte(`"newcomer":[false,true]`)) {
		t.Errorf("%s", written)
	}
	again, err := match.Fold(decodeLog(t, written))
	if err != nil {
		t.Fatal(err)
	}
	if due, _ := again.Deadline(); !due.Equal(at(400)) || !again.IsFirstBidAwaited(second) {
		t.Errorf("read again, the flag falls at %v", due)
	}
	for _, wrong := range []string{`"newcomer":[false,false]`, `"newcomer":[true]`, `"newcomer":"B"`} {
		body := bytes.Replace(bytes.SplitN(written, []byte("\n"), 2)[0], []byte(`"newcomer":[false,true]`), []byte(wrong), 1)
		body = body[bytes.Index(body, []byte(`"body":`))+len(`"body":`) : len(body)-1]
		if _, err := match.Decode("opened", match.CodecVersion, body); err == nil {
			t.Errorf("%s was read", wrong)
		}
	}
}
