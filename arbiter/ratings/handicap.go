package ratings

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ExtraChips are the extra chips of a board's players, by seat. They follow from the
// ratings in the list of entries, so that everybody knows them before the draw; without a
// rating there is no handicap.
func ExtraChips(t *tournament.Tournament, p tournament.Pairing) [2]int {
	if !t.Handicap || p.Sealed {
		return [2]int{}
	}
	var ratings [2]rating.Rating
	for i, seat := range match.Seats {
		if e, err := t.Entry(p.EntryAt(seat)); err == nil {
			ratings[i] = rating.Points(e.Rating)
		}
	}
	return ChipsOf(ratings)
}

// ChipsOf is the handicap of two players, by seat.
func ChipsOf(ratings [2]rating.Rating) [2]int {
	chips := rating.HandicapChips(ratings[0], ratings[1])
	return [2]int{max(chips, 0), max(-chips, 0)}
}

// ListedRating is a player's rating, or that of newcomers.
func ListedRating(tx *store.Tx, id player.ID) (int, error) {
	settings, err := Settings(tx)
	if err != nil {
		return 0, err
	}
	ratings, err := tx.Ratings(id)
	if r := ratings[id].Rating; r != 0 {
		return r.Whole(), err
	}
	return settings.Start, err
}
