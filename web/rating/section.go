// Package rating shows how strong players are: lists and pools, players and
// their matches, two against each other, what an event changed, ratings brought
// from elsewhere. It refuses to compute any.
package rating

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type (
	pages struct{ *page.Site }
	api   struct{ *page.Site }
)

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.playerRoutes(), // players.go: /players
		p.ratingRoutes(), // ratings.go: /ratings, /players/A/vs/B, /tournaments/ID/ratings
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route {
	a := api{s}
	return slices.Concat(a.apiPlayerRoutes(), a.apiRatingRoutes())
}
