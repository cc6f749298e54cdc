package match

import (
	"errors"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// viewTold adds what the page of a match reports about itself and, after the end, the link to report a player.
func (s pages) viewTold(c echo.Context, look live.View, v *matchview.View) error {
	me := page.Viewer(c)
	seat := look.Head.SeatOf(me.ID)
	if !me.IsSignedIn() {
		return nil
	}
	return s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if look.Head.Status == match.Over && !me.Bot {
			if look.Head.Place != "" {
				v.Report = words.MatchURL(look.Head.ID) + "/report"
			}
			return nil
		}
		with, err := tx.MatchPolicy(look.Head.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (!with.Policy.Telemetry || !seat.Valid()) {
			return nil
		}
		if err != nil {
			return err
		}
		told, err := tx.Telemetry(look.Head.ID, seat)
		v.Telemetry = &matchview.TelemetryView{URL: words.MatchURL(look.Head.ID) + "/telemetry", Text: words.ToldText(s.Printer(c), told),
			More: "/fair-play/privacy"}
		return err
	})
}
