package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// BeatEvery is how often to call Heartbeat; it bounds how exactly the start of an outage
// is known.
const BeatEvery = 293 * time.Millisecond

const (
	beatWithin = 5 * time.Second   // a database that takes longer counts as away
	failedFor  = 3 * BeatEvery / 2 // silence that counts as an outage after the database has failed
)

// errUndecided is the error of a beat while the machine's clock and the last beat of
// another node disagree.
var errUndecided = refusal.Busy("error.busy", "live: the clock of this machine has jumped; the other nodes will tell the time")

// errBeating is the error of those whose patience ends while a beat takes long.
var errBeating = errors.New("live: heartbeat in progress")

// Heartbeat notes that this node is alive. If no node was for a while, that was an
// outage: every match running gets its time back, once. So is time that the machine's
// clock has skipped.
func (r *Runner) Heartbeat(ctx context.Context) error {
	r.beating <- struct{}{}
	defer r.beaten()
	return r.beat(ctx, r.c.OutageAfter)
}

// Recover is the first heartbeat of a node; call it before serving anyone. A running node
// may be late with a beat under load; one that starts was certainly down, so less silence
// counts.
func (r *Runner) Recover(ctx context.Context) error {
	r.beating <- struct{}{}
	defer r.beaten()
	if err := r.beat(ctx, r.c.StoppedFor); err != nil {
		return err
	}
	return r.beat(ctx, r.c.StoppedFor) // giving back took time too, and nobody was served
}

// Awake gives an outage back before anything is judged, if this node has slept through it
// or the database was away.
func (r *Runner) Awake(ctx context.Context) error {
	if r.isAwake() {
		return nil
	}
	return r.wake(ctx)
}

// Alive reports whether this node can write: the beats say so, or else one more beat.
func (r *Runner) Alive(ctx context.Context) error {
	if r.lastBeat.Load() != 0 && r.isAwake() {
		return nil
	}
	return r.wake(ctx)
}

// wake waits for the beat under way, and beats if that has not woken the node.
func (r *Runner) wake(ctx context.Context) error {
	before := r.failed.Load()
	select {
	case r.beating <- struct{}{}:
	default:
		select {
		case r.beating <- struct{}{}:
		case <-ctx.Done():
			return errors.Join(errBeating, ctx.Err())
		}
	}
	defer r.beaten()
	if r.lastBeat.Load() != 0 && r.isAwake() {
		return nil
	}
	// Those who waited while a beat failed get its error, or they would wait for the
	// database one after the other.
	if last := r.failed.Load(); last != before {
		return *last
	}
	return r.beat(ctx, r.c.OutageAfter)
}

// beaten lets others beat, then runs what follows from what was given back: it may ask
// whether this node is awake (Prepare does), and so would have waited for its own beat.
func (r *Runner) beaten() {
	follows := r.owed.take()
	<-r.beating
	for _, f := range follows {
		f()
	}
}

// owed holds what follows from the commits of a beat, to run after it.
type owed struct {
	mu      sync.Mutex
	follows []func()
}

// beatKey marks the context of what a beat gives back.
type beatKey struct{}

func (o *owed) add(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.follows = append(o.follows, f)
}

func (o *owed) take() []func() {
	o.mu.Lock()
	defer o.mu.Unlock()
	follows := o.follows
	o.follows = nil
	return follows
}

func (r *Runner) isAwake() bool {
	last := r.lastBeat.Load()
	if last == 0 {
		return true
	}
	now, jump := r.clock.read()
	return !r.failing.Load() && jump <= 0 && now.Sub(time.UnixMilli(last)) <= r.c.OutageAfter
}

// fails notes that the database did not answer: its next beat ends an outage, however
// short.
func (r *Runner) fails(err error) {
	if errors.Is(err, store.ErrDown) {
		r.failing.Store(true)
	}
}

func (r *Runner) beat(ctx context.Context, limit time.Duration) error {
	if r.failing.Load() {
		limit = min(limit, failedFor)
	}
	open, now, err := r.note(ctx, limit)
	if err != nil {
		err = fmt.Errorf("live: heartbeat: %w", err)
		if ctx.Err() == nil && !errors.Is(err, store.ErrConflict) {
			r.failing.Store(true)
			r.failed.Store(&err)
		}
		return err
	}
	serves := r.lastBeat.Load() != 0
	var failed []error
	for _, o := range open {
		if now, err = r.giveBack(ctx, o, now, serves); err != nil {
			failed = append(failed, fmt.Errorf("live: outage: %w", err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	// One broken match does not hold up all others: the next beat tries again.
	r.lastBeat.Store(now.UnixMilli())
	r.failing.Store(false)
	return errors.Join(failed...)
}

// note writes a beat, and an outage if there was silence or the clock has skipped time;
// then it sets the clock. It returns the outages to give back and the new time.
func (r *Runner) note(ctx context.Context, limit time.Duration) (open []store.Outage, to time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, beatWithin)
	defer cancel()
	now, jump := r.clock.read()
	var c course
	err = r.store.Write(ctx, func(tx *store.Tx) error {
		own, others, err := tx.Beats(r.c.Node)
		if err != nil {
			return err
		}
		last := slices.MaxFunc([]time.Time{own, others}, time.Time.Compare)
		if c, err = r.follow(tx, now, jump, last, others); err != nil {
			return err
		}
		to = now.Add(c.by)
		from, limit := last, limit
		if c.by > 0 && now.Sub(last) <= limit { // no silence except the skipped time
			if from = slices.MaxFunc([]time.Time{now, last}, time.Time.Compare); from.Equal(now) {
				limit = 0
			}
		}
		if !last.IsZero() && to.Sub(from) > limit {
			err = tx.AddOutage(store.Outage{From: from, To: to})
		}
		if err == nil {
			err = tx.Beat(r.c.Node, to)
		}
		if err == nil {
			open, err = tx.OpenOutages()
		}
		return err
	})
	switch {
	case errors.Is(err, errUndecided):
		r.suspect = c.suspect
	case err == nil:
		r.suspect = c.suspect
		r.clock.hold(c.hold)
		if c.by != 0 {
			r.failing.Store(true) // readers of the new time wait for the end of the beat
			r.clock.move(c.by)
		}
	}
	return open, to, err
}

// course is what a beat does about the clock: move the time, ignore a jump of the
// machine's clock, or wait to see more.
type course struct {
	by, hold time.Duration
	suspect  suspicion
}

// follow decides the course without changing anything, so it may run again. A jump of the
// machine's clock is followed unless another node shows that the machine is wrong. Set
// back, it is followed at once if no player's clock runs, else slowly.
func (r *Runner) follow(tx *store.Tx, now time.Time, jump time.Duration, last, others time.Time) (course, error) {
	near := func(at time.Time) bool { return at.Sub(others).Abs() <= r.c.OutageAfter }
	stay := course{suspect: r.suspect}
	if ahead := last.Sub(now); r.lastBeat.Load() == 0 && ahead > clockJitter { // set back before this node began
		if runs, err := tx.AnyRuns(); err != nil || !runs || ahead > clockWrong {
			return stay, err
		}
		return course{by: ahead, suspect: r.suspect}, nil
	}
	switch {
	case jump > 0 && near(now) && !near(now.Add(jump)):
		if stay.suspect.seen.IsZero() {
			stay.suspect = suspicion{now, others}
		}
		if others.After(stay.suspect.others) { // it is alive, at our time
			return course{hold: jump}, nil
		}
		if now.Sub(stay.suspect.seen) <= 2*BeatEvery {
			return stay, errUndecided
		}
	case jump < 0:
		runs, err := tx.AnyRuns()
		if err != nil || -jump > clockWrong || !runs && !near(now) {
			return course{by: jump, suspect: r.suspect}, err
		}
		if others.After(now) {
			return stay, nil
		}
		since := now.Sub(time.UnixMilli(r.lastBeat.Load()))
		return course{by: -min(-jump, since/clockSlew), suspect: r.suspect}, nil
	}
	return course{by: max(0, jump)}, nil
}

// suspicion is when the machine's clock was seen to have jumped, and the last
// beat of another node then.
type suspicion struct{ seen, others time.Time }

// givenAtOnce is how many matches are credited at a time; their appends are committed
// together.
const givenAtOnce = 64

// giveBack credits an outage to every match. Nodes that return together may all do it:
// the command's name lets each match take it once. A serving node keeps beating, or
// giving back would itself become the next outage; those who wait lose nothing, because
// their arrival counts. It returns the time of this node's last beat.
func (r *Runner) giveBack(ctx context.Context, o store.Outage, beaten time.Time, serves bool) (time.Time, error) {
	ids, err := store.Get(ctx, r.store, func(tx *store.Tx) ([]match.ID, error) { return tx.OpenedBefore(o.To) })
	if err != nil {
		return beaten, err
	}
	var failed error
	for some := range slices.Chunk(ids, givenAtOnce) {
		if err := r.giveTo(ctx, o, some); err != nil {
			failed = err
		}
		if ctx.Err() != nil {
			return beaten, ctx.Err()
		}
		if now := r.Now(); serves && now.Sub(beaten) >= BeatEvery {
			if err := r.store.Write(ctx, func(tx *store.Tx) error { return tx.Beat(r.c.Node, now) }); err != nil {
				return beaten, err
			}
			beaten = now
		}
	}
	if failed != nil {
		return beaten, failed // the outage stays open
	}
	r.log.Info("outage given back", "from", o.From, "to", o.To, "matches", len(ids))
	return beaten, r.store.Write(ctx, func(tx *store.Tx) error { return tx.SettleOutage(o) })
}

// giveTo credits an outage to some matches together.
func (r *Runner) giveTo(ctx context.Context, o store.Outage, ids []match.ID) error {
	q := Request{CommandID: fmt.Sprintf("outage-%d", o.From.UnixMilli()), Command: match.CreditOutage{From: o.From, To: o.To}}
	errs := make([]error, len(ids))
	ctx = context.WithValue(ctx, beatKey{}, true)
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			_, err := r.do(ctx, id, "", q, r.Now())
			switch {
			case err == nil || errors.Is(err, match.ErrOver):
			case errors.Is(err, errBroken) || errors.Is(err, match.ErrLog):
				r.log.Error("outage not given back", "match", id, "err", err) // and never will be
			default:
				errs[i] = fmt.Errorf("match %s: %w", id, err)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
