// Package arbiter runs competitions: it brings what organizers and players ask
// to the rulebook (package tournament), writes what follows, opens the matches
// of a round together with the round, takes in their results and applies
// ratings. It refuses to judge: whether something may be done now is the
// rulebook's answer, and nothing is remembered outside the database.
package arbiter

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"sync"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Config of an Arbiter; the zero value serves.
type Config struct {
	Now     func() time.Time   // nil: the clock of the machine
	SignKey ed25519.PrivateKey // nil: the database keeps one
	Site    string             // the address that is signed with matches; empty: none
}

// Arbiter runs the tournaments of one store. Give its OnFinish
// to Runner.OnFinish, and let a job call Sweep.
type Arbiter struct {
	store *store.Store
	live  *live.Runner
	turns turns
	now   func() time.Time
	log   *slog.Logger

	signKey ed25519.PrivateKey // nil: in the database
	site    string
	secrets sync.Map // by name: they never change, and every move asks
}

// New is an arbiter over a store, opening matches through a runner.
func New(s *store.Store, r *live.Runner, c Config, log *slog.Logger) *Arbiter {
	if c.Now == nil {
		c.Now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	a := &Arbiter{store: s, live: r, now: func() time.Time { return c.Now().UTC().Truncate(time.Millisecond) }, log: log, signKey: c.SignKey,
		site: c.Site}
	r.RereadWith("tournament", a.versions)
	r.RereadWith("challenge", a.challengeStatuses)
	r.RereadWith("ladder", a.ladderVersions)
	r.RereadWith("calls", a.rereadCalls)
	r.RereadWith("talk", a.rereadTalks)
	return a
}

// versions is where tournaments stand, for nudges that were lost.
func (a *Arbiter) versions(ctx context.Context, ids []string) (map[string]int64, error) {
	wanted := make([]tournament.ID, len(ids))
	for i, id := range ids {
		wanted[i] = tournament.ID(id)
	}
	found := map[string]int64{}
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		versions, err := tx.TournamentVersions(wanted)
		for id, v := range versions {
			found[string(id)] = v
		}
		return err
	})
	return found, err
}

// read is one tournament as it stands.
func (a *Arbiter) read(ctx context.Context, id tournament.ID) (t *tournament.Tournament, err error) {
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		t, err = tx.Tournament(id)
		return err
	})
	return t, err
}

// act is what is being done to a tournament, for its log; the zero viewer is
// the site by itself.
type act struct {
	By     player.Viewer
	Act    tournament.Act
	Reason string
}

// check is nil or why the act cannot be done with that reason.
func (d act) check() error { return tournament.CheckReason(d.Act, d.Reason) }

// deed is the line of the log, before it has a number and changes.
func (d act) deed(t *tournament.Tournament, now time.Time) tournament.Deed {
	return tournament.Deed{At: now, By: d.By.ID, Duty: t.DutyOf(d.By), Act: d.Act, Reason: d.Reason}
}

// change is one optimistic change of a tournament.
type change struct {
	Act   act
	Judge func(context.Context, *tournament.Tournament) error // decides on a copy; may be asked again
	Also  func(*store.Tx, *tournament.Tournament) error       // nil, or what belongs to it in the same transaction
}

// apply reads a tournament, has the change judged, and writes the difference and
// the deed; when another change came first, all of it again. What could not be
// paired may be paired after a change, so it is tried again.
func (a *Arbiter) apply(ctx context.Context, id tournament.ID, c change) (after *tournament.Tournament, err error) {
	if err := c.Act.check(); err != nil {
		return nil, err
	}
	err = a.inTurn(ctx, string(id), func(ctx context.Context) error {
		before, err := a.read(ctx, id)
		if err != nil {
			return err
		}
		after = before.Clone()
		if err := c.Judge(ctx, after); err != nil {
			return err
		}
		after.Stuck = ""
		return a.store.Write(ctx, func(tx *store.Tx) error {
			if c.Also != nil {
				if err := c.Also(tx, after); err != nil {
					return err
				}
			}
			return a.save(tx, before, after, c.Act.By, c.Act.deed(before, a.now()))
		})
	})
	if err != nil {
		return nil, err
	}
	a.nudge(after)
	return after, nil
}

// change applies what needs nothing but the tournament.
func (a *Arbiter) change(ctx context.Context, id tournament.ID, d act,
	f func(*tournament.Tournament) error) (*tournament.Tournament, error) {
	return a.apply(ctx, id, change{Act: d, Judge: func(_ context.Context, t *tournament.Tournament) error { return f(t) }})
}

func (a *Arbiter) nudge(t *tournament.Tournament) {
	a.live.Nudge(live.TournamentTopic(string(t.ID)), t.Version)
}

// Sweep does what is due and what a crash has left undone: the aftermath of matches,
// registrations and rounds whose time has come, challenges whose time is over, dates of
// series, line-ups, ratings of finished tournaments. Every node may call it at any pace.
func (a *Arbiter) Sweep(ctx context.Context) error {
	return errors.Join(a.sweepChores(ctx), a.sweepGates(ctx), a.sweepRounds(ctx), a.sweepChallenges(ctx), a.sweepSeries(ctx),
		a.sweepLineUps(ctx),
		a.sweepRatings(ctx), a.sweepAttestations(ctx), a.sweepReviews(ctx))
}

const sweepSize = 200

// forEach does one thing for each of many. Where it fails, or a rulebook panics,
// that is logged as trouble with the one of that kind, and the others go on.
func forEach[ID ~string](ctx context.Context, a *Arbiter, kind, trouble string, ids []ID, do func(context.Context, ID) error) error {
	for _, id := range ids {
		if err := guard(func() error { return do(ctx, id) }); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			a.log.Error(trouble, kind, id, "err", err)
		}
	}
	return nil
}
