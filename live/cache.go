package live

import (
	"container/list"
	"sync"
)

// lru keeps the size values that were used last.
type lru[K comparable, V any] struct {
	mu    sync.Mutex
	size  int
	order *list.List // of *slot, the last used in front
	slots map[K]*list.Element
}

type slot[K comparable, V any] struct {
	key   K
	value V
}

func newLRU[K comparable, V any](size int) *lru[K, V] {
	return &lru[K, V]{size: size, order: list.New(), slots: map[K]*list.Element{}}
}

func (c *lru[K, V]) get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.slots[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*slot[K, V]).value, true
}

func (c *lru[K, V]) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}

// update replaces the value of a key by what f makes of it; f answers the
// present one when there is nothing better.
func (c *lru[K, V]) update(key K, f func(present V, ok bool) V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.slots[key]; ok {
		s := e.Value.(*slot[K, V])
		s.value = f(s.value, true)
		c.order.MoveToFront(e)
		return s.value
	}
	var none V
	s := &slot[K, V]{key, f(none, false)}
	c.slots[key] = c.order.PushFront(s)
	for c.order.Len() > c.size {
		oldest := c.order.Remove(c.order.Back()).(*slot[K, V])
		delete(c.slots, oldest.key)
	}
	return s.value
}
