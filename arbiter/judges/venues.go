package judges

import (
	"context"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ErrNoNetwork refuses a venue because the arbiter's network is unknown.
var ErrNoNetwork = refusal.Invalid("fairplay.error.no-network", "arbiter: unknown network")

// maxVenues is how many networks an event may have.
const maxVenues = 20

// ErrVenues refuses more than maxVenues.
var ErrVenues = refusal.Conflict("fairplay.error.venues", "arbiter: an event can have at most 20 venue networks")

// NameVenue notes that a tournament is played in a network, the one the arbiter asks from,
// by its keyed hash: opponents who share it are not reported.
func (a *Office) NameVenue(ctx context.Context, by player.Viewer, id tournament.ID, network string) error {
	by.Shown = 0 // another network overwrites none
	return a.BesideBy(ctx, id, kernel.Step{By: by, Act: tournament.ActVenue}, func(tx *store.Tx) error {
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

// ForgetVenues deletes the networks of a tournament.
func (a *Office) ForgetVenues(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.BesideBy(ctx, id, kernel.Step{By: by, Act: tournament.ActVenue}, func(tx *store.Tx) error { return tx.DropVenues(id) })
}
