package live_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// machine is a clock that can be set while time passes.
type machine struct {
	wall, passed *clock
	start        time.Time
}

func newMachine() *machine {
	m := &machine{wall: newClock(), passed: newClock()}
	m.start = m.passed.now()
	return m
}

func (m *machine) config() live.Config {
	return live.Config{Now: m.wall.now, Elapsed: func() time.Duration { return m.passed.now().Sub(m.start) }}
}

func (m *machine) advance(d time.Duration) { m.wall.advance(d); m.passed.advance(d) }
func (m *machine) set(d time.Duration)     { m.wall.advance(d) }

func (n node) beat(t *testing.T) {
	t.Helper()
	if err := n.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// left is what anna, whose bid it is, still has.
func (n node) left(t *testing.T, id match.ID) time.Duration {
	t.Helper()
	first, _, _ := n.state(t, id).Clocks(n.Now())
	return first
}

func TestTheMachinesClockGivesNobodyTimeAndTakesNone(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{time.Hour, -time.Hour, 700 * time.Millisecond, -700 * time.Millisecond, 40 * time.Hour} {
		t.Run(step.String(), func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				storetest.Players(t, s, string(anna), string(bohdan))
				m := newMachine()
				n := newNode(t, s, live.NewInProcess(), m.config())
				if err := n.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
				id := n.open(t, quick(), anna, bohdan)
				m.advance(100 * time.Millisecond)
				m.set(step)
				m.advance(100 * time.Millisecond)
				if err := n.SweepDue(t.Context()); err != nil { // before any beat
					t.Fatal(err)
				}
				m.advance(100 * time.Millisecond)
				n.beat(t)
				if left := n.left(t, id); (left - (bidding.ClockStart - 300*time.Millisecond)).Abs() > 5*time.Millisecond {
					t.Errorf("anna has %v left", left)
				}
				m.advance(100 * time.Millisecond)
				n.do(t, id, anna, chipOnWhite(match.First))
			})
		})
	}
}

func TestAClockSetBackIsFollowedWhenNobodyPlays(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, string(anna), string(bohdan))
		m := newMachine()
		n := newNode(t, s, live.NewInProcess(), m.config())
		if err := n.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		id := n.open(t, quick(), anna, bohdan)
		m.set(-time.Hour)
		for range 10 { // the beats go on: a hundredth of ten seconds is made up for
			m.advance(time.Second)
			n.beat(t)
		}
		if ahead := n.Now().Sub(m.wall.now()); ahead != time.Hour-100*time.Millisecond {
			t.Errorf("ahead by %v while they play", ahead)
		}
		n.do(t, id, anna, match.Resign{Seat: match.First})
		n.beat(t)
		if ahead := n.Now().Sub(m.wall.now()); ahead != 0 {
			t.Errorf("ahead by %v after the match", ahead)
		}
	})
}

// TestAClockSetBackBeforeAStart: the process comes back an hour before it went.
func TestAClockSetBackBeforeAStart(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, string(anna), string(bohdan))
		m := newMachine()
		n := newNode(t, s, live.NewInProcess(), m.config())
		id := n.open(t, quick(), anna, bohdan)
		n.beat(t)
		m.advance(5 * time.Second)
		m.set(-time.Hour)
		again := newNode(t, s, live.NewInProcess(), m.config())
		if err := again.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		m.advance(time.Second)
		if left := again.left(t, id); left != bidding.ClockStart-time.Second {
			t.Errorf("anna has %v left", left)
		}
	})
}

// TestOtherNodesShowWhichClockIsWrong: one machine of two is set an hour ahead.
func TestOtherNodesShowWhichClockIsWrong(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, string(anna), string(bohdan))
		m, other := newMachine(), newMachine()
		bus := live.NewInProcess()
		a, b := newNode(t, s, bus, m.config()), newNode(t, s, bus, other.config())
		pass := func() { m.advance(200 * time.Millisecond); other.advance(200 * time.Millisecond) }
		a.beat(t)
		b.beat(t)
		id := a.open(t, quick(), anna, bohdan)
		m.set(time.Hour)
		pass()
		if err := a.Heartbeat(t.Context()); err == nil {
			t.Error("the clock is believed, or not, before anybody was asked")
		}
		b.beat(t)
		pass()
		a.beat(t)
		if left := a.left(t, id); left != bidding.ClockStart-400*time.Millisecond {
			t.Errorf("anna has %v left", left)
		}
		if credits := a.credits(t, id); len(credits) != 0 {
			t.Errorf("given back: %+v", credits)
		}
		pass()
		b.beat(t)
		a.do(t, id, anna, chipOnWhite(match.First))
	})
}

// TestNodesThatSleptTogetherFollowTheClock: neither is there to be asked.
func TestNodesThatSleptTogetherFollowTheClock(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, string(anna), string(bohdan))
		m := newMachine()
		bus := live.NewInProcess()
		a, b := newNode(t, s, bus, m.config()), newNode(t, s, bus, m.config())
		a.beat(t)
		b.beat(t)
		id := a.open(t, quick(), anna, bohdan)
		m.set(time.Hour)
		var err error
		for range 10 {
			m.advance(200 * time.Millisecond)
			_ = b.Heartbeat(t.Context())
			err = a.Heartbeat(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if ahead := a.Now().Sub(m.wall.now()) + b.Now().Sub(m.wall.now()); ahead != 0 {
			t.Errorf("the clock is not followed: %v", ahead)
		}
		if left := a.left(t, id); left < bidding.ClockStart-2*time.Second || left > bidding.ClockStart {
			t.Errorf("anna has %v left", left)
		}
	})
}

// TestAFailedBeatIsAnOutageHoweverShort: three times away for 0.6 s.
func TestAFailedBeatIsAnOutageHoweverShort(t *testing.T) {
	t.Parallel()
	dsn, clock := storetest.SQLiteDSN(t), newClock()
	s := storetest.Open(t, dsn)
	storetest.Players(t, s, string(anna), string(bohdan))
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := newNode(t, s, live.NewInProcess(), live.Config{Now: clock.now})
	if err := n.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := n.open(t, quick(), anna, bohdan)
	for range 3 {
		if _, err := db.Exec("CREATE TRIGGER away BEFORE UPDATE ON heartbeats BEGIN SELECT RAISE(ABORT, 'no'); END"); err != nil {
			t.Fatal(err)
		}
		clock.advance(300 * time.Millisecond)
		if err := n.Heartbeat(t.Context()); err == nil {
			t.Fatal("the beat did not fail")
		}
		if _, err := db.Exec("DROP TRIGGER away"); err != nil {
			t.Fatal(err)
		}
		clock.advance(300 * time.Millisecond)
		if err := n.SweepDue(t.Context()); err != nil { // before the next beat
			t.Fatal(err)
		}
		clock.advance(200 * time.Millisecond)
		n.beat(t)
	}
	if left := n.left(t, id); left != bidding.ClockStart-600*time.Millisecond {
		t.Errorf("anna has %v left: only three times 0.2 s were hers", left)
	}
}

func TestFiveShortRestartsAreGivenBackWhole(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		n.beat(t)
		for range 5 {
			clock.advance(1300 * time.Millisecond)
			n = newNode(t, n.store, live.NewInProcess(), live.Config{Now: clock.now})
			if err := n.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if left := n.left(t, id); left != bidding.ClockStart {
			t.Errorf("anna has %v left, want %v", left, bidding.ClockStart)
		}
	})
}

// TestANodeThatHungGivesBackAlsoTwoSeconds: no beat failed, none was tried.
func TestANodeThatHungGivesBackAlsoTwoSeconds(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		n.beat(t)
		id := n.open(t, quick(), anna, bohdan)
		clock.advance(2 * time.Second)
		n.beat(t)
		if left := n.left(t, id); left != bidding.ClockStart {
			t.Errorf("anna has %v left, want %v", left, bidding.ClockStart)
		}
	})
}
