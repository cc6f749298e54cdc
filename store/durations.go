package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament/outlook"
)

// Durations is how long the last matches of people in tournaments took, those
// that were played to an end.
func (tx *Tx) Durations(limit int) ([]outlook.Took, error) {
	var rows []struct {
		TournamentID     string
		OpenedAt, LastAt int64
	}
	err := tx.db.Raw(`SELECT p.tournament_id, m.opened_at, m.last_at FROM matches m JOIN pairings p ON p.match_id = m.id
		WHERE m.status = 3 AND m.outcome <> ? AND m.reason <> ? AND NOT m.first_bot AND NOT m.second_bot ORDER BY m.last_at DESC LIMIT ?`,
		uint8(match.Void), string(match.Forfeit), limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: durations: %w", err)
	}
	usual := map[string]time.Duration{}
	list := make([]outlook.Took, 0, len(rows))
	for _, r := range rows {
		if _, known := usual[r.TournamentID]; !known {
			var row tournamentRow
			if err := tx.db.Where("id = ?", r.TournamentID).Take(&row).Error; err != nil {
				return nil, fmt.Errorf("store: durations: %w", err)
			}
			t, err := row.tournament()
			if err != nil {
				return nil, fmt.Errorf("store: durations: tournament %s: %w", r.TournamentID, err)
			}
			usual[r.TournamentID] = t.UsualRound()
		}
		list = append(list, outlook.Took{Time: at(r.LastAt).Sub(at(r.OpenedAt)), Usual: usual[r.TournamentID]})
	}
	return list, nil
}
