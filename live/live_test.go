package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

const (
	anna   player.ID = "anna"
	bohdan player.ID = "bohdan"
	chris  player.ID = "chris"
	botA   player.ID = "bot-a"
	botB   player.ID = "bot-b"
)

// clock is a time that moves when told to.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ms.Store(time.Date(2026, 3, 1, 18, 0, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// node is a runner with its own connection to a database.
type node struct {
	*live.Runner
	store *store.Store
}

func newNode(t *testing.T, s *store.Store, bus live.Bus, c live.Config) node {
	t.Helper()
	r, err := live.New(s, bus, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return node{r, s}
}

// each runs a test with one node on either database, with the players in it.
func each(t *testing.T, c live.Config, test func(*testing.T, node, *clock)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, string(anna), string(bohdan), string(chris), string(botA), string(botB))
		clock := newClock()
		c.Now = clock.now
		test(t, newNode(t, s, live.NewInProcess(), c), clock)
	})
}

// twoNodes are nodes with connections of their own to one PostgreSQL database.
func twoNodes(t *testing.T, bus live.Bus, c live.Config) (a, b node, time *clock) {
	t.Helper()
	dsn, time := storetest.PostgresDSN(t), newClock()
	c.Now = time.now
	a, b = newNode(t, storetest.Open(t, dsn), bus, c), newNode(t, storetest.Open(t, dsn), bus, c)
	storetest.Players(t, a.store, string(anna), string(bohdan), string(chris), string(botA), string(botB))
	return a, b, time
}

func (n node) open(t *testing.T, o match.Options, players ...player.ID) match.ID {
	t.Helper()
	var id match.ID
	err := n.store.Write(t.Context(), func(tx *store.Tx) (err error) {
		id, err = n.OpenTx(tx, live.Opening{Players: [2]player.ID(players), Options: o})
		return err
	})
	if err == nil {
		err = n.Opened(t.Context(), id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (n node) state(t *testing.T, id match.ID) match.State {
	t.Helper()
	s, _, err := n.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (n node) do(t *testing.T, id match.ID, by player.ID, c match.Command) int64 {
	t.Helper()
	seq, err := n.Do(t.Context(), id, by, live.Request{Command: c})
	if err != nil {
		t.Fatalf("%T by %s: %v", c, by, err)
	}
	return seq
}

// chipOnWhite is a bid that is legal at any beginning.
func chipOnWhite(seat match.Seat) match.Command {
	return match.PlaceBid{Seat: seat, Bid: bidding.Bid{Target: bidding.White, Chips: 1}}
}

// command is something legal for the player to act: they call the first gap that
// they can pay for or put a chip on white; on the board they take a king or move at random.
func command(s match.State, pick *rand.Rand) (match.Command, error) {
	game := s.Game()
	seat, ok := s.ToAct()
	if !ok {
		return nil, errors.New("nobody is to act")
	}
	if !game.OnBoard() {
		for _, target := range []bidding.Target{bidding.White, bidding.Time, bidding.HomeRow, bidding.Features} {
			if bid, err := game.Bids().CallOf(target); err == nil {
				return match.PlaceBid{Seat: seat, Bid: bid}, nil
			}
		}
		return chipOnWhite(seat), nil
	}
	position := game.Position()
	moves := position.Moves(nil)
	if len(moves) == 0 {
		return match.Resign{Seat: seat}, nil
	}
	for _, a := range moves {
		if after, _ := game.Position().PlayUnchecked(a); after.IsOver() {
			return match.Play{Seat: seat, Action: a}, nil
		}
	}
	return match.Play{Seat: seat, Action: moves[pick.IntN(len(moves))]}, nil
}

// quick is a match with few chips and few moves.
func quick() match.Options {
	o := match.DefaultOptions()
	o.Envelope.Chips = 4
	o.Envelope.Defaults.MoveLimit = 12
	return o
}

// lossy is a bus that loses every second nudge.
type lossy struct {
	live.Bus
	n atomic.Int64
}

func (l *lossy) Join(f func(string, int64)) (live.End, error) {
	end, err := l.Bus.Join(f)
	return lossyEnd{end, l}, err
}

type lossyEnd struct {
	live.End
	*lossy
}

func (l lossyEnd) Publish(topic string, seq int64) error {
	if l.n.Add(1)%2 == 0 {
		return nil
	}
	return l.End.Publish(topic, seq)
}

// watcher is a page that shows a match: it has every event once, in order.
type watcher struct {
	node node
	id   match.ID
	sub  *live.Subscription
	seen []match.Recorded
}

func (w *watcher) look(ctx context.Context) error {
	for _, nudge := range w.sub.Take() {
		events, _, err := w.node.Feed(ctx, w.id, nil, int64(len(w.seen)), nudge.Seq)
		if err != nil {
			return err
		}
		for _, e := range events {
			if e.Seq != int64(len(w.seen))+1 {
				return fmt.Errorf("event %d after %d", e.Seq, len(w.seen))
			}
			w.seen = append(w.seen, e)
		}
	}
	return nil
}

// TestTwoNodes: commands arrive at either node in turn, the bus loses every
// second nudge, and watchers at both see the whole match in the end.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	bus := &lossy{Bus: live.NewInProcess()}
	a, b, time := twoNodes(t, bus, live.Config{})
	nodes := []node{a, b}
	var finished atomic.Int64
	for _, n := range nodes {
		n.OnFinish(func(context.Context, match.ID) { finished.Add(1) })
	}
	const matches = 4
	var wait sync.WaitGroup
	for m := range matches {
		id := a.open(t, quick(), anna, bohdan)
		var watchers []*watcher
		for _, n := range nodes {
			watchers = append(watchers, &watcher{node: n, id: id, sub: n.Subscribe(t.Context(), live.MatchTopic(id))})
		}
		wait.Go(func() {
			pick := rand.New(rand.NewPCG(1, uint64(m)))
			for turn := 0; ; turn++ {
				n := nodes[pick.IntN(2)]
				s := n.state(t, id)
				if s.Status() == match.Over {
					break
				}
				c, err := command(s, pick)
				if err != nil {
					t.Error(err)
					return
				}
				seat, _ := s.ToAct()
				seq := s.Seq()
				by := []player.ID{anna, bohdan}[seat.Index()]
				// The same command reaches both nodes at once: it is done once.
				q := live.Request{CommandID: fmt.Sprint(turn), Seq: &seq, Command: c}
				answers := make(chan error, 2)
				for _, n := range nodes {
					go func() {
						_, err := n.Do(context.WithoutCancel(t.Context()), id, by, q)
						answers <- err
					}()
				}
				for range nodes {
					if err := <-answers; err != nil {
						t.Errorf("turn %d: %v", turn, err)
					}
				}
				for _, w := range watchers {
					if err := w.look(t.Context()); err != nil {
						t.Error(err)
					}
				}
				time.advance(100)
			}
			for _, n := range nodes {
				if err := n.Reread(t.Context()); err != nil {
					t.Error(err)
				}
			}
			log, err := a.store.Tail(t.Context(), id, 0)
			if err != nil {
				t.Error(err)
			}
			if _, err := match.Fold(log); err != nil {
				t.Error(err)
			}
			for _, w := range watchers {
				if err := w.look(t.Context()); err != nil {
					t.Error(err)
				}
				if len(w.seen) != len(log) {
					t.Errorf("a watcher saw %d of %d events", len(w.seen), len(log))
				}
			}
		})
	}
	wait.Wait()
	if finished.Load() != matches {
		t.Errorf("OnFinish was called %d times for %d matches", finished.Load(), matches)
	}
}

func TestACommandOnAnOldSightIsStaleUnlessItWasDone(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, _ *clock) {
		id := n.open(t, quick(), anna, bohdan)
		seq := n.state(t, id).Seq()
		send := func(by player.ID, q live.Request) (int64, error) { return n.Do(t.Context(), id, by, q) }
		bid := live.Request{CommandID: "1", Seq: &seq, Command: chipOnWhite(match.First)}
		first, err := send(anna, bid)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := send(anna, bid); err != nil || again != first {
			t.Errorf("sent again: %d, %v, want %d", again, err, first)
		}
		bid.CommandID = "2"
		if _, err := send(anna, bid); !errors.Is(err, match.ErrStale) {
			t.Errorf("another command on the old sight: %v, want stale", err)
		}
		// Bohdan's command 1 is not anna's.
		if seq, err := send(bohdan, live.Request{CommandID: "1", Command: match.Resign{Seat: match.Second}}); err != nil || seq <= first {
			t.Errorf("bohdan's command of the same name: %d, %v", seq, err)
		}
		if _, err := send(anna, live.Request{Command: chipOnWhite(match.First)}); !errors.Is(err, match.ErrOver) {
			t.Errorf("after the end: %v, want over", err)
		}
	})
}

// TestACommandThatNamesItsPlaceIsOneAppend, and reads nothing. Where the log has moved
// on without this node, it finds that out by itself.
func TestACommandThatNamesItsPlaceIsOneAppend(t *testing.T) {
	t.Parallel()
	a, b, _ := twoNodes(t, live.NewInProcess(), live.Config{})
	id := a.open(t, quick(), anna, bohdan)
	pick := rand.New(rand.NewPCG(3, 3))
	send := func(n node, seq int64, id match.ID, name string, c match.Command) (int64, error) {
		by := anna
		if seatOf(c) == match.Second {
			by = bohdan
		}
		return n.Do(t.Context(), id, by, live.Request{Seq: &seq, CommandID: name, Command: c})
	}
	state := b.state(t, id) // the other node knows it as it stands now
	for i := range 12 {
		c, err := command(a.state(t, id), pick)
		if err != nil {
			t.Fatal(err)
		}
		seq, reads, appends := a.state(t, id).Seq(), a.store.Reads(), a.store.Appends()
		if _, err := send(a, seq, id, fmt.Sprint(i), c); err != nil {
			t.Fatal(err)
		}
		if r, w := a.store.Reads()-reads, a.store.Appends()-appends; r != 0 || w != 1 {
			t.Fatalf("command %d: %d reads, %d appends", i+1, r, w)
		}
		if i == 0 { // once more, on the node that has not heard of it
			if again, err := send(b, seq, id, "0", c); err != nil || again <= seq {
				t.Errorf("sent again: %d, %v", again, err)
			}
		}
	}
	old, err := command(state, pick)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := send(b, state.Seq(), id, "late", old); !errors.Is(err, match.ErrStale) {
		t.Errorf("on what it saw long ago: %v", err)
	}
	c, err := command(a.state(t, id), pick)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := send(b, a.state(t, id).Seq(), id, "next", c); err != nil {
		t.Errorf("the other node goes on: %v", err)
	}
	// The first node has not heard of that: what it refuses, it refuses of the match as it is.
	if _, err := send(a, a.state(t, id).Seq()-1, id, "last", c); !errors.Is(err, match.ErrStale) {
		t.Errorf("on what has changed elsewhere: %v", err)
	}
}

// seatOf is whose command it is.
func seatOf(c match.Command) match.Seat {
	switch c := c.(type) {
	case match.PlaceBid:
		return c.Seat
	case match.Play:
		return c.Seat
	case match.Resign:
		return c.Seat
	}
	return 0
}

func TestOnlyThePlayerActs(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, _ *clock) {
		id := n.open(t, quick(), anna, bohdan)
		for _, c := range []struct {
			name    string
			id      match.ID
			by      player.ID
			command match.Command
			want    error
		}{
			{"a spectator resigns for anna", id, chris, match.Resign{Seat: match.First}, live.ErrNotPlaying},
			{"bohdan resigns for anna", id, bohdan, match.Resign{Seat: match.First}, live.ErrNotPlaying},
			{"nobody resigns", id, "", match.Resign{}, nil},
			{"anna credits herself an outage", id, anna, match.CreditOutage{}, live.ErrNotPlaying},
			{"a match that is not there", "nowhere", anna, match.Resign{Seat: match.First}, store.ErrNotFound},
		} {
			_, err := n.Do(t.Context(), c.id, c.by, live.Request{Command: c.command})
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
		}
		if seq := n.state(t, id).Seq(); seq != 2 {
			t.Errorf("the match stands at %d", seq)
		}
	})
}

func TestTheSeedIsHiddenUntilTheEnd(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, _ *clock) {
		id := n.open(t, quick(), anna, bohdan)
		opened := func() match.Opened {
			events, err := n.Events(t.Context(), id, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			return events[0].Event.(match.Opened)
		}
		if before := opened(); before.Seed != (match.Seed{}) || len(before.Commitment) != 64 {
			t.Errorf("a running match shows %+v", before)
		}
		n.do(t, id, anna, match.Resign{Seat: match.First})
		if after := opened(); after.Seed.Commitment() != after.Commitment {
			t.Error("the seed shown at the end is not the one committed to")
		}
	})
}

func TestTheHeadFollowsTheLog(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		o := quick()
		o.Lateness = time.Minute
		id := n.open(t, o, anna, bohdan)
		opened := clock.now()
		check := func(when string, want store.Head) {
			t.Helper()
			var got store.Head
			err := n.store.Read(t.Context(), func(tx *store.Tx) (err error) {
				got, err = tx.Match(id)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			want.ID, want.Players, want.OpenedAt, want.Level = id, [2]player.ID{anna, bohdan}, opened, fairplay.Open
			if got != want {
				t.Errorf("%s:\n%+v, want\n%+v", when, got, want)
			}
			if _, shown, err := n.State(t.Context(), id); err != nil || shown != want {
				t.Errorf("%s, as State has it:\n%+v, %v", when, shown, err)
			}
		}
		check("both are awaited", store.Head{Seq: 1, Status: match.Waiting, Deadline: opened.Add(time.Minute), LastAt: opened})
		clock.advance(time.Second)
		n.do(t, id, bohdan, match.Ready{Seat: match.Second})
		check("anna is awaited", store.Head{Seq: 2, Status: match.Waiting, ToAct: match.First, Deadline: opened.Add(time.Minute), LastAt: clock.now()})
		clock.advance(time.Second)
		n.do(t, id, anna, match.Ready{Seat: match.First})
		check("anna bids", store.Head{Seq: 4, Status: match.Bidding, ToAct: match.First, Deadline: clock.now().Add(bidding.ClockStart), LastAt: clock.now()})
		n.do(t, id, bohdan, match.Resign{Seat: match.Second})
		check("the end", store.Head{Seq: 6, Status: match.Over, LastAt: clock.now(),
			Result: match.Result{Outcome: match.FirstWins, Reason: match.Resignation}})
	})
}

func TestOverdueMatchesEndByThemselves(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		gated := quick()
		gated.Lateness = time.Minute
		var finished []match.ID
		n.OnFinish(func(_ context.Context, id match.ID) { finished = append(finished, id) })
		nobody, half, bidding := n.open(t, gated, anna, bohdan), n.open(t, gated, anna, bohdan), n.open(t, quick(), anna, bohdan)
		n.do(t, half, bohdan, match.Ready{Seat: match.Second})
		results := func() [3]match.Result {
			if err := n.SweepDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			return [3]match.Result{n.state(t, nobody).Result(), n.state(t, half).Result(), n.state(t, bidding).Result()}
		}
		clock.advance(time.Minute - time.Millisecond)
		if got := results(); got != [3]match.Result{} {
			t.Errorf("a millisecond before: %v", got)
		}
		clock.advance(time.Millisecond)
		late := [3]match.Result{{Outcome: match.BothLose, Reason: match.Forfeit}, {Outcome: match.SecondWins, Reason: match.Forfeit}}
		if got := results(); got != late {
			t.Errorf("after a minute: %v, want %v", got, late)
		}
		clock.advance(40 * time.Second)
		late[2] = match.Result{Outcome: match.SecondWins, Reason: match.FlagBidding}
		if got := results(); got != late {
			t.Errorf("after the bidding clock: %v, want %v", got, late)
		}
		results()
		if len(finished) != 3 {
			t.Errorf("OnFinish was called for %v", finished)
		}
	})
}

func TestTheSweepWaitsForCommandsThatCameInTime(t *testing.T) {
	t.Parallel()
	each(t, live.Config{FlagGrace: 150 * time.Millisecond}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		sweep := func() match.Status {
			if err := n.SweepDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			return n.state(t, id).Status()
		}
		clock.advance(100*time.Second + 149*time.Millisecond)
		if got := sweep(); got != match.Bidding {
			t.Errorf("within the grace the match is %v", got)
		}
		clock.advance(time.Millisecond)
		if got := sweep(); got != match.Over {
			t.Errorf("after the grace the match is %v", got)
		}
	})
}

func TestACommandAfterTheFlagFellIsNotDone(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		clock.advance(bidding.ClockStart)
		q := live.Request{CommandID: "late", Command: chipOnWhite(match.First)}
		for range 2 {
			if _, err := n.Do(t.Context(), id, anna, q); !errors.Is(err, match.ErrOver) {
				t.Errorf("%v, want over", err)
			}
		}
		if r := n.state(t, id).Result(); r.Reason != match.FlagBidding {
			t.Errorf("result %v", r)
		}
	})
}

// TestAnOldCommandSentAgainIsDoneEvenAfterTheEnd: anna's answer was lost, and
// when she asks again bohdan's time is up, so that her question ends the match.
func TestAnOldCommandSentAgainIsDoneEvenAfterTheEnd(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, clock *clock) {
		id := n.open(t, quick(), anna, bohdan)
		q := live.Request{CommandID: "first bid", Command: chipOnWhite(match.First)}
		if _, err := n.Do(t.Context(), id, anna, q); err != nil {
			t.Fatal(err)
		}
		clock.advance(bidding.ClockMax)
		for range 2 {
			if seq, err := n.Do(t.Context(), id, anna, q); err != nil || seq != n.state(t, id).Seq() {
				t.Errorf("%d, %v; want done", seq, err)
			}
		}
		if r := n.state(t, id).Result(); r.Outcome != match.FirstWins {
			t.Errorf("result %v", r)
		}
	})
}

// TestACommandIsTimedByItsArrival: what it waits for inside the server is not
// its player's time (Rules D19).
func TestACommandIsTimedByItsArrival(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	storetest.Players(t, s, string(anna), string(bohdan))
	clock, calling := newClock(), false
	n := newNode(t, s, live.NewInProcess(), live.Config{Now: func() time.Time {
		now := clock.now()
		if calling {
			clock.advance(3 * time.Second) // the server is slow
		}
		return now
	}})
	id := n.open(t, quick(), anna, bohdan)
	clock.advance(bidding.ClockStart - time.Second)
	calling = true
	seq := n.do(t, id, anna, chipOnWhite(match.First))
	calling = false
	if first, _, _ := n.state(t, id).Clocks(clock.now()); seq == 0 || first != time.Second+bidding.ClockBid {
		t.Errorf("anna has %v left", first)
	}
}

func TestBotsPlayAMatchToItsEnd(t *testing.T) {
	t.Parallel()
	var asked sync.Map
	think := func(_ context.Context, _ player.ID, s match.State, seat match.Seat) (match.Command, error) {
		if _, twice := asked.LoadOrStore(fmt.Sprint(s.Commitment(), s.Seq()), seat); twice {
			return nil, errors.New("asked twice about one state")
		}
		return command(s, rand.New(rand.NewPCG(3, uint64(s.Seq()))))
	}
	each(t, live.Config{Think: think}, func(t *testing.T, n node, clock *clock) {
		o := quick()
		o.Lateness = time.Minute
		ids := []match.ID{n.open(t, o, botA, botB), n.open(t, o, botB, botA)}
		select {
		case <-n.BotWake():
		default:
			t.Error("the bots were not woken")
		}
		if err := n.RunBots(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if s := n.state(t, id); s.Status() != match.Over || s.Result().Reason == match.Forfeit {
				t.Errorf("%s at %d: %v", s.Status(), s.Seq(), s.Result())
			}
		}
	})
}

func TestABotThatFailsIsAskedAgain(t *testing.T) {
	t.Parallel()
	calls := 0
	think := func(_ context.Context, _ player.ID, s match.State, seat match.Seat) (match.Command, error) {
		if calls++; calls == 1 {
			return nil, errors.New("out of ideas")
		}
		return match.Resign{Seat: seat}, nil
	}
	each(t, live.Config{Think: think, BotLease: 10 * time.Second, BotPause: time.Second}, func(t *testing.T, n node, clock *clock) {
		calls = 0
		id := n.open(t, quick(), botA, anna)
		for i, step := range []struct {
			wait  time.Duration
			calls int
		}{{0, 0}, {time.Second, 1}, {9 * time.Second, 1}, {time.Second, 2}} {
			clock.advance(step.wait)
			if err := n.RunBots(t.Context()); err != nil {
				t.Fatal(err)
			}
			if calls != step.calls {
				t.Errorf("step %d: asked %d times, want %d", i, calls, step.calls)
			}
		}
		if r := n.state(t, id).Result(); r.Outcome != match.SecondWins {
			t.Errorf("result %v", r)
		}
	})
}

// TestAClientThatHangsUpIsStillHeard: its command was decided, so it is
// committed and told, and the end of the match is not forgotten.
func TestAClientThatHangsUpIsStillHeard(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	storetest.Players(t, s, string(anna), string(bohdan))
	ctx, hangUp := context.WithCancel(t.Context())
	clock, calling, asked := newClock(), false, 0
	n := newNode(t, s, live.NewInProcess(), live.Config{Now: func() time.Time {
		if calling {
			asked++
		}
		if asked == 2 {
			hangUp() // the first was its arrival: now it is decided, and not yet in the log
		}
		return clock.now()
	}, Elapsed: func() time.Duration { return 0 }})
	var finished []match.ID
	n.OnFinish(func(ctx context.Context, id match.ID) {
		if ctx.Err() == nil {
			finished = append(finished, id)
		}
	})
	id := n.open(t, quick(), anna, bohdan)
	sub := n.Subscribe(t.Context(), live.MatchTopic(id))
	calling = true
	if _, err := n.Do(ctx, id, anna, live.Request{Command: match.Resign{Seat: match.First}}); err != nil {
		t.Error(err)
	}
	if ctx.Err() == nil {
		t.Fatal("nobody hung up")
	}
	if !awake(sub) || len(finished) != 1 {
		t.Errorf("watchers woken or not, finished %v", finished)
	}
}
