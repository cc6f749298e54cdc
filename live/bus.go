package live

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Bus carries nudges between nodes. It may lose, repeat and reorder them: the truth is
// read from the log. Its implementations are InProcess and NATS.
type Bus interface {
	// Publish tells every subscriber that a topic has reached seq.
	Publish(topic string, seq int64) error
	// Subscribe calls f for every nudge until closeFn is called; f must not block.
	Subscribe(f func(topic string, seq int64)) (closeFn func(), err error)
}

// InProcess is the bus of a single node, and of several in one test.
type InProcess struct {
	mu   sync.Mutex
	next int
	subs map[int]func(string, int64)
}

// NewInProcess is a bus without subscribers.
func NewInProcess() *InProcess { return &InProcess{subs: map[int]func(string, int64){}} }

// Publish calls the subscribers before it returns.
func (b *InProcess) Publish(topic string, seq int64) error {
	b.mu.Lock()
	subs := slices.Collect(maps.Values(b.subs))
	b.mu.Unlock()
	for _, f := range subs {
		f(topic, seq)
	}
	return nil
}

// Subscribe never fails.
func (b *InProcess) Subscribe(f func(string, int64)) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.next
	b.next++
	b.subs[id] = f
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subs, id)
	}, nil
}

// encodeNudge is the text of a nudge on the wire: "topic seq".
func encodeNudge(topic string, seq int64) []byte { return fmt.Appendf(nil, "%s %d", topic, seq) }

func decodeNudge(data []byte) (topic string, seq int64, ok bool) {
	topic, number, ok := strings.Cut(string(data), " ")
	if !ok || topic == "" {
		return "", 0, false
	}
	seq, err := strconv.ParseInt(number, 10, 64)
	return topic, seq, err == nil
}
