package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestPasskeysAreKeptAndCount(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena", "taras")
		key := player.Passkey{
			ID: "k", Player: "olena", Credential: []byte{1, 2}, PublicKey: []byte{3}, AAGUID: make([]byte, 16), SignCount: 7, Syncable: true, Name: "phone", Created: noon,
		}
		write(t, s, func(tx *store.Tx) error { return tx.AddPasskey(key) })
		twice := key
		twice.ID, twice.Player = "other", "taras"
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddPasskey(twice) }); !errors.Is(err, store.ErrTaken) {
			t.Errorf("one credential twice: %v", err)
		}
		used := key
		used.SignCount, used.Synced = 8, true
		write(t, s, func(tx *store.Tx) error { return tx.UsePasskey(used, 7, noon.Add(time.Minute)) })
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.UsePasskey(used, 7, noon) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("used from an old count: %v", err)
		}
		used.Used = noon.Add(time.Minute)
		write(t, s, func(tx *store.Tx) error {
			list, err := tx.Passkeys("olena")
			if err != nil || len(list) != 1 || list[0].SignCount != 8 || !list[0].Synced || !list[0].Used.Equal(used.Used) || !slices.Equal(list[0].Credential, key.Credential) {
				t.Errorf("%+v, %v", list, err)
			}
			by, err := tx.PasskeyBy([]byte{1, 2})
			if by.ID != "k" {
				t.Errorf("by credential: %+v", by)
			}
			return err
		})
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.DropPasskey("taras", "k") }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another's key: %v", err)
		}
		write(t, s, func(tx *store.Tx) error { return tx.DropPasskey("olena", "k") })
	})
}

func TestACeremonyIsTakenOnceAndInTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		c := store.Ceremony{Challenge: []byte("one"), Kind: "check-in", Player: "olena", Session: "s", Match: "m", Policy: "p", Key: []byte{4}, Expires: noon.Add(2 * time.Minute)}
		take := func(kind string, at time.Time) (store.Ceremony, error) {
			var got store.Ceremony
			err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
				got, err = tx.TakeCeremony(c.Challenge, kind, at)
				return err
			})
			return got, err
		}
		write(t, s, func(tx *store.Tx) error { return tx.AddCeremony(c, noon) })
		if _, err := take("sign-in", noon); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("taken for something else: %v", err)
		}
		got, err := take("check-in", noon.Add(2*time.Minute-time.Millisecond))
		if err != nil || got.Match != "m" || got.Player != "olena" || got.Session != "s" || got.Policy != "p" || !slices.Equal(got.Key, c.Key) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := take("check-in", noon); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("taken twice: %v", err)
		}
		write(t, s, func(tx *store.Tx) error { return tx.AddCeremony(c, noon) })
		if _, err := take("check-in", c.Expires); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("taken too late: %v", err)
		}
	})
}

func TestPagesAndCodesOfAMatch(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena", "taras", "judge")
		head := store.Head{ID: "m", Players: [2]player.ID{"olena", "taras"}, Seq: 1, OpenedAt: noon, LastAt: noon, Level: fairplay.Verified}
		write(t, s, func(tx *store.Tx) error {
			return tx.OpenMatch(store.Append{Head: head, Events: []match.Recorded{{Seq: 1, At: noon, Event: match.Started{}}}})
		})
		id := head.ID
		page := fairplay.Page{Seat: 1, Player: "olena", Session: "a", Key: []byte{4, 1}, Policy: "p", Means: fairplay.ByPasskey, At: noon}
		next := page
		next.Session, next.Means, next.By, next.At = "b", fairplay.ByCode, "judge", noon.Add(time.Minute)
		write(t, s, func(tx *store.Tx) error { return errors.Join(tx.AddPage(id, page, 0), tx.AddPage(id, next, 1)) })
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddPage(id, next, 1) }); !errors.Is(err, store.ErrTaken) {
			t.Errorf("the second page twice: %v", err)
		}
		write(t, s, func(tx *store.Tx) error {
			list, err := tx.Pages(id)
			if last, ok := fairplay.PageOf(list, 1); !ok || last.Session != "b" || last.By != "judge" || len(list) != 2 {
				t.Errorf("%+v", list)
			}
			if _, ok := fairplay.PageOf(list, 2); ok {
				t.Error("the other side has a page")
			}
			return err
		})
		code := store.CheckInCode{Digest: "d", Match: id, Player: "olena", By: "judge", Issued: noon, Expires: noon.Add(10 * time.Minute)}
		use := func(digest string, at time.Time) (by player.ID, err error) {
			err = s.Write(t.Context(), func(tx *store.Tx) (err error) {
				by, err = tx.UseCheckInCode(digest, at)
				return err
			})
			return by, err
		}
		write(t, s, func(tx *store.Tx) error { return tx.AddCheckInCode(code) })
		if _, err := use("d", code.Expires); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a code that ran out: %v", err)
		}
		code.Digest = "e" // a new one ends the old
		write(t, s, func(tx *store.Tx) error { return tx.AddCheckInCode(code) })
		if _, err := use("d", noon); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the code before: %v", err)
		}
		if by, err := use("e", noon); err != nil || by != "judge" {
			t.Errorf("%s, %v", by, err)
		}
		if _, err := use("e", noon); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a code twice: %v", err)
		}
	})
}
