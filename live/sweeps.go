package live

import (
	"context"
	"errors"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
)

// sweepSize is how many overdue matches are read at a time.
const sweepSize = 200

// SweepDue lets the flags fall, and the late forfeit, in all matches whose deadline has
// passed.
func (r *Runner) SweepDue(ctx context.Context) error {
	if err := r.Awake(ctx); err != nil {
		return err
	}
	tried := map[match.ID]bool{}
	for {
		due, err := store.Get(ctx, r.store, func(tx *store.Tx) ([]match.ID, error) {
			return tx.DueMatches(r.Now().Add(-r.c.FlagGrace), sweepSize+len(tried))
		})
		if err != nil {
			r.fails(err)
			return fmt.Errorf("live: sweep: %w", err)
		}
		fresh := 0
		for _, id := range due {
			if tried[id] {
				continue // still due: it failed, or another node is at it
			}
			tried[id] = true
			fresh++
			if _, err := r.Do(ctx, id, "", Request{Command: match.CheckClock{}}); err != nil && !errors.Is(err, match.ErrOver) {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.log.Error("flag not fallen", "match", id, "err", err)
			}
		}
		if fresh < sweepSize {
			return nil
		}
	}
}
