package live

import (
	"sync"
	"time"
)

// What the clock of a machine may do before it counts as set.
const (
	clockJitter = 100 * time.Millisecond
	clockWrong  = 24 * time.Hour // ahead by more, it was wrong before it was set back
	clockSlew   = 100            // time that is ahead is slowed down by one part in so many
)

// clock is the time of a node. It passes as time passes, whatever the machine's
// clock is set to: that it follows only at a heartbeat, which gives back what is
// skipped. It never goes back while clocks of players run.
type clock struct {
	wall    func() time.Time     // what the machine says
	elapsed func() time.Duration // time that passes, wherever it began

	mu   sync.Mutex
	at   time.Time     // it was this
	when time.Duration // when elapsed was this
	held time.Duration // how far the machine's clock is ahead, and not followed
}

func newClock(wall func() time.Time, elapsed func() time.Duration) *clock {
	switch {
	case elapsed != nil:
	case wall != nil: // one that cannot jump
		start := wall()
		elapsed = func() time.Duration { return wall().Sub(start) }
	default:
		start := time.Now()
		elapsed = func() time.Duration { return time.Since(start) }
	}
	if wall == nil {
		wall = time.Now
	}
	return &clock{wall: wall, elapsed: elapsed, at: wall().Round(0), when: elapsed()}
}

func (c *clock) now() time.Time {
	now, _ := c.read()
	return now
}

// read is the time, and how far the machine's clock has jumped past it: back
// when negative.
func (c *clock) read() (now time.Time, jump time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.at.Add(c.elapsed() - c.when)
	if jump = c.wall().Round(0).Sub(at) - c.held; jump.Abs() <= clockJitter {
		jump = 0
	}
	return at.UTC().Truncate(time.Millisecond), jump.Truncate(time.Millisecond)
}

// move sets the time; hold leaves it where it is, whatever the machine says.
func (c *clock) move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

func (c *clock) hold(jump time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held += jump
}
