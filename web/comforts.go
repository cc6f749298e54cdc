package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
)

// savePlay changes some of it, for the form and for the scripts that send one control at a time.
func (s *Server) savePlay(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	now := s.PlayOf(c)
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

// comforts are its controls.
func (s *Server) comforts(c echo.Context) []templates.Comfort {
	return comfortsOf(s.Printer(c), s.PlayOf(c))
}

func comfortsOf(p lang.Printer, now player.Play) []templates.Comfort {
	out := make([]templates.Comfort, len(player.Comforts))
	for i, x := range player.Comforts {
		key, value := "comfort."+x.Name, now.Of(x.Name)
		control := templates.Comfort{Name: x.Name, Label: p.T(key), Value: value}
		switch last := len(x.Values) - 1; {
		case x.IsSwitch():
			control.Switches = true
		case x.Slides:
			control.Least, control.Most, control.Step = x.Values[0], x.Values[last], "5"
		default:
			for _, v := range x.Values {
				choice := templates.ComfortChoice{Value: v, Text: p.T(key + "." + v), Chosen: v == value}
				switch x.Name {
				case "board":
					choice.Picture = boardview.BoardSample(v)
				case "pieces":
					choice.Picture = boardview.PieceSample(v)
				}
				control.Choices = append(control.Choices, choice)
			}
		}
		out[i] = control
	}
	return out
}
