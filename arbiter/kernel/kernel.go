// Package kernel is what the arbiter's offices share: the store, the running matches, the
// clock, optimistic changes of a tournament with their line in the log, turns for changes
// of the same thing, and notices to people.
package kernel

import (
	"crypto/ed25519"
	"log/slog"
	"sync"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Config configures an arbiter; the zero value serves.
type Config struct {
	Now     func() time.Time   // nil: the machine's clock
	SignKey ed25519.PrivateKey // nil: kept in the database
	Site    string             // the site's address in signed statements; empty: none
	Zone    string             // time zone of tournaments that name none; empty: UTC
}

// Kernel is embedded by every office.
type Kernel struct {
	Store *store.Store
	Live  *live.Runner
	Now   func() time.Time // UTC in whole milliseconds, as stored
	Log   *slog.Logger
	Site  string
	Zone  string
	// Anew returns entries as those would enter now who made them; package entries knows.
	Anew func(*store.Tx, *tournament.Tournament, ...tournament.Entry) (map[tournament.EntryID]tournament.Candidate, error)

	turns   turns
	signKey ed25519.PrivateKey // nil: in the database
	secrets sync.Map           // cached by name: they never change, and every move needs them
}

// New makes a kernel over a store and a runner.
func New(s *store.Store, r *live.Runner, c Config, log *slog.Logger) *Kernel {
	if c.Now == nil {
		c.Now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Kernel{
		Store: s, Live: r, Now: func() time.Time { return c.Now().UTC().Truncate(time.Millisecond) }, Log: log, Site: c.Site,
		Zone: c.Zone, signKey: c.SignKey,
	}
}
