package live

import (
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

const natsSubject = "chpok.nudge"

// A cut cable says nothing: writing to it blocks once its buffers are full, and whoever
// has made a move waits for the nudge. So a bus that takes nothing for busWithin counts
// as lost, and pings detect one that does not answer.
const (
	busWithin  = time.Second
	busPings   = 5 * time.Second
	busSilence = 2 // pings without an answer
)

// natsAt is the header with the time of a nudge's publication, right after the commit it
// tells of. Versions that do not know it ignore it.
const natsAt = "At"

// NATS is the bus between nodes.
type NATS struct {
	conn *nats.Conn
	lag  atomic.Pointer[func(time.Duration)]
}

// ConnectNATS joins the bus at a server's address. While the server is away it keeps
// trying for ever: without the bus nodes learn of each other's moves only later.
func ConnectNATS(url string, log *slog.Logger) (*NATS, error) {
	conn, err := nats.Connect(url, nats.Name("chpok"), nats.NoEcho(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(500*time.Millisecond), nats.FlusherTimeout(busWithin),
		nats.PingInterval(busPings), nats.MaxPingsOutstanding(busSilence), nats.ReconnectBufSize(-1), // old nudges are worth nothing
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { log.Warn("bus lost", "err", err) }),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("bus joined") }))
	if err != nil {
		return nil, fmt.Errorf("join the bus: %w", err)
	}
	return &NATS{conn: conn}, nil
}

// Publish hands the nudge to the connection without waiting for the server.
func (b *NATS) Publish(topic string, seq int64) error {
	return b.conn.PublishMsg(&nats.Msg{Subject: natsSubject, Data: encodeNudge(topic, seq),
		Header: nats.Header{natsAt: {strconv.FormatInt(time.Now().UnixMicro(), 10)}}})
}

// OnLag calls f with how long each nudge of another node took, by the clocks of both
// nodes; a negative time counts as none.
func (b *NATS) OnLag(f func(time.Duration)) { b.lag.Store(&f) }

// arrived reports how long a nudge took.
func (b *NATS) arrived(m *nats.Msg) {
	f := b.lag.Load()
	if f == nil || len(m.Header[natsAt]) == 0 {
		return
	}
	if at, err := strconv.ParseInt(m.Header[natsAt][0], 10, 64); err == nil {
		(*f)(max(0, time.Since(time.UnixMicro(at))))
	}
}

// Join calls f from the connection's goroutine. The server keeps a connection's own nudges from it.
func (b *NATS) Join(f func(string, int64)) (End, error) {
	sub, err := b.conn.Subscribe(natsSubject, func(m *nats.Msg) {
		if topic, seq, ok := decodeNudge(m.Data); ok {
			f(topic, seq)
			b.arrived(m)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("listen to the bus: %w", err)
	}
	return natsEnd{b, sub}, nil
}

type natsEnd struct {
	*NATS
	sub *nats.Subscription
}

func (e natsEnd) Leave() { _ = e.sub.Unsubscribe() } // fails only if the connection is closed already

// Joined reports whether the server is connected.
func (b *NATS) Joined() bool { return b.conn.IsConnected() }

// Flush waits until the server has everything published and subscribed to.
func (b *NATS) Flush(timeout time.Duration) error { return b.conn.FlushTimeout(timeout) }

// Close leaves the bus.
func (b *NATS) Close() { b.conn.Close() }
