package words

import (
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// LadderCard renders a ladder in a list.
func LadderCard(p lang.Printer, l store.LadderLine) templates.ListCard {
	card := templates.ListCard{URL: LadderURL(l.ID), Name: l.Name, Players: p.N("ladder.players-count", l.Players),
		State: p.N("ladder.challenges-count", l.Running)}
	if l.Place > 0 {
		card.Mine = p.T("ladder.your-place", "Place", l.Place)
	}
	return card
}
