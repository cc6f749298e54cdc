package store_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/venue"
)

// TestWhatIsShownAgainIsSealed: neither the file of a database nor whoever opens it under another key of the site tells
// the address of a screen or kiosk or the code of a slip or club; under its key, each is shown again and found. A key
// that a site is given later opens what was sealed without one.
func TestWhatIsShownAgainIsSealed(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	under := func(key string, f func(tx *store.Tx) error) {
		t.Helper()
		o := store.Options{Fast: true}
		if key != "" {
			sum := sha256.Sum256([]byte(key))
			o.Key = sum[:]
		}
		s, err := store.Open(t.Context(), dsn, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Write(t.Context(), f), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	s := storetest.Open(t, dsn)
	storetest.Players(t, s, "ana", "bob", "cyn")
	hall := func(id string) *tournament.Tournament {
		settings := tournament.DefaultSettings(tournament.Swiss)
		settings.Name = "Cup"
		tour, err := tournament.New(tournament.ID(id), "ana", settings, noon)
		if err != nil {
			t.Fatal(err)
		}
		return tour
	}
	keep := func(id, who string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			r := club.New(club.ID(id), "Club "+id, "", "ana", noon)
			r.Code = id + "-joins"
			return errors.Join(
				tx.AddClub(r), tx.AddTournament(hall(id), ledger.Deed{Act: tournament.ActCreate}),
				tx.SaveScreen(venue.Screen{ID: id, Tournament: tournament.ID(id), Token: id + "-wall", Name: "Hall", Seconds: 9, Lang: "uk"}),
				tx.OpenDoor(venue.Door{Tournament: tournament.ID(id), Code: id, Kiosk: id + "-kiosk"}),
				tx.AddClubGuest(club.Guest{Player: player.ID(who), Tournament: id, Name: "Bob", Code: id + "h-jkmnp"}))
		}
	}
	// found says which of the secrets are found and shown again.
	found := func(tx *store.Tx, id, who string) (list string) {
		if x, err := tx.Screen(id + "-wall"); err == nil && x.Token == id+"-wall" {
			list += " screen"
		}
		if d, err := tx.DoorByKiosk(id + "-kiosk"); err == nil && d.Kiosk == id+"-kiosk" {
			list += " kiosk"
		}
		if g, err := tx.ClubGuestByCode(strings.ToUpper(id + "hJKMNP")); err == nil && g.Code == id+"h-jkmnp" {
			list += " slip"
		}
		if c, err := tx.Club(club.ID(id)); err == nil && c.Code == id+"-joins" {
			list += " club"
		}
		if guests, err := tx.GuestsAt(player.ID(who)); err == nil && guests[0].HasSlip {
			list += " has"
		}
		return list
	}
	under("", keep("inside", "bob"))
	under("site", keep("later", "cyn"))
	for _, c := range []struct{ key, inside, later string }{
		{"", " screen kiosk slip club has", " has"},
		{"site", " screen kiosk slip club has", " screen kiosk slip club has"},
		{"another", " screen kiosk slip club has", " has"},
	} {
		under(c.key, func(tx *store.Tx) error {
			if got := found(tx, "inside", "bob"); got != c.inside {
				t.Errorf("under the key %q, of what was sealed without one:%s, want%s", c.key, got, c.inside)
			}
			if got := found(tx, "later", "cyn"); got != c.later {
				t.Errorf("under the key %q, of what was sealed under site:%s, want%s", c.key, got, c.later)
			}
			return nil
		})
	}
	under("another", func(tx *store.Tx) error { // a new one under the key there is now
		if err := errors.Join(tx.SetKiosk("later", "zweit-kiosk"), tx.SetGuestCode("cyn", "zweit-23456")); err != nil {
			return err
		}
		d, err := tx.DoorByKiosk("zweit-kiosk")
		g, wrong := tx.ClubGuestByCode("ZWEIT 23456")
		if err != nil || wrong != nil || d.Tournament != "later" || g.Player != "cyn" {
			t.Errorf("a new kiosk and slip: %v, %v", err, wrong)
		}
		return nil
	})
	file := strings.TrimPrefix(dsn, "sqlite:")
	for _, name := range []string{file, file + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"-wall", "-kiosk", "h-jkmnp", "hjkmnp", "-joins", "zweit"} {
			if bytes.Contains(raw, []byte(secret)) {
				t.Errorf("%s tells %q", name, secret)
			}
		}
	}
}
