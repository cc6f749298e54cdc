package match_test

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
)

// word makes an arbiter's warrant.
func word(why string) match.Warrant { return match.Warrant{By: "arbiter", Why: why} }

// everyActOfArbiters plays a match by correspondence with every kind of ruling in its log.
func everyActOfArbiters(t testing.TB) *table {
	t.Helper()
	o := options(1)
	o.BidTime, o.Meet = time.Hour, 48*time.Hour
	b := sit(t, o)
	b.do(10, bidWhite(first, 1))
	b.do(3000, bidTime(second, 1, 5, 3))
	tomorrow := noon.Add(24 * time.Hour)
	b.do(3100, match.Appoint{Seat: first, At: tomorrow})
	b.do(3200, match.Appoint{Seat: second, At: tomorrow})
	b.do(86300, match.Ready{Seat: first})
	b.do(86400, match.Ready{Seat: second})
	b.do(86410, move(t, first, "e2e4"))
	b.do(86420, match.Call{Seat: second, Stops: true})
	b.do(86430, match.CallOff{Seat: second})
	b.do(86440, match.Call{Seat: second})
	b.do(86450, match.Pause{Warrant: word("a dispute")})
	b.do(86460, match.TakeBack{Warrant: word("wrong board"), Actions: 1})
	b.do(86470, match.SetClock{Warrant: word("two minutes more"), Seat: first, Left: 7 * time.Minute})
	b.do(86480, match.Resume{Warrant: word("settled")})
	b.do(86490, match.Declare{Warrant: word("an engine"), Outcome: match.SecondWins, Forfeit: true})
	b.do(86500, match.MakeVoid{Warrant: word("played again"), Next: "next"})
	b.do(86600, match.Reopen{Warrant: word("played here after all"), Left: [2]time.Duration{0, time.Minute}})
	b.do(86700, match.Resume{Warrant: word("both are here")})
	b.do(1e6, match.CheckClock{})
	b.ended(match.SecondWins, match.FlagBoard)
	return b
}

func TestWhileAMatchStandsStillNobodyActs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		b    *table
		act  match.Command
	}{
		{"in the bidding", sit(t, options(2)), bidWhite(first, 1)},
		{"on the board", onBoard(t, 1), move(t, first, "e2e4")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := tt.b
			f, s, _ := b.state.Clocks(at(30))
			b.do(30, match.Pause{Warrant: word("the light is out")})
			b.refused(31, tt.act, match.StandsStill)
			b.refused(31, match.Resign{Seat: second}, match.StandsStill)
			b.refused(31, match.Ready{Seat: first}, match.StandsStill)
			b.do(1e5, match.CheckClock{})
			if _, due := b.state.Deadline(); due || b.state.Status() == match.Over {
				t.Fatal("a clock runs while the match stands still")
			}
			b.clocks(1e5, f.Seconds(), s.Seconds())
			if e := b.do(1e5, match.Pause{Warrant: word("again")}); len(e) > 0 {
				t.Errorf("paused twice: %v", e)
			}
			b.do(1e5, match.Resume{Warrant: word("light")})
			b.clocks(1e5, f.Seconds(), s.Seconds())
			b.do(1e5+4, tt.act)
		})
	}
}

func TestAPauseKeepsWhatIsLeftOfTheStartDelay(t *testing.T) { // Rules 8
	t.Parallel()
	b := onBoard(t, 0) // White's clock of 60 s starts at 25 s
	b.do(22, match.Pause{Warrant: word("wait")})
	b.do(100, match.Resume{Warrant: word("go")})
	b.clocks(103, 60, 60)
	b.clocks(104, 59, 60)
}

func TestACallStopsTheClocksOnce(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 0)
	b.do(35, match.Call{Seat: second, Stops: true})
	b.clocks(500, 50, 60)
	b.refused(501, match.CallOff{Seat: first}, match.NotYourPause)
	b.do(502, match.Call{Seat: first, Stops: true}) // they stand already
	b.do(503, match.CallOff{Seat: second})
	b.clocks(504, 49, 60)
	b.refused(504, match.CallOff{Seat: second}, match.NotYourPause)
	b.do(505, match.Call{Seat: first, Stops: true})
	b.do(506, match.Pause{Warrant: word("I am looking")}) // the arbiter takes over
	b.refused(507, match.CallOff{Seat: first}, match.NotYourPause)
	b.do(508, match.Resume{Warrant: word("go on")})
	b.clocks(509, 47, 60)
}

func TestAClockIsSet(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 0)
	b.do(35, match.SetClock{Warrant: word("x"), Seat: first, Left: 5 * time.Minute})
	b.clocks(45, 290, 60)
	b.do(45, match.SetClock{Warrant: word("x"), Seat: second, Left: 30 * time.Second})
	b.clocks(45, 290, 30)
	b.refused(46, match.SetClock{Warrant: word("x"), Seat: second, Left: time.Millisecond}, match.BadClock)
	b.refused(46, match.SetClock{Warrant: word(" "), Seat: second, Left: time.Minute}, match.BadReason)
	b.do(46, move(t, first, "e2e4")) // 1 s since the clock was set and 10 before, 2 s increment
	b.clocks(46, 291, 30)
}

func TestTakingBackRestoresTheStateBefore(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 1)
	b.do(35, move(t, first, "e2e4")) // 60 − 10 + 2
	before, beforeAt := b.state, 35.0
	b.do(40, move(t, second, "e7e5"))
	b.do(45, move(t, first, "d2d4"))
	b.do(50, match.Undo{Seat: second}) // d4 and e5 are gone
	b.do(55, match.TakeBack{Warrant: word("a slip of the mouse"), Actions: 3})
	if b.state.Game().Position() != before.Game().Position() || b.state.Game().UndosLeft(second) != 1 || len(b.state.Moves()) != 1 {
		t.Errorf("after taking back: %s, %d moves", b.state.Game().Position().CFEN(), len(b.state.Moves()))
	}
	f, s, _ := before.Clocks(at(beforeAt))
	b.clocks(55, f.Seconds(), s.Seconds()) // as when e7e5 was to be played
	b.clocks(60, f.Seconds(), s.Seconds()-5)
	b.do(60, move(t, second, "d7d5"))
	if moves := b.state.Moves(); len(moves) != 2 || moves[1].Action.String() != "d7d5" || moves[1].Spent != 5*time.Second {
		t.Errorf("moves: %+v", moves)
	}
	b.refused(61, match.TakeBack{Warrant: word("x"), Actions: 5}, match.NothingToTakeBack) // 2 bids, 2 moves
	b.refused(61, match.TakeBack{Warrant: word("x"), Actions: 0}, match.NothingToTakeBack)
	b.do(61, match.TakeBack{Warrant: word("from the start"), Actions: 4})
	if b.state.Status() != match.Bidding || b.state.Game().OnBoard() || len(b.state.BidSteps()) != 0 {
		t.Errorf("all actions back: %v", b.state.Status())
	}
	b.clocks(61, 100, 100)
}

func TestADrawAfterATakeBackIsNewAndCanBeChecked(t *testing.T) { // Rules D8
	t.Parallel()
	b := sit(t, options(1))
	b.do(1, bidWhite(first, 1))
	b.do(2, bidTime(second, 1, 1, 0))
	b.do(3, match.TakeBack{Warrant: word("x"), Actions: 1})
	b.do(4, bidWhite(second, 1)) // a call: both are drawn
	draws := 0
	for _, e := range b.state.Standing() {
		if d, ok := e.Event.(match.Drawn); ok {
			draws++
			if want := (match.Seed{1, 2, 3}).Draw(draws, d.Draw.Target, options(1).Envelope.Presets); d.Draw != want {
				t.Errorf("draw %d is %+v, want %+v", draws, d.Draw, want)
			}
		}
	}
	if draws != 2 {
		t.Fatalf("%d draws", draws)
	}
	b.do(5, match.TakeBack{Warrant: word("x"), Actions: 1})
	b.do(6, bidTime(second, 1, 1, 0))
	b.do(7, match.TakeBack{Warrant: word("x"), Actions: 1})
	b.do(8, bidWhite(second, 1))
	if last := b.state.DrawNumbers(); len(last) != 2 || last[0] != 3 || last[1] != 4 {
		t.Errorf("the draws that stand are numbers %v, want 3 and 4", last)
	}
}

func TestAResultIsDeclaredAndReopened(t *testing.T) {
	t.Parallel()
	b := onBoard(t, 0)
	b.do(35, move(t, first, "e2e4"))
	b.do(40, match.Declare{Warrant: word("left the hall"), Outcome: match.FirstWins, Forfeit: true})
	b.ended(match.FirstWins, match.Forfeit)
	b.refused(41, match.Declare{Warrant: word("x"), Outcome: match.Draw}, match.Finished)
	b.do(50, match.Reopen{Warrant: word("came back"), Left: [2]time.Duration{0, 20 * time.Second}})
	if still, ok := b.state.Standstill(); !ok || still.Why != "came back" || b.state.Status() != match.Playing || !b.state.Result().IsZero() {
		t.Fatalf("reopened: %v, %+v", b.state.Status(), still)
	}
	b.clocks(60, 52, 20)
	b.do(60, match.Resume{Warrant: word("go")})
	b.do(65, move(t, second, "e7e5"))
	b.clocks(65, 52, 17)
	b.do(66, match.MakeVoid{Warrant: word("again"), Next: "m2"})
	b.ended(match.Void, match.Voided)
	if e := b.do(67, match.MakeVoid{Warrant: word("again")}); len(e) > 0 {
		t.Errorf("void twice: %v", e)
	}
}

func TestWhatEndedAMatchIsTakenBackByReopening(t *testing.T) {
	t.Parallel()
	t.Run("a fallen flag", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(1000, match.CheckClock{})
		b.ended(match.SecondWins, match.FlagBoard)
		b.do(1001, match.MakeVoid{Warrant: word("x")})
		b.do(1002, match.Reopen{Warrant: word("the server was away")})
		b.do(1003, match.Resume{Warrant: word("go")})
		b.clocks(1003, 60, 60)
		if b.state.Game().Points() != [2]int{} || b.state.Game().Phase() != match.PhaseBoard {
			t.Errorf("points %v", b.state.Game().Points())
		}
	})
	t.Run("what ended in the bidding stays ended, for the draws are known", func(t *testing.T) {
		t.Parallel()
		b := sit(t, options(1))
		b.do(10, match.Resign{Seat: first})
		b.refused(11, match.Reopen{Warrant: word("a slip")}, match.DrawsKnown)
	})
	t.Run("and nothing is taken back into the bidding later", func(t *testing.T) {
		t.Parallel()
		b := onBoard(t, 0)
		b.do(30, move(t, first, "e2e4"))
		b.do(31, match.Resign{Seat: first})
		b.do(32, match.Reopen{Warrant: word("a slip")})
		b.refused(33, match.TakeBack{Warrant: word("x"), Actions: 2}, match.DrawsKnown)
		b.do(34, match.TakeBack{Warrant: word("x"), Actions: 1})
	})
}

func TestBiddingByCorrespondence(t *testing.T) {
	t.Parallel()
	o := options(1)
	o.BidTime, o.Meet = 24*time.Hour, 48*time.Hour
	const day = 86400.0
	b := sit(t, o)
	b.do(0.9*day, bidWhite(first, 1))
	b.clocks(0.9*day, day, day)
	b.do(1.5*day, bidTime(second, 1, 1, 0))
	if !b.state.IsMeeting() {
		t.Fatalf("the players do not meet: %v", b.state.Status())
	}
	b.refused(1.6*day, move(t, first, "e2e4"), match.NotStarted)
	b.do(2*day, match.Ready{Seat: first})
	b.do(2*day+601, match.Ready{Seat: second}) // First has left: they waited ten minutes
	if b.state.Status() != match.Waiting || b.state.IsReady(first) {
		t.Fatal("one alone has begun the board phase")
	}
	b.refused(2*day+602, match.Appoint{Seat: first, At: at(4 * day)}, match.NoMeeting) // after 3.5 days
	b.do(2*day+602, match.Appoint{Seat: first, At: at(3 * day)})
	b.do(2*day+603, match.Appoint{Seat: second, At: at(2.5 * day)})
	if agreed, _ := b.state.Appointment(); !agreed.IsZero() {
		t.Fatal("two times are no appointment")
	}
	b.do(2*day+604, match.Appoint{Seat: first, At: at(2.5 * day)})
	if deadline, _ := b.state.Deadline(); !deadline.Equal(at(2.5*day + 900)) {
		t.Fatalf("whoever is not there forfeits at %v", deadline)
	}
	b.refused(2*day+605, match.Appoint{Seat: first, At: at(3 * day)}, match.NoMeeting)
	t.Run("both are there", func(t *testing.T) {
		b := table{t: t, state: b.state}
		b.do(2.5*day, match.Ready{Seat: second})
		b.do(2.5*day+30, match.Ready{Seat: first})
		b.clocks(2.5*day+35, 60, 60)
		if b.state.Status() != match.Playing {
			t.Errorf("status %v", b.state.Status())
		}
	})
	t.Run("who came earlier than the window has not come", func(t *testing.T) {
		b := table{t: t, state: b.state}
		b.do(2.4*day, match.Ready{Seat: second})
		b.do(2.5*day+800, match.Ready{Seat: first})
		b.do(2.5*day+900, match.CheckClock{})
		b.ended(match.FirstWins, match.Forfeit)
	})
}

// anyAct draws an act of an arbiter, or a call for one.
func anyAct(t *rapid.T, s match.State) match.Command {
	seat := match.Seat(rapid.IntRange(1, 2).Draw(t, "of"))
	w := word("because")
	left := time.Duration(rapid.IntRange(0, 300).Draw(t, "left")) * time.Second
	switch rapid.IntRange(0, 11).Draw(t, "act") {
	case 0:
		return match.Call{Seat: seat, Stops: true}
	case 1:
		return match.CallOff{Seat: seat}
	case 2:
		return match.Pause{Warrant: w}
	case 3:
		return match.SetClock{Warrant: w, Seat: seat, Left: left}
	case 4, 5:
		return match.TakeBack{Warrant: w, Actions: rapid.IntRange(1, 4).Draw(t, "actions")}
	case 6:
		return match.Declare{Warrant: w, Outcome: match.Outcome(rapid.IntRange(1, 5).Draw(t, "outcome"))}
	case 7:
		return match.MakeVoid{Warrant: w}
	case 8:
		return match.Reopen{Warrant: w, Left: [2]time.Duration{left, 0}}
	case 9:
		return match.Appoint{Seat: seat, At: s.LastAt().Add(left)}
	}
	return match.Resume{Warrant: w}
}

func TestPropertiesOfArbitersActs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		chips := rapid.IntRange(1, 4).Draw(t, "chips")
		o := options(chips)
		if rapid.Bool().Draw(t, "by correspondence") {
			o.BidTime, o.Meet = time.Hour, time.Hour
		}
		var log []match.Recorded
		states := []match.State{{}}
		s := states[0]
		record := func(events []match.Event, at time.Time) {
			for _, e := range events {
				r := match.Recorded{Seq: s.Seq() + 1, At: at, Event: e}
				before := s
				s = s.Apply(r)
				log, states = append(log, r), append(states, s)
				checkArbitration(t, states, before, s, e, at)
			}
		}
		record(match.Open(o, match.Seed{9}), noon)
		now := noon
		for range rapid.IntRange(1, 60).Draw(t, "commands") {
			now = now.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "pause")) * time.Millisecond)
			c := anyCommand(t, s)
			if rapid.IntRange(0, 2).Draw(t, "arbiter") == 0 {
				c = anyAct(t, s)
			}
			_, still := s.Standstill()
			events, err := match.Decide(s, c, now)
			if err != nil {
				continue
			}
			if _, isPlayers := c.(match.Play); (isPlayers || isBid(c)) && still {
				t.Fatalf("%T is accepted while the match stands still", c)
			}
			record(events, s.At(now))
		}
		folded, err := match.Fold(log)
		if err != nil {
			t.Fatal(err)
		}
		sameState(t, folded, s)
		bids := s.Game().Bids()
		for _, by := range []match.Seat{first, second} {
			sum := bids.Purse(by)
			for target := 1; target <= 4; target++ {
				sum += bids.Stake(bidding.Target(target), by)
			}
			if sum != chips {
				t.Fatalf("%v has %d chips of %d", by, sum, chips)
			}
		}
	})
}

func isBid(c match.Command) bool {
	_, ok := c.(match.PlaceBid)
	return ok
}

// sameState compares what two states show, now and later.
func sameState(t *rapid.T, have, want match.State) {
	if !reflect.DeepEqual(have, want) {
		t.Fatal("the fold of the log is not the state after each command")
	}
}

// checkArbitration checks the invariants of an arbiter's act.
func checkArbitration(t *rapid.T, states []match.State, before, after match.State, e match.Event, at time.Time) {
	f1, s1, _ := before.Clocks(at)
	f2, s2, running := after.Clocks(at)
	_, still := after.Standstill()
	if _, due := after.Deadline(); still && (due || running.Valid()) {
		t.Fatalf("a clock runs while the match stands still after %T", e)
	}
	switch e := e.(type) {
	case match.Called, match.Paused, match.Resumed:
		if f1 != f2 || s1 != s2 {
			t.Fatalf("%T changes the clocks from %v %v to %v %v", e, f1, s1, f2, s2)
		}
	case match.ClockSet:
		if have := [2]time.Duration{f2, s2}[e.Seat.Index()]; have != e.Left {
			t.Fatalf("a clock set to %v shows %v", e.Left, have)
		}
	case match.TakenBack:
		back := states[e.To]
		f, s, _ := back.Clocks(back.LastAt())
		if f != f2 || s != s2 || back.Status() != after.Status() || !reflect.DeepEqual(back.Game(), after.Game()) ||
			back.Game().ClaimCount() != after.Game().ClaimCount() {
			t.Fatalf("taken back to %d: clocks %v %v, status %v; then they were %v %v, %v", e.To, f2, s2, after.Status(), f, s, back.Status())
		}
	case match.Reopened:
		if back := states[e.To]; !reflect.DeepEqual(back.Game(), after.Game()) || !still || after.Status() == match.Over {
			t.Fatalf("reopened as %v", after.Status())
		}
	}
}

// The site's own pause, for a fair play check, gives way to an arbiter's and replaces none.
func TestTheSitesOwnPauseGivesWayToArbiters(t *testing.T) {
	t.Parallel()
	site := match.Warrant{By: match.FairPlay, Why: "a short check"}
	by := func(b *table) string {
		still, _ := b.state.Standstill()
		return still.By
	}
	b := onBoard(t, 0)
	b.do(30, match.Pause{Warrant: site})
	b.clocks(75, 55, 60) // White's clock began at 25 s
	if e := b.do(31, match.Pause{Warrant: site}); len(e) > 0 {
		t.Errorf("paused twice: %v", e)
	}
	b.refused(40, move(t, first, "e2e4"), match.StandsStill)
	b.do(50, match.Pause{Warrant: word("the light is out")})
	if by(b) != "arbiter" {
		t.Fatalf("it stands still by the word of %q", by(b))
	}
	if e := b.do(51, match.Pause{Warrant: site}); len(e) > 0 || by(b) != "arbiter" {
		t.Errorf("the site took an arbiter's pause over: %v", e)
	}
	b.do(60, match.Resume{Warrant: word("light")})
	b.clocks(61, 54, 60)
	b.do(62, match.Call{Seat: second, Stops: true})
	if e := b.do(63, match.Pause{Warrant: site}); len(e) > 0 {
		t.Errorf("the site took a call's pause over: %v", e)
	}
}
