package kernel

import (
	"context"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Sources are the tournaments that a stage's players came from, and the play-offs for
// places shared there, whenever they were held; tournament.ErrNoOrigin without any.
func (a *Kernel) Sources(ctx context.Context, t *tournament.Tournament) (of, playOffs []*tournament.Tournament, err error) {
	if t.Origin == nil {
		return nil, nil, tournament.ErrNoOrigin
	}
	var ids []tournament.ID
	for _, s := range t.Origin.Of {
		ids = append(ids, s.ID)
	}
	if of, err = a.Tournaments(ctx, ids); err == nil {
		playOffs, err = a.PlayOffs(ctx, ids...)
	}
	return of, playOffs, err
}

// PlayOffs are the announced play-offs for shared places of some tournaments, the earliest
// first.
func (a *Kernel) PlayOffs(ctx context.Context, of ...tournament.ID) ([]*tournament.Tournament, error) {
	var ids []tournament.ID
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		ids, err = tx.PlayOffs(of)
		return err
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return a.Tournaments(ctx, ids)
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
