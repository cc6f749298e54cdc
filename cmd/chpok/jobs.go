package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/go-co-op/gocron/v2"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// job is a query of the database that every node repeats. It is stateless, so that
// restarts lose nothing and a second node does no harm.
type job struct {
	name  string
	every time.Duration
	do    func(context.Context) error
}

// analysisEvery is longer in tests of the program, where nobody waits for analyses of
// finished matches.
var analysisEvery = 613 * time.Millisecond

// jobs returns all background jobs. Their periods have no common divisor, so that nodes
// started together do not run in step.
func (a *app) jobs() []job {
	return []job{
		{"flags", 307 * time.Millisecond, a.live.SweepDue},
		{"bots", 523 * time.Millisecond, a.live.RunBots},
		{"checks", 607 * time.Millisecond, a.arbiter.Seats.SweepMidChecks},
		{"heartbeat", live.BeatEvery, a.live.Heartbeat},
		{"tournaments", 1511 * time.Millisecond, a.arbiter.Sweep},
		{"arenas", 797 * time.Millisecond, a.arbiter.Rounds.SweepArenas},
		{"reread", 2003 * time.Millisecond, a.live.Reread},
		{"presence", 5003 * time.Millisecond, a.live.BeatPresence},
		{"ladders", 2503 * time.Millisecond, a.arbiter.Ladders.Sweep},
		{"dry runs", 709 * time.Millisecond, a.arbiter.Events.WorkDryRuns},
		{"analysis", analysisEvery, a.analyst.Work},
		{"ratings", 7211 * time.Millisecond, a.arbiter.Ratings.Sweep},
		{"reminders", 11003 * time.Millisecond, a.arbiter.Remind},
		{"followers", 13007 * time.Millisecond, a.arbiter.Persons.TellFollowers},
		{"push", 1103 * time.Millisecond, a.push.Deliver},
		{"mail", 7013 * time.Millisecond, a.mail.Deliver},
		{"erasures", 67 * time.Second, a.arbiter.Persons.SweepErasures},
		{"guests", 71 * time.Minute, a.arbiter.Persons.SweepGuests},
		{"notices", 61 * time.Minute, a.sweepNotices},
		{"sessions", 59 * time.Minute, a.sweepSessions},
		{"terms", 61 * time.Minute, a.arbiter.Persons.Forget},
		{"seasons", 29 * time.Minute, a.arbiter.Stewards.CountSeasons},
		{"room", 4999 * time.Millisecond, a.lookForRoom},
	}
}

// startJobs runs the jobs until ctx ends; told is called after every run, stop waits for
// running ones.
func startJobs(ctx context.Context, jobs []job, told func(name string, took time.Duration, failed bool), log *slog.Logger) (
	stop func() error, err error) {
	s, err := gocron.NewScheduler(gocron.WithLocation(time.UTC), gocron.WithStopTimeout(10*time.Second))
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		task := func() {
			began, failed := time.Now(), true
			defer func() { told(j.name, time.Since(began), failed) }()
			// A panic in one tournament must not take down the others.
			defer func() {
				if broken := recover(); broken != nil {
					log.Error("job broken", "job", j.name, "err", broken, "stack", string(debug.Stack()))
				}
			}()
			err := j.do(ctx)
			if failed = err != nil && ctx.Err() == nil; failed {
				log.Error("job failed", "job", j.name, "err", err)
			}
		}
		if _, err := s.NewJob(gocron.DurationJob(j.every), gocron.NewTask(task), gocron.WithName(j.name),
			gocron.WithSingletonMode(gocron.LimitModeReschedule)); err != nil {
			return nil, errors.Join(err, s.Shutdown())
		}
	}
	s.Start()
	return s.Shutdown, nil
}

func (a *app) sweepNotices(ctx context.Context) error {
	return a.store.Write(ctx, func(tx *store.Tx) error { return tx.SweepNotices(a.live.Now()) })
}
