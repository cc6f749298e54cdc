package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// foundBy are the handles of the accounts that a question finds.
func foundBy(t *testing.T, s *store.Store, question string) string {
	t.Helper()
	var names []string
	write(t, s, func(tx *store.Tx) error {
		list, total, err := tx.FindPlayers(store.PlayerQuery{Search: question, Limit: 10})
		for _, p := range list {
			names = append(names, string(p.Handle))
		}
		if total != len(list) {
			t.Errorf("%q: %d of %d", question, len(list), total)
		}
		return err
	})
	return strings.Join(names, " ")
}

func TestPlayersAreFoundTheSameOnBothDatabases(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		names := map[player.Handle]player.Profile{
			"ironivan": {Name: "Іван Ґалаґан", Privacy: player.DefaultPrivacy()},
			"ivan":     {Name: "Łukasz O’Neill", Privacy: player.DefaultPrivacy()},
			"shy":      {Name: "Ivan the Shy", Privacy: player.Privacy{Profile: player.Members, History: player.Everyone, Online: player.Nobody, Challenge: player.Everyone}},
			"hidden1":  {Name: "Ivan the Hidden", Privacy: player.Privacy{Profile: player.Everyone, History: player.Everyone, Online: player.Nobody, Challenge: player.Everyone, Hidden: true}},
		}
		write(t, s, func(tx *store.Tx) error {
			for _, h := range []player.Handle{"ironivan", "ivan", "shy", "hidden1"} {
				if err := tx.AddPlayer(someone(h), ""); err != nil {
					return err
				}
				if err := tx.SetProfile(someone(h).ID, names[h]); err != nil {
					return err
				}
			}
			guest := someone("guest-1")
			guest.Guest = true
			return tx.AddPlayer(guest, "")
		})
		for question, want := range map[string]string{
			"IVAN":          "ivan ironivan", // the whole handle first; names for members and hidden ones are not told
			"onivan":        "ironivan",
			"галаган іван":  "ironivan",
			"ҐАЛАҐАН":       "ironivan",
			"lukasz oneill": "ivan",
			"o'neill":       "ivan",
			"shy":           "shy",
			"hidden":        "",
			"hidden1":       "hidden1",
			"guest":         "",
			"ivan zzz":      "",
		} {
			if got := foundBy(t, s, question); got != want {
				t.Errorf("%q finds %q, want %q", question, got, want)
			}
		}
	})
}

func TestErasedAccountsAreNotFound(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		gone := someone("gonzo")
		write(t, s, func(tx *store.Tx) error {
			if err := tx.AddPlayer(gone, ""); err != nil {
				return err
			}
			if err := tx.AskErasure(gone.ID, noon, noon.Add(time.Hour)); err != nil {
				return err
			}
			return tx.Erase(gone.ID, noon.Add(2*time.Hour))
		})
		for _, question := range []string{"gonzo", ""} {
			if got := foundBy(t, s, question); got != "" {
				t.Errorf("%q finds %q", question, got)
			}
		}
	})
}

func TestEventsAndClubsAreFoundByTheirNamesOfNow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "host")
		settings := tournament.DefaultSettings(tournament.RoundRobin)
		settings.Name, settings.Club = "П’ятничний кубок", "Dragons"
		tour := &tournament.Tournament{ID: "cup", Organizer: "host", CreatedAt: noon}
		tour.Settings, tour.Status = settings, tournament.Registration
		roster := club.Roster{Club: club.Club{ID: "dragon", Name: "Клуб «Ґанок»", Joining: club.Open, Created: noon}}
		write(t, s, func(tx *store.Tx) error {
			if err := tx.AddClub(roster); err != nil {
				return err
			}
			return tx.AddTournament(tour, ledger.Deed{Act: tournament.ActCreate})
		})
		found := func(question string, drafts player.ID) (list []string) {
			write(t, s, func(tx *store.Tx) error {
				lines, _, err := tx.Tournaments(store.TournamentQuery{Search: question, Drafts: drafts, Limit: 9})
				for _, l := range lines {
					list = append(list, l.Name)
				}
				clubs, err2 := tx.FindClubs(question, 9)
				for _, c := range clubs {
					list = append(list, c.Name)
				}
				if err == nil {
					err = err2
				}
				return err
			})
			return list
		}
		for question, want := range map[string][]string{
			"пятнич": {"П’ятничний кубок"}, "П'ЯТНИЧНИЙ КУБ": {"П’ятничний кубок"}, "dragons": {"П’ятничний кубок"}, "ганок": {"Клуб «Ґанок»"}, "нічого": nil, "’": nil,
		} {
			if got := found(question, ""); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", question, got, want)
			}
		}
		after := tour.Clone()
		after.Name, after.Status = "Суботній кубок", tournament.Draft
		write(t, s, func(tx *store.Tx) error {
			return tx.SaveTournament(tour, after, ledger.Deed{Act: tournament.ActHide})
		})
		if got := found("пятнич", ""); got != nil {
			t.Errorf("by its old name: %q", got)
		}
		if got := found("суботній", ""); got != nil {
			t.Errorf("a draft is found: %q", got)
		}
	})
}

func TestTournamentsAreNarrowedDownTheSameOnBothDatabases(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "host")
		write(t, s, func(tx *store.Tx) error {
			if err := tx.AddClub(club.Roster{Club: club.Club{ID: "dragon", Name: "Dragons", Joining: club.Open, Created: noon}}); err != nil {
				return err
			}
			for i, ratings := range [][]int{{1400, 1500}, {2000, 0}, {0}} {
				settings := tournament.DefaultSettings(tournament.Swiss)
				settings.Name, settings.ClubID = "Cup", "dragon"
				settings.Pace, settings.Times = tournament.Times, nil
				for r := range 5 {
					settings.Times = append(settings.Times, noon.Add(time.Duration(24*i+r)*time.Hour))
				}
				tour := &tournament.Tournament{ID: tournament.ID("cup" + string(rune('0'+i))), Organizer: "host", CreatedAt: noon}
				tour.Settings, tour.Status = settings, tournament.Registration
				for j, r := range ratings {
					tour.Entries = append(tour.Entries, tournament.Entry{ID: tournament.EntryID(j + 1), Name: "Guest", Rating: r, Status: tournament.Active, From: 1, EnteredAt: noon})
				}
				if err := tx.AddTournament(tour, ledger.Deed{Act: tournament.ActCreate}); err != nil {
					return err
				}
			}
			return nil
		})
		for name, c := range map[string]struct {
			query store.TournamentQuery
			want  string
		}{
			"near 1300: the mean of 1400 and 1500 is 150 away": {store.TournamentQuery{Near: 1300}, "cup0"},
			"near 2200: unrated entries do not count":          {store.TournamentQuery{Near: 2200}, "cup1"},
			"near 1700":   {store.TournamentQuery{Near: 1700}, ""},
			"a day":       {store.TournamentQuery{From: noon.Add(24 * time.Hour), To: noon.Add(48 * time.Hour)}, "cup1"},
			"two days":    {store.TournamentQuery{From: noon.Add(24 * time.Hour), To: noon.Add(72 * time.Hour)}, "cup1 cup2"},
			"no format":   {store.TournamentQuery{Format: tournament.RoundRobin}, ""},
			"of the club": {store.TournamentQuery{Format: tournament.Swiss, Club: "dragon", Near: 1400}, "cup0"},
		} {
			var ids []string
			write(t, s, func(tx *store.Tx) error {
				c.query.Limit = 9
				lines, _, err := tx.Tournaments(c.query)
				for _, l := range lines {
					ids = append(ids, string(l.ID))
				}
				return err
			})
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
		write(t, s, func(tx *store.Tx) error {
			if clubs, err := tx.HostingClubs(5); err != nil || len(clubs) != 1 || clubs[0].Name != "Dragons" {
				t.Errorf("%v, %v", clubs, err)
			}
			return nil
		})
	})
}

func TestAnImportedTournamentIsFoundByItsName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "host")
		there := &tournament.Tournament{ID: "there", Organizer: "host", CreatedAt: noon, Version: 1}
		there.Settings, there.Status = tournament.DefaultSettings(tournament.RoundRobin), tournament.Registration
		there.Name, there.Club = "Friday cup", "Dragons"
		here := there.Clone()
		here.ID = "here"
		write(t, s, func(tx *store.Tx) error {
			return tx.ImportTournament([]ledger.Deed{{Seq: 1, Act: tournament.ActCreate}}, there, here, ledger.Deed{Act: tournament.ActImport})
		})
		write(t, s, func(tx *store.Tx) error {
			found, _, err := tx.Tournaments(store.TournamentQuery{Search: "friday drag", Limit: 9})
			if len(found) != 1 {
				t.Errorf("%d found, want the imported one", len(found))
			}
			return err
		})
	})
}

// TestAFewAreFoundOfVeryMany: who is asked for by the whole handle comes first, however
// many others begin alike, and nobody is counted.
func TestAFewAreFoundOfVeryMany(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	each(t, func(t *testing.T, s *store.Store) {
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			for i := range 300 {
				handle := fmt.Sprintf("ola%03d", i)
				if i == 299 {
					handle = "ola" // the last one to come
				}
				if err := tx.AddPlayer(player.Player{ID: player.ID(store.NewID()), Handle: player.Handle(handle), Role: player.Plain}, ""); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		found := read(t, s, func(tx *store.Tx) ([]player.Player, error) {
			list, total, err := tx.FindPlayers(store.PlayerQuery{Search: "ola", Limit: 12, Few: true})
			if total != 0 {
				t.Errorf("%d were counted", total)
			}
			return list, err
		})
		if len(found) != 12 || found[0].Handle != "ola" {
			t.Errorf("%v", found)
		}
		total := read(t, s, func(tx *store.Tx) (int, error) {
			_, total, err := tx.FindPlayers(store.PlayerQuery{Search: "ola", Limit: 12})
			return total, err
		})
		if total != 300 {
			t.Errorf("of all %d", total)
		}
	})
}
