// Package learn teaches: lessons on the board, puzzles, an example of the bidding,
// the rules and answers to questions. It refuses to judge a move; the rules engine does.
package learn

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type pages struct{ *page.Site }

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.learnRoutes(),    // learn.go: /learn
		p.practiceRoutes(), // practice.go: /practice
		p.ruleRoutes(),     // rules.go: /rules, /faq
	)
}
