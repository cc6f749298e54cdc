// Package match serves matches, on pages and to programs: playing, watching one or many, replays, analysis and
// rulings. It decides nothing about the game, and package scene turns states into views.
package match

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type (
	pages    struct{ *page.Site }
	checkIns struct{ event.Frame }
	asking   struct{ *page.Site }
	api      struct{ *page.Site }
	// tv serves the pages of many matches at once.
	tv struct {
		*page.Site
		walls *walls
	}
)

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.matchRoutes(),    // matches.go: /matches/ID
		p.analysisRoutes(), // analysis.go: /matches/ID/analysis
		p.callRoutes(),     // calls.go: /matches/ID/calls
		checkIns{event.Frame{Site: s}}.checkInRoutes(), // checkins.go: /matches/ID/check-in
		tv{s, &walls{}}.tvRoutes(),                     // tv.go: /tv, /matches
		asking{s}.explorerRoutes(),                     // explorer.go: /analyse
		p.styleRoutes(),                                // styleguide.go: /styleguide
	)
}

// API returns what programs can do in matches.
func API(s *page.Site) page.Chapter {
	a := api{s}
	return page.Chapter{Name: "Matches", Text: "Play, watch and judge matches.",
		Operations: slices.Concat(a.matchOperations(), a.callOperations(), asking{s}.explorerOperations())}
}
