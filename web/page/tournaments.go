package page

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
)

func (s *Site) SetupShell(c echo.Context, title string) templates.Shell {
	sh := s.Shell(c, title)
	sh.Section, sh.Styles, sh.Scripts = "tournaments", []string{"tournament.css"}, []string{"tournament.js"}
	return sh
}
