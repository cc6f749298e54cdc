package analyst

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Share limits the processor time that bots and analysis take from players on this
// machine: their use is counted, and they wait when it exceeds the share. Bots go first:
// analysis starts only when nothing is owed.
type Share struct {
	mu    sync.Mutex
	cores float64 // that bots and analysis may use
	owed  time.Duration
	at    time.Time
}

// botCredit is how much bots may use in advance, so that many who are to move at once do
// not wait for each other.
const botCredit = time.Second

// NewShare returns a share of that many percent of all processors.
func NewShare(percent int) *Share {
	return &Share{cores: float64(runtime.GOMAXPROCS(0)) * float64(percent) / 100, at: time.Now()}
}

// Spend counts used time.
func (s *Share) Spend(used time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	s.owed += used
}

// Slots returns how many searches may run at once.
func (s *Share) Slots() int { return max(1, int(s.cores)) }

// isFree reports whether nothing is owed.
func (s *Share) isFree() bool { return s.wait(0) == 0 }

// Await makes a bot wait while too much is owed.
func (s *Share) Await(ctx context.Context) error {
	for {
		wait := s.wait(botCredit)
		if wait == 0 {
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Share) wait(credit time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	return max(0, time.Duration(float64(s.owed-credit)/s.cores))
}

// settle pays back what has become free since the last call.
func (s *Share) settle(now time.Time) {
	s.owed = max(0, s.owed-time.Duration(float64(now.Sub(s.at))*s.cores))
	s.at = now
}

// polite is a context whose search yields to everybody else: it gives up a processor that
// a request needs within a millisecond.
type polite struct{ context.Context }

// Polite wraps ctx for a search that yields to requests.
func Polite(ctx context.Context) context.Context { return polite{ctx} }

func (p polite) Err() error {
	runtime.Gosched()
	return p.Context.Err()
}

// paced is a context of searches that somebody waits for. It counts their time while they run,
// and holds them up while bots need the share, which may go further into debt than they.
type paced struct {
	polite
	share    *Share
	searches int

	mu   sync.Mutex
	last time.Time
}

const (
	pace         = 20 * time.Millisecond // between two counts
	pacedCredit  = botCredit / 4
	longestPause = 100 * time.Millisecond // so that they end in time
)

func (p *paced) Err() error {
	if wait := p.count(time.Now()); wait > 0 {
		select {
		case <-time.After(min(wait, longestPause)):
		case <-p.Done():
		}
	}
	return p.polite.Err()
}

// count counts what has been used since the last count, and returns how long to pause.
func (p *paced) count(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	used := now.Sub(p.last)
	if used < pace {
		return 0
	}
	p.share.Spend(time.Duration(p.searches) * used)
	wait := p.share.wait(pacedCredit)
	p.last = now.Add(min(wait, longestPause)) // a pause is not used
	return wait
}
