package live

import (
	"sync"
	"time"
)

// What the machine's clock may do before it counts as set.
const (
	clockJitter = 100 * time.Millisecond
	clockWrong  = 24 * time.Hour // further ahead, it was wrong before it was set back
	clockSlew   = 100            // time that is ahead is slowed down by 1/clockSlew
)

// clock is a node's time. It advances with elapsed time, whatever the machine's clock is
// set to. It follows the machine only at a heartbeat, which gives back skipped time, and
// never goes back while a player's clock runs.
type clock struct {
	wall    func() time.Time     // the machine's clock
	elapsed func() time.Duration // a monotonic clock

	mu   sync.Mutex
	at   time.Time     // this node's time …
	when time.Duration // … when elapsed was this
	held time.Duration // how far the machine's clock is ahead without being followed
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

// read is the time, and how far the machine's clock has jumped ahead of it (negative:
// back).
func (c *clock) read() (now time.Time, jump time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.at.Add(c.elapsed() - c.when)
	if jump = c.wall().Round(0).Sub(at) - c.held; jump.Abs() <= clockJitter {
		jump = 0
	}
	return at.UTC().Truncate(time.Millisecond), jump.Truncate(time.Millisecond)
}

// move changes the time. hold keeps it, whatever the machine's clock says.
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
