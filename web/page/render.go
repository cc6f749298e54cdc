package page

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/frame"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// Names of cookies.
const (
	CookieLang  = "lang"
	CookieTheme = "theme"
	cookieZone  = "zone"
	cookieFlash = "flash"
	cookieTry   = "try"
)

// Printer returns the printer for the viewer's language and zone, or for the zone of the event whose page it is.
func (s *Site) Printer(c echo.Context) lang.Printer {
	if p, isSet := c.Get(printerKey).(lang.Printer); isSet {
		return p
	}
	reader := civil.Zone(Viewer(c).Settings.Zone, Cookie(c, cookieZone))
	p := lang.Printer{Lang: languageOf(c), Zone: cmp.Or(reader, s.Zone()), Now: s.Now, Reader: reader}
	if reader == nil {
		p = p.At(s.Zone()) // a browser's first page: its clocks may show another time, so moments name the zone
	}
	return p
}

// InZone lets the page show all moments in an event's zone; empty means the site's.
func (s *Site) InZone(c echo.Context, zone string) lang.Printer {
	p := s.Printer(c).At(s.Zone(zone))
	c.Set(printerKey, p)
	return p
}

func languageOf(c echo.Context) lang.Lang {
	for _, word := range []string{Viewer(c).Settings.Lang, Cookie(c, CookieLang)} {
		if l, ok := lang.Parse(word); ok {
			return l
		}
	}
	return lang.Accepted(c.Request().Header.Get("Accept-Language"))
}

// Zone returns the first valid time zone of names, else the site's.
func (s *Site) Zone(names ...string) *time.Location {
	return cmp.Or(civil.Zone(append(names, s.Config.Zone)...), time.UTC)
}

// ZoneName returns the name of a reader's zone; empty if it is unknown.
func ZoneName(zone *time.Location) string {
	if zone == nil {
		return ""
	}
	return zone.String()
}

// Shell returns the frame of a page for the viewer of a request.
func (s *Site) Shell(c echo.Context, title string) templates.Shell {
	v, p := Viewer(c), s.Printer(c)
	face := s.Face(c.Request().Context())
	sh := templates.Shell{
		Site: face.Name, Mark: face.Mark, Around: frame.Around,
		Title: title, Path: c.Request().URL.RequestURI(), Lang: string(p.Lang), Theme: Theme(v.Settings.Theme, Cookie(c, CookieTheme)),
		Static: s.Static, Source: s.Config.SourceURL, Zone: p.Zone.String(), Play: worn(PlayOf(c)), Flash: takeFlash(s, c, p),
	}
	if c.Request().Method != http.MethodGet {
		sh.Path = "/" // the address of a form is no page to return to
	}
	if v.IsSignedIn() {
		sh.Viewer = templates.ShellViewer{Handle: string(v.Handle), Name: words.HandleName(p, v.Handle), URL: words.PlayerURL(v.Handle),
			IsOperator: v.MayOperate(), Guest: v.Guest, MayClaim: v.MayClaim()}
		sh.Feed = "/notices/feed" // unless the page sets its own
		now, err := s.alerts(c)
		if err != nil {
			s.Log.Warn("bell not read", "request", RequestID(c), "err", err)
		}
		sh.Viewer.Unread, sh.Viewer.Called = now.unread, now.called
	}
	return sh
}

// Theme returns the first valid theme of names; empty if none is.
func Theme(names ...string) string {
	for _, name := range names {
		if name == "light" || name == "dark" {
			return name
		}
	}
	return ""
}

// Render sends a page or fragment if all of it could be rendered.
func (s *Site) Render(c echo.Context, status int, page templ.Component) error {
	c.SetRequest(c.Request().WithContext(boardview.WithPieces(c.Request().Context(), PlayOf(c).Of("pieces"))))
	text, err := rendered(c, s.Printer(c), page)
	if err != nil {
		return err
	}
	if before, now := Viewer(c).Shown, s.shownOn(c); status == http.StatusUnprocessableEntity && before > 0 && before < now {
		SetShown(c, before) // a refused form still shows what its author saw, beside what they have written
	}
	return c.HTMLBlob(status, s.keyed(c, text))
}

// ReadsOnce lets a page read in one transaction, which ends before anything is sent. Streams do so for each look.
func ReadsOnce(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Method != http.MethodGet || IsFeed(c) || IsStream(c) {
			return next(c)
		}
		ctx := store.WithSnapshot(c.Request().Context())
		end := func() { store.EndSnapshot(ctx) }
		defer end()
		c.Response().Before(end)
		return next(During(ctx, c))
	}
}

// RenderAs is Render for any language and zone, of a page that sends no forms.
func RenderAs(c echo.Context, status int, p lang.Printer, page templ.Component) error {
	text, err := rendered(c, p, page)
	if err != nil {
		return err
	}
	return c.HTMLBlob(status, text)
}

func rendered(c echo.Context, p lang.Printer, page templ.Component) ([]byte, error) {
	store.EndSnapshot(c.Request().Context()) // all has been read
	var buf bytes.Buffer
	err := page.Render(lang.With(c.Request().Context(), p), &buf)
	return buf.Bytes(), err
}

// fragment renders a piece of a page for a feed.
func fragment(ctx context.Context, p lang.Printer, piece templ.Component) (string, error) {
	var b strings.Builder
	err := piece.Render(lang.With(ctx, p), &b)
	return b.String(), err
}

// Redirect answers an accepted form. flash is empty or the key, below "flash.", of a text for the next page, or what
// Counted returns, several joined by "~".
func (s *Site) Redirect(c echo.Context, path, flash string) error {
	if flash != "" {
		s.SetCookie(c, cookieFlash, flash, time.Minute, true)
	}
	return c.Redirect(http.StatusSeeOther, path)
}

// Answer answers a form: with Redirect, or after a refusal with the page that again renders.
func (s *Site) Answer(c echo.Context, err error, again func(c echo.Context, refused error) error, path, flash string) error {
	if err == nil {
		return s.Redirect(c, path, flash)
	}
	if IsRefusal(err) {
		return again(c, err)
	}
	return err
}

func takeFlash(s *Site, c echo.Context, p lang.Printer) string {
	key := Cookie(c, cookieFlash)
	if key == "" {
		return ""
	}
	s.SetCookie(c, cookieFlash, "", -1, true)
	var texts []string
	for part := range strings.SplitSeq(key, "~") {
		key, count, isCounted := strings.Cut(part, "=")
		if !strings.HasPrefix(key, "flash.") || !p.Has(key) {
			return ""
		}
		if !isCounted { // such a text has no form for a number
			texts = append(texts, p.T(key))
			continue
		}
		n, _ := strconv.Atoi(count)
		texts = append(texts, p.N(key, n))
	}
	return strings.Join(texts, " ")
}

// Counted returns the flash of a text that tells a number of things.
func Counted(key string, n int) string { return key + "=" + strconv.Itoa(n) }

// Cookie returns the value of a cookie; empty without one.
func Cookie(c echo.Context, name string) string {
	if ck, err := c.Cookie(name); err == nil {
		return ck.Value
	}
	return ""
}

// SetCookie sets a cookie; a negative life removes it.
func (s *Site) SetCookie(c echo.Context, name, value string, life time.Duration, httpOnly bool) {
	age := int(life / time.Second)
	if life < 0 {
		age = -1
	}
	c.SetCookie(&http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: httpOnly,
		Secure: s.IsSecure(c), SameSite: http.SameSiteLaxMode,
	})
}

// LocalPath returns path if it is a path of this site, else the home page. Browsers drop control characters from
// addresses, so "/\t/there" would lead to another site.
func LocalPath(path string) string {
	isOdd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) || r == utf8.RuneError }
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, isOdd) {
		return "/"
	}
	return path
}
