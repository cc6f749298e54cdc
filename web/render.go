package web

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// defaultZone is where the site is at home; times are written in it until the
// viewer or his browser names another.
const defaultZone = "Europe/Kyiv"

// Names of cookies. The first is the session; the others are how a visitor
// wants to see the site.
const (
	cookieLang  = "lang"
	cookieTheme = "theme"
	cookieZone  = "zone"
	cookieFlash = "flash"
)

// printer writes for the viewer of a request.
func (s *Server) printer(c echo.Context) lang.Printer {
	if p, isSet := c.Get(printerKey).(lang.Printer); isSet {
		return p
	}
	v := viewer(c)
	return lang.Printer{Lang: s.language(c), Zone: zone(v.Settings.Zone, cookie(c, cookieZone))}
}

func (s *Server) language(c echo.Context) lang.Lang {
	for _, word := range []string{viewer(c).Settings.Lang, cookie(c, cookieLang)} {
		if l, ok := lang.Parse(word); ok {
			return l
		}
	}
	return lang.Accepted(c.Request().Header.Get("Accept-Language"))
}

// zone is the first of these names that is one.
func zone(names ...string) *time.Location {
	for _, name := range append(names, defaultZone) {
		if name == "" || name == "Local" || len(name) > 40 {
			continue
		}
		if z, err := time.LoadLocation(name); err == nil {
			return z
		}
	}
	return time.UTC
}

// shell is the frame of a page for the viewer of a request.
func (s *Server) shell(c echo.Context, title string) templates.Shell {
	v, p := viewer(c), s.printer(c)
	sh := templates.Shell{
		Title: title, Path: c.Request().URL.RequestURI(), Lang: string(p.Lang), Theme: theme(v.Settings.Theme, cookie(c, cookieTheme)),
		Static: s.staticAt, Zone: p.Zone.String(), Silent: v.Settings.Silent, Flash: s.takeFlash(c, p),
	}
	if c.Request().Method != get {
		sh.Path = "/" // what was posted to is no page to return to
	}
	if v.IsSignedIn() {
		sh.Viewer = templates.ShellViewer{Handle: string(v.Handle), URL: playerURL(v.Handle), IsOperator: v.MayOperate(), Guest: v.Guest}
		sh.Feed = "/notices/feed" // until the page names one of its own
		var err error
		if sh.Viewer.Unread, err = s.unread(c); err != nil {
			s.log.Warn("bell not read", "request", requestID(c), "err", err)
		}
	}
	return sh
}

func theme(names ...string) string {
	for _, name := range names {
		if name == "light" || name == "dark" {
			return name
		}
	}
	return ""
}

// render sends a page or fragment, whole or not at all.
func (s *Server) render(c echo.Context, status int, page templ.Component) error {
	return renderAs(c, status, s.printer(c), page)
}

// renderAs is render in another's language and zone.
func renderAs(c echo.Context, status int, p lang.Printer, page templ.Component) error {
	var buf bytes.Buffer
	if err := page.Render(lang.With(c.Request().Context(), p), &buf); err != nil {
		return err
	}
	return c.HTMLBlob(status, buf.Bytes())
}

// fragments renders pieces of a page for a feed.
func (s *Server) fragments(c echo.Context, pieces ...templ.Component) (string, error) {
	return fragmentsAs(c.Request().Context(), s.printer(c), pieces...)
}

// fragmentsAs is fragments in another's language and zone.
func fragmentsAs(ctx context.Context, p lang.Printer, pieces ...templ.Component) (string, error) {
	var b strings.Builder
	ctx = lang.With(ctx, p)
	for _, piece := range pieces {
		if err := piece.Render(ctx, &b); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// redirect answers a form that was accepted; flash is the key of a text under
// "flash." for the next page, or empty.
func (s *Server) redirect(c echo.Context, path, flash string) error {
	if flash != "" {
		s.setCookie(c, cookieFlash, flash, time.Minute, true)
	}
	return c.Redirect(http.StatusSeeOther, path)
}

func (s *Server) takeFlash(c echo.Context, p lang.Printer) string {
	key := cookie(c, cookieFlash)
	if key == "" {
		return ""
	}
	s.setCookie(c, cookieFlash, "", -1, true)
	if !strings.HasPrefix(key, "flash.") || !p.Has(key) {
		return ""
	}
	return p.T(key)
}

func cookie(c echo.Context, name string) string {
	if ck, err := c.Cookie(name); err == nil {
		return ck.Value
	}
	return ""
}

// setCookie leaves a cookie for so long; a life below nothing takes it away.
func (s *Server) setCookie(c echo.Context, name, value string, life time.Duration, httpOnly bool) {
	age := int(life / time.Second)
	if life < 0 {
		age = -1
	}
	c.SetCookie(&http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: httpOnly,
		Secure: s.isSecure(c), SameSite: http.SameSiteLaxMode,
	})
}

// localPath is a path of this site that a form or link asks to return to; the
// home page for anything else. Browsers leave control characters out of an
// address, so that "/\t/there" would lead away.
func localPath(path string) string {
	isOdd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) || r == utf8.RuneError }
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, isOdd) {
		return "/"
	}
	return path
}
