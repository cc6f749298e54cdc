package arbiter

import (
	"context"
	"errors"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/store"
)

// readAtOnce is how many finished matches ReadPositions reads in one call.
const readAtOnce = 100

// readPositions remembers which positions stood in a match that is over; a second
// time changes nothing. The log is read past the cache, which is for matches that
// somebody looks at. A log that cannot be read is passed over for good.
func (a *Arbiter) readPositions(ctx context.Context, id match.ID) error {
	var head store.Head
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		head, err = tx.Match(id)
		return err
	})
	if err != nil || head.Status != match.Over {
		return err
	}
	log, err := a.store.Tail(ctx, id, 0)
	if err != nil && ctx.Err() != nil {
		return err
	}
	var marks []fairplay.Mark
	var broken error
	if err == nil {
		var s match.State
		if s, broken = match.Fold(log); broken == nil {
			marks = fairplay.Marks(s.Game())
		}
	}
	if broken = errors.Join(err, broken); broken != nil {
		broken = fmt.Errorf("positions of %s: %w", id, broken)
	}
	return errors.Join(broken, a.store.Write(ctx, func(tx *store.Tx) error { return tx.AddPositions(id, head.Seq, marks) }))
}

// ReadPositions remembers the positions of the matches that a crash, or a version
// of the program that did not, has left; some at a time, and it says how many
// there are still.
func (a *Arbiter) ReadPositions(ctx context.Context) error {
	var left []match.ID
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		left, err = tx.UnreadMatches(readAtOnce)
		return err
	})
	if err != nil || len(left) == 0 {
		return err
	}
	if err := forEach(ctx, a, "match", "positions not read", left, a.readPositions); err != nil || len(left) < readAtOnce {
		return err
	}
	return a.store.Read(ctx, func(tx *store.Tx) error {
		n, err := tx.CountUnread()
		if err == nil && n > 0 {
			a.log.Info("positions of finished matches are being read", "left", n)
		}
		return err
	})
}
