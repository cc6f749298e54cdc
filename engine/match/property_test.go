package match_test

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// anyBid draws a bid that is often legal.
func anyBid(t *rapid.T, s bidding.State) bidding.Bid {
	by, ok := s.Turn()
	if !ok {
		by = first
	}
	b := bidding.Bid{Target: bidding.Target(rapid.IntRange(1, 4).Draw(t, "target"))}
	gap := s.Gap(b.Target, by)
	b.Chips = max(1, gap+rapid.IntRange(-1, 3).Draw(t, "over the gap"))
	b.HasOutcome = b.Chips != gap && b.Target != bidding.White
	b.Time = bidding.TimeControl{Minutes: rapid.IntRange(1, 5).Draw(t, "minutes"), Increment: rapid.IntRange(0, 10).Draw(t, "increment")}
	b.Row = board.StandardRow(s.Features().Width)
	b.Features = board.DefaultFeatures()
	b.Features.Width = rapid.IntRange(6, 10).Draw(t, "width")
	b.Features.Undos = rapid.IntRange(0, 2).Draw(t, "undos")
	b.Features.MoveLimit = rapid.IntRange(10, 20).Draw(t, "limit")
	b.Features.SkipMoves = rapid.Bool().Draw(t, "skip")
	b.Features.MovePoints[board.Pawn] = rapid.IntRange(0, 2).Draw(t, "pawns")
	return b
}

// anyCommand draws a command that is often legal.
func anyCommand(t *rapid.T, s match.State) match.Command {
	g := s.Game()
	by, ok := g.Turn()
	if !ok {
		by = first
	}
	switch rapid.IntRange(0, 30).Draw(t, "command") {
	case 0:
		return match.Claim{Seat: by, Win: rapid.Bool().Draw(t, "win")}
	case 1, 2:
		return match.Undo{Seat: by}
	case 3:
		return match.CheckClock{}
	case 4:
		from := s.LastAt().Add(time.Duration(rapid.IntRange(-5000, 5000).Draw(t, "from")) * time.Millisecond)
		return match.CreditOutage{From: from, To: from.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "for")) * time.Millisecond)}
	case 5:
		return match.Ready{Seat: match.Seat(rapid.IntRange(1, 2).Draw(t, "who"))}
	case 6:
		if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
			return match.Resign{Seat: by}
		}
		by = by.Other()
	}
	switch {
	case s.Status() == match.Waiting:
		return match.Ready{Seat: match.Seat(rapid.IntRange(1, 2).Draw(t, "who"))}
	case !g.OnBoard():
		return match.PlaceBid{Seat: by, Bid: anyBid(t, g.Bids())}
	}
	position := g.Position()
	moves := position.Moves(nil)
	if len(moves) == 0 {
		return match.CheckClock{}
	}
	return match.Play{Seat: by, Action: rapid.SampledFrom(moves).Draw(t, "action")}
}

func TestPropertiesOfLivePlay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := options(rapid.IntRange(1, 4).Draw(t, "chips"))
		o.Claims = match.Claims(rapid.IntRange(0, 1).Draw(t, "claims"))
		o.Lateness = time.Duration(rapid.IntRange(0, 1).Draw(t, "gate")) * time.Minute
		var s match.State
		var log []match.Recorded
		var game marks
		record := func(events []match.Event, at time.Time) {
			for _, e := range events {
				r := match.Recorded{Seq: s.Seq() + 1, At: at, Event: e}
				before := s
				s = s.Apply(r)
				log = append(log, r)
				checkStep(t, before, s, e, at)
				game.follow(t, before.Game(), s.Game(), e)
			}
		}
		record(match.Open(o, match.Seed{byte(rapid.IntRange(0, 255).Draw(t, "seed"))}), noon)
		now := noon
		for range rapid.IntRange(1, 80).Draw(t, "commands") {
			now = now.Add(time.Duration(rapid.IntRange(0, 12000).Draw(t, "pause")) * time.Millisecond)
			events, err := match.Decide(s, anyCommand(t, s), now)
			if err != nil {
				if s.Status() == match.Over {
					break
				}
				continue
			}
			record(events, s.At(now))
		}
		folded, err := match.Fold(log)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(folded, s) {
			t.Fatal("the fold of the log is not the state after each command")
		}
	})
}

// checkStep checks the invariants of a single event.
func checkStep(t *rapid.T, before, after match.State, e match.Event, at time.Time) {
	f1, s1, _ := before.Clocks(at)
	f2, s2, _ := after.Clocks(at)
	gain := (f2 - f1) + (s2 - s1)
	onBoard := before.Game().OnBoard()
	switch e := e.(type) {
	case match.Played:
		terms, _ := after.Game().Terms()
		if gain != time.Duration(terms.Time.Increment)*time.Second {
			t.Fatalf("a move gained %v", gain)
		}
	case match.Undone:
		if gain != 0 {
			t.Fatalf("an undo gained %v", gain)
		}
	case match.OutageCredited:
		// A used-up clock shows 0 before and after; only its deadline shows what it
		// gained.
		due, _ := before.Deadline()
		if later, ok := after.Deadline(); !ok || later.Sub(due) != e.Given {
			t.Fatalf("an outage of %v moved the deadline by %v", e.Given, later.Sub(due))
		}
		if gain > e.Given {
			t.Fatalf("an outage of %v gained %v", e.Given, gain)
		}
	case match.FlagFell, match.Ended, match.Resigned, match.Claimed:
		if onBoard && gain > 0 {
			t.Fatalf("%T gained %v", e, gain)
		}
	}
	game := after.Game()
	if sources, points := game.Sources(), game.Points(); game.OnBoard() && (sources[0].Total() != points[0] || sources[1].Total() != points[1]) {
		t.Fatalf("sources %+v do not add up to %v", sources, points)
	}
	if f2 < 0 || s2 < 0 {
		t.Fatalf("a clock shows %v, %v", f2, s2)
	}
	if !game.OnBoard() && max(f2, s2) > bidding.ClockMax && after.Status() == match.Bidding {
		if _, ok := e.(match.BidPlaced); ok {
			t.Fatalf("a bidding clock shows %v, %v", f2, s2)
		}
	}
}

// mark is what an undo restores (Rules D14).
type mark struct {
	position board.Position
	claims   match.ClaimCount
	points   [2]int
}

func markOf(g match.Game) mark { return mark{g.Position(), g.ClaimCount(), g.Points()} }

// marks returns the marks of the game from the start of the board phase.
type marks []mark

func (m *marks) follow(t *rapid.T, before, after match.Game, e match.Event) {
	switch e.(type) {
	case match.Played:
		*m = append(*m, markOf(after))
	case match.Undone:
		*m = (*m)[:len(*m)-2]
		if have, want := markOf(after), (*m)[len(*m)-1]; have != want {
			t.Fatalf("an undo leads to %s %+v, not %s %+v", have.position.CFEN(), have.claims, want.position.CFEN(), want.claims)
		}
	default:
		if after.OnBoard() && !before.OnBoard() {
			*m = marks{markOf(after)}
		}
	}
	if positions := after.Positions(); len(positions) != len(*m) || after.OnBoard() && positions[len(positions)-1] != after.Position() {
		t.Fatalf("%d positions, %d in the game", len(positions), len(*m))
	}
}

// Any commands, at any times.
func FuzzCommandsNeverPanic(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08"))
	f.Add([]byte("bids and moves and more of them, as bytes"))
	f.Add([]byte("\x01\x01\x01\x01\x00\x01\x09\x00\x03\x01\x00\x01\x09\x00\x05\x01\x00\x01\x0a\x00\x07\x01\x00\x01"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := match.Fold([]match.Recorded{{Seq: 1, At: noon, Event: match.Open(options(2), match.Seed{7})[0]}, {Seq: 2, At: noon, Event: match.Started{}}})
		if err != nil {
			t.Fatal(err)
		}
		now := noon
		for i := 0; i+5 < len(raw); i += 6 {
			b := raw[i : i+6]
			now = now.Add(time.Duration(b[5]) * 100 * time.Millisecond)
			seat := match.Seat(b[1] % 3)
			var c match.Command
			switch b[0] % 12 {
			case 0:
				c = match.Ready{Seat: seat}
			case 1, 2:
				c = match.PlaceBid{Seat: seat, Bid: bidding.Bid{
					Target: bidding.Target(b[2] % 6), Chips: int(int8(b[3])), HasOutcome: b[4]&1 > 0,
					Time: bidding.TimeControl{Minutes: int(b[4]), Increment: int(b[5])}, Row: board.Row(raw[i : i+5]), Features: board.DefaultFeatures(),
				}}
			case 3:
				c = match.Play{Seat: seat, Action: board.Action(uint32(b[2])<<16 | uint32(b[3])<<8 | uint32(b[4]))}
			case 4:
				c = match.Undo{Seat: seat}
			case 5:
				c = match.Claim{Seat: seat, Win: b[2]&1 > 0}
			case 6:
				c = match.CheckClock{}
			case 7:
				c = match.CreditOutage{From: now.Add(-time.Duration(b[2]) * time.Second), To: now.Add(time.Duration(int8(b[3])) * time.Second)}
			case 8:
				if g := s.Game(); g.OnBoard() {
					position := g.Position()
					if moves := position.Moves(nil); len(moves) > 0 {
						by, _ := g.Turn()
						c = match.Play{Seat: by, Action: moves[int(b[2])%len(moves)]}
					}
				}
			case 9, 10:
				c = arbitersAct(b, seat, now)
			case 11:
				c = match.Resume{Warrant: word("go on")}
			}
			events, err := match.Decide(s, c, now)
			if err != nil {
				continue
			}
			at := s.At(now)
			for _, e := range events {
				s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: at, Event: e})
			}
		}
	})
}

// arbitersAct makes an arbiter's act, or a call for one, from bytes.
func arbitersAct(b []byte, seat match.Seat, now time.Time) match.Command {
	w := match.Warrant{By: "arbiter", Why: string(b[4:5])}
	left := time.Duration(int8(b[3])) * time.Minute
	return [...]match.Command{
		match.Call{Seat: seat, Stops: b[3]&1 > 0}, match.CallOff{Seat: seat}, match.Pause{Warrant: w},
		match.TakeBack{Warrant: w, Actions: int(int8(b[3]))}, match.SetClock{Warrant: w, Seat: seat, Left: left},
		match.Declare{Warrant: w, Outcome: match.Outcome(b[3] % 7), Forfeit: b[4]&1 > 0}, match.MakeVoid{Warrant: w, Next: match.ID(b[3:4])},
		match.Reopen{Warrant: w, Left: [2]time.Duration{left, 0}}, match.Appoint{Seat: seat, At: now.Add(left)},
		match.ClaimForfeit{Seat: seat}, match.ExtendWait{Warrant: w, By: left},
	}[int(b[2])%11]
}
