package store_test

import (
	"testing"
	"time"

	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// TestATournamentIsFoundByAPartOfItsName, in any alphabet and case.
func TestATournamentIsFoundByAPartOfItsName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "host")
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			for _, name := range []string{"Чемпіонат Києва", "Кубок «Дракон»", "Friday 100%"} {
				settings := tournament.DefaultSettings(tournament.RoundRobin)
				settings.Name = name
				tour := &tournament.Tournament{ID: tournament.ID(store.NewID()), Organizer: "host", CreatedAt: time.UnixMilli(1).UTC()}
				tour.Settings, tour.Status = settings, tournament.Registration
				if err := tx.AddTournament(tour, ledger.Deed{Act: tournament.ActCreate}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for search, want := range map[string]string{"чемпіонат": "Чемпіонат Києва", "ДРАКОН": "Кубок «Дракон»", "friday": "Friday 100%", "100%": "Friday 100%", "київ": "", "києва чемп": "Чемпіонат Києва", "%": "", "_": "", "шахи": ""} {
			var found []store.TournamentLine
			var total int
			err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
				found, total, err = tx.Tournaments(store.TournamentQuery{Search: search, Limit: 10})
				return err
			})
			switch {
			case err != nil:
				t.Error(err)
			case want == "" && total != 0, want != "" && (total != 1 || len(found) != 1 || found[0].Name != want):
				t.Errorf("%s: %d, %+v, want %s", search, total, found, want)
			}
		}
	})
}
