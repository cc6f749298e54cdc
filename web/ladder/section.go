// Package ladder shows ladders: rungs, challenges and their times, what their
// directors settle and judge. It refuses to order anybody.
package ladder

import "chpok.org/chpok/web/page"

type (
	pages struct{ *page.Site }
	api   struct{ *page.Site }
)

// Routes are the addresses of the section: /ladders.
func Routes(s *page.Site) []page.Route { return pages{s}.ladderRoutes() }

// API are what programs ask of the section.
func API(s *page.Site) []page.Route { return api{s}.apiLadderRoutes() }
