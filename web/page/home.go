package page

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// LiveLine is a match as watchers see it in a list.
func LiveLine(p lang.Printer, h store.Head, who map[player.ID]player.Player) templates.LiveLine {
	return templates.LiveLine{
		URL: words.MatchURL(h.ID), First: words.PlayerName(p, who[h.Players[0]]), Second: words.PlayerName(p, who[h.Players[1]]),
		Phase: p.T("player.match." + words.PhaseWord(h)),
	}
}
