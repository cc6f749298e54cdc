package live_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"chpok.org/chpok/live"
)

func newHub(t *testing.T, bus live.Bus) *live.Hub {
	t.Helper()
	r, err := live.New(nil, bus, live.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r.Hub
}

func awake(s *live.Subscription) bool {
	select {
	case <-s.Ready():
		return true
	default:
		return false
	}
}

func TestASlowWatcherFindsTheNewestOfEachTopic(t *testing.T) {
	t.Parallel()
	h := newHub(t, live.NewInProcess())
	s := h.Subscribe(t.Context(), "match.a", "match.b", "match.a")
	for seq := range int64(1000) {
		h.Nudge("match.a", seq+1)
	}
	h.Nudge("match.b", 3)
	h.Nudge("match.b", 2) // late
	h.Nudge("match.c", 9) // not watched
	if !awake(s) {
		t.Error("the watcher was not woken")
	}
	if got, want := s.Take(), []live.Nudge{{Topic: "match.a", Seq: 1000}, {Topic: "match.b", Seq: 3}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if awake(s) || len(s.Take()) != 0 {
		t.Error("there is more than all")
	}
}

// TestASubscriptionTakesMoreTopics: it is woken for what it may have missed there, and
// once for each topic.
func TestASubscriptionTakesMoreTopics(t *testing.T) {
	t.Parallel()
	h := newHub(t, live.NewInProcess())
	s := h.Subscribe(t.Context(), "match.a")
	s.Also("match.a")
	if awake(s) {
		t.Error("woken for nothing")
	}
	s.Also("match.a", "match.b")
	if !awake(s) || len(s.Take()) != 0 {
		t.Error("not woken, or with news of nothing")
	}
	h.Nudge("match.b", 1)
	if got, want := s.Take(), []live.Nudge{{Topic: "match.b", Seq: 1}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	s.Close()
	s.Also("match.c")
	if topics, subscriptions := h.Watched(); topics != 0 || subscriptions != 0 {
		t.Errorf("%d topics and %d subscriptions are left", topics, subscriptions)
	}
}

func TestWhoListensToAnyMatchHearsOfEach(t *testing.T) {
	t.Parallel()
	h := newHub(t, live.NewInProcess())
	s := h.Subscribe(t.Context(), live.AnyMatch)
	h.Nudge("tournament.a", 1)
	if awake(s) {
		t.Error("woken by a tournament")
	}
	for _, topic := range []string{"match.a", "match.b"} {
		h.Nudge(topic, 1)
		if !awake(s) {
			t.Errorf("%s is not heard", topic)
		}
		if got := s.Take(); !slices.Equal(got, []live.Nudge{{Topic: live.AnyMatch}}) {
			t.Errorf("%s: %v", topic, got)
		}
	}
	s.Close()
	if topics, subs := h.Watched(); topics != 0 || subs != 0 {
		t.Errorf("%d topics, %d subscriptions are left", topics, subs)
	}
}

func TestAClosedSubscriptionIsForgotten(t *testing.T) {
	t.Parallel()
	h := newHub(t, live.NewInProcess())
	ctx, cancel := context.WithCancel(t.Context())
	s, other := h.Subscribe(ctx, "match.a"), h.Subscribe(t.Context(), "match.a", "match.b")
	if topics, subs := h.Watched(); topics != 2 || subs != 3 {
		t.Errorf("%d topics, %d subscriptions, want 2 and 3", topics, subs)
	}
	other.Close()
	other.Close()
	s.Close()
	cancel()
	if topics, subs := h.Watched(); topics != 0 || subs != 0 {
		t.Errorf("%d topics, %d subscriptions are left", topics, subs)
	}
	h.Nudge("match.a", 1)
}

func TestWhatTheBusLosesIsReadAgain(t *testing.T) {
	t.Parallel()
	bus := &lossy{Bus: live.NewInProcess()}
	here, there := newHub(t, bus), newHub(t, bus)
	s := there.Subscribe(t.Context(), "thing.x", "thing.y")
	there.RereadWith("thing", func(_ context.Context, ids []string) (map[string]int64, error) {
		slices.Sort(ids)
		if !slices.Equal(ids, []string{"x", "y"}) {
			t.Errorf("asked about %v", ids)
		}
		return map[string]int64{"x": 5, "y": 1}, nil
	})
	here.Nudge("thing.y", 1) // arrives
	here.Nudge("thing.x", 5) // is lost
	if got, want := s.Take(), []live.Nudge{{Topic: "thing.y", Seq: 1}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := there.Reread(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Take(), []live.Nudge{{Topic: "thing.x", Seq: 5}}; !slices.Equal(got, want) {
		t.Errorf("after reading again: %v, want %v", got, want)
	}
}

func TestManyWatchersComeAndGo(t *testing.T) {
	t.Parallel()
	h := newHub(t, live.NewInProcess())
	var wait sync.WaitGroup
	for w := range 8 {
		wait.Go(func() {
			for i := range 200 {
				s := h.Subscribe(t.Context(), "match.a", fmt.Sprint("match.", w))
				h.Nudge("match.a", int64(1000*w+i))
				s.Take()
				s.Close()
			}
		})
	}
	wait.Wait()
	if topics, _ := h.Watched(); topics != 0 {
		t.Errorf("%d topics are left", topics)
	}
}

// cable leads to a server until it is cut.
type cable struct {
	net.Listener
	mu    sync.Mutex
	to    string // empty: nowhere
	conns []net.Conn
}

func newCable(t *testing.T) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{Listener: l}
	t.Cleanup(func() {
		l.Close()
		c.lead("")
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.join(conn)
		}
	}()
	return c
}

// lead has the cable end at an address; who speaks through it is cut off.
func (c *cable) lead(to string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = to
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

func (c *cable) join(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	server, err := net.Dial("tcp", c.to)
	if err != nil {
		conn.Close()
		return
	}
	c.conns = append(c.conns, conn, server)
	for _, pair := range [][2]net.Conn{{conn, server}, {server, conn}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1])
			pair[0].Close()
		}()
	}
}

// TestNATSCarriesNudgesBetweenNodes uses a real server in this process. When it is lost each
// node goes on by itself; when another has taken its place they hear each other again.
func TestNATSCarriesNudgesBetweenNodes(t *testing.T) {
	t.Parallel()
	const patience = 20 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	defer cancel()
	start := func() *server.Server {
		t.Helper()
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(s.Shutdown)
		if !s.ReadyForConnections(patience) {
			t.Fatal("the NATS server did not start")
		}
		return s
	}
	line := newCable(t)
	first := start()
	line.lead(first.Addr().String())
	hubs, buses := make([]*live.Hub, 2), make([]*live.NATS, 2)
	for i := range hubs {
		bus, err := live.ConnectNATS("nats://"+line.Addr().String(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(bus.Close)
		hubs[i], buses[i] = newHub(t, bus), bus
	}
	joined := func() { // the server knows of the subscriptions
		t.Helper()
		for _, bus := range buses {
			for bus.Flush(patience) != nil {
				if ctx.Err() != nil {
					t.Fatal("the bus is not joined")
				}
			}
		}
	}
	here, there := hubs[0].Subscribe(ctx, "match.a"), hubs[1].Subscribe(ctx, "match.a")
	hears := func(name string, sub *live.Subscription, seq int64) {
		t.Helper()
		select {
		case <-sub.Ready():
		case <-ctx.Done():
			t.Fatalf("nothing came %s", name)
		}
		if got, want := sub.Take(), []live.Nudge{{Topic: "match.a", Seq: seq}}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	joined()
	lags := make(chan time.Duration, 1)
	buses[0].OnLag(func(time.Duration) { t.Error("a node's own nudge is counted") })
	buses[1].OnLag(func(took time.Duration) { lags <- took })
	published := time.Now()
	hubs[0].Nudge("match.a", 4)
	hears("here", here, 4)
	hears("there", there, 4)
	if took := <-lags; took < 0 || took > time.Since(published) {
		t.Errorf("it was %v on its way, within %v", took, time.Since(published))
	}
	buses[1].OnLag(func(time.Duration) {})

	first.Shutdown()
	line.lead("")
	hubs[0].Nudge("match.a", 5)
	hears("here", here, 5)

	line.lead(start().Addr().String())
	joined()
	hubs[0].Nudge("match.a", 6)
	hears("here", here, 6)
	hears("there", there, 6) // 5 is lost; what is watched is read again anyway
}

// TestWhatIsToldIsNewsWhateverItsNumber: two matches of a player end at one time, and a third is told late. Each wakes
// the player's watchers on every node, once; what is read again wakes them if it has grown.
func TestWhatIsToldIsNewsWhateverItsNumber(t *testing.T) {
	t.Parallel()
	bus := live.NewInProcess()
	here, there := newHub(t, bus), newHub(t, bus)
	at := map[string]*live.Subscription{"here": here.Subscribe(t.Context(), "player.a"), "there": there.Subscribe(t.Context(), "player.a")}
	stored := int64(7)
	for _, h := range []*live.Hub{here, there} {
		h.RereadWith("player", func(context.Context, []string) (map[string]int64, error) { return map[string]int64{"a": stored}, nil })
	}
	wakes := func(what string, want bool) {
		t.Helper()
		for name, sub := range at {
			woken := len(sub.Ready()) > 0
			if woken {
				<-sub.Ready()
			}
			if took := len(sub.Take()) > 0; woken != want || took != want {
				t.Errorf("%s, %s: woken %v with news %v, want %v", what, name, woken, took, want)
			}
		}
	}
	reread := func() {
		t.Helper()
		for _, h := range []*live.Hub{here, there} {
			if err := h.Reread(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, seq := range []int64{7, 7, 5} {
		here.Nudge("player.a", seq)
		wakes(fmt.Sprintf("told %d", seq), true)
	}
	reread()
	wakes("read again, known", false)
	stored = 8
	reread()
	wakes("read again, grown", true)
}
