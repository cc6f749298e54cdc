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
	// Join calls f for every nudge of the others until the end leaves; f must not block.
	Join(f func(topic string, seq int64)) (End, error)
}

// End is where a hub has joined a bus.
type End interface {
	// Publish tells all others that a topic has reached seq.
	Publish(topic string, seq int64) error
	Leave()
}

// InProcess is the bus of a single node, and of several in one test.
type InProcess struct {
	mu   sync.Mutex
	ends map[*inProcessEnd]struct{}
}

type inProcessEnd struct {
	bus  *InProcess
	hear func(string, int64)
}

// NewInProcess is a bus that nobody has joined.
func NewInProcess() *InProcess { return &InProcess{ends: map[*inProcessEnd]struct{}{}} }

// Join never fails.
func (b *InProcess) Join(f func(string, int64)) (End, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &inProcessEnd{b, f}
	b.ends[e] = struct{}{}
	return e, nil
}

// Publish calls the others before it returns.
func (e *inProcessEnd) Publish(topic string, seq int64) error {
	e.bus.mu.Lock()
	ends := slices.Collect(maps.Keys(e.bus.ends))
	e.bus.mu.Unlock()
	for _, other := range ends {
		if other != e {
			other.hear(topic, seq)
		}
	}
	return nil
}

func (e *inProcessEnd) Leave() {
	e.bus.mu.Lock()
	defer e.bus.mu.Unlock()
	delete(e.bus.ends, e)
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
