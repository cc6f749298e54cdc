package page

import (
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/picture"
	"chpok.org/chpok/templates"
	embedview "chpok.org/chpok/templates/embed"
	"chpok.org/chpok/templates/lang"
)

// Abroad writes what leaves the site: in the language that the address names,
// or else the one that is asked for, by no cookie and for no account.
func Abroad(c echo.Context, now func() time.Time) lang.Printer {
	l, ok := lang.Parse(c.QueryParam("lang"))
	if !ok {
		l = lang.Accepted(c.Request().Header.Get("Accept-Language"))
	}
	return lang.Printer{Lang: l, Zone: Zone(), Now: now}
}

// IsEmbed tells an address that is shown inside the pages of other sites.
func IsEmbed(c echo.Context) bool { return strings.HasPrefix(c.Request().URL.Path, "/embed/") }

// EmbedFrame is what surrounds an embed; feed is the address of its stream.
func (s *Site) EmbedFrame(c echo.Context, p lang.Printer, title, feed string) embedview.Frame {
	f := embedview.Frame{
		Title: title, Lang: string(p.Lang), Theme: Theme(c.QueryParam("theme")), Static: s.Static, Feed: feed, Site: s.Address(c, "/"),
		Name: s.Called(c.Request().Context(), p),
	}
	if feed != "" {
		f.Feed += "?lang=" + f.Lang
	}
	return f
}

// IsPacked tells what compresses itself.
func IsPacked(c echo.Context) bool {
	return IsStream(c) || IsFeed(c) || strings.HasSuffix(c.Path(), ".png") || strings.HasSuffix(c.Path(), ".gif")
}

// LinkCard says how other sites show a link to a page: path is the page's own
// address, image that of its picture.
func (s *Site) LinkCard(c echo.Context, p lang.Printer, title, text, path, image string) *templates.Card {
	joint := "?"
	if strings.Contains(image, "?") {
		joint = "&"
	}
	return &templates.Card{
		Title: title, Text: text, URL: s.Address(c, path), Picture: s.Address(c, image+joint+"lang="+string(p.Lang)),
		Width: picture.CardWidth, Height: picture.CardHeight,
	}
}

// EmbedCard is LinkCard for a page that can be embedded.
func (s *Site) EmbedCard(c echo.Context, p lang.Printer, title, text, path, image string) *templates.Card {
	card := s.LinkCard(c, p, title, text, path, image)
	card.OEmbed = s.Address(c, "/oembed?format=json&lang="+string(p.Lang)+"&url="+url.QueryEscape(card.URL))
	return card
}
