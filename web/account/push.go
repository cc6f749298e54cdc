package account

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/push"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s notices) pushRoutes() []page.Route {
	return []page.Route{
		page.Post("/settings/push", s.addPush, page.SignedIn),
		page.Post("/settings/push/drop", s.dropPush, page.SignedIn),
	}
}

// addPush registers the browser for push notices until its session ends.
func (s notices) addPush(c echo.Context) error {
	v, p := page.Viewer(c), s.Printer(c)
	d := store.PushDevice{
		Device: notice.Device{Endpoint: c.FormValue("endpoint"), Key: c.FormValue("key"), Auth: c.FormValue("auth")}, Lang: string(p.Lang),
		Zone: page.ZoneName(p.Reader),
	}
	if err := d.Check(); err != nil {
		return err
	}
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.AddPushDevice(v.ID, page.SessionID(c), d, s.Now()) })
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s notices) dropPush(c echo.Context) error {
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		return tx.DropPushDevice(page.Viewer(c).ID, c.FormValue("endpoint"))
	})
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// pushKey returns the public key with which browsers accept push messages of this site.
func (s notices) pushKey(c echo.Context) (public string, err error) {
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		public, _, err = push.Keys(tx)
		return err
	})
	return public, err
}
