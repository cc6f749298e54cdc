// Package fairplay serves the pages of fair play: policies, signals, attestations, reports, reviews and the numbers
// of seasons. It shows what was recorded; stewards and arbiters decide.
package fairplay

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type pages struct{ event.Frame }

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{event.Frame{Site: s}}
	return slices.Concat(
		p.fairPlayRoutes(),    // fairplay.go: /fair-play
		p.attestationRoutes(), // attestations.go: who vouches for whom
		p.reviewRoutes(),      // reviews.go: what pages tell, reports, stewards, reviews
		p.movesRoutes(),       // moves.go: what moves come to, and what that is worth
		p.seasonRoutes(),      // seasons.go: /fair-play/numbers
	)
}

// API returns what programs can do for fair play.
func API(s *page.Site) page.Chapter {
	p := pages{event.Frame{Site: s}}
	return page.Chapter{Name: "Fair play", Text: "Who is watched, what is recorded and how it is judged.",
		Operations: slices.Concat(p.textOperations(), p.attestationOperations(), p.reviewOperations(), p.movesOperations(), p.seasonOperations())}
}

// Link provides the functions that other sections call.
func Link(s *page.Site) { s.Links.ReviewDocument = pages{event.Frame{Site: s}}.reviewDocument }
