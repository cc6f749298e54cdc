// Package play serves the pages that lead to a match: against a bot, a friend or anyone who waits, by challenges and
// rematches, with an account or as a guest. Package match shows the match itself.
package play

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type pages struct{ *page.Site }

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.playRoutes(),      // play.go: /play
		p.challengeRoutes(), // challenges.go: /challenges, /c, /matches/ID/rematch, /matches/ID/opponent
	)
}

// API returns what programs can do with challenges.
func API(s *page.Site) page.Chapter {
	return page.Chapter{Name: "Challenges", Text: "Matches that two arrange.", Operations: slices.Concat(pages{s}.challengeOperations(), pages{s}.eventOperations())}
}
