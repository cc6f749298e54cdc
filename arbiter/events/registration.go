package events

import (
	"cmp"
	"context"
	"strings"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/tournament/setting"
)

// Create makes a tournament of the viewer's, a draft unless open opens registration at
// once. Bad settings are a case of setting.ErrSettings.
func (a *Office) Create(ctx context.Context, by player.Viewer, s tournament.Settings, open bool) (tournament.ID, error) {
	return a.create(ctx, by, s, func(t *tournament.Tournament) error {
		if open {
			return t.OpenRegistration(by, a.Now())
		}
		return nil
	})
}

// Challenge makes a match between two clubs, the first of which holds it: its team plays, the other's is invited.
func (a *Office) Challenge(ctx context.Context, by player.Viewer, m proposal.ClubMatch) (tournament.ID, error) {
	if err := m.Check(a.Now()); err != nil {
		return "", err
	}
	var teams []tournament.TeamOf
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		teams = nil
		for _, id := range []club.ID{m.Home, m.Guest} {
			of, err := assurance.TeamOf(tx, id)
			if err != nil {
				return err
			}
			teams = append(teams, of)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if m.Name == "" {
		name := []rune(teams[0].Name + " – " + teams[1].Name)
		m.Name = strings.TrimSpace(string(name[:min(len(name), tournament.MaxNameLength)]))
	}
	return a.create(ctx, by, m.Settings(), func(t *tournament.Tournament) error {
		if err := t.OpenRegistration(by, a.Now()); err != nil {
			return err
		}
		for _, of := range teams {
			if _, err := t.EnterTeam(by, of, a.Now()); err != nil {
				return err
			}
		}
		if m.Begins.IsZero() {
			return nil
		}
		return t.Postpone(by, 1, m.Begins, false, a.Now())
	})
}

// create makes a tournament that begin readies.
func (a *Office) create(ctx context.Context, by player.Viewer, s tournament.Settings, begin func(*tournament.Tournament) error) (tournament.ID, error) {
	if s.ClubID == "" && !by.MayCreateTournament() {
		return "", tournament.ErrNotAllowed
	}
	s.Zone = cmp.Or(s.Zone, a.Zone)
	if err := CheckSettings(s); err != nil {
		return "", err
	}
	if err := a.inClubsName(ctx, by, &s); err != nil {
		return "", err
	}
	t, err := tournament.New(tournament.ID(store.NewID()), by.ID, s, a.Now())
	if err != nil {
		return "", err
	}
	if err := begin(t); err != nil {
		return "", err
	}
	if err := a.Promise(ctx, t); err != nil {
		return "", err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddTournament(t, kernel.Step{By: by, Act: tournament.ActCreate}.Deed(t, a.Now())); err != nil {
			return err
		}
		return a.TellCreated(tx, t, by)
	}); err != nil {
		return "", err
	}
	a.Nudge(t)
	return t.ID, nil
}

// inClubsName is nil or why the viewer may not hold an event in the name of the club in
// the settings. If they do not say who invites, the club does.
func (a *Office) inClubsName(ctx context.Context, by player.Viewer, s *tournament.Settings) error {
	if s.ClubID == "" {
		return nil
	}
	return a.Store.Read(ctx, func(tx *store.Tx) error {
		if err := assurance.MayInClub(tx, by, s.ClubID, club.ActHold); err != nil || s.Club != "" {
			return err
		}
		c, err := tx.Club(s.ClubID)
		s.Club = c.Name
		return err
	})
}

// CheckSettings is nil or a case of setting.ErrSettings that names every fault, including
// unknown tie-breaks.
func CheckSettings(s tournament.Settings) error {
	err := s.Validate()
	faults := setting.Faults(refusal.FaultsOf(err))
	if err != nil && faults == nil {
		return err
	}
	for _, code := range s.Tiebreaks {
		if _, err := format.ParseTiebreak(s, code); err != nil {
			faults.Add("tiebreaks", "unsuitable", "%v", err)
		}
	}
	return faults.Err()
}

// Change replaces the settings before the start.
func (a *Office) Change(ctx context.Context, by player.Viewer, id tournament.ID, s tournament.Settings) error {
	if err := CheckSettings(s); err != nil {
		return err
	}
	before, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	s.Zone = cmp.Or(s.Zone, before.Zone)
	if s.ClubID != before.ClubID {
		if err := a.inClubsName(ctx, by, &s); err != nil {
			return err
		}
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActSettings}, func(t *tournament.Tournament) error {
		return t.Change(by, s, a.Now())
	})
}

// SetPolicy changes what a tournament's matches demand from the next round on.
func (a *Office) SetPolicy(ctx context.Context, by player.Viewer, id tournament.ID, p fairplay.Policy) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActPolicy}, func(t *tournament.Tournament) error {
		return t.SetPolicy(by, p)
	})
}
