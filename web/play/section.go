// Package play brings people to a board: against a bot, a friend or whoever
// waits, by challenges and rematches, with an account or as a guest. It refuses
// to show a match once it has begun.
package play

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type pages struct{ *page.Site }

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.playRoutes(),      // play.go: /play
		p.challengeRoutes(), // challenges.go: /challenges, /c, /matches/ID/rematch
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route { return pages{s}.apiChallengeRoutes() }
