package live

import (
	"fmt"
	"log/slog"
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

// NATS is the bus between nodes.
type NATS struct{ conn *nats.Conn }

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
	return &NATS{conn}, nil
}

// Publish hands the nudge to the connection and does not wait for the server.
func (b *NATS) Publish(topic string, seq int64) error {
	return b.conn.Publish(natsSubject, encodeNudge(topic, seq))
}

// Subscribe calls f from the connection's goroutine.
func (b *NATS) Subscribe(f func(string, int64)) (func(), error) {
	sub, err := b.conn.Subscribe(natsSubject, func(m *nats.Msg) {
		if topic, seq, ok := decodeNudge(m.Data); ok {
			f(topic, seq)
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
