package arbiter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// DefaultStart is what newcomers start with where the operator has set nothing.
const DefaultStart = 1500

// Names of settings of the site.
const (
	ratingSetting = "rating"
	ratingLock    = "rating.lock"
)

// RatingSettings are the rules of the site's rating list.
func RatingSettings(tx *store.Tx) (rating.Settings, error) {
	s := rating.Club(DefaultStart)
	text, err := tx.Setting(ratingSetting, "")
	if err != nil || text == "" {
		return s, err
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("rating settings: %w", err)
	}
	return s, s.Validate()
}

// SetRatingSettings changes the rules and makes all ratings anew by them. Only
// an operator may.
func (a *Arbiter) SetRatingSettings(ctx context.Context, by player.Viewer, s rating.Settings) error {
	if !by.MayOperate() {
		return tournament.ErrNotAllowed
	}
	if err := s.Validate(); err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.SetSetting(ratingSetting, string(text)) }); err != nil {
		return err
	}
	return a.Recompute(ctx)
}

// folded is what the games read so far make of the list.
type folded struct {
	games   []store.RatedGames
	list    *rating.List
	changes []rating.Change
	rules   rating.Settings
}

func fold(tx *store.Tx, next store.RatedEvent) (folded, error) {
	var f folded
	var err error
	if f.rules, err = RatingSettings(tx); err != nil {
		return f, err
	}
	if f.games, err = tx.RatedGames(next); err != nil {
		return f, err
	}
	events := make([]rating.Event, len(f.games))
	for i, g := range f.games {
		events[i] = g.Event
	}
	f.list, f.changes, err = rating.Recompute(f.rules, nil, events)
	return f, err
}

// standings are where the players named stand now; none named: all.
func (f folded) standings(only map[string]bool) []store.Rating {
	peak := map[string]rating.Rating{}
	last := map[string]int{}
	place := map[string]int{}
	for i, g := range f.games {
		place[g.Event.ID] = i
	}
	for _, c := range f.changes {
		peak[c.Player] = max(peak[c.Player], c.After)
		last[c.Player] = place[c.Event]
	}
	var out []store.Rating
	for _, name := range f.list.Players() {
		if only != nil && !only[name] {
			continue
		}
		s, _ := f.list.Standing(name)
		if s.Rating == 0 {
			continue
		}
		out = append(out, store.Rating{
			Player: player.ID(name), Rating: s.Rating, Games: s.Games, Provisional: s.IsProvisional(f.rules),
			Peak: peak[name], At: f.games[last[name]].At,
		})
	}
	return out
}

// rate applies a finished tournament's results to the ratings, once.
func (a *Arbiter) rate(ctx context.Context, id tournament.ID) error {
	done, err := a.rateEvent(ctx, store.RatedEvent{Tournament: id}, func(tx *store.Tx) (bool, error) {
		t, err := tx.Tournament(id)
		return err == nil && t.Rated && t.RatedAt.IsZero(), err
	})
	if err != nil || !done {
		return err
	}
	return a.nudgeByID(ctx, id)
}

// rateEvent applies the results of an event to the ratings, if it is due for
// that; false: it is not, or another node has done it.
func (a *Arbiter) rateEvent(ctx context.Context, e store.RatedEvent, isDue func(*store.Tx) (bool, error)) (done bool, err error) {
	for range attempts {
		done, err = a.tryRate(ctx, e, isDue)
		switch {
		case errors.Is(err, store.ErrTaken):
			continue // another event was rated meanwhile
		case errors.Is(err, store.ErrConflict):
			return false, nil // this one was
		case err != nil:
			return false, fmt.Errorf("rate %s: %w", e, err)
		}
		return done, nil
	}
	return false, fmt.Errorf("rate %s: %w", e, store.ErrConflict)
}

func (a *Arbiter) tryRate(ctx context.Context, e store.RatedEvent, isDue func(*store.Tx) (bool, error)) (done bool, err error) {
	var f folded
	err = a.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err := isDue(tx)
		if err == nil && due {
			f, err = fold(tx, e)
		}
		return err
	})
	if err != nil || f.list == nil {
		return false, err
	}
	now := a.now()
	own := len(f.games) - 1
	ordinal := int64(1)
	if own > 0 {
		ordinal = f.games[own-1].Ordinal + 1
	}
	f.games[own].Ordinal, f.games[own].At = ordinal, now
	var changes []store.RatingChange
	concerned := map[string]bool{}
	for _, c := range f.changes {
		if c.Event == e.String() {
			changes = append(changes, store.RatingChange{Change: c, Tournament: e.Tournament, Challenge: e.Challenge, Ordinal: ordinal, At: now})
			concerned[c.Player] = true
		}
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetSetting(ratingLock, e.String()); err != nil {
			return err
		}
		if err := tx.MarkRated(e, ordinal, now); err != nil {
			return err
		}
		if err := tx.AddRatingChanges(changes); err != nil {
			return err
		}
		return tx.SetRatings(f.standings(concerned))
	})
	return err == nil, err
}

// Recompute makes all ratings and their changes anew from the results of the
// rated events, in the order in which they were rated.
func (a *Arbiter) Recompute(ctx context.Context) error {
	err := a.store.Write(ctx, func(tx *store.Tx) error {
		// Only the fold under the lock sees every event that has been rated.
		if err := tx.SetSetting(ratingLock, "recompute"); err != nil {
			return err
		}
		f, err := fold(tx, store.RatedEvent{})
		if err != nil {
			return err
		}
		byID := map[string]store.RatedGames{}
		for _, g := range f.games {
			byID[g.Event.ID] = g
		}
		changes := make([]store.RatingChange, len(f.changes))
		for i, c := range f.changes {
			g := byID[c.Event]
			changes[i] = store.RatingChange{Change: c, Tournament: g.Tournament, Challenge: g.Challenge, Ordinal: g.Ordinal, At: g.At}
		}
		if err := tx.ClearRatings(); err != nil {
			return err
		}
		if err := tx.AddRatingChanges(changes); err != nil {
			return err
		}
		return tx.SetRatings(f.standings(nil))
	})
	if err != nil {
		return fmt.Errorf("recompute ratings: %w", err)
	}
	return nil
}

// sweepRatings rates the finished tournaments, and the challenges played to an
// end, that a crash has left unrated.
func (a *Arbiter) sweepRatings(ctx context.Context) error {
	var tournaments []tournament.ID
	var challenges []challenge.ID
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if tournaments, err = tx.UnratedTournaments(sweepSize); err != nil {
			return err
		}
		challenges, err = tx.UnratedChallenges(sweepSize)
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(
		forEach(ctx, a, "tournament", "ratings not applied", tournaments, a.rate),
		forEach(ctx, a, "challenge", "ratings not applied", challenges, a.rateChallenge))
}
