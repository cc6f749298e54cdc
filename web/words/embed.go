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

// The sizes of a frame in another site's page.
const (
	EmbedWidth           = 420
	EmbedMatchHeight     = 590
	EmbedStandingsHeight = 520
)

func EmbedMatchURL(id match.ID) string { return "/embed/matches/" + string(id) }

func EmbedStandingsURL(id tournament.ID) string {
	return "/embed/tournaments/" + string(id) + "/standings"
}

// EmbedCode is what is put into a page to embed an address of this site.
func EmbedCode(address, title string, width, height int) string {
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="%d" height="%d" loading="lazy" frameborder="0"></iframe>`,
		html.EscapeString(address), html.EscapeString(title), width, height)
}

// TournamentLines are what a tournament is, and how it stands, in a line each.
func TournamentLines(p lang.Printer, t *tournament.Tournament) []string {
	players := 0
	for _, e := range t.Entries {
		if e.Status == tournament.Active {
			players++
		}
	}
	lines := []string{FormatText(p, t), p.N("player.count", players) + ", " + StatusText(p, t)}
	if t.Club != "" {
		lines = append(lines, t.Club)
	}
	return lines
}

// PlayerText says in a line who a player is.
func PlayerText(p lang.Printer, x player.Player, r store.Rating) string {
	switch {
	case x.Bot:
		return p.T("share.player.bot")
	case r.Games > 0:
		return p.N("share.player.games", r.Games)
	}
	return p.T("share.player.new")
}
