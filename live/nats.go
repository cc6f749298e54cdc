package live

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

const natsSubject = "chpok.nudge"

// A cable that is cut says nothing: writing to it waits once its buffers are full, and
// whoever has made a move waits with it for the nudge. So a bus that takes nothing for
// busWithin is lost, and one that does not answer is found out by pings.
const (
	busWithin  = time.Second
	busPings   = 5 * time.Second
	busSilence = 2 // pings without an answer
)

// natsAt is the header that says when a nudge was published, which is right after the
// commit that it tells of. Versions that know nothing of it pass over it.
const natsAt = "At"

// NATS is the bus between nodes.
type NATS struct {
	conn *nats.Conn
	name string // of this end
	lag  atomic.Pointer[func(time.Duration)]
}

// ConnectNATS joins the bus at a server's address. A server that is not there
// yet, or goes away, is tried again for ever: without the bus nodes only learn
// of one another's moves later.
func ConnectNATS(url string, log *slog.Logger) (*NATS, error) {
	conn, err := nats.Connect(url, nats.Name("chpok"), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(500*time.Millisecond), nats.FlusherTimeout(busWithin),
		nats.PingInterval(busPings), nats.MaxPingsOutstanding(busSilence), nats.ReconnectBufSize(-1), // old nudges are worth nothing
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { log.Warn("bus lost", "err", err) }),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("bus joined") }))
	if err != nil {
		return nil, fmt.Errorf("join the bus: %w", err)
	}
	return &NATS{conn: conn, name: strconv.FormatUint(rand.Uint64(), 36)}, nil
}

// Publish hands the nudge to the connection and does not wait for the server.
func (b *NATS) Publish(topic string, seq int64) error {
	return b.conn.PublishMsg(&nats.Msg{Subject: natsSubject, Data: encodeNudge(topic, seq),
		Header: nats.Header{natsAt: {strconv.FormatInt(time.Now().UnixMicro(), 10) + " " + b.name}}})
}

// OnLag has f told how long each nudge of another node was on its way, by the clocks of
// both: where they differ it is wrong by that, and one that seems to come from the future
// took no time.
func (b *NATS) OnLag(f func(time.Duration)) { b.lag.Store(&f) }

// arrived tells how long a nudge was on its way, unless it is this end's own.
func (b *NATS) arrived(m *nats.Msg) {
	f := b.lag.Load()
	if f == nil || len(m.Header[natsAt]) == 0 {
		return
	}
	text, from, _ := strings.Cut(m.Header[natsAt][0], " ")
	if at, err := strconv.ParseInt(text, 10, 64); err == nil && from != b.name {
		(*f)(max(0, time.Since(time.UnixMicro(at))))
	}
}

// Subscribe calls f from the connection's goroutine.
func (b *NATS) Subscribe(f func(string, int64)) (func(), error) {
	sub, err := b.conn.Subscribe(natsSubject, func(m *nats.Msg) {
		if topic, seq, ok := decodeNudge(m.Data); ok {
			f(topic, seq)
			b.arrived(m)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("listen to the bus: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // fails only when the connection is closed already
}

// Joined tells whether the server is reached now.
func (b *NATS) Joined() bool { return b.conn.IsConnected() }

// Flush waits until the server has all that was published or subscribed to.
func (b *NATS) Flush(timeout time.Duration) error { return b.conn.FlushTimeout(timeout) }

// Close leaves the bus.
func (b *NATS) Close() { b.conn.Close() }
