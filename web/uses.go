package web

import (
	"context"
	"time"

	"chpok.org/chpok/store"
)

// uses records the last use of tokens and sessions, many in one transaction.
type uses struct{ batcher[useNotes] }

type useNotes struct {
	tokens, sessions []string
	at               time.Time
}

func newUses(to *store.Store) *uses {
	u := &uses{}
	u.do = func(n *useNotes) error {
		ctx, cancel := context.WithTimeout(context.Background(), useWithin)
		defer cancel()
		return to.Write(ctx, func(tx *store.Tx) error { return tx.TouchUses(n.tokens, n.sessions, n.at) })
	}
	return u
}

// note records the use of a token or session. Callers wait for the batch.
func (u *uses) note(token, session string, now time.Time) *batch[useNotes] {
	return u.join(func(n *useNotes) {
		if token != "" {
			n.tokens = append(n.tokens, token)
		}
		if session != "" {
			n.sessions = append(n.sessions, session)
		}
		if now.After(n.at) {
			n.at = now
		}
	})
}

// useWithin bounds the write of a batch of uses.
const useWithin = 5 * time.Second
