package web

import (
	"maps"
	"slices"
	"sync"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

const (
	// visitorFor bounds how long a node trusts its cache when it hears of no change (a lost bus, another program at
	// the database).
	visitorFor = 15 * time.Second
	// visitorFresh is the age at which a visitor is read anew in the background. Otherwise a thousand players who
	// arrived together would expire together, and their moves would wait for the read.
	visitorFresh = visitorFor / 2
	mostKnown    = 20_000
)

// visitor is a player with the token or session whose secret they showed.
type visitor struct {
	player  player.Player
	token   player.Token
	session player.Session
	read    time.Time
}

// visitors caches who showed which secret, so that requests need not ask the database. Any change of an account
// empties the cache.
type visitors struct {
	read  func([]player.Secret) (map[player.Secret]visitor, error) // without unknown secrets
	looks batcher[look]

	mu    sync.RWMutex
	epoch int // counts changes of accounts; what was read in an earlier epoch is not cached
	known map[player.Secret]visitor
}

// look is a batch of visitors to read.
type look struct {
	came  map[player.Secret]time.Time
	found map[player.Secret]visitor
}

func newVisitors(read func([]player.Secret) (map[player.Secret]visitor, error)) *visitors {
	vs := &visitors{read: read}
	vs.looks.do = vs.lookAt
	return vs
}

// of returns who showed a secret, from the cache or the database.
func (vs *visitors) of(secret player.Secret, now time.Time) (visitor, error) {
	vs.mu.RLock()
	v, ok := vs.known[secret]
	vs.mu.RUnlock()
	if age := now.Sub(v.read); ok && age < visitorFor {
		if age >= visitorFresh {
			vs.look(secret, now) // in the background
		}
		return v, nil
	}
	l := vs.look(secret, now)
	if err := l.wait(); err != nil {
		return visitor{}, err
	}
	if v, ok = l.of.found[secret]; !ok {
		return visitor{}, store.ErrNotFound
	}
	return v, nil
}

// look adds a visitor to the next batch.
func (vs *visitors) look(secret player.Secret, now time.Time) *batch[look] {
	return vs.looks.join(func(l *look) {
		if l.came == nil {
			l.came = map[player.Secret]time.Time{}
		}
		l.came[secret] = now
	})
}

// lookAt reads visitors and caches them, unless an account has changed meanwhile.
func (vs *visitors) lookAt(l *look) (err error) {
	vs.mu.RLock()
	epoch := vs.epoch
	vs.mu.RUnlock()
	if l.found, err = vs.read(slices.Collect(maps.Keys(l.came))); err != nil {
		return err
	}
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if vs.epoch != epoch {
		return nil
	}
	if vs.known == nil || len(vs.known) >= mostKnown {
		vs.known = map[player.Secret]visitor{}
	}
	for secret, came := range l.came {
		v, known := l.found[secret]
		v.read = came
		if known {
			vs.known[secret] = v
		} else {
			delete(vs.known, secret)
		}
	}
	return nil
}

func (vs *visitors) forget() {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.epoch++
	vs.known = nil
}

// used updates the cached visitor after their last use was written.
func (vs *visitors) used(secret player.Secret, at time.Time) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v, ok := vs.known[secret]
	if !ok {
		return
	}
	if v.token.ID != "" {
		v.token.Used = at
	} else {
		v.session.Used = at
	}
	vs.known[secret] = v
}
