// Package match shows matches: being played, watched, replayed, analysed and
// judged, on the page, on walls of many and to programs. It refuses to decide a
// move; what a state looks like is package scene's to say.
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
	// tv shows many matches at once.
	tv struct {
		*page.Site
		walls *walls
	}
)

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return slices.Concat(
		p.matchRoutes(),    // matches.go: /matches/ID
		p.analysisRoutes(), // analysis.go: /matches/ID/analysis
		p.callRoutes(),     // calls.go: /matches/ID/calls
		checkIns{event.Frame{Site: s}}.checkInRoutes(), // checkins.go: /matches/ID/check-in
		tv{s, &walls{}}.tvRoutes(),                     // tv.go: /tv, /matches
		asking{s}.analysisRoutes(),                     // fairplay_analyse.go: /analyse
		p.styleRoutes(),                                // styleguide.go: /styleguide
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route {
	a := api{s}
	return slices.Concat(a.apiMatchRoutes(), a.apiCallRoutes(), asking{s}.apiAnalysisRoutes())
}
