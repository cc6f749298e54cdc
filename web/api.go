package web

import (
	_ "embed"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/web/page"
)

// apiRoutes is the JSON API, version 1; openapi.json describes it to others and
// a test compares the two.
func (s *Server) apiRoutes() []page.Route {
	routes := []page.Route{
		page.Get("/openapi.json", s.apiDescription, page.Anyone),
	}
	routes = slices.Concat(routes, s.apiPlayerRoutes(), s.apiMatchRoutes(), s.apiAnalysisRoutes(), s.apiSeasonRoutes(),
		s.apiTournamentRoutes(), s.apiEntryRoutes(), s.apiDeskRoutes(), s.apiChallengeRoutes(), s.apiLadderRoutes(), s.apiClubRoutes(), s.apiRatingRoutes(), s.apiCallRoutes(), s.apiScheduleRoutes())
	for i := range routes {
		routes[i].Path = "/api/v1" + routes[i].Path
	}
	return routes
}

//go:embed openapi.json
var openAPI []byte

func (s *Server) apiDescription(c echo.Context) error {
	return c.JSONBlob(http.StatusOK, openAPI)
}
