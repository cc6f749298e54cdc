package store_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func paired(to player.ID, key string) notice.Notice {
	return notice.Notice{
		To: to, Kind: notice.RoundPaired, Key: key, URL: "/tournaments/cup", When: noon.Add(time.Hour),
		Args: map[string]string{"Tournament": "Кубок «Ґ»", "Round": "3", "Opponent": "taras"},
	}
}

func told(t *testing.T, s *store.Store, q store.NoticeQuery) (list []store.Told, total int) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
		list, total, err = tx.Notices(q)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, total
}

func TestAPlayerIsToldOfAKeyOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena", "taras", "bot-a")
		add := func(at time.Time, list ...notice.Notice) {
			write(t, s, func(tx *store.Tx) error { return tx.AddNotices(list, at) })
		}
		add(noon, paired("olena", "cup/3"), paired("taras", "cup/3"), paired("bot-a", "cup/3"), paired("gone", "cup/3"))
		add(noon.Add(time.Minute), paired("olena", "cup/3")) // a second node, later
		add(noon.Add(time.Minute), paired("olena", "cup/4"))

		list, total := told(t, s, store.NoticeQuery{Player: "olena"})
		if total != 2 || len(list) != 2 {
			t.Fatalf("%d of %d", len(list), total)
		}
		if first := list[1]; first.Key != "cup/3" || !first.At.Equal(noon) || !first.When.Equal(noon.Add(time.Hour)) || first.Args["Tournament"] != "Кубок «Ґ»" || first.Kind != notice.RoundPaired {
			t.Errorf("%+v", first)
		}
		if _, total := told(t, s, store.NoticeQuery{Player: "bot-a"}); total != 0 {
			t.Error("a bot was told")
		}
	})
}

func TestReadNoticesAreNoLongerCounted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena", "taras")
		write(t, s, func(tx *store.Tx) error {
			return tx.AddNotices([]notice.Notice{paired("olena", "cup/1"), paired("olena", "cup/2"), paired("olena", "cup/3")}, noon)
		})
		write(t, s, func(tx *store.Tx) error {
			return tx.AddNotices([]notice.Notice{paired("olena", "cup/4")}, noon.Add(time.Hour))
		})
		unread := func() (n int) {
			t.Helper()
			if err := s.Read(t.Context(), func(tx *store.Tx) (err error) { n, err = tx.UnreadNotices("olena", noon); return err }); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if n := unread(); n != 4 {
			t.Fatalf("%d unread", n)
		}
		list, _ := told(t, s, store.NoticeQuery{Player: "olena"})
		write(t, s, func(tx *store.Tx) error {
			url, err := tx.ReadNotice("olena", list[3].ID, noon)
			if url != "/tournaments/cup" {
				t.Errorf("leads to %q", url)
			}
			return err
		})
		if err := s.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.ReadNotice("taras", list[0].ID, noon); return err }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another one's: %v", err)
		}
		if n := unread(); n != 3 {
			t.Errorf("%d unread after one was read", n)
		}
		// All that was on the page; what came since stays new.
		write(t, s, func(tx *store.Tx) error { return tx.ReadNotices("olena", noon.Add(time.Minute), noon.Add(2*time.Hour)) })
		if n := unread(); n != 1 {
			t.Errorf("%d unread after the page was read", n)
		}
		if list, total := told(t, s, store.NoticeQuery{Player: "olena", Unread: true}); total != 1 || list[0].Key != "cup/4" {
			t.Errorf("%d: %+v", total, list)
		}
		late := paired("olena", "cup/5")
		late.Until = noon
		other := paired("olena", "cupola/1")
		other.URL = "/tournaments/cupola"
		write(t, s, func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{late, other}, noon) })
		if n := unread(); n != 2 {
			t.Errorf("%d unread: what is of no more use is not counted", n)
		}
		write(t, s, func(tx *store.Tx) error {
			return tx.EndNotices(notice.TournamentMatter, "cup", noon)
		})
		if n := unread(); n != 1 {
			t.Errorf("%d unread after the cup was over, the other event's is left", n)
		}
	})
}

func TestKindsThatAPlayerTurnedOffAreNotShown(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena")
		for _, p := range []notice.Preferences{{notice.RoundPaired: {App: true, Mail: true}}, {notice.RoundPaired: {}, notice.Turn: {Mail: true}}} {
			write(t, s, func(tx *store.Tx) error { return tx.SetNoticePreferences("olena", p) })
		}
		write(t, s, func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{paired("olena", "cup/1")}, noon) })
		if _, total := told(t, s, store.NoticeQuery{Player: "olena"}); total != 0 {
			t.Error("shown all the same")
		}
		var got map[player.ID]notice.Preferences
		if err := s.Read(t.Context(), func(tx *store.Tx) (err error) { got, err = tx.NoticePreferences("olena"); return err }); err != nil {
			t.Fatal(err)
		}
		if len(got["olena"]) != 2 || got["olena"].Of(notice.RoundPaired) != (notice.Channels{}) || got["olena"].Of(notice.Turn) != (notice.Channels{Mail: true}) {
			t.Errorf("%+v", got)
		}
	})
}

func TestAfterCommitRunsOnlyWhenTheWriteHolds(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	var woken []string
	refused := errors.New("refused")
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		tx.AfterCommit(func() { woken = append(woken, "undone") })
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	write(t, s, func(tx *store.Tx) error {
		tx.AfterCommit(func() { woken = append(woken, "first") })
		tx.AfterCommit(func() { woken = append(woken, "second") })
		if len(woken) > 0 {
			t.Error("woken inside the transaction")
		}
		return nil
	})
	if len(woken) != 2 || woken[0] != "first" || woken[1] != "second" {
		t.Errorf("%v", woken)
	}
}

func TestWhenPlayersLastActedAndWereTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		late := head("m2")
		late.Players, late.LastAt = [2]player.ID{chris, anna}, moment(50)
		open(t, s, head("m1"), late)
		storetest.Players(t, s, "olena")
		write(t, s, func(tx *store.Tx) error {
			if err := tx.AddNotices([]notice.Notice{paired("olena", "cup/1")}, noon); err != nil {
				return err
			}
			return tx.AddNotices([]notice.Notice{paired("olena", "cup/2")}, noon.Add(time.Minute))
		})
		asked := []player.ID{"olena", anna, bohdan, chris}
		if err := s.Read(t.Context(), func(tx *store.Tx) error {
			acted, err := tx.LastActs(asked)
			if err != nil {
				return err
			}
			told, err := tx.LastNotices(asked)
			if len(acted) != 3 || !acted[anna].Equal(moment(50)) || !acted[bohdan].Equal(moment(0)) || !acted[chris].Equal(moment(50)) || len(told) != 1 || !told["olena"].Equal(noon.Add(time.Minute)) {
				t.Errorf("acted %v, told %v", acted, told)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}
