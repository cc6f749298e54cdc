// Package kernel is what every office of the arbiter stands on: the store, the
// matches that run, the clock, one optimistic change of a tournament with its line
// in the log, turns of those who change one thing, and what people are told of it.
// It refuses to know why anything is done.
package kernel

import (
	"crypto/ed25519"
	"log/slog"
	"sync"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// Config of an arbiter; the zero value serves.
type Config struct {
	Now     func() time.Time   // nil: the clock of the machine
	SignKey ed25519.PrivateKey // nil: the database keeps one
	Site    string             // the address that is signed with matches; empty: none
}

// Kernel is embedded by every office.
type Kernel struct {
	Store *store.Store
	Live  *live.Runner
	Now   func() time.Time // in milliseconds of UTC, as the database keeps them
	Log   *slog.Logger
	Site  string

	turns   turns
	signKey ed25519.PrivateKey // nil: in the database
	secrets sync.Map           // by name: they never change, and every move asks
}

// New is a kernel over a store, opening matches through a runner.
func New(s *store.Store, r *live.Runner, c Config, log *slog.Logger) *Kernel {
	if c.Now == nil {
		c.Now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Kernel{
		Store: s, Live: r, Now: func() time.Time { return c.Now().UTC().Truncate(time.Millisecond) }, Log: log, Site: c.Site, signKey: c.SignKey,
	}
}
