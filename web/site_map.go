package web

import (
	"slices"

	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/club"
	"chpok.org/chpok/web/desk"
	"chpok.org/chpok/web/fairplay"
	"chpok.org/chpok/web/ladder"
	"chpok.org/chpok/web/league"
	"chpok.org/chpok/web/learn"
	"chpok.org/chpok/web/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/play"
	"chpok.org/chpok/web/rating"
	"chpok.org/chpok/web/tournament"
)

// siteMap returns all routes. Routes of a section lists its families of pages; each family has its addresses at the
// top of its own file.
func (s *Server) siteMap() []page.Route {
	return slices.Concat(
		s.homeRoutes(),            // home.go: /
		s.searchRoutes(),          // search.go: /search
		s.styleRoutes(),           // styleguide.go: /styleguide
		s.siteRoutes(),            // site.go: /site
		s.staticRoutes(),          // static.go: /static, /robots.txt
		s.appRoutes(),             // app.go: /manifest.webmanifest, /sw.js, /offline
		s.healthRoutes(),          // health.go: /healthz
		s.outside.Routes(),        // /embed, /oembed, pictures
		s.apiRoutes(),             // below: /api
		learn.Routes(s.Site),      // /learn, /practice, /rules, /faq, /help
		play.Routes(s.Site),       // /play, /challenges, /c
		match.Routes(s.Site),      // /matches, /tv, /analyse
		tournament.Routes(s.Site), // /tournaments, /screens
		desk.Routes(s.Site),       // /tournaments/ID: what staff do; /absences
		ladder.Routes(s.Site),     // /ladders
		league.Routes(s.Site),     // /leagues
		club.Routes(s.Site),       // /clubs
		rating.Routes(s.Site),     // /ratings, /players
		fairplay.Routes(s.Site),   // /fair-play
		account.Routes(s.Site),    // /sign-in, /settings, /notices, /calendar, /admin
	)
}

// chapters returns what programs can do, in the order of the page /api.
func (s *Server) chapters() []page.Chapter {
	return []page.Chapter{match.API(s.Site), play.API(s.Site), rating.API(s.Site), tournament.API(s.Site), desk.API(s.Site),
		ladder.API(s.Site), league.API(s.Site), club.API(s.Site), fairplay.API(s.Site), learn.API(s.Site), account.API(s.Site), s.siteChapter()}
}

// apiRoutes returns version 1 of the API, its description and the page about it.
func (s *Server) apiRoutes() []page.Route {
	routes := []page.Route{page.Get("/api", s.apiPage, page.Anyone), page.Get("/api/errors", s.apiErrors, page.Anyone),
		page.Get("/api/v1/openapi.json", s.apiDescription, page.Anyone)}
	for _, chapter := range s.chapters() {
		for _, o := range chapter.Operations {
			routes = append(routes, o.Route)
		}
	}
	return routes
}
