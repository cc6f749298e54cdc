package site

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"chpok.org/chpok/ops/lan"
)

// roomWatch follows the address under which the site is reached over a room's Wi-Fi.
type roomWatch struct {
	room       *lan.Room
	interfaces func() ([]lan.Interface, error)
	now        func() time.Time
	log        *slog.Logger

	mu  sync.Mutex
	out io.Writer // nil before tell
}

func newRoomWatch(port string, interfaces func() ([]lan.Interface, error), now func() time.Time, log *slog.Logger) *roomWatch {
	w := &roomWatch{room: lan.NewRoom(port), interfaces: interfaces, now: now, log: log}
	if list, err := interfaces(); err == nil {
		w.room.Look(list, now())
	}
	return w
}

// tell prints the address, now and whenever it changes.
func (w *roomWatch) tell(out io.Writer) {
	w.mu.Lock()
	w.out = out
	w.mu.Unlock()
	if s := w.room.State(); s.Base != "" {
		fmt.Fprintf(out, "Everybody on this Wi-Fi opens %s\nThe QR code stands on %s/admin. No internet is needed.\n", s.Base, s.Base)
		fmt.Fprintln(out, "Passkeys and push notices need https: see “A club without internet” in docs/operations.md.")
		return
	}
	fmt.Fprintln(out, "No network yet: join the room's Wi-Fi, or open a hot spot. The address is told here when there is one.")
}

// look prints the address if it has changed.
func (w *roomWatch) look() error {
	list, err := w.interfaces()
	if err != nil {
		return err
	}
	s, changed := w.room.Look(list, w.now())
	if !changed {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.out == nil {
		return nil
	}
	switch {
	case s.Base == "":
		fmt.Fprintln(w.out, "The network is gone. Everything is kept; the site goes on when it is back.")
	case s.Was == "":
		fmt.Fprintf(w.out, "The network is back: %s\n", s.Base)
	default:
		fmt.Fprintf(w.out, "The address of this machine has changed: it was %s, now everybody opens %s\n", s.Was, s.Base)
	}
	w.log.Info("address of the room", "base", s.Base, "was", s.Was)
	return nil
}

// lookForRoom is the job that notices a laptop which has slept or moved.
func (s *Site) lookForRoom(context.Context) error {
	if s.room == nil {
		return nil
	}
	return s.room.look()
}
