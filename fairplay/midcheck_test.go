package fairplay_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	. "chpok.org/chpok/fairplay"
)

func checking(level Assurance, percent int) Policy {
	p := Preset(level)
	p.CheckIn.MidMatch = percent
	return p
}

func TestACheckDuringTheMatchIsDemandedOnlyWhereOneChecksIn(t *testing.T) {
	t.Parallel()
	at := func(level Assurance, percent int, demanded bool) Policy {
		p := checking(level, percent)
		if demanded && !p.CheckIn.Demanded {
			p.CheckIn.Demanded, p.CheckIn.Within, p.CheckIn.Grace = true, 600, 45
		}
		return p
	}
	for _, test := range []struct {
		name string
		p    Policy
		ok   bool
	}{
		{"none at Open", at(Open, 0, false), true},
		{"one at Open, where nothing is checked", at(Open, 50, true), false},
		{"one at Declared without a check-in", at(Declared, 50, false), false},
		{"one at Declared with a check-in", at(Declared, 50, true), true},
		{"half of the matches at Verified", at(Verified, 50, false), true},
		{"all of them", at(Verified, 100, false), true},
		{"more than all", at(Verified, 101, false), false},
		{"fewer than none", at(Supervised, -1, false), false},
	} {
		err := test.p.Validate()
		if test.ok && err != nil || !test.ok && !slices.Equal(faulty(err), []string{"mid_match"}) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	half, all := checking(Verified, 50), checking(Verified, 100)
	if both := half.Tighten(all); both != all || !all.AtLeast(half) || half.AtLeast(all) {
		t.Errorf("50 and 100 of 100 are %+v", both.CheckIn)
	}
	if Preset(Verified).Hash() == half.Hash() {
		t.Error("the demand is not in the hash")
	}
}

// The numbers were worked out apart from this program, from the formula in
// docs/inside.md.
func TestTheTurnOfACheckFollowsFromTheSeed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		seed          byte
		percent       int
		limit         int
		first, second int
	}{
		{0, 46, 888, 0, 0}, // its lot is 46 of 100
		{0, 47, 888, 15, 19},
		{0, 47, 20, 15, 19},
		{0, 47, 10, 10, 9},
		{1, 89, 888, 0, 0},
		{1, 100, 888, 20, 15},
		{2, 100, 888, 15, 17},
		{2, 100, 10, 10, 10},
		{3, 100, 888, 11, 14},
		{3, 100, 8, 0, 0}, // over before anybody could be asked
		{3, 0, 888, 0, 0},
	} {
		seed := match.Seed(bytes.Repeat([]byte{test.seed}, 32))
		p := checking(Verified, test.percent)
		if first, second := p.MidCheck(seed, test.limit, match.First), p.MidCheck(seed, test.limit, match.Second); first != test.first || second != test.second {
			t.Errorf("seed %d, %d %%, limit %d: turns %d and %d, want %d and %d", test.seed, test.percent, test.limit, first, second, test.first, test.second)
		}
	}
}

func TestChecksAreSpreadEvenly(t *testing.T) {
	t.Parallel()
	const n = 12_000
	p := checking(Verified, 30)
	asked, turns := 0, map[int]int{}
	for i := range n {
		seed := match.Seed{byte(i), byte(i >> 8)}
		first, second := p.MidCheck(seed, 888, match.First), p.MidCheck(seed, 888, match.Second)
		if (first == 0) != (second == 0) {
			t.Fatalf("seed %d: one of two is asked: %d, %d", i, first, second)
		}
		if first > 0 {
			asked++
			turns[first]++
			turns[second]++
		}
	}
	// Six standard deviations: √(n·0.3·0.7) = 50, √(7200/12·11/12) = 23.
	if asked < 3600-300 || asked > 3600+300 {
		t.Errorf("asked in %d of %d", asked, n)
	}
	for turn := 9; turn <= 20; turn++ {
		if got, want := turns[turn], asked/6; got < want-140 || got > want+140 {
			t.Errorf("turn %d: %d times, want about %d", turn, got, want)
		}
		delete(turns, turn)
	}
	if len(turns) > 0 {
		t.Errorf("other turns: %v", turns)
	}
}

func TestWhoIsToActIsAskedFromHisTurnOn(t *testing.T) {
	t.Parallel()
	options := match.DefaultOptions()
	options.Envelope.Chips = 1
	var s match.State
	now := noon
	record := func(events []match.Event) {
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
		}
	}
	do := func(c match.Command) {
		t.Helper()
		now = now.Add(time.Second)
		events, err := match.Decide(s, c, now)
		if err != nil {
			t.Fatal(err)
		}
		record(events)
	}
	record(match.Open(options, match.Seed(bytes.Repeat([]byte{3}, 32)))) // turns 11 and 14
	p := checking(Verified, 100)
	do(match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}})
	do(match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5, Increment: 3}}})
	due := map[int]match.Seat{}
	knights := []string{"b1c3", "b8c6", "c3b1", "c6b8"}
	for ply := range 32 {
		if seat, is := p.MidCheckDue(s); is {
			due[ply] = seat
		}
		if _, is := checking(Verified, 0).MidCheckDue(s); is {
			t.Errorf("ply %d: asked where nothing is demanded", ply)
		}
		seat, _ := s.ToAct()
		act, err := board.ParseAction(knights[ply%4])
		if err != nil {
			t.Fatal(err)
		}
		do(match.Play{Seat: seat, Action: act})
	}
	// First plays White: their 11th turn is ply 20 from 0, Second's 14th is ply 27.
	// Whether somebody was asked already is not the rulebook's to know.
	for ply := range 32 {
		want := match.Seat(0)
		switch {
		case ply%2 == 0 && ply >= 20:
			want = match.First
		case ply%2 == 1 && ply >= 27:
			want = match.Second
		}
		if due[ply] != want {
			t.Errorf("ply %d: asks %v, want %v", ply, due[ply], want)
		}
	}
	do(match.Pause{Warrant: match.Warrant{By: "arbiter", Why: "the light is out"}})
	if _, is := p.MidCheckDue(s); is {
		t.Error("asked while the match stands still")
	}
}

func TestWhatAMissedCheckCosts(t *testing.T) {
	t.Parallel()
	declared := checking(Declared, 50)
	declared.CheckIn.Demanded, declared.CheckIn.Within, declared.CheckIn.Grace = true, 600, 45
	missed := Fact{Kind: MidCheckMissed, Seat: match.Second, At: noon, Move: 14}
	for _, test := range []struct {
		name string
		p    Policy
		fact Fact
		want Assurance
		key  string
	}{
		{"missed", checking(Verified, 50), missed, Declared, "mid-check-missed"},
		{"missed under a steward's eyes", checking(Supervised, 50), missed, Declared, "mid-check-missed"},
		{"missed where there is nothing to lose", declared, missed, Declared, "mid-check-missed"},
		{"passed", checking(Verified, 50), Fact{Kind: MidCheckPassed, Seat: match.Second, At: noon, Move: 14}, Verified, "mid-check-passed"},
		{"asked, and the match ended", checking(Verified, 50), Fact{Kind: MidCheckAsked, Seat: match.Second, At: noon, Move: 14}, Verified, ""},
		{"of no demand", Preset(Verified), missed, Verified, ""},
	} {
		a := Achieved(test.p, [2]Seat{good(match.First), good(match.Second, test.fact)})
		key, move := "", 0
		for _, r := range a.Reasons {
			key, move = key+r.Key, r.Move
		}
		if a.Level != test.want || key != test.key || key != "" && move != 14 {
			t.Errorf("%s: %s because of %q at move %d, want %s because of %q", test.name, a.Level, key, move, test.want, test.key)
		}
	}
}

func TestACheckIsOpenForWhoWasAskedWhateverTheOrderOfTheFacts(t *testing.T) {
	t.Parallel()
	fact := func(k FactKind, seat match.Seat) Fact { return Fact{Kind: k, Seat: seat, At: noon} }
	asked := []Fact{fact(MidCheckAsked, match.First), fact(MidCheckAsked, match.Second)}
	for _, test := range []struct {
		facts         []Fact
		first, second bool
	}{
		{nil, false, false},
		{[]Fact{fact(CheckedIn, match.First)}, false, false},
		{asked[:1], true, false},
		{asked[1:], false, true},
		{asked, true, true}, // an arbiter took back before the one of them could answer
		{append(asked, fact(MidCheckPassed, match.Second)), true, false},
		{append(asked, fact(MidCheckMissed, match.First)), false, true},
		{append(asked, fact(MidCheckPassed, match.First), fact(MidCheckMissed, match.Second)), false, false},
	} {
		for _, facts := range [][]Fact{test.facts, backward(test.facts)} {
			if first, second := IsMidCheckOpen(facts, match.First), IsMidCheckOpen(facts, match.Second); first != test.first || second != test.second {
				t.Errorf("%v: open %v and %v, want %v and %v", facts, first, second, test.first, test.second)
			}
		}
	}
}

func backward(list []Fact) []Fact {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func TestACheckDuringTheMatchIsNoCheckIn(t *testing.T) {
	t.Parallel()
	terms := CheckInTerms{Match: "m", Round: 1, Player: "p", Policy: "h", Key: []byte{4}, Nonce: []byte{1}, Expires: noon}
	before := terms.Challenge()
	terms.During = true
	if bytes.Equal(before, terms.Challenge()) {
		t.Error("an answer to one answers the other")
	}
}
