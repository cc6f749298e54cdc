package live

import (
	"context"
	"fmt"
	"sync"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// presence counts, per player, the streams of match pages open on this node. Only the
// database knows about all nodes.
type presence struct {
	mu    sync.Mutex
	here  map[seen]int
	gone  map[seen]int      // beats since a player left
	moved map[seen]struct{} // players who came since the last beat
}

// goneBeats is after how many beats a player counts as gone: renewing a stream is not
// leaving.
const goneBeats = 1

// PresenceTopic has news when a player of a match comes or goes.
func PresenceTopic(id match.ID) string { return "presence." + string(id) }

type seen struct {
	match  match.ID
	player player.ID
}

// See notes that a player has the page of their match open, until leave is called.
func (r *Runner) See(id match.ID, p player.ID) (leave func()) {
	key := seen{id, p}
	r.presence.mu.Lock()
	defer r.presence.mu.Unlock()
	if beats, left := r.presence.gone[key]; r.presence.here[key] == 0 && (!left || beats >= goneBeats) {
		r.presence.moved[key] = struct{}{}
	}
	delete(r.presence.gone, key)
	r.presence.here[key]++
	return sync.OnceFunc(func() {
		r.presence.mu.Lock()
		defer r.presence.mu.Unlock()
		r.presence.here[key]--
		if r.presence.here[key] == 0 {
			delete(r.presence.here, key)
			r.presence.gone[key] = 0
		}
	})
}

// IsHere reports whether a player has the page of their match open on this node.
func (r *Runner) IsHere(id match.ID, p player.ID) bool {
	r.presence.mu.Lock()
	defer r.presence.mu.Unlock()
	return r.presence.here[seen{id, p}] > 0
}

// BeatPresence stores who is here; a job calls it every few seconds.
func (r *Runner) BeatPresence(ctx context.Context) error {
	now := r.Now()
	r.presence.mu.Lock()
	list := make([]store.Presence, 0, len(r.presence.here))
	for key := range r.presence.here {
		list = append(list, store.Presence{Match: key.match, Player: key.player, At: now})
	}
	told := r.presence.told()
	r.presence.mu.Unlock()
	defer func() {
		for id := range told {
			r.Nudge(PresenceTopic(id), now.UnixMilli())
		}
	}()
	if len(list) == 0 {
		return nil
	}
	if err := r.store.Write(ctx, func(tx *store.Tx) error { return tx.SeePlayers(list, now) }); err != nil {
		return fmt.Errorf("live: presence: %w", err)
	}
	return nil
}

// told are the matches where somebody has come or gone for good since the last beat.
func (p *presence) told() map[match.ID]struct{} {
	matches := map[match.ID]struct{}{}
	for key := range p.moved {
		matches[key.match] = struct{}{}
	}
	clear(p.moved)
	for key, beats := range p.gone {
		switch {
		case beats == goneBeats:
			matches[key.match] = struct{}{}
		case beats > 100*goneBeats:
			delete(p.gone, key)
			continue
		}
		p.gone[key] = beats + 1
	}
	return matches
}
