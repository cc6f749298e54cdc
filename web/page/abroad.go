package page

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	embedview "chpok.org/chpok/templates/embed"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/picture"
)

// Abroad returns the printer of what other sites show: in the language of the address or of Accept-Language,
// whatever the account and cookies say.
func (s *Site) Abroad(c echo.Context) lang.Printer {
	l, ok := lang.Parse(c.QueryParam("lang"))
	if !ok {
		l = lang.Accepted(c.Request().Header.Get("Accept-Language"))
	}
	return lang.Printer{Lang: l, Zone: s.Zone(), Now: s.Now}
}

// IsEmbed reports whether other sites may show the address in their pages.
func IsEmbed(c echo.Context) bool { return strings.HasPrefix(c.Request().URL.Path, "/embed/") }

// EmbedFrame returns the frame of an embed; feed is the address of its stream, if it has one.
func (s *Site) EmbedFrame(c echo.Context, p lang.Printer, title, feed string) embedview.Frame {
	f := embedview.Frame{
		Title: title, Lang: string(p.Lang), Theme: Theme(c.QueryParam("theme")), Static: s.Static, Feed: feed, Site: s.Address(c, "/"),
		Name: s.Called(c.Request().Context(), p), Overlay: c.QueryParam("overlay") != "",
	}
	if f.Overlay && f.Theme == "" {
		f.Theme = "dark" // what it lies on is a film, not a page of the reader's
	}
	if feed != "" {
		f.Feed += "?" + EmbedQuery(c, p).Encode()
	}
	return f
}

// EmbedQuery is what the stream of an embed depends on besides its address.
func EmbedQuery(c echo.Context, p lang.Printer) url.Values {
	q := url.Values{"lang": {string(p.Lang)}}
	for _, name := range []string{"limit", "tiebreaks"} {
		if v := c.QueryParam(name); v != "" {
			q.Set(name, v)
		}
	}
	return q
}

// StaticPath is the route of static files, which are compressed once.
const StaticPath = "/static/:hash/*"

// IsPacked reports whether an answer is compressed already.
func IsPacked(c echo.Context) bool {
	return c.Path() == StaticPath || IsStream(c) || IsFeed(c) || strings.HasSuffix(c.Path(), ".png") || strings.HasSuffix(c.Path(), ".gif")
}

// LinkCard completes the card that other sites show for a link to a page: its URL is the address of the page, Picture
// that of its picture.
func (s *Site) LinkCard(c echo.Context, p lang.Printer, card templates.Card) *templates.Card {
	joint := "?"
	if strings.Contains(card.Picture, "?") {
		joint = "&"
	}
	card.URL, card.Picture = s.Address(c, card.URL), s.Address(c, card.Picture+joint+"lang="+string(p.Lang))
	card.Width, card.Height = picture.CardWidth, picture.CardHeight
	return &card
}

// EmbedCard is LinkCard for a page that can be embedded.
func (s *Site) EmbedCard(c echo.Context, p lang.Printer, card templates.Card) *templates.Card {
	done := s.LinkCard(c, p, card)
	done.OEmbed = s.Address(c, "/oembed?format=json&lang="+string(p.Lang)+"&url="+url.QueryEscape(done.URL))
	return done
}
