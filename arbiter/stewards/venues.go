package stewards

import (
	"context"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ErrNoNetwork is the refusal to name a venue from where no network is seen.
var ErrNoNetwork = refusal.Invalid("fairplay.error.no-network", "arbiter: unknown network")

// maxVenues is how many networks an event may have.
const maxVenues = 20

// ErrVenues is the refusal of more.
var ErrVenues = refusal.Conflict("fairplay.error.venues", "arbiter: an event can have at most 20 venue networks")

// NameVenue notes that a tournament is played in a network, by its keyed hash:
// opponents who share it are not reported. The network is the one from which the
// arbiter asks.
func (a *Office) NameVenue(ctx context.Context, by player.Viewer, id tournament.ID, network string) error {
	return a.ofVenues(ctx, by, id, func(tx *store.Tx) error {
		if network == "" {
			return ErrNoNetwork
		}
		known, err := tx.Venues(id)
		if err != nil {
			return err
		}
		if len(known) >= maxVenues && !slices.Contains(known, network) {
			return ErrVenues
		}
		return tx.AddVenue(id, network, a.Now())
	})
}

// ForgetVenues forgets the networks of a tournament.
func (a *Office) ForgetVenues(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.ofVenues(ctx, by, id, func(tx *store.Tx) error { return tx.DropVenues(id) })
}

func (a *Office) ofVenues(ctx context.Context, by player.Viewer, id tournament.ID, f func(*store.Tx) error) error {
	err := a.OfTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (kernel.Step, error) {
		if !t.May(by, tournament.ActVenue) {
			return kernel.Step{}, tournament.ErrNotAllowed
		}
		return kernel.Step{By: by, Act: tournament.ActVenue}, f(tx)
	})
	if err != nil {
		return err
	}
	return a.NudgeByID(ctx, id)
}
