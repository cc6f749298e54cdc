package site

import (
	"cmp"
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

// jobs returns all background jobs. Their periods have no common divisor, so that nodes
// started together do not run in step.
func (s *Site) jobs() []job {
	return []job{
		{"flags", 307 * time.Millisecond, s.Live.SweepDue},
		{"bots", 523 * time.Millisecond, s.Live.RunBots},
		{"checks", 607 * time.Millisecond, s.Arbiter.Seats.SweepMidChecks},
		{"heartbeat", live.BeatEvery, s.Live.Heartbeat},
		{"tournaments", 1511 * time.Millisecond, s.Arbiter.Sweep},
		{"arenas", 797 * time.Millisecond, s.Arbiter.Rounds.SweepArenas},
		{"reread", 2003 * time.Millisecond, s.Live.Reread},
		{"presence", 5003 * time.Millisecond, s.Live.BeatPresence},
		{"ladders", 2503 * time.Millisecond, s.Arbiter.Ladders.Sweep},
		{"dry runs", 709 * time.Millisecond, s.Arbiter.Events.WorkDryRuns},
		{"analysis", cmp.Or(s.options.AnalysisEvery, 613*time.Millisecond), s.analyst.Work},
		{"calibration", 31 * time.Minute, s.analyst.Calibrate},
		{"dossiers", 31 * time.Second, s.Arbiter.Judges.SweepDossiers},
		{"ratings", 7211 * time.Millisecond, s.Arbiter.Ratings.Sweep},
		{"reminders", 11003 * time.Millisecond, s.Arbiter.Remind},
		{"followers", 13007 * time.Millisecond, s.Arbiter.Persons.TellFollowers},
		{"push", 1103 * time.Millisecond, s.push.Deliver},
		{"telegram", 1201 * time.Millisecond, s.bot.Deliver},
		{"telegram chats", 1709 * time.Millisecond, s.bot.Hear},
		{"webhooks", 1307 * time.Millisecond, s.hooks.Deliver},
		{"mail", 7013 * time.Millisecond, s.mail.Deliver},
		{"erasures", 67 * time.Second, s.Arbiter.Persons.SweepErasures},
		{"guests", 71 * time.Minute, s.Arbiter.Persons.SweepGuests},
		{"notices", 61 * time.Minute, s.sweepNotices},
		{"old webhooks", 73 * time.Minute, s.hooks.Forget},
		{"sessions", 59 * time.Minute, s.sweepSessions},
		{"terms", 61 * time.Minute, s.Arbiter.Persons.Forget},
		{"seasons", 29 * time.Minute, s.Arbiter.Judges.CountSeasons},
		{"room", 4999 * time.Millisecond, s.lookForRoom},
	}
}

// startJobs runs the jobs until ctx ends; told is called after every run, stop waits for
// running ones.
func startJobs(ctx context.Context, jobs []job, told func(name string, took time.Duration, failed bool), log *slog.Logger) (
	stop func() error, err error) {
	scheduler, err := gocron.NewScheduler(gocron.WithLocation(time.UTC), gocron.WithStopTimeout(10*time.Second))
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
		if _, err := scheduler.NewJob(gocron.DurationJob(j.every), gocron.NewTask(task), gocron.WithName(j.name),
			gocron.WithSingletonMode(gocron.LimitModeReschedule)); err != nil {
			return nil, errors.Join(err, scheduler.Shutdown())
		}
	}
	scheduler.Start()
	return scheduler.Shutdown, nil
}

func (s *Site) sweepNotices(ctx context.Context) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.SweepNotices(s.Live.Now()) })
}
