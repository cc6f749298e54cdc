package arbiter

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
)

// ExtraChips is how many chips more the players of a board have, by seat. The
// ratings are those of the list of entries, so that everybody knows before the
// draw what they will get; who has none there plays without a handicap.
func ExtraChips(t *tournament.Tournament, p tournament.Pairing) [2]int {
	if !t.Handicap {
		return [2]int{}
	}
	var ratings [2]rating.Rating
	for i, seat := range [...]match.Seat{match.First, match.Second} {
		if e, err := t.Entry(p.EntryAt(seat)); err == nil {
			ratings[i] = rating.Points(e.Rating)
		}
	}
	return extraChips(ratings)
}

// extraChips is the handicap of two players in their seats.
func extraChips(ratings [2]rating.Rating) [2]int {
	chips := rating.HandicapChips(ratings[0], ratings[1])
	return [2]int{max(chips, 0), max(-chips, 0)}
}
