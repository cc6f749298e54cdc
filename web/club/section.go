// Package club serves the pages of clubs: members, news, challenges of each other and series of tournaments. It does
// not decide who plays.
package club

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type (
	pages struct{ event.Frame }
	// evenings serves series of tournaments.
	evenings struct{ event.Frame }
	api      struct{ event.Frame }
)

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{event.Frame{Site: s}}
	return slices.Concat(
		p.clubRoutes(),             // clubs.go: /clubs
		p.challengeRoutes(),        // challenges.go: /clubs/ID/challenge
		evenings(p).seriesRoutes(), // series.go: /clubs/ID/series
	)
}

// API returns what programs can do in clubs.
func API(s *page.Site) page.Chapter {
	a := api{event.Frame{Site: s}}
	return page.Chapter{Name: "Clubs", Text: "Clubs, their people, news, series and matches.",
		Operations: slices.Concat(a.clubOperations(), a.peopleOperations(), a.newsOperations(), a.seriesOperations())}
}
