package web

import "sync"

// together does what many ask for at one moment in one go: what is asked for while a
// batch is done waits for the next one. At the start of a round everybody comes at once.
type together[B any] struct {
	do func(*B) error

	mu   sync.Mutex
	next *batch[B] // nil: nothing waits
	busy bool
}

type batch[B any] struct {
	of   B
	done chan struct{} // closed when it is done, or err says why not
	err  error
}

// join adds to the next batch.
func (t *together[B]) join(add func(*B)) *batch[B] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next == nil {
		t.next = &batch[B]{done: make(chan struct{})}
	}
	add(&t.next.of)
	if !t.busy {
		t.busy = true
		go t.work()
	}
	return t.next
}

// work does one batch after the other as long as there is one.
func (t *together[B]) work() {
	for {
		t.mu.Lock()
		b := t.next
		t.next, t.busy = nil, b != nil
		t.mu.Unlock()
		if b == nil {
			return
		}
		b.err = t.do(&b.of)
		close(b.done)
	}
}

func (b *batch[B]) wait() error {
	<-b.done
	return b.err
}
