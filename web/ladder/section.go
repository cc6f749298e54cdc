// Package ladder serves the pages of ladders: rungs, challenges and their times, and the organizer's desk. It does not
// decide who stands where.
package ladder

import "chpok.org/chpok/web/page"

type (
	pages struct{ *page.Site }
	api   struct{ *page.Site }
)

// Routes returns the pages of the section, /ladders.
func Routes(s *page.Site) []page.Route { return pages{s}.ladderRoutes() }

// API returns the section's routes of the API.
func API(s *page.Site) []page.Route { return api{s}.apiLadderRoutes() }
