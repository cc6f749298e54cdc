package store

import (
	"database/sql"
	"sync/atomic"
	"time"
)

// Stats is a node's use of its database since it opened it.
type Stats struct {
	Reads, Writes   int64 // transactions
	Appends, Groups int64 // acts, and the transactions in which they were committed
	Appending       time.Duration
	Pools           map[string]sql.DBStats // "read" and "write", or one for both
}

// counts are the counters of the group commit.
type counts struct{ appends, groups, nanoseconds atomic.Int64 }

// Stats reads the counters.
func (s *Store) Stats() Stats {
	c := &s.group.counts
	out := Stats{
		Reads: s.reads.Load(), Writes: s.writes.Load(), Appends: c.appends.Load(), Groups: c.groups.Load(),
		Appending: time.Duration(c.nanoseconds.Load()), Pools: map[string]sql.DBStats{},
	}
	if db, err := s.write.DB(); err == nil {
		out.Pools["write"] = db.Stats()
	}
	if db, err := s.read.DB(); err == nil && s.read != s.write {
		out.Pools["read"] = db.Stats()
	}
	return out
}
