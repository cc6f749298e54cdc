package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// told is what a player is told of, the latest first.
func (h *hall) told(handle string) (list []store.Told) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		list, _, err = tx.Notices(store.NoticeQuery{Player: h.player(handle).ID, Limit: 100})
		return err
	}))
	return list
}

func TestNotifyWakesAfterTheCommitAndPassesOverWhatIsTooLate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ana := h.player("ana").ID
		sub := h.live.Subscribe(t.Context(), live.PlayerTopic(ana))
		defer sub.Close()
		n := notice.Notice{To: ana, Kind: notice.Turn, Key: "m1/7", URL: "/matches/m1", Args: map[string]string{"Opponent": "bob"}}
		late := n
		late.Key, late.Until = "m1/8", h.clock.now()
		guest := n
		guest.To = ""
		notify := func(list ...notice.Notice) error {
			return h.store.Write(t.Context(), func(tx *store.Tx) error { return h.Notify(tx, list...) })
		}
		h.ok(notify(late, guest))
		select {
		case <-sub.Ready():
			t.Error("woken for nothing")
		default:
		}
		h.ok(notify(n, late))
		select {
		case <-sub.Ready():
		default:
			t.Error("not woken")
		}
		late.Until = h.clock.now().Add(time.Millisecond)
		h.ok(notify(n, late)) // m1/7 a second time
		if list := h.told("ana"); len(list) != 2 {
			t.Errorf("%+v", list)
		}
		if err := notify(notice.Notice{To: player.ID("ana"), Kind: notice.Turn, Key: "m1/9", URL: "/"}); !errors.Is(err, notice.ErrBad) {
			t.Errorf("without an opponent: %v", err)
		}
	})
}
