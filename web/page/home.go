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
	l := templates.LiveLine{
		URL: words.MatchURL(h.ID), First: words.PlayerName(p, who[h.Players[0]]), Second: words.PlayerName(p, who[h.Players[1]]),
	}
	if phase := words.PhaseWord(h); phase != "playing" { // what most do goes without saying
		l.Phase = p.T("player.match." + phase)
	}
	return l
}
