package web

import (
	"context"
	"sync"
	"time"

	"chpok.org/chpok/store"
)

// uses are notes of what is in use, tokens and sessions. Those that come while one is
// written are written together next: at the start of a round everybody comes at once.
type uses struct {
	store *store.Store

	mu      sync.Mutex
	next    *useNotes // nil: nobody waits
	writing bool
}

// useNotes are written in one transaction.
type useNotes struct {
	tokens, sessions []string
	at               time.Time
	done             chan struct{} // closed when they are, or err says why not
	err              error
}

// note has it written that a token or a session is in use; wait for it.
func (u *uses) note(token, session string, now time.Time) *useNotes {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.next == nil {
		u.next = &useNotes{done: make(chan struct{})}
	}
	mine := u.next
	if token != "" {
		mine.tokens = append(mine.tokens, token)
	}
	if session != "" {
		mine.sessions = append(mine.sessions, session)
	}
	if now.After(mine.at) {
		mine.at = now
	}
	if !u.writing {
		u.writing = true
		go u.write()
	}
	return mine
}

// wait waits until the notes are written.
func (n *useNotes) wait() error {
	<-n.done
	return n.err
}

// write writes as long as there is something.
func (u *uses) write() {
	for {
		u.mu.Lock()
		notes := u.next
		u.next, u.writing = nil, notes != nil
		u.mu.Unlock()
		if notes == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), useWithin)
		notes.err = u.store.Write(ctx, func(tx *store.Tx) error { return tx.TouchUses(notes.tokens, notes.sessions, notes.at) })
		cancel()
		close(notes.done)
	}
}

// useWithin bounds how long requests wait for their note; they are answered without, too.
const useWithin = 5 * time.Second
