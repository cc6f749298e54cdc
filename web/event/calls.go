package event

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// callsText names the page of calls, with the number that wait.
func (s Frame) callsText(c echo.Context, t *tournament.Tournament) string {
	waiting, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (int, error) { return tx.WaitingCalls(t.ID) })
	if err != nil {
		s.Log.Warn("calls not counted", "tournament", t.ID, "err", err)
	}
	if waiting > 0 {
		return s.Printer(c).T("calls.queue.n", "N", waiting)
	}
	return s.Printer(c).T("calls.queue")
}
