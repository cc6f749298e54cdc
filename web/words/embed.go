package words

import (
	"fmt"
	"html"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// Sizes of a frame on another site's page, in pixels.
const (
	EmbedWidth           = 420
	EmbedMatchHeight     = 590
	EmbedStandingsHeight = 520
)

// EmbedMatchURL returns the page of a match to embed.
func EmbedMatchURL(id match.ID) string { return "/embed/matches/" + string(id) }

// EmbedStandingsURL returns the standings of a tournament to embed.
func EmbedStandingsURL(id tournament.ID) string {
	return "/embed/tournaments/" + string(id) + "/standings"
}

// EmbedCode returns the HTML that embeds an address of this site.
func EmbedCode(address, title string, width, height int) string {
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="%d" height="%d" loading="lazy" frameborder="0"></iframe>`,
		html.EscapeString(address), html.EscapeString(title), width, height)
}

// TournamentLines describes a tournament for pictures and link previews: format, status, club.
func TournamentLines(p lang.Printer, t *tournament.Tournament) []string {
	lines := []string{FormatText(p, t), SidesText(p, t.Settings, t.Active()) + ", " + StatusText(p, t)}
	if t.Club != "" {
		lines = append(lines, t.Club)
	}
	return lines
}

// PlayerText describes a player in one line.
func PlayerText(p lang.Printer, x player.Player, r store.Rating) string {
	switch {
	case x.Bot:
		return p.T("share.player.bot")
	case r.Games > 0:
		return p.N("share.player.games", r.Games)
	}
	return p.T("share.player.new")
}
