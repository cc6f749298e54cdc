package store

import (
	"context"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"chpok.org/chpok/player"
)

// asked is a logger that keeps what the database was asked.
type asked struct {
	logger.Interface
	queries []string
}

func (a *asked) Trace(_ context.Context, _ time.Time, f func() (string, int64), _ error) {
	query, _ := f()
	a.queries = append(a.queries, query)
}

// everyMatch is a line of SQLite's plan that goes through the whole table.
var everyMatch = regexp.MustCompile(`^SCAN (matches|m)$`)

// TestNothingThatRunsByItselfReadsEveryMatch: what jobs and home pages ask about matches is
// found by an index of those that run or that ended lately. A past of years is no longer
// to look through than one of a day.
func TestNothingThatRunsByItselfReadsEveryMatch(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "chpok.db"), Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	now := time.Now()
	for name, ask := range map[string]func(*Tx) error{
		"the job that tells followers":   func(tx *Tx) error { _, err := tx.FriendsToTell(now, "friend", "2026-11-24", 10); return err },
		"matches of friends":             func(tx *Tx) error { _, err := tx.FriendsMatches("anna", now, 10); return err },
		"those that run":                 func(tx *Tx) error { _, err := tx.RunningMatches(10); return err },
		"those to watch":                 func(tx *Tx) error { _, err := tx.WatchableMatches(now, 10); return err },
		"the latest to finish":           func(tx *Tx) error { _, err := tx.FinishedMatches(10); return err },
		"those due":                      func(tx *Tx) error { _, err := tx.DueMatches(now, 10); return err },
		"bots that are due":              func(tx *Tx) error { _, err := tx.BotsDue(now, 10); return err },
		"those that an outage concerns":  func(tx *Tx) error { _, err := tx.OpenedBefore(now); return err },
		"whether any runs":               func(tx *Tx) error { _, err := tx.AnyRuns(); return err },
		"when people last did something": func(tx *Tx) error { _, err := tx.LastActs([]player.ID{"anna"}); return err },
	} {
		log := &asked{Interface: logger.Discard}
		plain := s.read
		s.read = plain.Session(&gorm.Session{Logger: log})
		err := s.Read(t.Context(), ask)
		s.read = plain
		if err != nil || len(log.queries) == 0 {
			t.Fatalf("%s: %d queries, %v", name, len(log.queries), err)
		}
		for _, query := range log.queries {
			var plan []struct{ Detail string }
			if err := plain.Raw("EXPLAIN QUERY PLAN " + query).Scan(&plan).Error; err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			for _, line := range plan {
				if everyMatch.MatchString(line.Detail) {
					t.Errorf("%s reads every match there is: %s", name, query)
				}
			}
		}
	}
}
