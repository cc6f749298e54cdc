package web

import (
	"io/fs"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/frame"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
)

func (s *Server) appRoutes() []page.Route {
	return []page.Route{
		page.Get("/manifest.webmanifest", s.manifest, page.Anyone),
		page.Get("/sw.js", s.serviceWorker, page.Anyone),
		page.Get("/offline", s.offline, page.Anyone),
	}
}

// manifest lets browsers install the site as an app.
func (s *Server) manifest(c echo.Context) error {
	p := s.Printer(c)
	name := s.Called(c.Request().Context(), p)
	icon := func(name, sizes, purpose string) map[string]string {
		return map[string]string{"src": s.asset("img/" + name), "sizes": sizes, "type": "image/png", "purpose": purpose}
	}
	c.Response().Header().Set(echo.HeaderContentType, "application/manifest+json")
	return c.JSON(http.StatusOK, map[string]any{
		"id": "/", "name": name, "short_name": name, "description": p.T("core.tagline"), "lang": string(p.Lang),
		"start_url": "/", "scope": "/", "display": "standalone", "background_color": "#f6f7f4", "theme_color": "#0b6253",
		"icons": []map[string]string{icon("icon-192.png", "192x192", "any"), icon("icon-512.png", "512x512", "any"),
			icon("icon-maskable-512.png", "512x512", "maskable")},
		"shortcuts": []map[string]string{{"name": p.T("core.nav.play"), "url": "/play"},
			{"name": p.T("core.nav.tournaments"), "url": "/tournaments"}},
	})
}

// serviceWorker serves sw.js from the root, because a worker controls only what lies below its address. The text
// includes the hash of the static files, so browsers replace the worker with each version.
func (s *Server) serviceWorker(c echo.Context) error {
	text, err := fs.ReadFile(s.static.files, "js/sw.js")
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "max-age=600") // browsers would fetch it with each page
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", append([]byte("const files = \""+s.static.prefix+"\";\n"), text...))
}

// offline renders what an installed app shows without a connection. Browsers keep the page, so it shows no viewer.
func (s *Server) offline(c echo.Context) error {
	l, ok := lang.Parse(c.QueryParam("lang"))
	if !ok {
		l = s.Printer(c).Lang
	}
	p := lang.Printer{Lang: l}
	sh := templates.Shell{Site: s.Face(c.Request().Context()).Name, Title: p.T("core.offline-page.title"), Path: "/", Lang: string(l),
		Static: s.static.prefix, NoIndex: true, Compact: true, Around: frame.Around, Scripts: []string{"offline.js"}}
	return page.RenderAs(c, http.StatusOK, p, templates.OfflinePage(sh))
}
