// Package learn serves the pages that teach: lessons, puzzles, an example of the bidding, the rules and questions with
// answers. The rules engine judges moves.
package learn

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
		p.learnRoutes(),    // learn.go: /learn
		p.helpRoutes(),     // help.go: /help
		p.practiceRoutes(), // practice.go: /practice
		p.ruleRoutes(),     // rules.go: /rules, /faq
	)
}

// API returns what programs can do to learn.
func API(s *page.Site) page.Chapter {
	return page.Chapter{Name: "Puzzles", Text: "Positions and biddings with exactly one answer.", Operations: api{s}.puzzleOperations()}
}
