// Package rating serves the pages of ratings and players: lists, players and their matches, two players against each
// other, the changes of an event, and imports. It computes no ratings.
package rating

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type (
	pages struct{ *page.Site }
	api   struct{ *page.Site }
)

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.playerRoutes(), // players.go: /players
		p.ratingRoutes(), // ratings.go: /ratings, /players/A/vs/B, /tournaments/ID/ratings
	)
}

// API returns what programs can read of players and ratings.
func API(s *page.Site) page.Chapter {
	a := api{s}
	return page.Chapter{Name: "Players", Text: "Accounts, players and rating lists.", Operations: slices.Concat(a.playerOperations(), a.ratingOperations())}
}
