package arbiter

import (
	"context"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// SaveScreen adds a screen, or with an id changes what one shows; open pages of
// it follow at once. Errors: a *tournament.SettingsError, tournament.ErrManyScreens.
func (a *Arbiter) SaveScreen(ctx context.Context, by player.Viewer, s tournament.Screen) (tournament.Screen, error) {
	if err := s.Validate(); err != nil {
		return s, err
	}
	isNew := s.ID == ""
	if isNew {
		s.ID, s.Token, s.CreatedAt = store.NewID(), store.NewID()+store.NewID(), a.now()
	}
	err := a.ofScreen(ctx, by, s.Tournament, s.Name, func(tx *store.Tx) error {
		screens, err := tx.Screens(s.Tournament)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(screens, func(x tournament.Screen) bool { return x.ID == s.ID })
		switch {
		case isNew && len(screens) >= tournament.MaxScreens:
			return tournament.ErrManyScreens
		case !isNew && i < 0:
			return store.ErrNotFound
		case !isNew:
			s.Token, s.CreatedAt = screens[i].Token, screens[i].CreatedAt
		}
		return tx.SaveScreen(s)
	})
	return s, err
}

// DropScreen ends a screen: its link leads nowhere any more.
func (a *Arbiter) DropScreen(ctx context.Context, by player.Viewer, id tournament.ID, screen string) error {
	return a.ofScreen(ctx, by, id, "", func(tx *store.Tx) error { return tx.DropScreen(id, screen) })
}

// ofScreen does something to a tournament's screens and notes it in the log.
// The tournament's own version rises with it, so that open screens hear of it.
func (a *Arbiter) ofScreen(ctx context.Context, by player.Viewer, id tournament.ID, name string, f func(*store.Tx) error) error {
	err := a.ofTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (act, error) {
		if !t.May(by, tournament.ActScreen) {
			return act{}, tournament.ErrNotAllowed
		}
		return act{By: by, Act: tournament.ActScreen, Reason: name}, f(tx)
	})
	if err != nil {
		return err
	}
	return a.nudgeByID(ctx, id)
}
