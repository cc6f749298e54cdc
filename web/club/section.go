// Package club shows clubs: members, news, matches against each other, series
// of tournaments. It refuses to know who may stand in a line-up.
package club

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type (
	pages struct{ event.Frame }
	// evenings are tournaments in series.
	evenings struct{ event.Frame }
	api      struct{ *page.Site }
)

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{event.Frame{Site: s}}
	return slices.Concat(
		p.clubRoutes(),             // clubs.go: /clubs
		p.clubMatchRoutes(),        // club_matches.go: /clubs/ID/matches, /tournaments/ID/match
		evenings(p).seriesRoutes(), // series.go: /clubs/ID/series
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route { return api{s}.apiClubRoutes() }

// Link answers what other sections ask of this one.
func Link(s *page.Site) {
	p := pages{event.Frame{Site: s}}
	s.Links.EditClubMatchForm, s.Links.EditClubMatch = p.editClubMatchForm, p.editClubMatch
}
