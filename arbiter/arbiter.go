// Package arbiter runs competitions: it applies the requests of organizers and players by
// the rulebook (package tournament), stores the outcome, opens the matches of a round
// together with the round, records their results and updates ratings. The rulebook
// decides what may be done now, and all state is in the database.
//
// Each office has a package. This one joins them, with what concerns them all: the
// aftermath of matches, reminders, and the sweep.
package arbiter

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/arbiter/clubs"
	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ladders"
	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/challenge"
)

// Config configures an Arbiter; the zero value serves.
type Config = kernel.Config

// Arbiter is all offices over one store. Give its OnFinish to Runner.OnFinish and let a
// job call Sweep.
type Arbiter struct {
	*kernel.Kernel
	Assurance  *assurance.Office
	Ratings    *ratings.Office
	Entries    *entries.Office
	Rounds     *rounds.Office
	Desk       *desk.Office
	Persons    *persons.Office
	Seats      *seats.Office
	Judges     *judges.Office
	Challenges *challenges.Office
	Ladders    *ladders.Office
	Leagues    *leagues.Office
	Clubs      *clubs.Office
	Events     *events.Office
}

// New makes an arbiter over a store, opening matches through a runner.
func New(s *store.Store, r *live.Runner, c Config, log *slog.Logger) *Arbiter {
	k := kernel.New(s, r, c, log)
	a := &Arbiter{Kernel: k}
	a.Assurance = assurance.New(k)
	a.Ratings = ratings.New(k)
	a.Entries = entries.New(k, a.Assurance)
	a.Rounds = rounds.New(k, a.Assurance, a.Ratings)
	a.Desk = desk.New(k, a.Assurance, a.Ratings, a.Rounds)
	a.Persons = persons.New(k)
	a.Seats = seats.New(k, a.Persons)
	a.Judges = judges.New(k, a.Assurance, a.Ratings, a.Rounds, a.Desk, a.Seats)
	a.Challenges = challenges.New(k, a.Assurance, a.Ratings, a.Seats)
	a.Ladders = ladders.New(k, a.Assurance, a.Ratings)
	a.Leagues = leagues.New(k, a.Rounds)
	a.Clubs = clubs.New(k)
	a.Events = events.New(k, a.Assurance, a.Rounds)
	itself := func(version int64) int64 { return version }
	r.RereadWith("tournament", live.RereadBy(s, (*store.Tx).TournamentVersions, itself))
	r.RereadWith("challenge", live.RereadBy(s, (*store.Tx).ChallengeStatuses, func(x challenge.Status) int64 { return int64(x) }))
	r.RereadWith("ladder", live.RereadBy(s, (*store.Tx).LadderVersions, itself))
	r.RereadWith("calls", live.RereadBy(s, (*store.Tx).CalledAt, time.Time.UnixMilli))
	r.RereadWith("talk", live.RereadBy(s, (*store.Tx).TalkedAt, time.Time.UnixMilli))
	return a
}

// Sweep does what is due and what a crash has left undone: the aftermath of matches,
// registrations and rounds whose time has come, expired challenges, dates of series,
// ratings of finished tournaments. Every node may call it at any pace.
func (a *Arbiter) Sweep(ctx context.Context) error {
	return errors.Join(a.sweepChores(ctx), a.Rounds.SweepGates(ctx), a.Rounds.Sweep(ctx), a.Challenges.Sweep(ctx), a.Events.SweepSeries(ctx), a.Leagues.Sweep(ctx),
		a.Ratings.SweepUnrated(ctx), a.Persons.SweepAttestations(ctx), a.Judges.SweepReviews(ctx))
}
