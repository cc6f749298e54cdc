package live

import (
	"context"
	"errors"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
)

// errNotArbiters is a mistake of the caller.
var errNotArbiters = errors.New("live: not an arbiter's command")

// Arbitrate appends an arbiter's command to the log of a match; the caller has decided
// that they may give it. It returns the log's last sequence number, with the errors of
// Do. A command for what is already so changes nothing.
func (r *Runner) Arbitrate(ctx context.Context, id match.ID, q Request) (seq int64, err error) {
	if _, ok := q.Command.(match.Arbitration); !ok {
		return 0, fmt.Errorf("%w: %T", errNotArbiters, q.Command)
	}
	return r.Do(ctx, id, "", q)
}

// Ruling is an arbiter's command on its way into the log together with other changes:
// Prepare it, then write it in their transaction with RuleTx.
type Ruling struct {
	append store.Append
	next   *snapshot
}

// IsDone reports whether there is nothing to write: the command is in the log or asks for
// what is already so.
func (g Ruling) IsDone() bool { return g.next == nil }

// Prepare judges an arbiter's command without writing anything. Its errors are those of
// Do.
func (r *Runner) Prepare(ctx context.Context, id match.ID, q Request) (Ruling, error) {
	if _, ok := q.Command.(match.Arbitration); !ok {
		return Ruling{}, fmt.Errorf("%w: %T", errNotArbiters, q.Command)
	}
	arrived := r.Now()
	if err := r.Awake(ctx); err != nil {
		return Ruling{}, err
	}
	if done, err := r.done(ctx, id, commandID(q)); err != nil || done {
		return Ruling{}, err
	}
	b, err := r.load(ctx, id)
	if err != nil {
		return Ruling{}, err
	}
	if err := r.admit(ctx, id, b, q); err != nil {
		return Ruling{}, err
	}
	if q.Seq != nil && *q.Seq != b.state.Seq() {
		return Ruling{}, match.ErrStale
	}
	events, err := match.Decide(b.state, q.Command, arrived)
	if err != nil || len(events) == 0 {
		return Ruling{}, err
	}
	if isTooLate(q.Command, events) {
		// The clock comes first, as an event of its own; then the command is judged
		// again.
		if _, err := r.Do(ctx, id, "", Request{Command: match.CheckClock{}}); err != nil && !errors.Is(err, match.ErrOver) {
			return Ruling{}, err
		}
		return Ruling{}, store.ErrConflict
	}
	next, recorded := b.record(events, b.state.At(arrived))
	return Ruling{store.Append{Head: r.head(id, next, arrived), Events: recorded, CommandID: commandID(q)}, next}, nil
}

// RuleTx writes a ruling that is not done. ErrConflict means the match has moved on:
// prepare it again.
func (r *Runner) RuleTx(tx *store.Tx, g Ruling) error {
	if err := tx.AppendMatch(g.append); err != nil {
		return err
	}
	tx.AfterCommit(func() {
		r.keep(g.append.Head.ID, g.next)
		r.tell(context.Background(), g.append.Head, g.next)
	})
	return nil
}
