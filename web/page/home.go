package page

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// LiveLine returns the line of a match in a list for watchers.
func LiveLine(p lang.Printer, h store.Head, who map[player.ID]player.Player) templates.LiveLine {
	l := templates.LiveLine{
		URL: words.MatchURL(h.ID), First: words.PlayerName(p, who[h.Players[0]]), Second: words.PlayerName(p, who[h.Players[1]]),
	}
	if phase := words.PhaseWord(h); phase != "playing" { // most are, so that is not said
		l.Phase = p.T("player.match." + phase)
	}
	return l
}
