// Package asker is a small HTTP client for load tests, cheap enough that the measurement
// does not measure itself: one connection per request in flight, no goroutines. It
// follows no redirects, keeps no cookies and does not speak TLS.
package asker

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Asker keeps idle connections. The zero value is ready.
type Asker struct {
	mu   sync.Mutex
	idle map[string][]*line // by address, the last used one at the end
}

// line is one connection.
type line struct {
	net.Conn
	answers *bufio.Reader
	out     bytes.Buffer
}

// Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Request is one to a server at http://HOST:PORT.
type Request struct {
	Base, Method, Path string
	Token              string // bearer's
	Body               []byte // JSON
}

// Ask sends a request. If the
// server has closed an idle connection, Ask retries once on a new one, so that the server
// may see the request twice.
func (a *Asker) Ask(ctx context.Context, q Request) (Answer, error) {
	at := strings.TrimPrefix(q.Base, "http://")
	l := a.take(at)
	if l != nil {
		if answer, err := l.ask(ctx, at, q); err == nil {
			return a.keep(at, l, answer), nil
		}
		l.Close()
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return Answer{}, err
	}
	l = &line{Conn: conn, answers: bufio.NewReaderSize(conn, 1024)}
	answer, err := l.ask(ctx, at, q)
	if err != nil {
		l.Close()
		return Answer{}, err
	}
	return a.keep(at, l, answer), nil
}

func (a *Asker) take(at string) *line {
	a.mu.Lock()
	defer a.mu.Unlock()
	idle := a.idle[at]
	if len(idle) == 0 {
		return nil
	}
	l := idle[len(idle)-1]
	a.idle[at] = idle[:len(idle)-1]
	return l
}

// keep returns a connection to the idle ones, unless the server closes it.
func (a *Asker) keep(at string, l *line, answer Answer) Answer {
	if strings.EqualFold(answer.Header.Get("Connection"), "close") {
		l.Close()
		return answer
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.idle == nil {
		a.idle = map[string][]*line{}
	}
	a.idle[at] = append(a.idle[at], l)
	return answer
}

func (l *line) ask(ctx context.Context, host string, q Request) (Answer, error) {
	if until, ok := ctx.Deadline(); ok {
		if err := l.SetDeadline(until); err != nil {
			return Answer{}, err
		}
	}
	l.out.Reset()
	fmt.Fprintf(&l.out, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", q.Method, q.Path, host, q.Token)
	fmt.Fprintf(&l.out, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(q.Body))
	l.out.Write(q.Body)
	if _, err := l.Write(l.out.Bytes()); err != nil {
		return Answer{}, err
	}
	r, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return Answer{}, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if r.Close { // ReadResponse removes the header
		r.Header.Set("Connection", "close")
	}
	return Answer{r.StatusCode, r.Header, text}, err
}
