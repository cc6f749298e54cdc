package match_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

const first, second = match.First, match.Second

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// table is a match under test. Commands come at seconds after noon, and each event must fold to
// the state that Apply made.
type table struct {
	t     testing.TB
	state match.State
	log   []match.Recorded
}

func sit(t testing.TB, o match.Options) *table {
	t.Helper()
	b := &table{t: t}
	b.record(match.Open(o, match.Seed{1, 2, 3}), noon)
	return b
}

func (b *table) record(events []match.Event, at time.Time) {
	b.t.Helper()
	for _, e := range events {
		r := match.Recorded{Seq: b.state.Seq() + 1, At: at, Event: e}
		b.state = b.state.Apply(r)
		b.log = append(b.log, r)
	}
}

func at(seconds float64) time.Time {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

func (b *table) try(seconds float64, c match.Command) ([]match.Event, error) {
	b.t.Helper()
	events, err := match.Decide(b.state, c, at(seconds))
	if err == nil {
		b.record(events, b.state.At(at(seconds)))
	}
	return events, err
}

// do gives a command that must be accepted.
func (b *table) do(seconds float64, c match.Command) []match.Event {
	b.t.Helper()
	events, err := b.try(seconds, c)
	if err != nil {
		b.t.Fatalf("%T at %v s: %v", c, seconds, err)
	}
	return events
}

func (b *table) refused(seconds float64, c match.Command, code string) {
	b.t.Helper()
	seq := b.state.Seq()
	if _, err := b.try(seconds, c); !errors.Is(err, &match.Refusal{Code: code}) || b.state.Seq() != seq {
		b.t.Fatalf("%T at %v s: %v, want %s", c, seconds, err, code)
	}
}

func (b *table) clocks(seconds, first, second float64) {
	b.t.Helper()
	f, s, _ := b.state.Clocks(at(seconds))
	if f != at(first).Sub(noon) || s != at(second).Sub(noon) {
		b.t.Fatalf("the clocks show %v and %v, want %v s and %v s", f, s, first, second)
	}
}

func (b *table) ended(o match.Outcome, why match.Reason) {
	b.t.Helper()
	if r := b.state.Result(); b.state.Status() != match.Over || r.Outcome != o || r.Reason != why {
		b.t.Fatalf("status %v, result %+v; want %v by %v", b.state.Status(), r, o, why)
	}
}

func bidWhite(by match.Seat, chips int) match.Command {
	return match.PlaceBid{Seat: by, Bid: bidding.Bid{Target: bidding.White, Chips: chips}}
}

func bidTime(by match.Seat, chips, minutes, increment int) match.Command {
	return match.PlaceBid{Seat: by, Bid: bidding.Bid{
		Target: bidding.Time, Chips: chips, HasOutcome: true,
		Time: bidding.TimeControl{Minutes: minutes, Increment: increment},
	}}
}

func move(t testing.TB, by match.Seat, text string) match.Command {
	t.Helper()
	a, err := board.ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return match.Play{Seat: by, Action: a}
}

func options(chips int) match.Options {
	o := match.DefaultOptions()
	o.Envelope.Chips = chips
	return o
}

// onBoard plays a match to the end of its bidding, at 20 s: First plays White, with 1 minute and
// 2 seconds, and the undos of the envelope's defaults.
func onBoard(t testing.TB, undos int) *table {
	t.Helper()
	o := options(1)
	o.Envelope.Defaults.Undos = undos
	b := sit(t, o)
	b.do(10, bidWhite(first, 1))
	b.do(20, bidTime(second, 1, 1, 2))
	return b
}

func TestTheReadyGate(t *testing.T) {
	t.Parallel()
	gated := options(15)
	gated.Lateness = 5 * time.Minute
	t.Run("without lateness the match starts as it opens", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(15))
		if to, ok := b.state.ToAct(); b.state.Status() != match.Bidding || !ok || to != first {
			t.Errorf("status %v, %v to act", b.state.Status(), to)
		}
	})
	t.Run("the bidding clock of First starts when both are ready", func(t *testing.T) {
		t.Parallel()
		b := sit(t, gated)
		b.refused(1, bidWhite(first, 1), match.NotStarted)
		b.do(10, match.Ready{Seat: second})
		if events := b.do(11, match.Ready{Seat: second}); len(events) != 0 {
			t.Errorf("being ready again is %v", events)
		}
		b.do(60, match.Ready{Seat: first})
		if d, _ := b.state.Deadline(); d != at(160) {
			t.Errorf("the deadline is %v", d)
		}
		b.clocks(70, 90, 100)
	})
	for _, tt := range []struct {
		name  string
		ready []match.Seat
		want  match.Outcome
	}{
		{"who is not ready in time forfeits", []match.Seat{second}, match.SecondWins},
		{"First wins when Second does not come", []match.Seat{first}, match.FirstWins},
		{"when neither comes both forfeit", nil, match.BothLose},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := sit(t, gated)
			for _, by := range tt.ready {
				b.do(1, match.Ready{Seat: by})
			}
			if events := b.do(299.999, match.CheckClock{}); len(events) != 0 {
				t.Fatalf("too early: %v", events)
			}
			b.do(300, match.CheckClock{})
			b.ended(tt.want, match.Forfeit)
		})
	}
	t.Run("being ready too late is the forfeit", func(t *testing.T) {
		t.Parallel()
		b := sit(t, gated)
		b.do(1, match.Ready{Seat: second})
		b.do(300, match.Ready{Seat: first})
		b.ended(match.SecondWins, match.Forfeit)
	})
}

func TestTheBiddingClock(t *testing.T) { // Rules 5.2
	t.Parallel()
	t.Run("a bid adds 100 s, up to 200", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(15))
		b.do(30, bidWhite(first, 1)) // 70 left, 170
		b.clocks(30, 170, 100)
		b.do(31, bidWhite(second, 2)) // 99 left, 199
		b.clocks(31, 170, 199)
		b.do(31.5, bidWhite(first, 2)) // 169.5 left, capped
		b.clocks(31.5, 200, 199)
	})
	t.Run("a bid adds 20 s when the opponent has no chips left", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(2))
		b.do(10, bidWhite(first, 2)) // their own last chips: Second has some, so +100
		b.clocks(10, 190, 100)
		b.do(60, bidTime(second, 1, 5, 0)) // 50 left, +20
		b.clocks(60, 190, 70)
		b.clocks(65, 190, 65) // Second bids on
	})
	t.Run("at zero the player loses", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(15))
		b.do(100, match.CheckClock{})
		b.ended(match.SecondWins, match.FlagBidding)
		if b.state.Result().Points != [2]int{} {
			t.Error("a flag in the bidding costs points")
		}
	})
	t.Run("a bid that comes too late is the flag fall", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(15))
		b.do(100, bidWhite(first, 1))
		b.ended(match.SecondWins, match.FlagBidding)
		if _, err := b.try(101, match.CheckClock{}); !errors.Is(err, match.ErrOver) {
			t.Errorf("after the end: %v", err)
		}
	})
	t.Run("a refused bid costs nothing and changes nothing", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(15))
		b.refused(10, bidWhite(first, 16), bidding.NotEnoughChips)
		b.clocks(10, 90, 100)
	})
	t.Run("a bid outside the envelope is refused with its bound", func(t *testing.T) {
		t.Parallel()
		o := options(15)
		o.Envelope.Minutes = [2]int{3, 15}
		o.Envelope.Presets = []bidding.TimeControl{{Minutes: 5}}
		b := sit(t, o)
		b.refused(10, bidTime(first, 1, 16, 0), bidding.OutOfEnvelope)
		b.do(10, bidTime(first, 1, 15, 0))
	})
}

func TestTheBoardClock(t *testing.T) { // Rules 8
	t.Parallel()
	t.Run("White's clock starts five seconds after the bidding", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.clocks(24.9, 60, 60)
		b.clocks(30, 55, 60)
		if d, _ := b.state.Deadline(); d != at(85) {
			t.Errorf("the deadline is %v", d)
		}
	})
	t.Run("a move within the delay takes no time", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(22, move(t, first, "e2e4"))
		b.clocks(22, 62, 60)
		b.clocks(32, 62, 50)
	})
	t.Run("the increment comes after each own move", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(35, move(t, first, "e2e4")) // 10 s
		b.do(50, move(t, second, "e7e5"))
		b.clocks(50, 52, 47)
	})
	t.Run("an illegal move leaves the clock running", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.refused(35, move(t, first, "e2e5"), match.IllegalMove)
		b.refused(36, move(t, second, "e7e5"), bidding.NotYourTurn)
		b.clocks(36, 49, 60)
	})
	t.Run("a move at zero is refused and the flag falls", func(t *testing.T) { // Rules D19
		t.Parallel()
		b := onBoard(t, 0)
		events := b.do(85, move(t, first, "e2e4"))
		if _, ok := events[0].(match.FlagFell); !ok {
			t.Fatalf("the answer is %v", events)
		}
		b.ended(match.SecondWins, match.FlagBoard)
		if p := b.state.Result().Points; p != [2]int{-5000, 0} {
			t.Errorf("points %v", p)
		}
	})
	t.Run("an undo takes its time and adds no increment", func(t *testing.T) { // Rules D14
		t.Parallel()
		b := onBoard(t, 1)
		b.do(25, move(t, first, "e2e4"))
		b.do(25, move(t, second, "e7e5"))
		b.clocks(25, 62, 62)
		b.do(35, match.Undo{Seat: first})
		b.clocks(35, 52, 62)
		b.clocks(36, 51, 62)
		if n := b.state.Game().PlyCount(); n != 0 {
			t.Errorf("%d plies stand", n)
		}
		b.refused(40, match.Undo{Seat: first}, match.NoUndoLeft)
	})
}

func TestResigning(t *testing.T) {
	t.Parallel()
	t.Run("in the bidding, out of turn", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(15))
		b.do(10, match.Resign{Seat: second})
		b.ended(match.FirstWins, match.Resignation)
	})
	t.Run("on the board, with the points made", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(30, move(t, first, "e2e4"))
		b.do(31, match.Resign{Seat: first})
		b.ended(match.SecondWins, match.Resignation)
	})
}

func TestDrawsAreMadeAtOnceAndAllCheckable(t *testing.T) { // Rules D8
	t.Parallel()
	b := sit(t, options(1))
	b.do(1, bidTime(first, 1, 5, 0))
	events := b.do(2, match.PlaceBid{Seat: second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1}})
	if len(events) != 3 {
		t.Fatalf("the answer is %v", events)
	}
	if _, ok := b.state.Seed(); ok {
		t.Error("the seed shows before the end")
	}
	b.do(3, match.Resign{Seat: first})
	seed, ok := b.state.Seed()
	if !ok || seed.Commitment() != b.state.Commitment() {
		t.Fatal("the seed is not revealed")
	}
	draws := []bidding.Draw{events[1].(match.Drawn).Draw, events[2].(match.Drawn).Draw}
	presets := b.state.Options().Envelope.Presets
	for i, holds := range seed.CheckDraws(draws, nil, presets) {
		if !holds {
			t.Errorf("draw %d does not follow from the seed", i+1)
		}
	}
	draws[1].White = draws[1].White.Other()
	if seed.CheckDraws(draws, nil, presets)[1] {
		t.Error("a forged draw holds")
	}
}

func TestWhatChangesNothingOnTheBoardOutdatesNobody(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 0)
	seen := b.state.Seq()
	b.do(60, match.CreditOutage{From: at(15), To: at(45)})
	if b.state.Seq() == seen || !b.state.HasStoodSince(seen) {
		t.Error("time given back outdates who is about to move")
	}
	if b.state.HasStoodSince(b.state.Seq() + 1) {
		t.Error("the match has stood since a place that is not there")
	}
	b.do(61, move(t, first, "e2e4"))
	if b.state.HasStoodSince(seen) {
		t.Error("a move outdates nobody")
	}

	o := options(2)
	o.Lateness = time.Hour
	b = sit(t, o)
	seen = b.state.Seq()
	b.do(5, match.Ready{Seat: second})
	if !b.state.HasStoodSince(seen) {
		t.Error("who is ready outdates the other, who is about to say so")
	}
	b.do(6, match.Ready{Seat: first})
	if b.state.HasStoodSince(seen) {
		t.Error("the bidding has begun, which outdates nobody")
	}
}

func TestOutagesAreCredited(t *testing.T) {
	t.Parallel()
	credit := func(from, to float64) match.Command { return match.CreditOutage{From: at(from), To: at(to)} }
	t.Run("to the player to act, only while his clock ran", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0) // White's clock runs from 25 s
		b.do(60, credit(15, 45))
		b.clocks(60, 45, 60) // 35 s less the 20 of 25…45
	})
	t.Run("once, however the intervals overlap", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(60, credit(30, 40))
		b.do(60, credit(45, 50))
		if events := b.do(61, credit(30, 40)); len(events) != 0 {
			t.Errorf("credited again: %v", events)
		}
		b.do(61, credit(35, 55)) // new are 40…45 and 50…55
		b.clocks(61, 60-36+25, 60)
	})
	t.Run("before a deadline it lies before", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0) // the flag would fall at 85 s
		b.do(200, credit(80, 200))
		b.clocks(200, 5, 60)
		b.do(205, match.CheckClock{})
		b.ended(match.SecondWins, match.FlagBoard)
	})
	t.Run("not when the time was used up before it", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(200, credit(85, 200))
		b.ended(match.SecondWins, match.FlagBoard)
	})
	t.Run("not of the opponent's turn before", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(50, move(t, first, "e2e4"))
		if events := b.do(51, credit(30, 50)); len(events) != 0 {
			t.Errorf("credited %v", events)
		}
	})
	t.Run("to the wait for the players", func(t *testing.T) {
		t.Parallel()
		o := options(15)
		o.Lateness = time.Minute
		b := sit(t, o)
		b.do(50, credit(10, 40))
		if d, _ := b.state.Deadline(); d != at(90) {
			t.Errorf("the deadline is %v", d)
		}
	})
}

func TestTimeNeverRunsBackwards(t *testing.T) {
	t.Parallel()
	b := sit(t, options(15))
	b.do(30, bidWhite(first, 1))
	b.do(20, bidWhite(second, 2)) // from a server whose clock is behind
	if b.state.LastAt() != at(30) {
		t.Errorf("recorded at %v", b.state.LastAt())
	}
	b.clocks(30, 170, 200)
}

func TestApplyLeavesTheOldStateAsItWas(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 0)
	before := b.state
	record := func(text string) match.State {
		e := match.Played{Seat: first, Action: move(t, first, text).(match.Play).Action}
		return before.Apply(match.Recorded{Seq: before.Seq() + 1, At: at(30), Event: e})
	}
	e4, d4 := record("e2e4"), record("d2d4")
	if n := before.Game().PlyCount(); n != 0 || len(before.History()) != len(b.log) {
		t.Errorf("the state before has %d plies", n)
	}
	for want, s := range map[string]match.State{"e2e4": e4, "d2d4": d4} {
		if last, ok := s.Game().LastPly(); !ok || last.Action.String() != want {
			t.Errorf("the last ply is %v, want %s", last.Action, want)
		}
		if h := s.History(); h[len(h)-1].Event.(match.Played).Action.String() != want {
			t.Errorf("the history ends with %v, want %s", h[len(h)-1], want)
		}
	}
}

func TestALogThatDoesNotFitTogetherIsAnError(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 0)
	for _, tt := range []struct {
		name string
		log  []match.Recorded
	}{
		{"a gap", append(b.log[:2:2], b.log[3:]...)},
		{"no opening", b.log[1:]},
		{"a second opening", append(b.log[:1:1], match.Recorded{Seq: 2, At: noon, Event: b.log[0].Event})},
		{"another seed", []match.Recorded{{Seq: 1, At: noon, Event: match.Public(b.log[0].Event)}}},
		{"an event before the one before", append(b.log[:2:2], match.Recorded{Seq: 3, At: at(-1), Event: match.Resigned{Seat: first}})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := match.Fold(tt.log); !errors.Is(err, match.ErrLog) {
				t.Errorf("have %v", err)
			}
		})
	}
	if s, err := match.Fold(b.log); err != nil || s.Seq() != b.state.Seq() {
		t.Errorf("the log itself: %v", err)
	}
}

func TestBidStepsTellTheBidding(t *testing.T) {
	t.Parallel()
	b := sit(t, options(1))
	b.do(10, bidTime(first, 1, 5, 0))
	b.do(25, match.PlaceBid{Seat: second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1}})
	steps := b.state.BidSteps()
	if len(steps) != 4 {
		t.Fatalf("%d steps, want two bids and two draws", len(steps))
	}
	if s := steps[0]; s.Seat != first || s.IsCall || s.Spent != 10*time.Second || s.Left != 190*time.Second || s.After.Purse(first) != 0 {
		t.Errorf("the raise %+v", s)
	}
	if s := steps[1]; s.Seat != second || !s.IsCall || s.Spent != 15*time.Second || s.Left != 105*time.Second {
		t.Errorf("the call %+v", s)
	}
	if s := steps[2]; s.Seat.Valid() || s.Draw.Target != bidding.Time || s.After.IsOver() {
		t.Errorf("the first draw %+v", s)
	}
	if s := steps[3]; s.Draw.Target != bidding.White || !s.After.IsOver() {
		t.Errorf("the second draw %+v", s)
	}
}

func TestMovesCarryTheirClocks(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 1)
	b.do(35, move(t, first, "e2e4"))
	b.do(40, move(t, second, "e7e5"))
	b.do(41, match.Undo{Seat: first})
	b.do(45, move(t, first, "d2d4"))
	moves := b.state.Moves()
	if len(moves) != 1 {
		t.Fatalf("%d moves stand", len(moves))
	}
	// 60 − 10 + 2 − 1 − 4 + 2
	if m := moves[0]; m.Action.String() != "d2d4" || m.Spent != 4*time.Second || m.Left != 49*time.Second || m.At != at(45) {
		t.Errorf("the move %+v", m)
	}
}
