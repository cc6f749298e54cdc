package kernel

import (
	"context"
	"slices"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Sources are the tournaments that a stage's players came from, and the play-offs between
// them; tournament.ErrNoOrigin without any.
func (a *Kernel) Sources(ctx context.Context, t *tournament.Tournament) (of, playOffs []*tournament.Tournament, err error) {
	if t.Origin == nil {
		return nil, nil, tournament.ErrNoOrigin
	}
	var ids []tournament.ID
	for _, s := range slices.Concat(t.Origin.Of, t.Origin.PlayOffs) {
		ids = append(ids, s.ID)
	}
	all, err := a.Tournaments(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	return all[:len(t.Origin.Of)], all[len(t.Origin.Of):], nil
}

// Tournaments are some tournaments as they stand.
func (a *Kernel) Tournaments(ctx context.Context, ids []tournament.ID) (list []*tournament.Tournament, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		for _, id := range ids {
			t, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			list = append(list, t)
		}
		return nil
	})
	return list, err
}

// Entered tells players that they were entered in an event, or have qualified for it.
func Entered(t *tournament.Tournament, by player.Viewer, entries ...tournament.Entry) (list []notice.Notice) {
	for _, e := range entries {
		if e.Player != "" && !by.Is(e.Player) && !e.Bot {
			list = append(list, notice.Notice{To: e.Player, Kind: notice.Entered, Key: string(t.ID) + "/entry", URL: TournamentPath(t.ID),
				Args: map[string]string{"Tournament": t.Name}})
		}
	}
	return list
}
