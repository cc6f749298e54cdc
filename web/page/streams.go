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

// How many event streams may be open at once, unless the configuration says
// otherwise. A club evening shares one address, and an account has many tabs.
const (
	streamsPerAccount = 50
	streamsPerAddress = 1000
)

// openStreams counts the event streams of this node, by account or, of visitors,
// by address: nobody's crowd keeps a player from their own match. Its zero value
// sets no limit.
type openStreams struct {
	perAccount, perAddress int // most at once; 0: no limit

	mu   sync.Mutex
	open map[string]int
}

// take counts one more stream; give it back when it ends. false: that would be
// one too many.
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
		if o.open[key]--; o.open[key] == 0 {
			delete(o.open, key)
		}
	}, true
}

// Streams is how many event streams are open.
func Streams(s *Site) (n int) {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	for _, open := range s.streams.open {
		n += open
	}
	return n
}

// admitStream counts a stream for as long as it is open; errTooMany tells the
// browser to come back later.
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

// runningStreams are those of this node, so that they can be ended. The zero value
// is ready.
type runningStreams struct {
	mu      sync.Mutex
	streams map[*stream]struct{}
	closing chan struct{} // no more are wanted; closed when the last one has gone
}

func (r *runningStreams) add(st *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams == nil {
		r.streams = map[*stream]struct{}{}
	}
	r.streams[st] = struct{}{}
	if r.closing != nil {
		st.wake(forClosing) // it is told once, and sent away
	}
}

func (r *runningStreams) remove(st *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.streams, st); len(r.streams) == 0 && r.closing != nil {
		r.closeOnce()
	}
}

// closeOnce says that the last stream has gone. Those that come all the same end by themselves.
func (r *runningStreams) closeOnce() {
	select {
	case <-r.closing:
	default:
		close(r.closing)
	}
}

// close has every stream end; what it answers is closed when they have.
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

// cut takes the connections from those that have not ended: a browser that sleeps takes
// no farewell. Nor does one whose stream waits for the database: what it asks is given up.
func (r *runningStreams) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for st := range r.streams {
		st.cut()
		if conn := st.conn.Load(); conn != nil {
			_ = (*conn).Close() // the stream finds out
		}
	}
}

// cutWithin is how long streams whose connections are cut may take to end.
const cutWithin = time.Second

// CloseStreams ends every open event stream and waits until they have ended; whoever
// does not take the farewell until ctx is done is cut off. Browsers come back to another
// node or to this one after its restart.
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
		return errors.New("web: streams do not end")
	}
}

// Keys of a request that may become a stream.
const (
	cutKey      = "stream cut"
	detachedKey = "stream"
)

// Detachable hands who may ask for a stream a request of its own, which is not used
// again for another when the handler returns.
func Detachable(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !IsFeed(c) && !IsStream(c) {
			return next(c)
		}
		asked := c.Request().Context()
		ctx, cut := context.WithCancel(context.WithoutCancel(asked))
		defer context.AfterFunc(asked, cut)() // as long as net/http listens
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

// IsDetached tells of a request that has become a stream, which answers by itself.
func IsDetached(c echo.Context) bool { return c.Get(detachedKey) != nil }

// detach leaves a request nothing of its connection.
func detach(c echo.Context) {
	c.Set(detachedKey, true)
	c.SetResponse(echo.NewResponse(gone{}, c.Echo()))
}

// gone takes nothing more.
type gone struct{}

func (gone) Header() http.Header       { return http.Header{} }
func (gone) WriteHeader(int)           {}
func (gone) Write([]byte) (int, error) { return 0, http.ErrHijacked }
