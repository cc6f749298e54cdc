package scene

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
)

// Appeal returns how much a match is worth watching, by the players' ratings and the closeness of the score.
func (a Around) Appeal(v live.View) float64 {
	strength := 0.0
	for _, id := range v.Head.Players {
		if r, ok := a.ratings[id]; ok {
			strength += float64(r.Rating.Whole()) / 2
		} else {
			strength += 500
		}
	}
	closeness := 0.5 // nobody leads in the bidding
	if g := v.State.Game(); g.OnBoard() {
		points := g.Points()
		lead := points[0] - points[1]
		closeness = 1 / (1 + float64(max(lead, -lead))/10)
	}
	if v.State.Status() == match.Over {
		closeness /= 10
	}
	return strength * closeness
}
