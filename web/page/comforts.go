package page

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
)

// CookiePlay is the cookie in which a browser keeps how its user likes to play.
const CookiePlay = "play"

// PlayOf returns how the viewer likes to play: the choice of their account, else the browser's.
func PlayOf(c echo.Context) player.Play {
	if v := Viewer(c); v.HasAccount() && v.Settings.Play != "" {
		return v.Settings.Play
	}
	return player.ParsePlay(Cookie(c, CookiePlay))
}

// worn returns the choices as attributes of the page for styles and scripts.
func worn(p player.Play) templ.Attributes {
	out := templ.Attributes{}
	for _, c := range player.Comforts {
		out["data-"+c.Name] = p.Of(c.Name)
	}
	return out
}
