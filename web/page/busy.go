package page

import (
	"sync"
	"time"
)

// busy keeps on this node a value for each key that is in use. Its zero value is
// empty.
type busy[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]*used[V]
}

type used[V any] struct {
	value V
	last  time.Time
}

// most is how many values are kept before the idle ones go, and idle how long one
// has not been used then.
const (
	most = 20_000
	idle = 10 * time.Minute
)

// use lets f read and change the value of a key, which begins as its zero value.
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

// sweep drops what has been idle, and everything when all are busy: to forget
// a count is better than to fill the memory.
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
