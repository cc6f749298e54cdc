package live

import (
	"context"
	"fmt"
	"sync"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// presence is which players have the pages of their matches open on this node,
// by how many streams. Only the database says it of all nodes.
type presence struct {
	mu   sync.Mutex
	here map[seen]int
}

type seen struct {
	match  match.ID
	player player.ID
}

// See notes that a player has the page of his match open until leave.
func (r *Runner) See(id match.ID, p player.ID) (leave func()) {
	key := seen{id, p}
	r.presence.mu.Lock()
	defer r.presence.mu.Unlock()
	r.presence.here[key]++
	return sync.OnceFunc(func() {
		r.presence.mu.Lock()
		defer r.presence.mu.Unlock()
		if r.presence.here[key]--; r.presence.here[key] == 0 {
			delete(r.presence.here, key)
		}
	})
}

// BeatPresence writes who is here; a job calls it every few seconds.
func (r *Runner) BeatPresence(ctx context.Context) error {
	now := r.now()
	r.presence.mu.Lock()
	list := make([]store.Presence, 0, len(r.presence.here))
	for key := range r.presence.here {
		list = append(list, store.Presence{Match: key.match, Player: key.player, At: now})
	}
	r.presence.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	if err := r.store.Write(ctx, func(tx *store.Tx) error { return tx.SeePlayers(list, now) }); err != nil {
		return fmt.Errorf("live: presence: %w", err)
	}
	return nil
}
