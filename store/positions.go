package store

import (
	"fmt"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
)

// AddPositions remembers positions of a match. Those it had before stay: they stood
// on the board for everybody to see.
func (tx *Tx) AddPositions(id match.ID, marks []fairplay.Mark) error {
	fail := func(err error) error { return fmt.Errorf("store: positions of %s: %w", id, err) }
	if len(marks) > 0 {
		args := make([]any, 0, 2*len(marks))
		for _, m := range marks {
			args = append(args, int64(m), string(id))
		}
		rows := strings.TrimSuffix(strings.Repeat("(?, ?), ", len(marks)), ", ")
		if err := tx.db.Exec("INSERT INTO known_positions (position, match_id) VALUES "+rows+" ON CONFLICT DO NOTHING",
			args...).Error; err != nil {
			return fail(err)
		}
	}
	return nil
}

// IsKnown tells whether a position stood on the board in at least
// fairplay.KnownBy matches that everybody could see to their ends before a
// moment. Rehearsals are for staff and count for nothing.
func (tx *Tx) IsKnown(position fairplay.Mark, before time.Time) (bool, error) {
	var found []int
	err := tx.db.Raw(`SELECT 1 FROM known_positions k JOIN matches m ON m.id = k.match_id
		WHERE k.position = ? AND m.status = 3 AND m.last_at + 1000 * m.feed_seconds < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p JOIN tournaments t ON t.id = p.tournament_id WHERE p.match_id = m.id AND t.rehearsal <> '')
		LIMIT ?`, int64(position), ms(before), fairplay.KnownBy).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("store: known position: %w", err)
	}
	return len(found) >= fairplay.KnownBy, nil
}
