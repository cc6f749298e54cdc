package page

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// LiveLines returns the lines of matches in a list for watchers.
func LiveLines(tx *store.Tx, p lang.Printer, heads []store.Head) (lines []templates.LiveLine, err error) {
	if len(heads) == 0 {
		return nil, nil
	}
	var ids []match.ID
	var players []player.ID
	for _, h := range heads {
		ids, players = append(ids, h.ID), append(players, h.Players[:]...)
	}
	who, err := tx.Players(players...)
	if err != nil {
		return nil, err
	}
	events, err := tx.PairingsOf(ids)
	for _, h := range heads {
		entered := events[h.ID].Names
		l := templates.LiveLine{
			URL: words.MatchURL(h.ID), First: words.NameIn(p, who[h.Players[0]], entered[0]), Second: words.NameIn(p, who[h.Players[1]], entered[1]),
		}
		if phase := words.PhaseWord(h); phase != "playing" { // most are, so that is not said
			l.Phase = p.T("player.match." + phase)
		}
		lines = append(lines, l)
	}
	return lines, err
}
