package page

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
)

// SetupShell is Shell for pages that set up a tournament.
func (s *Site) SetupShell(c echo.Context, title string) templates.Shell {
	sh := s.Shell(c, title)
	sh.Section, sh.Styles, sh.Scripts = "tournaments", []string{"tournament.css"}, []string{"tournament.js"}
	return sh
}
