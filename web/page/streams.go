package page

import (
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
