package arbiter

import (
	"context"
	"errors"
	"fmt"

	"chpok.org/chpok/club"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

// Create makes a tournament of the viewer's. It is a draft until registration
// is opened, which open does at once. The error of settings is a
// *tournament.SettingsError.
func (a *Arbiter) Create(ctx context.Context, by player.Viewer, s tournament.Settings, open bool) (tournament.ID, error) {
	if s.ClubID == "" && !by.MayCreateTournament() {
		return "", tournament.ErrNotAllowed
	}
	if err := CheckSettings(s); err != nil {
		return "", err
	}
	if err := a.inClubsName(ctx, by, &s); err != nil {
		return "", err
	}
	t, err := tournament.New(tournament.ID(store.NewID()), by.ID, s, a.now())
	if err != nil {
		return "", err
	}
	if open {
		if err := t.OpenRegistration(by); err != nil {
			return "", err
		}
	}
	if err := a.store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddTournament(t, act{By: by, Act: tournament.ActCreate}.deed(t, a.now()))
	}); err != nil {
		return "", err
	}
	a.nudge(t)
	return t.ID, nil
}

// inClubsName is nil or why the viewer may not hold something in the name of the
// club that the settings name. Where they do not say who invites, the club does.
func (a *Arbiter) inClubsName(ctx context.Context, by player.Viewer, s *tournament.Settings) error {
	if s.ClubID == "" {
		return nil
	}
	return a.store.Read(ctx, func(tx *store.Tx) error {
		if err := mayInClub(tx, by, s.ClubID, club.ActHold); err != nil || s.Club != "" {
			return err
		}
		c, err := tx.Club(s.ClubID)
		s.Club = c.Name
		return err
	})
}

// CheckSettings is nil or a *tournament.SettingsError that names every fault,
// unknown tie-breaks among them.
func CheckSettings(s tournament.Settings) error {
	var list *tournament.SettingsError
	if err := s.Validate(); err != nil && !errors.As(err, &list) {
		return err
	}
	for _, code := range s.Tiebreaks {
		if _, err := tiebreak.Parse(code); err != nil {
			if list == nil {
				list = &tournament.SettingsError{}
			}
			list.Problems = append(list.Problems, tournament.Problem{Field: "tiebreaks", Why: "unsuitable", Text: err.Error()})
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// Change replaces the settings before the start.
func (a *Arbiter) Change(ctx context.Context, by player.Viewer, id tournament.ID, s tournament.Settings) error {
	if err := CheckSettings(s); err != nil {
		return err
	}
	before, err := a.read(ctx, id)
	if err != nil {
		return err
	}
	if s.ClubID != before.ClubID {
		if err := a.inClubsName(ctx, by, &s); err != nil {
			return err
		}
	}
	_, err = a.change(ctx, id, act{By: by, Act: tournament.ActSettings}, func(t *tournament.Tournament) error { return t.Change(by, s) })
	return err
}

// OpenRegistration lets players enter.
func (a *Arbiter) OpenRegistration(ctx context.Context, by player.Viewer, id tournament.ID) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActOpen}, func(t *tournament.Tournament) error { return t.OpenRegistration(by) })
	return err
}

// Register enters a player by handle, or with an empty handle the viewer
// himself. store.ErrNotFound: no such player or tournament.
func (a *Arbiter) Register(ctx context.Context, by player.Viewer, id tournament.ID, handle string) (tournament.Entry, error) {
	var c tournament.Candidate
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		p := by.Player
		if handle != "" {
			h, err := player.ParseHandle(handle)
			if err != nil {
				return err
			}
			if p, err = tx.PlayerByHandle(h); err != nil {
				return err
			}
		}
		if c, err = candidate(tx, p); err != nil {
			return err
		}
		record, err := a.noShows(tx, p.ID)
		c.Barred = record.Bars(a.now())
		return err
	})
	if err != nil {
		return tournament.Entry{}, err
	}
	return a.register(ctx, by, id, c)
}

// RegisterGuest enters somebody without an account: his results are entered by hand.
func (a *Arbiter) RegisterGuest(ctx context.Context, by player.Viewer, id tournament.ID, name, club string, rating int) (tournament.Entry, error) {
	return a.register(ctx, by, id, tournament.Candidate{Name: name, Club: club, Rating: rating, Standing: fairplay.Standing{Human: true}})
}

func (a *Arbiter) register(ctx context.Context, by player.Viewer, id tournament.ID, c tournament.Candidate) (e tournament.Entry, err error) {
	_, err = a.change(ctx, id, act{By: by, Act: tournament.ActEnter}, func(t *tournament.Tournament) error {
		e, err = t.Register(by, c, a.now())
		return err
	})
	return e, err
}

// candidate is a player as he enters now: with his rating, or the one that
// newcomers start with, and his first club.
func candidate(tx *store.Tx, p player.Player) (tournament.Candidate, error) {
	c := tournament.Candidate{Player: p.ID, Name: string(p.Handle), Bot: p.Bot}
	settings, err := RatingSettings(tx)
	if err != nil {
		return c, err
	}
	if c.Standing, err = StandingOf(tx, p); err != nil {
		return c, err
	}
	ratings, err := tx.Ratings(p.ID)
	if err != nil {
		return c, err
	}
	if c.Rating = settings.Start; ratings[p.ID].Rating != 0 {
		c.Rating = ratings[p.ID].Rating.Whole()
	}
	memberships, err := tx.Memberships(p.ID)
	if err != nil || len(memberships) == 0 {
		return c, err
	}
	for _, m := range memberships {
		c.Clubs = append(c.Clubs, m.Club)
	}
	first, err := tx.Club(c.Clubs[0])
	c.Club = first.Name
	return c, err
}

// Withdraw takes an entry out.
func (a *Arbiter) Withdraw(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error { return t.Withdraw(by, e) })
	return err
}

// WithdrawPlayer is Withdraw by handle.
func (a *Arbiter) WithdrawPlayer(ctx context.Context, by player.Viewer, id tournament.ID, handle string) error {
	var p player.Player
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		h, err := player.ParseHandle(handle)
		if err != nil {
			return fmt.Errorf("%w: %w", store.ErrNotFound, err)
		}
		p, err = tx.PlayerByHandle(h)
		return err
	})
	if err != nil {
		return err
	}
	_, err = a.change(ctx, id, act{By: by, Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error {
		e, entered := t.EntryOf(p.ID)
		if !entered {
			return tournament.ErrNoEntry
		}
		return t.Withdraw(by, e.ID)
	})
	return err
}

// Readmit takes a withdrawn entry in again.
func (a *Arbiter) Readmit(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActReadmit}, func(t *tournament.Tournament) error { return t.Readmit(by, e) })
	return err
}

// AskBye notes that an entry will not play a coming round; NoRecord: it will.
func (a *Arbiter) AskBye(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, round int, kind tournament.Outcome) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActBye}, func(t *tournament.Tournament) error {
		return t.AskBye(by, e, round, kind)
	})
	return err
}
