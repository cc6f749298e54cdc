package page

import (
	"sync"
	"time"
)

// busy keeps a value for each key in use on this node. The zero value is ready.
type busy[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]*used[V]
}

type used[V any] struct {
	value V
	last  time.Time
}

// With most values kept, those unused for idle are dropped.
const (
	most = 20_000
	idle = 10 * time.Minute
)

// use lets f read and change the value of a key, at first the zero value.
func (b *busy[K, V]) use(key K, now time.Time, f func(*V)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := b.kept[key]
	if u == nil {
		if len(b.kept) >= most {
			b.sweep(now)
		}
		if b.kept == nil {
			b.kept = map[K]*used[V]{}
		}
		u = &used[V]{}
		b.kept[key] = u
	}
	u.last = now
	f(&u.value)
}

// sweep drops idle values, or all if none is idle: losing a count is better than filling the memory.
func (b *busy[K, V]) sweep(now time.Time) {
	for key, u := range b.kept {
		if now.Sub(u.last) > idle {
			delete(b.kept, key)
		}
	}
	if len(b.kept) >= most {
		clear(b.kept)
	}
}
