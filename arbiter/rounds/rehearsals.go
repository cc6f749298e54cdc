package rounds

import (
	"context"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/dryrun"
)

// Rehearse makes a rehearsal of a tournament with house bots and starts it; from then on it
// plays by itself. tournament.ErrTooFew if there are not enough bots.
func (a *Office) Rehearse(ctx context.Context, by player.Viewer, id tournament.ID, bots int) (tournament.ID, error) {
	t, err := a.Tournament(ctx, id)
	if err == nil && !t.May(by, tournament.ActStart) {
		err = tournament.ErrNotAllowed
	}
	if err != nil {
		return "", err
	}
	var list []tournament.Candidate
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		all, err := tx.Bots()
		if err != nil {
			return err
		}
		if bots < tournament.MinPlayers || bots > len(all) {
			return tournament.ErrTooFew
		}
		for _, p := range all[:bots] {
			list = append(list, tournament.Candidate{Player: p.ID, Name: string(p.Handle), Bot: true})
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	r, err := dryrun.Rehearse(t, by, tournament.ID(store.NewID()), list, a.Now())
	if err == nil {
		err = a.Promise(ctx, r)
	}
	if err != nil {
		return "", err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddTournament(r, kernel.Step{By: by, Act: tournament.ActCreate}.Deed(r, a.Now()))
	}); err != nil {
		return "", err
	}
	return r.ID, a.Start(ctx, by, r.ID)
}
