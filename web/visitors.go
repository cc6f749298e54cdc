package web

import (
	"sync"
	"time"

	"chpok.org/chpok/player"
)

const (
	// visitorFor bounds how long a node that hears of nothing (a lost bus, another
	// program at the database) goes on with what it knows of a visitor.
	visitorFor = 15 * time.Second
	mostKnown  = 20_000
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
	mu    sync.RWMutex
	epoch int // of what was read before a change nothing is kept
	known map[player.Secret]visitor
}

// of is who showed a secret, by what is known or by read.
func (vs *visitors) of(secret player.Secret, now time.Time, read func() (visitor, error)) (visitor, error) {
	vs.mu.RLock()
	v, ok := vs.known[secret]
	epoch := vs.epoch
	vs.mu.RUnlock()
	if ok && now.Sub(v.read) < visitorFor {
		return v, nil
	}
	v, err := read()
	if err != nil {
		return visitor{}, err
	}
	v.read = now
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if vs.epoch != epoch {
		return v, nil
	}
	if vs.known == nil || len(vs.known) >= mostKnown {
		vs.known = map[player.Secret]visitor{}
	}
	vs.known[secret] = v
	return v, nil
}

func (vs *visitors) forget() {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.epoch++
	vs.known = nil
}

// used notes that a visitor's use is written down.
func (vs *visitors) used(secret player.Secret) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	delete(vs.known, secret)
}
