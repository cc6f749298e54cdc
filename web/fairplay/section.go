// Package fairplay shows how a site knows who plays: what is demanded and
// noticed, who vouches for whom, reports, reviews and their seasons. It refuses
// to accuse: it says what was recorded, and stewards decide.
package fairplay

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type pages struct{ event.Frame }

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{event.Frame{Site: s}}
	return slices.Concat(
		p.fairPlayRoutes(),    // fairplay.go: /fair-play
		p.attestationRoutes(), // attestations.go: who vouches for whom
		p.reviewRoutes(),      // reviews.go: what pages tell, reports, stewards, reviews
		p.seasonRoutes(),      // seasons.go: /fair-play/numbers
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route { return pages{event.Frame{Site: s}}.apiSeasonRoutes() }

// Link answers what other sections ask of this one.
func Link(s *page.Site) { s.Links.ReviewDocument = pages{event.Frame{Site: s}}.reviewDocument }
