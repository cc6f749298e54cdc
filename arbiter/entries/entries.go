package entries

import (
	"context"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/club"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/condition"
)

// Application is who wants to enter a tournament.
type Application struct {
	Handle string // empty: the viewer
	Code   string // as the viewer wrote it
	Reason string // of staff, where a condition is not met
}

// Register enters a player. store.ErrNotFound: no such player or tournament.
func (a *Office) Register(ctx context.Context, by player.Viewer, id tournament.ID, w Application) (tournament.Entry, error) {
	var c tournament.Candidate
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		p := by.Player
		if w.Handle != "" {
			if p, err = kernel.PlayerByHandle(tx, w.Handle); err != nil {
				return err
			}
		}
		if p.Guest {
			return player.ErrGuest
		}
		c, err = a.named(tx, p)
		return err
	})
	if err != nil {
		return tournament.Entry{}, err
	}
	c.Code, c.Reason = w.Code, w.Reason
	return a.register(ctx, by, id, c)
}

// RegisterGuest enters somebody without an account: their results are entered by hand.
func (a *Office) RegisterGuest(ctx context.Context, by player.Viewer, id tournament.ID, c tournament.Candidate) (tournament.Entry, error) {
	c.Player, c.Standing = "", fairplay.Standing{Human: true}
	return a.register(ctx, by, id, c)
}

func (a *Office) register(ctx context.Context, by player.Viewer, id tournament.ID,
	c tournament.Candidate) (e tournament.Entry, err error) {
	_, err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActEnter, Reason: c.Reason}, func(t *tournament.Tournament) error {
		e, err = t.Register(by, c, a.Now())
		return err
	})
	return e, err
}

// candidate is a player as they enter now.
func candidate(tx *store.Tx, now time.Time, p player.Player) (tournament.Candidate, error) {
	list, err := Candidates(tx, now, p)
	if err != nil {
		return tournament.Candidate{}, err
	}
	return list[0], nil
}

// Candidates are players as they enter now: with their ratings, or the one that
// newcomers start with, their first clubs, and all that conditions ask for.
func Candidates(tx *store.Tx, now time.Time, players ...player.Player) ([]tournament.Candidate, error) {
	ids := make([]player.ID, len(players))
	for i, p := range players {
		ids[i] = p.ID
	}
	settings, err := ratings.Settings(tx)
	if err != nil {
		return nil, err
	}
	ratings, err := tx.Ratings(ids...)
	if err != nil {
		return nil, err
	}
	best, err := tx.BestRatings(now.Add(-condition.RatingWindow), ids...)
	if err != nil {
		return nil, err
	}
	names := map[club.ID]string{}
	list := make([]tournament.Candidate, len(players))
	for i, p := range players {
		c := tournament.Candidate{
			Player: p.ID, Name: string(p.Handle), Bot: p.Bot, Rating: settings.Start, Since: p.Created,
			Rated: ratings[p.ID].Rating.Whole(), Best: best[p.ID].Whole(), Games: ratings[p.ID].Games,
		}
		if c.Rated != 0 {
			c.Rating = c.Rated
		}
		if c.Standing, err = assurance.StandingOf(tx, p, now); err != nil {
			return nil, err
		}
		memberships, err := tx.Memberships(p.ID)
		if err != nil {
			return nil, err
		}
		for _, m := range memberships {
			c.Clubs = append(c.Clubs, m.Club)
		}
		if len(c.Clubs) > 0 {
			if c.Club, err = clubName(tx, c.Clubs[0], names); err != nil {
				return nil, err
			}
		}
		list[i] = c
	}
	return list, nil
}

// clubName is a club's name, remembered in known.
func clubName(tx *store.Tx, id club.ID, known map[club.ID]string) (string, error) {
	if _, is := known[id]; !is {
		c, err := tx.Club(id)
		if err != nil {
			return "", err
		}
		known[id] = c.Name
	}
	return known[id], nil
}

// Accept takes in who has asked to enter, or waits.
func (a *Office) Accept(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	_, err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActAccept},
		func(t *tournament.Tournament) error { return t.Accept(by, e, a.Now()) })
	return err
}

// Refuse turns down who has asked to enter, or waits.
func (a *Office) Refuse(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, reason string) error {
	_, err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActRefuse, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Refuse(by, e, reason)
	})
	return err
}

// Withdraw takes an entry out.
func (a *Office) Withdraw(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	_, err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActWithdraw},
		func(t *tournament.Tournament) error { return a.withdraw(ctx, t, by, e) })
	return err
}

// withdraw takes an entry out. Where that takes results from somebody of whom a
// review runs, only the player does it: ErrReviewRuns.
func (a *Office) withdraw(ctx context.Context, t *tournament.Tournament, by player.Viewer, e tournament.EntryID) error {
	before := t.Clone()
	if err := t.Withdraw(by, e); err != nil {
		return err
	}
	entry, err := t.Entry(e)
	if err != nil || by.Is(entry.Player) || before.SameResults(&t.Table) {
		return err
	}
	return a.assurance.MayExpel(ctx, t, e)
}

// WithdrawPlayer is Withdraw by handle.
func (a *Office) WithdrawPlayer(ctx context.Context, by player.Viewer, id tournament.ID, handle string) error {
	p, err := a.Account(ctx, handle)
	if err != nil {
		return err
	}
	_, err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error {
		e, entered := t.EntryOf(p.ID)
		if !entered {
			return tournament.ErrNoEntry
		}
		return a.withdraw(ctx, t, by, e.ID)
	})
	return err
}

// Readmit takes a withdrawn entry in again.
func (a *Office) Readmit(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	_, err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActReadmit}, func(t *tournament.Tournament) error {
		return t.Readmit(by,
			e)
	})
	return err
}

// Return takes the viewer in again, who has withdrawn.
func (a *Office) Return(ctx context.Context, by player.Viewer, id tournament.ID) error {
	c, err := store.Get(ctx, a.Store, func(tx *store.Tx) (tournament.Candidate, error) { return candidate(tx, a.Now(), by.Player) })
	if err != nil {
		return err
	}
	_, err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActReadmit},
		func(t *tournament.Tournament) error { return t.Return(by, c, a.Now()) })
	return err
}

// FixBoard gives an entry the board that it sits at; 0: any.
func (a *Office) FixBoard(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, board int) error {
	_, err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActFixBoard},
		func(t *tournament.Tournament) error { return t.FixBoard(by, e, board) })
	return err
}

// AskBye notes that an entry will not play a coming round; NoRecord: it will.
func (a *Office) AskBye(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, round int,
	kind tournament.Outcome) error {
	_, err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActBye}, func(t *tournament.Tournament) error {
		return t.AskBye(by, e, round, kind)
	})
	return err
}

// Admit enters a player who does not meet every demand: an arbiter's decision,
// recorded with its reason, which lowers what their matches achieve.
func (a *Office) Admit(ctx context.Context, by player.Viewer, id tournament.ID, handle string, without []fairplay.Demand,
	reason string) (e tournament.Entry, err error) {
	var c tournament.Candidate
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		p, err := kernel.PlayerByHandle(tx, handle)
		if err != nil {
			return err
		}
		c, err = candidate(tx, a.Now(), p)
		return err
	})
	if err != nil {
		return e, err
	}
	c.Standing.Waived, c.Reason = without, reason
	_, err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActWaive, Reason: reason}, func(t *tournament.Tournament) error {
		e, err = t.Register(by, c, a.Now())
		return err
	})
	return e, err
}
