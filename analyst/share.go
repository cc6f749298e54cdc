package analyst

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Share is how much of this machine's processor time programs may take from those
// who play: what bots and analysis use is counted, and whoever would go beyond
// waits. Bots go first: analysis begins only when nothing is owed.
type Share struct {
	mu    sync.Mutex
	cores float64 // that may be used
	owed  time.Duration
	at    time.Time
}

// botCredit is how much bots may take beforehand, so that many who are to move at
// once do not wait for each other.
const botCredit = time.Second

// NewShare is that many percent of all processors.
func NewShare(percent int) *Share {
	return &Share{cores: float64(runtime.GOMAXPROCS(0)) * float64(percent) / 100, at: time.Now()}
}

// Spend counts what was used.
func (s *Share) Spend(used time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	s.owed += used
}

// Slots is how many may think at once.
func (s *Share) Slots() int { return max(1, int(s.cores)) }

// isFree tells whether nothing is owed.
func (s *Share) isFree() bool { return s.wait(0) == 0 }

// Await lets a bot wait while too much is owed.
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

// settle pays back what has become free since.
func (s *Share) settle(now time.Time) {
	s.owed = max(0, s.owed-time.Duration(float64(now.Sub(s.at))*s.cores))
	s.at = now
}

// polite is a context whose search lets everybody else go first: a processor that
// is wanted for a request is given up within a millisecond.
type polite struct{ context.Context }

// Polite is such a context.
func Polite(ctx context.Context) context.Context { return polite{ctx} }

func (p polite) Err() error {
	runtime.Gosched()
	return p.Context.Err()
}
