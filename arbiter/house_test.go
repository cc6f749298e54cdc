package arbiter_test

import (
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
)

func TestASiteHasItsBotsOnceHoweverOftenItStarts(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddPlayer(player.Player{ID: "a-person", Handle: "SLON", Role: player.Plain, Created: h.clock.now()}, "")
		}))
		for range 2 {
			h.ok(h.Persons.OpenHouse(t.Context()))
		}
		var bots []player.Player
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			bots, err = tx.Bots()
			return err
		}))
		if len(bots) != len(house.Bots())-1 {
			t.Fatalf("%d bots beside the person who is called Slon", len(bots))
		}
		for _, b := range bots {
			if _, ok := house.Named(b.Handle); !ok || !b.IsHouse() || b.Handle == "Slon" {
				t.Errorf("%+v", b)
			}
		}
	})
}
