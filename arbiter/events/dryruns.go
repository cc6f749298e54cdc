package events

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/dryrun"
)

// The bounds of a dry run.
const (
	MostDryRuns = 2000
	dryPiece    = 400 * time.Millisecond // of work at a time
	dryLease    = 15 * time.Second
)

// ErrDryRun refuses a dry run outside the bounds.
var ErrDryRun = refusal.Invalid("dryrun.error.bounds", "arbiter: a dry run plays 1…2000 times")

// DryRun is what somebody asks a dry run for.
type DryRun struct {
	Runs  int
	Extra int   // entries that are still expected
	First int   // how many first ranks are told apart
	Seed  int64 // 0: any
}

// UsualDryRun is what a dry run is if nobody asks for more.
var UsualDryRun = DryRun{Runs: 500, First: 3}

// StartDryRun simulates a tournament before it starts, in the background: runs times,
// with some more players than have entered, telling the first ranks apart. The same seed
// repeats it; 0 draws one.
func (a *Office) StartDryRun(ctx context.Context, by player.Viewer, id tournament.ID, x DryRun) error {
	t, err := a.Tournament(ctx, id)
	switch {
	case err != nil:
		return err
	case !t.May(by, tournament.ActDesk):
		return tournament.ErrNotAllowed
	case t.Status >= tournament.Running:
		return tournament.ErrStarted
	case x.Runs < 1 || x.Runs > MostDryRuns || x.Extra < 0 || x.First < 1:
		return ErrDryRun
	}
	d, _, err := a.Durations(ctx)
	if err != nil {
		return err
	}
	plan := dryrun.PlanOf(t, x.Extra, d, a.Now())
	if _, err := plan.Simulate(1, x.First); err != nil {
		return err
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return err
	}
	for x.Seed == 0 {
		x.Seed = rand.Int64N(1_000_000_000)
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddDryRun(store.DryRun{
			ID: store.NewID(), Tournament: id, By: by.ID, Seed: x.Seed, Total: x.Runs, First: x.First, Plan: string(text), CreatedAt: a.Now(),
		})
	})
	if err == nil {
		a.nudgeDryRun(id)
	}
	return err
}

// nudgeDryRun says only that there is news: a dry run does not change the tournament, and
// the hub drops a version that it knows.
func (a *Office) nudgeDryRun(id tournament.ID) { a.Live.Nudge(live.TournamentTopic(string(id)), 0) }

// CancelDryRun ends the dry run under way and keeps what it has found.
func (a *Office) CancelDryRun(ctx context.Context, by player.Viewer, id tournament.ID) error {
	t, err := a.Tournament(ctx, id)
	switch {
	case err != nil:
		return err
	case !t.May(by, tournament.ActDesk):
		return tournament.ErrNotAllowed
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error { return tx.CancelDryRun(id, a.Now()) })
	if errors.Is(err, store.ErrConflict) {
		return nil // it is over already
	}
	if err == nil {
		a.nudgeDryRun(id)
	}
	return err
}

// DryRunReport is a dry run and its findings so far.
type DryRunReport struct {
	store.DryRun
	Plan   dryrun.Plan
	Report dryrun.Report
}

// DryRun is a tournament's last dry run, store.ErrNotFound without one.
func (a *Office) DryRun(ctx context.Context, id tournament.ID) (r DryRunReport, err error) {
	if r.DryRun, err = store.Get(ctx, a.Store, func(tx *store.Tx) (store.DryRun, error) { return tx.LastDryRun(id) }); err != nil {
		return r, err
	}
	samples, err := samplesOf(r.DryRun)
	if err == nil {
		err = json.Unmarshal([]byte(r.DryRun.Plan), &r.Plan)
	}
	r.Report = r.Plan.Summarize(samples)
	return r, err
}

func samplesOf(r store.DryRun) (samples []dryrun.Sample, err error) {
	if r.Samples != "" {
		err = json.Unmarshal([]byte(r.Samples), &samples)
	}
	return samples, err
}

// WorkDryRuns does a piece of a dry run. A job calls it on every node, and one node does
// the piece.
func (a *Office) WorkDryRuns(ctx context.Context) error {
	before, err := store.Get(ctx, a.Store, func(tx *store.Tx) (store.DryRun, error) { return tx.DueDryRun(a.Now()) })
	if err == nil {
		err = a.Store.Write(ctx, func(tx *store.Tx) error { return tx.LeaseDryRun(before, a.Now(), a.Now().Add(dryLease)) })
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
		return nil
	}
	if err != nil {
		return err
	}
	after, err := a.dryPiece(ctx, before)
	if err != nil {
		a.Log.Error("dry run failed", "tournament", before.Tournament, "err", err)
		after.State, after.EndedAt = store.DryFailed, a.Now()
	}
	err = a.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.SaveDryRun(before, after) })
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return err
	}
	a.nudgeDryRun(before.Tournament)
	return nil
}

// dryPiece simulates for a while, at least one run. Which run has which seed does not
// depend on the node.
func (a *Office) dryPiece(ctx context.Context, r store.DryRun) (store.DryRun, error) {
	var plan dryrun.Plan
	if err := json.Unmarshal([]byte(r.Plan), &plan); err != nil {
		return r, err
	}
	samples, err := samplesOf(r)
	if err != nil {
		return r, err
	}
	for began := time.Now(); r.Done < r.Total; {
		s, err := plan.Simulate(uint64(r.Seed)+uint64(r.Done), r.First)
		if err != nil {
			return r, err
		}
		samples = append(samples, s)
		r.Done++
		if time.Since(began) > dryPiece || ctx.Err() != nil {
			break
		}
	}
	text, err := json.Marshal(samples)
	r.Samples = string(text)
	if r.Done == r.Total {
		r.State, r.EndedAt = store.DryDone, a.Now()
	}
	return r, err
}
