package kernel

import (
	"context"
	"sync"
	"time"

	"chpok.org/chpok/store"
)

// turnPatience is how long to wait for others before going ahead: turns only save futile
// attempts, the guard in the database decides.
const turnPatience = 5 * time.Second

// turns makes those who would change the same thing on this node go one after another,
// instead of all but one in vain.
type turns struct {
	mu sync.Mutex
	of map[string]*queue
}

type queue struct {
	taken chan struct{} // one slot
	wants int           // holders and waiters
}

// take waits for the turn of a key; leave passes it on.
func (t *turns) take(ctx context.Context, key string) (leave func(), err error) {
	t.mu.Lock()
	if t.of == nil {
		t.of = map[string]*queue{}
	}
	here := t.of[key]
	if here == nil {
		here = &queue{taken: make(chan struct{}, 1)}
		t.of[key] = here
	}
	here.wants++
	t.mu.Unlock()
	patience := time.NewTimer(turnPatience)
	defer patience.Stop()
	mine := false
	select {
	case here.taken <- struct{}{}:
		mine = true
	case <-patience.C:
	case <-ctx.Done():
		err = ctx.Err()
	}
	leave = func() {
		if mine {
			<-here.taken
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		here.wants--
		if here.wants == 0 {
			delete(t.of, key)
		}
	}
	if err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// InTurn makes one optimistic change, from its read on, and again when another writer
// came first. What f does must not take the same turn: it would wait for itself.
func (a *Kernel) InTurn(ctx context.Context, key string, f func() error) error {
	leave, err := a.turns.take(ctx, key)
	if err != nil {
		return err
	}
	defer leave()
	return store.Retry(ctx, f)
}
