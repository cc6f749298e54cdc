package events

import (
	"context"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
)

// Clone makes a draft of the viewer's with the settings of a tournament whose desk they
// may see, its times moved on, and if wanted with its staff invited again.
func (a *Office) Clone(ctx context.Context, by player.Viewer, id tournament.ID, zone *time.Location,
	withStaff bool) (tournament.ID, error) {
	old, err := a.Tournament(ctx, id)
	if err != nil {
		return "", err
	}
	if !old.May(by, tournament.ActDesk) {
		return "", tournament.ErrNotAllowed
	}
	s := series.Again(old.Settings, a.Now(), zone)
	if s.Format.HasTable() {
		s.Rounds = 0
	}
	fresh, err := a.Create(ctx, by, s, false)
	if err != nil || !withStaff {
		return fresh, err
	}
	ids := make([]player.ID, len(old.Staff))
	for i, m := range old.Staff {
		ids[i] = m.Player
	}
	people, err := store.Get(ctx, a.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(ids...) })
	if err != nil {
		return fresh, err
	}
	err = a.Amend(ctx, fresh, kernel.Step{By: by, Act: tournament.ActStaff}, func(t *tournament.Tournament) error {
		for _, m := range old.Staff {
			if _, known := people[m.Player]; !known || by.Is(m.Player) || m.Invited {
				continue
			}
			if err := t.Appoint(by, m.Player, m.Duty, a.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	return fresh, err
}
