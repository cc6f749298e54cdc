package event

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
)

// DeskShell is TournamentShell for a page that staff work on; it has no feed that would change it under their hands.
func (s Frame) DeskShell(c echo.Context, t *tournament.Tournament, title string) templates.Shell {
	sh := s.TournamentShell(c, t, title, "")
	sh.Feed = ""
	sh.Styles = append(sh.Styles, "desk.css")
	return sh
}
