package live

import (
	"errors"
	"sync/atomic"

	"chpok.org/chpok/engine/match"
)

// Stats is a node's work since it started.
type Stats struct {
	Commands, Refused int64 // that came, and those of them refused by the rules or the match's state
	Flags             int64 // that fell
	Found, Loaded     int64 // matches found in memory, and read from the whole log
	States            int   // matches in memory now
	Sent, Unsent      int64 // nudges handed to the bus, and those of them it did not take
	Heard             int64 // nudges of other nodes
	Failing           bool  // the database fails, or the clock is being set
}

type nudges struct{ sent, failed, heard atomic.Int64 }

type counts struct{ commands, refused, flags, found, loaded atomic.Int64 }

// Stats reads the counters.
func (r *Runner) Stats() Stats {
	c := &r.counts
	return Stats{
		Commands: c.commands.Load(), Refused: c.refused.Load(), Flags: c.flags.Load(), Found: c.found.Load(), Loaded: c.loaded.Load(),
		Sent: r.nudges.sent.Load(), Unsent: r.nudges.failed.Load(), Heard: r.nudges.heard.Load(),
		States: r.cache.len(), Failing: r.failing.Load(),
	}
}

func (c *counts) command(err error) {
	c.commands.Add(1)
	var refused *match.Refusal
	if errors.As(err, &refused) || errors.Is(err, match.ErrStale) || errors.Is(err, match.ErrOver) {
		c.refused.Add(1)
	}
}

func (c *counts) appended(events []match.Event) {
	for _, e := range events {
		if _, fell := e.(match.FlagFell); fell {
			c.flags.Add(1)
		}
	}
}

func (c *counts) state(found bool) {
	if found {
		c.found.Add(1)
	} else {
		c.loaded.Add(1)
	}
}
