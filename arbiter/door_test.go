package arbiter_test

import (
	"errors"
	"fmt"
	"testing"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roster"
	"chpok.org/chpok/tournament/venue"
)

// TestOneNameComesInOnce: of many who write it at one moment one is in, and the others
// leave no account behind. Nor do names of a list that nobody enters by.
func TestOneNameComesInOnce(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	each(t, oneNameComesInOnce)
}

func oneNameComesInOnce(t *testing.T, h *hall) {
	id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Capacity = 4 })
	d, err := h.Entries.OpenDoor(t.Context(), h.host, id)
	h.ok(err)
	refused := atOnce(6, func(int) error {
		_, err := h.Entries.ComeIn(t.Context(), d, entries.Newcomer{Name: "Mila Savchenko", Sure: true})
		return err
	})
	if len(refused) != 5 {
		t.Errorf("%d of 6 were refused", len(refused))
	}
	for _, err := range refused {
		if !errors.Is(err, venue.ErrNameTaken) {
			t.Errorf("refused by %v", err)
		}
	}
	lines := roster.Read("Ihor Pavlenko\nMila Savchenko\nZoya\n@zoya\nana") // Zoya is nobody's handle, ana is somebody's
	list, err := h.Entries.RegisterAll(t.Context(), h.host, id, entries.Listed{Lines: lines, Play: true})
	h.ok(err)
	for i, want := range []error{nil, tournament.ErrEntered, nil, store.ErrNotFound, nil} {
		if !errors.Is(list[i].Err, want) {
			t.Errorf("line %d of the list: %v, want %v", i+1, list[i].Err, want)
		}
	}
	got := h.tournament(id).Entries
	if len(got) != 4 || got[0].Name != "Mila Savchenko" || got[1].Name != "Ihor Pavlenko" || got[1].Player == "" || got[2].Name != "Zoya" ||
		got[2].Player == "" || got[3].Player != h.player("ana").ID {
		t.Errorf("entered: %+v", got)
	}
	for _, name := range []string{"Mila Savchenko", "Ihor Pavlenko", "Zoya"} {
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.PlayerByHandle(club.GuestHandle(name, 1)); err != nil {
				return fmt.Errorf("%s has no account: %w", name, err)
			}
			if _, err := tx.PlayerByHandle(club.GuestHandle(name, 2)); !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("%s has two accounts: %w", name, err)
			}
			return nil
		}))
	}
}
