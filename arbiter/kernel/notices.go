package kernel

import (
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/store"
)

// Notify stores what players are told, in the transaction of what they are told of, and
// wakes their pages after it. Notices that come too late, repeat one, or go to a guest's
// entry or a bot are passed over. It fails with notice.ErrBad for a notice that nobody
// could read.
func (a *Kernel) Notify(tx *store.Tx, list ...notice.Notice) error {
	now := a.Now()
	var timely []notice.Notice
	for _, n := range list {
		if n.To == "" || !n.IsTimely(now) {
			continue
		}
		if err := n.Check(); err != nil {
			return err
		}
		timely = append(timely, n)
	}
	if len(timely) == 0 {
		return nil
	}
	tx.AfterCommit(func() {
		for _, n := range timely {
			a.Live.Nudge(live.PlayerTopic(n.To), 0)
		}
	})
	return tx.AddNotices(timely, now)
}
