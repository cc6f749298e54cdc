package words

import (
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// LadderCard renders a ladder in a list.
func LadderCard(p lang.Printer, l store.LadderLine) templates.LadderCard {
	card := templates.LadderCard{URL: LadderURL(l.ID), Name: l.Name, Players: p.N("ladder.players-count", l.Players),
		Running: p.N("ladder.challenges-count", l.Running)}
	if l.Place > 0 {
		card.Place = p.T("ladder.your-place", "Place", l.Place)
	}
	return card
}
