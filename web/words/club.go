package words

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
)

// HeldClubs returns the clubs in whose name the viewer may hold events.
func HeldClubs(tx *store.Tx, v player.Viewer) ([]club.Club, error) {
	if !v.IsSignedIn() {
		return nil, nil
	}
	memberships, err := tx.Memberships(v.ID)
	if err != nil {
		return nil, err
	}
	var out []club.Club
	for _, m := range memberships {
		if !club.May(v, m.Role, club.ActHold) {
			continue
		}
		of, err := tx.Club(m.Club)
		if err != nil {
			return nil, err
		}
		out = append(out, of)
	}
	return out, nil
}
