package live

import (
	"context"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
)

// States are many matches, each at its head or later; what this node has in memory is not
// read again.
func (r *Runner) States(ctx context.Context, heads map[match.ID]store.Head) (map[match.ID]match.State, error) {
	states := make(map[match.ID]match.State, len(heads))
	for _, h := range heads {
		b, err := r.loadAtLeast(ctx, h.ID, h.Seq)
		if err != nil {
			return nil, err
		}
		states[h.ID] = b.state
	}
	return states, nil
}

// Moved changes when any match moves on, as far as this node knows. While it stays the
// same, so does every Mark.
func (r *Runner) Moved() int64 { return r.moved.Load() }

// Mark changes when one of these matches moves on, as far as this node knows.
func (r *Runner) Mark(ids ...match.ID) (mark int64) {
	for _, id := range ids {
		if b, ok := r.cache.get(id); ok {
			mark += b.state.Seq()
		}
		mark *= 31
	}
	return mark
}
