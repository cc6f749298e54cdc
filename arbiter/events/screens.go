package events

import (
	"context"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/screen"
)

// SaveScreen adds a screen, or with an id changes what one shows; open pages of
// it follow at once. Errors: a *tournament.SettingsError, screen.ErrMany.
func (a *Office) SaveScreen(ctx context.Context, by player.Viewer, s screen.Screen) (screen.Screen, error) {
	if err := s.Validate(); err != nil {
		return s, err
	}
	isNew := s.ID == ""
	if isNew {
		s.ID, s.Token, s.CreatedAt = store.NewID(), store.NewID()+store.NewID(), a.Now()
	}
	err := a.ofScreen(ctx, by, s.Tournament, s.Name, func(tx *store.Tx) error {
		screens, err := tx.Screens(s.Tournament)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(screens, func(x screen.Screen) bool { return x.ID == s.ID })
		switch {
		case isNew && len(screens) >= screen.Most:
			return screen.ErrMany
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
func (a *Office) DropScreen(ctx context.Context, by player.Viewer, id tournament.ID, screen string) error {
	return a.ofScreen(ctx, by, id, "", func(tx *store.Tx) error { return tx.DropScreen(id, screen) })
}

// ofScreen does something to a tournament's screens and notes it in the log.
// The tournament's own version rises with it, so that open screens hear of it.
func (a *Office) ofScreen(ctx context.Context, by player.Viewer, id tournament.ID, name string, f func(*store.Tx) error) error {
	err := a.OfTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (kernel.Step, error) {
		if !t.May(by, tournament.ActScreen) {
			return kernel.Step{}, tournament.ErrNotAllowed
		}
		return kernel.Step{By: by, Act: tournament.ActScreen, Reason: name}, f(tx)
	})
	if err != nil {
		return err
	}
	return a.NudgeByID(ctx, id)
}
