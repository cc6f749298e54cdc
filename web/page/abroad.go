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
		Name: s.Called(c.Request().Context(), p),
	}
	if feed != "" {
		f.Feed += "?lang=" + f.Lang
	}
	return f
}

// IsPacked reports whether an answer is compressed already.
func IsPacked(c echo.Context) bool {
	return IsStream(c) || IsFeed(c) || strings.HasSuffix(c.Path(), ".png") || strings.HasSuffix(c.Path(), ".gif")
}

// LinkCard returns the card that other sites show for a link to a page; path is its address, image that of its picture.
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
