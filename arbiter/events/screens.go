package events

import (
	"context"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
)

// SaveScreen adds a screen, or with an id changes what one shows; its open pages follow
// at once. Errors: a case of setting.ErrSettings, screen.ErrMany.
func (a *Office) SaveScreen(ctx context.Context, by player.Viewer, s venue.Screen) (venue.Screen, error) {
	s.Name = player.Tidy(s.Name)
	if err := s.Validate(); err != nil {
		return s, err
	}
	isNew := s.ID == ""
	if isNew {
		by.Shown = 0 // another screen overwrites none
		s.ID, s.CreatedAt = store.NewID(), a.Now()
	}
	err := a.BesideBy(ctx, s.Tournament, kernel.Step{By: by, Act: tournament.ActScreen, Reason: s.Name}, func(tx *store.Tx) error {
		screens, err := tx.Screens(s.Tournament)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(screens, func(x venue.Screen) bool { return x.ID == s.ID })
		switch {
		case isNew && len(screens) >= venue.MaxScreens:
			return venue.ErrManyScreens
		case !isNew && i < 0:
			return store.ErrNotFound
		case !isNew:
			s.Token, s.CreatedAt = screens[i].Token, screens[i].CreatedAt
		}
		if s.Token == "" { // new, or sealed with a key that is gone
			s.Token = store.NewID() + store.NewID()
		}
		return tx.SaveScreen(s)
	})
	return s, err
}

// DropScreen deletes a screen; its link leads nowhere any more.
func (a *Office) DropScreen(ctx context.Context, by player.Viewer, id tournament.ID, screen string) error {
	return a.BesideBy(ctx, id, kernel.Step{By: by, Act: tournament.ActScreen}, func(tx *store.Tx) error { return tx.DropScreen(id, screen) })
}
