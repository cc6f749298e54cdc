package event

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// callsText names the page of calls, with how many wait.
func (s Frame) callsText(c echo.Context, t *tournament.Tournament) string {
	waiting := 0
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		waiting, err = tx.WaitingCalls(t.ID)
		return err
	})
	if err != nil {
		s.Log.Warn("calls not counted", "tournament", t.ID, "err", err)
	}
	if waiting > 0 {
		return s.Printer(c).T("calls.queue.n", "N", waiting)
	}
	return s.Printer(c).T("calls.queue")
}
