package kernel

import (
	"cmp"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/fixture"
)

// DaysOff returns the days on which players cannot play, for each of them by their clocks, else by the site's.
func (a *Kernel) DaysOff(tx *store.Tx, ids ...player.ID) (map[player.ID]fixture.DaysOff, error) {
	who, err := tx.Players(ids...)
	if err != nil {
		return nil, err
	}
	days, err := tx.DaysOff(ids...)
	list := map[player.ID]fixture.DaysOff{}
	for _, id := range ids {
		list[id] = fixture.DaysOff{Zone: cmp.Or(civil.Zone(who[id].Settings.Zone, a.Zone), time.UTC), Days: days[id]}
	}
	return list, err
}
