package store

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
)

// AddPositions remembers positions of a match. Those it had before stay: everybody has seen
// them on the board.
func (tx *Tx) AddPositions(id match.ID, marks []fairplay.Mark) error {
	if len(marks) == 0 {
		return nil
	}
	args := make([]any, 0, 2*len(marks))
	for _, m := range marks {
		args = append(args, int64(m), string(id))
	}
	return wrap(tx.db.Exec("INSERT INTO known_positions (position, match_id) VALUES "+tuples(len(marks), 2)+" ON CONFLICT DO NOTHING",
		args...).Error, "positions of %s", id)
}

// IsKnown reports whether a position stood on the board in at least fairplay.KnownBy matches
// that everybody could see to their ends before a moment. Rehearsals, which only staff see,
// do not count.
func (tx *Tx) IsKnown(position fairplay.Mark, before time.Time) (bool, error) {
	found, err := scan[[]int](tx.db.Raw(`SELECT 1 FROM known_positions k JOIN matches m ON m.id = k.match_id
		WHERE k.position = ? AND m.status = `+matchOver+` AND m.last_at + 1000 * m.feed_seconds < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p JOIN tournaments t ON t.id = p.tournament_id WHERE p.match_id = m.id AND t.rehearsal <> '')
		LIMIT ?`, int64(position), ms(before), fairplay.KnownBy), "known position")
	return len(found) >= fairplay.KnownBy, err
}
