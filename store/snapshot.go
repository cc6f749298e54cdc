package store

import (
	"context"
	"sync"
)

// snapshot is what one page is read from. Its first Read begins it and later ones join it: a page costs one transaction,
// and all of it is of one moment. A Write ends it, so that what is read afterwards is as the write left it.
//
// Whoever has begun one holds a connection: they must not wait for somebody who may yet need one.
type snapshot struct {
	mu      sync.Mutex
	of      *Store
	tx      *Tx  // nil: not begun
	readers int  // Reads that run
	isOver  bool // Reads no longer join it
}

type snapshotKey struct{}

// WithSnapshot lets the Reads of ctx share a snapshot until EndSnapshot. They come one after another or one inside the
// other, not at the same time.
func WithSnapshot(ctx context.Context) context.Context {
	return context.WithValue(ctx, snapshotKey{}, &snapshot{})
}

// EndSnapshot gives back the connection of a snapshot, if ctx has one, before something slow. Later Reads are apart.
func EndSnapshot(ctx context.Context) {
	if x := snapshotOf(ctx); x != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.isOver = true
		x.release()
	}
}

// HoldsSnapshot reports whether ctx holds the connection of a snapshot.
func HoldsSnapshot(ctx context.Context) bool {
	x := snapshotOf(ctx)
	if x == nil {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.tx != nil
}

func snapshotOf(ctx context.Context) *snapshot {
	x, _ := ctx.Value(snapshotKey{}).(*snapshot)
	return x
}

// join returns the transaction of a snapshot and how to leave it; nil if it cannot be shared.
func (x *snapshot) join(ctx context.Context, s *Store) (*Tx, func(error), error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.isOver || x.of != nil && x.of != s {
		return nil, nil, nil
	}
	if x.tx == nil {
		tx, err := s.begin(ctx)
		if err != nil {
			return nil, nil, err
		}
		x.of, x.tx = s, tx
	}
	x.readers++
	return x.tx, x.leave, nil
}

// leave ends a Read. A transaction that the database failed is of no more use.
func (x *snapshot) leave(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.readers--; x.isOver || isDown(err) {
		x.release()
	}
}

// refresh makes the next Read begin anew.
func (x *snapshot) refresh() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.release()
}

// release ends the transaction, unless a Read still uses it.
func (x *snapshot) release() {
	if x.tx != nil && x.readers == 0 {
		x.tx.db.Rollback()
		x.tx = nil
	}
}
