package arbiter

import (
	"context"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Rehearse makes a rehearsal of a tournament with house bots and starts it: from
// then on it plays by itself. tournament.ErrTooFew: there are not so many bots.
func (a *Arbiter) Rehearse(ctx context.Context, by player.Viewer, id tournament.ID, bots int) (tournament.ID, error) {
	t, err := a.read(ctx, id)
	if err != nil {
		return "", err
	}
	var list []tournament.Candidate
	err = a.store.Read(ctx, func(tx *store.Tx) error {
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
	r, err := t.Rehearse(by, tournament.ID(store.NewID()), list, a.now())
	if err != nil {
		return "", err
	}
	if err := a.store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddTournament(r, act{By: by, Act: tournament.ActCreate}.deed(r, a.now()))
	}); err != nil {
		return "", err
	}
	return r.ID, a.Start(ctx, by, r.ID)
}
