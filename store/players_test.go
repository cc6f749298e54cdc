package store_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func write(t *testing.T, s *store.Store, f func(*store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func someone(h player.Handle) player.Player {
	return player.Player{
		ID: player.ID("id-" + h.Key()), Handle: h, Role: player.Organizer, Created: noon,
		Settings: player.Settings{Lang: "uk", Theme: "dark", Zone: "Europe/Kyiv", Play: "board=slate"},
	}
}

func TestAccountsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		olena := someone("Olena")
		write(t, s, func(tx *store.Tx) error { return tx.AddPlayer(olena, "secret") })
		write(t, s, func(tx *store.Tx) error {
			got, credential, err := tx.PlayerCredential("oLENA")
			if got != olena || credential != "secret" || err != nil {
				t.Errorf("%+v, %q, %v", got, credential, err)
			}
			if _, err := tx.Player("nobody"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("nobody: %v", err)
			}
			return nil
		})
		other := someone("OLENA")
		other.ID = "other"
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddPlayer(other, "") }); !errors.Is(err, store.ErrTaken) {
			t.Errorf("the same handle in capitals: %v", err)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SetRole("nobody", player.Plain) }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a role for nobody: %v", err)
		}
	})
}

func TestAccountsAreSearchedByTheLettersTheyHave(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		write(t, s, func(tx *store.Tx) error {
			for _, h := range []player.Handle{"under_score", "underscore", "Percent"} {
				if err := tx.AddPlayer(someone(h), ""); err != nil {
					return err
				}
			}
			return nil
		})
		for search, want := range map[string]int{"": 3, "UNDER": 2, "under score": 2, "percent": 1, "%": 0, `\`: 0, "erc": 1, "xx": 0} {
			write(t, s, func(tx *store.Tx) error {
				found, total, err := tx.FindPlayers(store.PlayerQuery{Search: search, Limit: 1})
				if total != want || len(found) != min(want, 1) {
					t.Errorf("%q: %d of %d", search, len(found), total)
				}
				return err
			})
		}
	})
}

func TestOnlyTheDigestOfASecretOpens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		olena := someone("Olena")
		var token, link player.Secret
		session := store.NewSecret()
		write(t, s, func(tx *store.Tx) (err error) {
			if err = tx.AddPlayer(olena, ""); err != nil {
				return err
			}
			if err = tx.AddSession(session, player.Session{ID: "s1", Player: olena.ID, Created: noon, Used: noon, Device: "Firefox", Address: "::1"}); err != nil {
				return err
			}
			if token, err = tx.AddToken(player.Token{Player: olena.ID, Name: "bot", Scopes: olena.MostScopes(), Created: noon}); err != nil {
				return err
			}
			link, err = tx.CreateSignInLink(olena.ID, noon.Add(time.Minute))
			return err
		})
		write(t, s, func(tx *store.Tx) error {
			shown, err := tx.Shown([]player.Secret{session, token, "", player.Secret(session.Digest()), session + "x", player.Secret(token.Digest())})
			if got := shown[session]; got.Player != olena || got.Session.Device != "Firefox" || !got.Session.Used.Equal(noon) || got.Token.ID != "" {
				t.Errorf("session: %+v", got)
			}
			if got := shown[token]; got.Player != olena || got.Token.Name != "bot" || !got.Token.Used.IsZero() || got.Session.ID != "" {
				t.Errorf("token: %+v", got)
			}
			if len(shown) != 2 {
				t.Errorf("something else opens, too: %+v", shown)
			}
			return err
		})
		write(t, s, func(tx *store.Tx) error {
			if _, err := tx.SignInLink(link, noon.Add(time.Hour)); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("an old link: %v", err)
			}
			_, err := tx.UseSignInLink(link, noon)
			return err
		})
		if err := s.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.UseSignInLink(link, noon); return err }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a used link: %v", err)
		}
	})
}

func TestSweepForgetsWhatRanOut(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		olena := someone("Olena")
		write(t, s, func(tx *store.Tx) error {
			if err := tx.AddPlayer(olena, ""); err != nil {
				return err
			}
			for id, used := range map[string]time.Time{"old": noon.Add(-player.SessionLife - time.Second), "new": noon.Add(-time.Hour)} {
				if err := tx.AddSession(store.NewSecret(), player.Session{ID: id, Player: olena.ID, Created: used, Used: used}); err != nil {
					return err
				}
			}
			return tx.SweepSessions(noon)
		})
		write(t, s, func(tx *store.Tx) error {
			left, err := tx.Sessions(olena.ID)
			if len(left) != 1 || left[0].ID != "new" {
				t.Errorf("left: %+v", left)
			}
			return err
		})
	})
}

func TestTheFirstWordOnASettingStays(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		write(t, s, func(tx *store.Tx) error {
			for _, value := range []string{"one", "two"} {
				if got, err := tx.FirstSetting("code", value); got != "one" || err != nil {
					t.Errorf("%q, %v", got, err)
				}
			}
			if err := tx.SetSetting("code", "three"); err != nil {
				return err
			}
			got, err := tx.Setting("code", "")
			if got != "three" {
				t.Errorf("%q", got)
			}
			return err
		})
	})
}
