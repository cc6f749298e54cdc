// Package ladder serves the pages of ladders: rungs, challenges and their times, and the organizer's desk. It does not
// decide who stands where.
package ladder

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type (
	pages struct{ *page.Site }
	api   struct{ *page.Site }
)

// Routes returns the pages of the section, /ladders.
func Routes(s *page.Site) []page.Route { return pages{s}.ladderRoutes() }

// API returns what programs can do on ladders.
func API(s *page.Site) page.Chapter {
	return page.Chapter{Name: "Ladders", Text: "Ladders, their challenges and their settings.",
		Operations: slices.Concat(api{s}.ladderOperations(), api{s}.deskOperations())}
}
