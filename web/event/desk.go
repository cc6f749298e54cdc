package event

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
)

// DeskShell is the frame of a page that staff work on: nothing in it changes
// under their hands.
func (s Frame) DeskShell(c echo.Context, t *tournament.Tournament, title string) templates.Shell {
	sh := s.TournamentShell(c, t, title, "")
	sh.Feed = ""
	sh.Styles = append(sh.Styles, "desk.css")
	return sh
}
