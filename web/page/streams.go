package page

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// Default limits of open event streams. A club evening shares one address, and an account has many tabs.
const (
	streamsPerAccount = 50
	streamsPerAddress = 1000
)

// openStreams counts the event streams of this node by account or, for visitors, by address, so that a crowd of
// visitors cannot keep players from their matches. The zero value sets no limit.
type openStreams struct {
	perAccount, perAddress int // limits; 0: none

	mu   sync.Mutex
	open map[string]int
}

// take counts one more stream, which giveBack uncounts; false if it exceeds the limit.
func (o *openStreams) take(key string, most int) (giveBack func(), ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if most > 0 && o.open[key] >= most {
		return nil, false
	}
	if o.open == nil {
		o.open = map[string]int{}
	}
	o.open[key]++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.open[key]--
		if o.open[key] == 0 {
			delete(o.open, key)
		}
	}, true
}

// Streams returns the number of open event streams.
func Streams(s *Site) (n int) {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	for _, open := range s.streams.open {
		n += open
	}
	return n
}

// admitStream counts a stream until end is called; ErrTooMany if there are too many.
func admitStream(s *Site, c echo.Context) (end func(), err error) {
	most := s.streams.perAddress
	if Viewer(c).IsSignedIn() {
		most = s.streams.perAccount
	}
	end, ok := s.streams.take(whose(c), most)
	if !ok {
		return nil, TooMany(c, 30*time.Second)
	}
	return end, nil
}

// runningStreams are the streams of this node, kept to end them. The zero value is ready.
type runningStreams struct {
	mu      sync.Mutex
	streams map[*stream]struct{}
	closing chan struct{} // set by close; closed when the last stream has ended
}

func (r *runningStreams) add(st *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams == nil {
		r.streams = map[*stream]struct{}{}
	}
	r.streams[st] = struct{}{}
	if r.closing != nil {
		st.wake(forClosing) // after its first answer
	}
}

func (r *runningStreams) remove(st *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.streams, st)
	if len(r.streams) == 0 && r.closing != nil {
		r.closeOnce()
	}
}

// closeOnce closes the channel when no stream is left. Streams that still come end by themselves.
func (r *runningStreams) closeOnce() {
	select {
	case <-r.closing:
	default:
		close(r.closing)
	}
}

// close tells all streams to end. The channel is closed when they have.
func (r *runningStreams) close() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closing == nil {
		r.closing = make(chan struct{})
	}
	for st := range r.streams {
		st.wake(forClosing)
	}
	if len(r.streams) == 0 {
		r.closeOnce()
	}
	return r.closing
}

// cut closes the connections and cancels the contexts of streams that have not ended: their browsers are asleep, or
// they wait for the database.
func (r *runningStreams) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for st := range r.streams {
		st.cut()
		if conn := st.conn.Load(); conn != nil {
			_ = (*conn).Close() // ends the stream's read
		}
	}
}

// cutWithin is how long streams may take to end after cut.
const cutWithin = time.Second

// CloseStreams ends all open event streams and waits for them; when ctx is done it cuts the rest. Browsers reconnect
// to another node, or to this one after its restart.
func (s *Site) CloseStreams(ctx context.Context) error {
	ended := s.running.close()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.running.cut()
	select {
	case <-ended:
		return nil
	case <-time.After(cutWithin):
		return errors.New("web: streams did not end")
	}
}

// Context keys of a request that may become a stream.
const (
	cutKey      = "stream cut"
	detachedKey = "stream"
)

// Detachable gives requests for a stream an echo.Context of their own, which echo does not reuse after the handler
// has returned.
func Detachable(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !IsFeed(c) && !IsStream(c) {
			return next(c)
		}
		asked := c.Request().Context()
		ctx, cut := context.WithCancel(context.WithoutCancel(asked))
		defer context.AfterFunc(asked, cut)() // until hijacked
		own := c.Echo().NewContext(c.Request().WithContext(ctx), c.Response())
		own.SetPath(c.Path())
		own.SetParamNames(slices.Clone(c.ParamNames())...)
		own.SetParamValues(slices.Clone(c.ParamValues())...)
		for _, key := range []string{RequestIDKey, ViewerKey, SessionKey, TokenKey, SinceKey, printerKey} {
			own.Set(key, c.Get(key))
		}
		own.Set(cutKey, cut)
		err := next(own)
		if IsDetached(own) {
			c.Set(detachedKey, true)
		} else {
			cut()
		}
		return err
	}
}

// IsDetached reports whether a request has become a stream, which answers by itself.
func IsDetached(c echo.Context) bool { return c.Get(detachedKey) != nil }

// detach takes the connection from a request.
func detach(c echo.Context) {
	c.Set(detachedKey, true)
	c.SetResponse(echo.NewResponse(gone{}, c.Echo()))
}

// gone is the response writer of a detached request.
type gone struct{}

func (gone) Header() http.Header       { return http.Header{} }
func (gone) WriteHeader(int)           {}
func (gone) Write([]byte) (int, error) { return 0, http.ErrHijacked }
