package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
)

// sweepSize is how many overdue matches are read at a time.
const sweepSize = 200

// SweepDue lets the flags fall, and the late forfeit, in all matches whose
// deadline has passed.
func (r *Runner) SweepDue(ctx context.Context) error {
	if err := r.Awake(ctx); err != nil {
		return err
	}
	tried := map[match.ID]bool{}
	for {
		var due []match.ID
		err := r.store.Read(ctx, func(tx *store.Tx) (err error) {
			due, err = tx.DueMatches(r.now().Add(-r.c.FlagGrace), sweepSize+len(tried))
			return err
		})
		if err != nil {
			return fmt.Errorf("live: sweep: %w", err)
		}
		fresh := 0
		for _, id := range due {
			if tried[id] {
				continue // it stays due: logged, or another node is at it
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

// Heartbeat notes that this node is alive. When no node was for a while, that
// was an outage: every match running then gets its time back, once.
func (r *Runner) Heartbeat(ctx context.Context) error {
	r.beating.Lock()
	defer r.beating.Unlock()
	return r.beat(ctx, r.c.OutageAfter)
}

// Recover is the first heartbeat of a node: call it before anyone is served. A
// running node may be late with a beat under load; one that starts was not
// running for certain, so less silence counts.
func (r *Runner) Recover(ctx context.Context) error {
	r.beating.Lock()
	defer r.beating.Unlock()
	return r.beat(ctx, r.c.StoppedFor)
}

func (r *Runner) beat(ctx context.Context, outage time.Duration) error {
	now := r.now()
	var open []store.Outage
	err := r.store.Write(ctx, func(tx *store.Tx) error {
		before, err := tx.Beat(r.c.Node, now)
		if err != nil {
			return err
		}
		if !before.IsZero() && now.Sub(before) > outage {
			if err := tx.AddOutage(store.Outage{From: before, To: now}); err != nil {
				return err
			}
		}
		open, err = tx.OpenOutages()
		return err
	})
	if err != nil {
		return fmt.Errorf("live: heartbeat: %w", err)
	}
	var failed []error
	for _, o := range open {
		if err := r.giveBack(ctx, o); err != nil {
			failed = append(failed, fmt.Errorf("live: outage: %w", err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	// One match in trouble does not hold up all others: the next beat tries again.
	r.lastBeat.Store(now.UnixMilli())
	return errors.Join(failed...)
}

// Awake gives an outage back before anything is judged, should this node itself
// have slept through it.
func (r *Runner) Awake(ctx context.Context) error {
	if r.isAwake() {
		return nil
	}
	r.beating.Lock()
	defer r.beating.Unlock()
	if r.isAwake() {
		return nil
	}
	return r.beat(ctx, r.c.OutageAfter)
}

func (r *Runner) isAwake() bool {
	last := r.lastBeat.Load()
	return last == 0 || r.now().Sub(time.UnixMilli(last)) <= r.c.OutageAfter
}

// giveBack credits an outage to every match. Nodes that come back together may
// all do it: the command's name lets each match take it once.
func (r *Runner) giveBack(ctx context.Context, o store.Outage) error {
	var ids []match.ID
	err := r.store.Read(ctx, func(tx *store.Tx) (err error) {
		ids, err = tx.OpenedBefore(o.To)
		return err
	})
	if err != nil {
		return err
	}
	q := Request{CommandID: fmt.Sprintf("outage-%d", o.From.UnixMilli()), Command: match.CreditOutage{From: o.From, To: o.To}}
	var failed error
	for _, id := range ids {
		_, err := r.do(ctx, id, "", q, r.now())
		switch {
		case err == nil || errors.Is(err, match.ErrOver):
		case errors.Is(err, errBroken) || errors.Is(err, match.ErrLog):
			r.log.Error("outage not given back", "match", id, "err", err) // nor ever
		default:
			failed = fmt.Errorf("match %s: %w", id, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if failed != nil {
		return failed // the outage stays open
	}
	r.log.Info("outage given back", "from", o.From, "to", o.To, "matches", len(ids))
	return r.store.Write(ctx, func(tx *store.Tx) error { return tx.SettleOutage(o) })
}
