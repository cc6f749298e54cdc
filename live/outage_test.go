package live_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func (n node) credits(t *testing.T, id match.ID) (credits []match.OutageCredited) {
	t.Helper()
	events, err := n.Events(t.Context(), id, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if c, ok := e.Event.(match.OutageCredited); ok {
			credits = append(credits, c)
		}
	}
	return credits
}

// TestAnOutageIsGivenBackOnce: two nodes stop together and come back together;
// the bidding clock has run out meanwhile, but nobody could have bid.
func TestAnOutageIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	bus := live.NewInProcess()
	before, _, clock := twoNodes(t, bus, live.Config{OutageAfter: 5 * time.Second})
	running := before.open(t, quick(), anna, bohdan)
	if err := before.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	over := before.open(t, quick(), anna, bohdan)
	before.do(t, over, anna, match.Resign{Seat: match.First})
	clock.advance(10 * time.Second) // no heartbeat from here on: of the first ten seconds nothing is known
	clock.advance(10 * time.Minute)

	nodes := make([]node, 3)
	for i := range nodes {
		nodes[i] = newNode(t, before.store, bus, live.Config{Now: clock.now, OutageAfter: 5 * time.Second})
	}
	var wait sync.WaitGroup
	for _, n := range nodes {
		wait.Go(func() {
			if err := n.Recover(t.Context()); err != nil {
				t.Error(err)
			}
			if err := n.SweepDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, n := range nodes {
		if credits := n.credits(t, running); len(credits) != 1 || credits[0].Given != 10*time.Minute+10*time.Second || credits[0].Seat != match.First {
			t.Errorf("given back: %+v", credits)
		}
		if credits := n.credits(t, over); len(credits) != 0 {
			t.Errorf("a match that was over got %+v", credits)
		}
	}
	if first, _, _ := nodes[0].state(t, running).Clocks(clock.now()); first != bidding.ClockStart {
		t.Errorf("anna has %v left, want %v", first, bidding.ClockStart)
	}
	clock.advance(time.Second)
	nodes[1].do(t, running, anna, chipOnWhite(match.First))
}

func TestAShortSilenceIsNoOutage(t *testing.T) {
	t.Parallel()
	each(t, live.Config{OutageAfter: 5 * time.Second}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		for range 4 {
			if err := n.Heartbeat(t.Context()); err != nil {
				t.Fatal(err)
			}
			clock.advance(5 * time.Second)
		}
		if credits := n.credits(t, id); len(credits) != 0 {
			t.Errorf("given back: %+v", credits)
		}
	})
}

func TestAQuickRestartIsAnOutageToo(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		if err := n.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.advance(3 * time.Second)
		again := newNode(t, n.store, live.NewInProcess(), live.Config{Now: clock.now})
		if err := again.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if credits := again.credits(t, id); len(credits) != 1 || credits[0].Given != 3*time.Second {
			t.Errorf("given back: %+v", credits)
		}
	})
}

// TestANodeThatSleptGivesBackBeforeItJudges: the machine was suspended, and a
// sweep runs before the first heartbeat.
func TestANodeThatSleptGivesBackBeforeItJudges(t *testing.T) {
	t.Parallel()
	each(t, live.Config{OutageAfter: 5 * time.Second}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		if err := n.Heartbeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Hour)
		if err := n.SweepDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := n.state(t, id); s.Status() != match.Bidding || len(n.credits(t, id)) != 1 {
			t.Errorf("%s, given back %+v", s.Status(), n.credits(t, id))
		}
		clock.advance(time.Hour)
		if _, err := n.Do(t.Context(), id, anna, live.Request{Command: chipOnWhite(match.First)}); err != nil {
			t.Errorf("anna's bid after the second outage: %v", err)
		}
	})
}

// TestTimeUsedUpBeforeAnOutageIsNotGivenBack: the flag was about to fall anyway.
func TestTimeUsedUpBeforeAnOutageIsNotGivenBack(t *testing.T) {
	t.Parallel()
	each(t, live.Config{OutageAfter: 5 * time.Second}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		clock.advance(bidding.ClockStart - time.Second)
		if err := n.Heartbeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Minute)
		if err := n.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Second)
		if _, err := n.Do(t.Context(), id, anna, live.Request{Command: chipOnWhite(match.First)}); !errors.Is(err, match.ErrOver) {
			t.Errorf("a bid after the last second: %v, want over", err)
		}
	})
}

// TestAnOutageStaysOpenUntilEveryMatchHasItsTimeBack: the database refuses one
// of two matches; the next beat gives back to the one that was left out.
func TestAnOutageStaysOpenUntilEveryMatchHasItsTimeBack(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	s, clock := storetest.Open(t, dsn), newClock()
	storetest.Players(t, s, string(anna), string(bohdan))
	n := newNode(t, s, live.NewInProcess(), live.Config{Now: clock.now})
	ids := []match.ID{n.open(t, quick(), anna, bohdan), n.open(t, quick(), anna, bohdan)}
	if err := n.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.advance(time.Minute)

	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	trouble := fmt.Sprintf("CREATE TRIGGER trouble BEFORE UPDATE ON matches WHEN NEW.id = '%s' BEGIN SELECT RAISE(ABORT, 'no'); END", ids[0])
	if _, err := db.Exec(trouble); err != nil {
		t.Fatal(err)
	}
	if err := n.Heartbeat(t.Context()); err == nil {
		t.Error("half an outage was given back without an error")
	}
	if _, err := db.Exec("DROP TRIGGER trouble"); err != nil {
		t.Fatal(err)
	}
	if err := n.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if credits := n.credits(t, id); len(credits) != 1 || credits[0].Given != time.Minute {
			t.Errorf("%s: %+v", id, credits)
		}
	}
}

// slowBus is one on which everything that is told takes time, once it is slow.
type slowBus struct {
	*live.InProcess
	clock *clock
	slow  atomic.Bool
}

func (b *slowBus) Join(f func(string, int64)) (live.End, error) {
	end, err := b.InProcess.Join(f)
	return slowEnd{end, b}, err
}

type slowEnd struct {
	live.End
	*slowBus
}

func (b slowEnd) Publish(topic string, seq int64) error {
	if b.slow.Load() && strings.HasPrefix(topic, "match.") {
		b.clock.advance(200 * time.Millisecond)
	}
	return b.End.Publish(topic, seq)
}

// TestWhatGivingBackTakesIsNoOutageAgain: ten matches take two seconds, longer than the
// silence that counts as an outage. Whoever asked meanwhile is served after that, and
// what counts of their command is when it came.
func TestWhatGivingBackTakesIsNoOutageAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, string(anna), string(bohdan))
		clock := newClock()
		bus := &slowBus{InProcess: live.NewInProcess(), clock: clock}
		n := newNode(t, s, bus, live.Config{Now: clock.now})
		ids := make([]match.ID, 10)
		for i := range ids {
			ids[i] = n.open(t, quick(), anna, bohdan)
		}
		if err := n.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Minute)
		bus.slow.Store(true)
		if err := n.Heartbeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		bus.slow.Store(false)
		n.do(t, ids[9], anna, chipOnWhite(match.First))
		if err := n.Heartbeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if credits := n.credits(t, id); len(credits) != 1 || credits[0].Given != time.Minute {
				t.Errorf("match %d: %+v", i, credits)
			}
		}
	})
}

// TestWhoWaitsForADatabaseThatIsAwayWaitsOnce: commands that came while a beat failed are
// told so, instead of waiting for one of their own after all the others.
func TestWhoWaitsForADatabaseThatIsAwayWaitsOnce(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	s, clock := storetest.Open(t, dsn), newClock()
	storetest.Players(t, s, string(anna), string(bohdan))
	n := newNode(t, s, live.NewInProcess(), live.Config{Now: clock.now})
	id := n.open(t, quick(), anna, bohdan)
	if err := n.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.advance(time.Minute)
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	exec := func(statement string) {
		if _, err := other.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	exec("BEGIN IMMEDIATE")
	tried := s.Writes()
	const commands = 8
	answers := make(chan error, commands)
	for range commands {
		go func() {
			_, err := n.Do(t.Context(), id, anna, live.Request{Command: chipOnWhite(match.First)})
			answers <- err
		}()
	}
	untilQueued(t, "Awake", commands-1) // one waits for the database and the others for it
	exec("CREATE TRIGGER away BEFORE INSERT ON heartbeats BEGIN SELECT RAISE(ABORT, 'no'); END")
	exec("COMMIT")
	for range commands {
		if err := <-answers; err == nil {
			t.Error("a command was taken while the database was away")
		}
	}
	if n := s.Writes() - tried; n != 1 {
		t.Errorf("%d beats were tried", n)
	}
	exec("DROP TRIGGER away")
	n.do(t, id, anna, chipOnWhite(match.First))
}

// untilQueued waits until n of a test's own goroutines wait in a method of the runner for a
// beat under way.
func untilQueued(t *testing.T, method string, n int) {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for stacks := make([]byte, 1<<20); ; <-poll.C {
		queued := 0
		for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if strings.Contains(stack, t.Name()) && strings.Contains(stack, "Runner)."+method+"(") && strings.Contains(stack, "[select") &&
				!strings.Contains(stack, "Runner).beat(") {
				queued++
			}
		}
		if queued == n {
			return
		}
	}
}

// TestANodeIsAliveWhileABeatIsSlow: the health check waits for the beat under way, as long
// as it has patience. A proxy would send visitors away from a node that is only busy.
func TestANodeIsAliveWhileABeatIsSlow(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	s, clock := storetest.Open(t, dsn), newClock()
	n := newNode(t, s, live.NewInProcess(), live.Config{Now: clock.now})
	if err := n.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.advance(time.Minute)
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	slow, err := db.BeginTx(t.Context(), nil)
	if err == nil {
		_, err = slow.ExecContext(t.Context(), "DELETE FROM outages")
	}
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan error, 2)
	for range cap(answers) {
		go func() { answers <- n.Alive(t.Context()) }()
	}
	untilQueued(t, "Alive", 1)
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := n.Alive(gone); err == nil {
		t.Error("alive, without having waited for the beat")
	}
	if err := slow.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range cap(answers) {
		if err := <-answers; err != nil {
			t.Errorf("a busy node is not alive: %v", err)
		}
	}
}

// TestWhatFollowsFromAnOutageComesAfterTheBeat: who is told then asks whether the node is
// awake, which during the beat would wait for the beat, and every command with it.
func TestWhatFollowsFromAnOutageComesAfterTheBeat(t *testing.T) {
	t.Parallel()
	each(t, live.Config{OutageAfter: 200 * time.Second}, func(t *testing.T, n node, clock *clock) {
		var over []match.ID
		n.OnFinish(func(ctx context.Context, id match.ID) {
			over = append(over, id)
			gone, leave := context.WithCancel(ctx)
			leave()
			if err := n.Alive(gone); err != nil { // Awake would not come back
				t.Errorf("asked after the end of %s: %v", id, err)
			}
		})
		id := n.open(t, quick(), anna, bohdan)
		clock.advance(bidding.ClockStart + time.Second) // anna's time is over, and nobody looks
		n.beat(t)
		if len(over) != 0 {
			t.Fatal("the first beat knows of no silence before it")
		}
		clock.advance(201 * time.Second)
		n.beat(t)
		if !slices.Equal(over, []match.ID{id}) {
			t.Errorf("told of the end of %v", over)
		}
	})
}
