package page

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
)

// CookiePlay is the cookie in which a browser keeps how its visitor likes to play.
const CookiePlay = "play"

// PlayOf is how whoever asks likes to play. An account keeps it; a browser does for guests and visitors, and for an
// account that has not chosen anything yet.
func PlayOf(c echo.Context) player.Play {
	if v := Viewer(c); v.HasAccount() && v.Settings.Play != "" {
		return v.Settings.Play
	}
	return player.ParsePlay(Cookie(c, CookiePlay))
}

// worn is it as attributes of the page, by which styles and scripts go.
func worn(p player.Play) templ.Attributes {
	out := templ.Attributes{}
	for _, c := range player.Comforts {
		out["data-"+c.Name] = p.Of(c.Name)
	}
	return out
}
