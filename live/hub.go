package live

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// MatchTopic, PlayerTopic and TournamentTopic are the topics of one of each. Package
// arbiter nudges those of tournaments.
func MatchTopic(id match.ID) string    { return "match." + string(id) }
func PlayerTopic(id player.ID) string  { return "player." + string(id) } // their matches and notices; seq is a time
func TournamentTopic(id string) string { return "tournament." + id }

// AccountsTopic has news when an account changes, or when a session, token or link ends.
const AccountsTopic = "accounts"

// GatesTopic has news when something changes that players' commands are judged by: what
// is known of them in a match, where they play from, who watches them.
const GatesTopic = "gates"

// AnyMatch has news whenever some match has.
const AnyMatch = "match" + anyOf

// anyOf ends the topic for all topics that begin with a word.
const anyOf = ".*"

// Nudge says that a topic has reached Seq; the news itself is read elsewhere. Seq 0 says
// only that there is news.
type Nudge struct {
	Topic string
	Seq   int64
}

// Hub wakes the watchers of a topic on this node. A subscription holds only the newest
// nudge of each of its topics: a slow watcher costs no memory and holds up nobody; it
// skips what it slept through.
type Hub struct {
	bus    End
	nudges nudges
	log    *slog.Logger

	mu      sync.Mutex
	topics  map[string]*topic
	told    map[string][]func()
	rereads map[string]Reread // by the word before the dot
}

type topic struct {
	seq  int64
	subs map[*Subscription]struct{}
}

// Reread reports the sequence numbers of the topics with these ids; unknown ids may be
// missing.
type Reread func(ctx context.Context, ids []string) (map[string]int64, error)

// RereadBy makes a Reread of a read by typed ids and the sequence number of what it finds.
func RereadBy[ID ~string, V any](s *store.Store, read func(*store.Tx, []ID) (map[ID]V, error), seq func(V) int64) Reread {
	return func(ctx context.Context, names []string) (map[string]int64, error) {
		ids := make([]ID, len(names))
		for i, name := range names {
			ids[i] = ID(name)
		}
		found, err := store.Get(ctx, s, func(tx *store.Tx) (map[ID]V, error) { return read(tx, ids) })
		seqs := make(map[string]int64, len(found))
		for id, v := range found {
			seqs[string(id)] = seq(v)
		}
		return seqs, err
	}
}

func newHub(bus Bus, log *slog.Logger) (*Hub, error) {
	h := &Hub{log: log, topics: map[string]*topic{}, told: map[string][]func(){}, rereads: map[string]Reread{}}
	var err error
	h.bus, err = bus.Join(func(topic string, seq int64) {
		h.nudges.heard.Add(1)
		h.deliver(topic, seq, true)
	})
	return h, err
}

// RereadWith sets how topics that begin with word and a dot are read again.
func (h *Hub) RereadWith(word string, f Reread) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rereads[word] = f
}

// On calls f at every nudge of a topic, as long as the hub lives; f must not block.
func (h *Hub) On(name string, f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told[name] = append(h.told[name], f)
}

// Subscription listens to topics for one watcher until it is closed or its context ends.
type Subscription struct {
	hub    *Hub
	topics []string
	ready  chan struct{} // one slot
	stop   func() bool

	// under hub.mu
	news   map[string]int64
	told   func() // instead of ready
	closed bool
}

// Subscribe listens to topics until ctx ends or Close is called. Subscribe before you
// read: changes in between then wake the subscription.
func (h *Hub) Subscribe(ctx context.Context, topics ...string) *Subscription {
	s := &Subscription{hub: h, topics: slices.Compact(slices.Sorted(slices.Values(topics))), ready: make(chan struct{}, 1)}
	h.mu.Lock()
	for _, name := range s.topics {
		h.listen(s, name)
	}
	h.mu.Unlock()
	s.stop = context.AfterFunc(ctx, s.leave)
	return s
}

// listen adds a subscription to a topic; false: it was there already.
func (h *Hub) listen(s *Subscription, name string) bool {
	t := h.topics[name]
	if t == nil {
		t = &topic{subs: map[*Subscription]struct{}{}}
		h.topics[name] = t
	}
	_, listens := t.subs[s]
	t.subs[s] = struct{}{}
	return !listens
}

// Also listens to more topics. If any is new it wakes the subscription, for changes
// before the call.
func (s *Subscription) Also(topics ...string) {
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.closed {
		return
	}
	for _, name := range topics {
		if h.listen(s, name) {
			s.topics = append(s.topics, name)
			s.wake()
		}
	}
}

// Tell calls f instead of signaling Ready whenever Take has something; f must not block.
func (s *Subscription) Tell(f func()) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.told = f
	if len(s.ready) > 0 || len(s.news) > 0 {
		f()
	}
}

func (s *Subscription) wake() {
	if s.told != nil {
		s.told()
		return
	}
	select {
	case s.ready <- struct{}{}:
	default: // woken already, and has not looked yet
	}
}

// Ready receives when Take has something. It is never closed.
func (s *Subscription) Ready() <-chan struct{} { return s.ready }

// Take is the news since the last Take, by topic.
func (s *Subscription) Take() []Nudge {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	nudges := make([]Nudge, 0, len(s.news))
	for name, seq := range s.news {
		nudges = append(nudges, Nudge{name, seq})
	}
	s.news = nil
	slices.SortFunc(nudges, func(a, b Nudge) int { return strings.Compare(a.Topic, b.Topic) })
	return nudges
}

// Close stops listening.
func (s *Subscription) Close() {
	s.stop()
	s.leave()
}

func (s *Subscription) leave() {
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	for _, name := range s.topics {
		t := h.topics[name]
		delete(t.subs, s)
		if len(t.subs) == 0 {
			delete(h.topics, name)
		}
	}
}

// Nudge wakes this node's watchers at once, and those of other nodes through the bus.
func (h *Hub) Nudge(topic string, seq int64) {
	h.deliver(topic, seq, true)
	h.nudges.sent.Add(1)
	if err := h.bus.Publish(topic, seq); err != nil {
		h.nudges.failed.Add(1)
		h.log.Warn("nudge not published", "topic", topic, "err", err)
	}
}

// deliver wakes the watchers of a topic. What is told is news whatever its number: two matches of a player may end at
// one time, or be told in another order. What is only read again is news if its number has grown.
func (h *Hub) deliver(name string, seq int64, isTold bool) {
	h.mu.Lock()
	if t := h.topics[name]; isTold || t != nil && seq > t.seq {
		h.wake(name, seq)
		if word, _, ok := strings.Cut(name, "."); ok {
			h.wake(word+anyOf, 0)
		}
	}
	told := h.told[name]
	h.mu.Unlock()
	for _, f := range told {
		f()
	}
}

func (h *Hub) wake(name string, seq int64) {
	t := h.topics[name]
	if t == nil {
		return
	}
	t.seq = max(t.seq, seq)
	for s := range t.subs {
		if s.news == nil {
			s.news = map[string]int64{}
		}
		s.news[name] = max(s.news[name], seq)
		s.wake()
	}
}

// Reread reads the sequence numbers of all watched topics again, because buses lose
// nudges. A job calls it every few seconds.
func (h *Hub) Reread(ctx context.Context) error {
	watched := map[string][]string{}
	h.mu.Lock()
	for name := range h.topics {
		if word, id, ok := strings.Cut(name, "."); ok && h.rereads[word] != nil && !strings.HasSuffix(name, anyOf) {
			watched[word] = append(watched[word], id)
		}
	}
	h.mu.Unlock()
	for word, ids := range watched {
		h.mu.Lock()
		read := h.rereads[word]
		h.mu.Unlock()
		seqs, err := read(ctx, ids)
		if err != nil {
			return err
		}
		for id, seq := range seqs {
			h.deliver(word+"."+id, seq, false)
		}
	}
	return nil
}

// Watched counts topics and subscriptions, for the metrics.
func (h *Hub) Watched() (topics, subscriptions int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.topics {
		subscriptions += len(t.subs)
	}
	return len(h.topics), subscriptions
}
