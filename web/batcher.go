package web

import "sync"

// batcher batches requests: those that arrive while a batch is being done make up the next one. It helps at the
// start of a round, when all players arrive at once.
type batcher[B any] struct {
	do func(*B) error

	mu   sync.Mutex
	next *batch[B] // nil: no request waits
	busy bool
}

type batch[B any] struct {
	of   B
	done chan struct{} // closed when the batch is done
	err  error         // valid after done
}

// join adds to the next batch and returns it.
func (t *batcher[B]) join(add func(*B)) *batch[B] {
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

// work does batches until none waits.
func (t *batcher[B]) work() {
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
