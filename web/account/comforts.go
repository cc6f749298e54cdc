package account

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

// savePlay saves how the viewer likes to play, from the form or from scripts that send one control at a time.
func (s pages) savePlay(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	now := page.PlayOf(c)
	for name, values := range form {
		if name == "return" {
			continue
		}
		if now, err = now.With(name, values[len(values)-1]); err != nil {
			return err
		}
	}
	s.SetCookie(c, page.CookiePlay, string(now), page.Year, true)
	if v := page.Viewer(c); v.HasAccount() {
		set := v.Settings
		set.Play = now
		if err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetPlayerSettings(v.ID, set) }); err != nil {
			return err
		}
	}
	if strings.Contains(c.Request().Header.Get(echo.HeaderAccept), echo.MIMEApplicationJSON) {
		return c.NoContent(http.StatusNoContent)
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.saved")
}
