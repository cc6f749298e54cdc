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
	// visitorFor bounds how long a node that hears of nothing (a lost bus, another
	// program at the database) goes on with what it knows of a visitor.
	visitorFor = 15 * time.Second
	// visitorFresh is after how long somebody who goes on asking is read anew beside
	// their request: a thousand players came together, and would be read together
	// again, each while their move waits.
	visitorFresh = visitorFor / 2
	mostKnown    = 20_000
)

// visitor is who showed a secret: by a token or a session.
type visitor struct {
	player  player.Player
	token   player.Token
	session player.Session
	read    time.Time
}

// visitors remembers who showed which secret, so that a request does not ask the
// database who makes it. Any change of an account forgets them all.
type visitors struct {
	read  func([]player.Secret) (map[player.Secret]visitor, error) // who is not known is missing
	looks together[look]

	mu    sync.RWMutex
	epoch int // of what was read before a change nothing is kept
	known map[player.Secret]visitor
}

// look is some visitors who are read together.
type look struct {
	came  map[player.Secret]time.Time
	found map[player.Secret]visitor
}

func newVisitors(read func([]player.Secret) (map[player.Secret]visitor, error)) *visitors {
	vs := &visitors{read: read}
	vs.looks.do = vs.lookAt
	return vs
}

// of is who showed a secret, by what is known or is read now.
func (vs *visitors) of(secret player.Secret, now time.Time) (visitor, error) {
	vs.mu.RLock()
	v, ok := vs.known[secret]
	vs.mu.RUnlock()
	if age := now.Sub(v.read); ok && age < visitorFor {
		if age >= visitorFresh {
			vs.look(secret, now) // nobody waits for it
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

// look has a visitor read from now on.
func (vs *visitors) look(secret player.Secret, now time.Time) *batch[look] {
	return vs.looks.join(func(l *look) {
		if l.came == nil {
			l.came = map[player.Secret]time.Time{}
		}
		l.came[secret] = now
	})
}

// lookAt reads visitors and remembers them, unless an account has changed meanwhile.
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
		if v.read = came; known {
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

// used notes that it is written down that a visitor came at a time.
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
