package store

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament/outlook"
)

// durationsBack bounds the search: tournament matches are looked for among this many
// times as many finished matches, so that a site with few of them is not read to its
// beginning.
const durationsBack = 20

// Durations is how long the last tournament matches between people took, if they were
// played to an end.
func (tx *Tx) Durations(limit int) ([]outlook.Took, error) {
	var rows []struct {
		TournamentID     string
		OpenedAt, LastAt int64
	}
	err := tx.db.Raw(`SELECT p.tournament_id, m.opened_at, m.last_at FROM (SELECT id, opened_at, last_at FROM matches
		WHERE status = `+matchOver+` AND outcome <> ? AND reason <> ? AND NOT first_bot AND NOT second_bot ORDER BY last_at DESC LIMIT ?) AS m
		JOIN pairings p ON p.match_id = m.id ORDER BY m.last_at DESC LIMIT ?`,
		uint8(match.Void), string(match.Forfeit), durationsBack*limit, limit).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "durations")
	}
	usual := map[string]time.Duration{}
	list := make([]outlook.Took, 0, len(rows))
	for _, r := range rows {
		if _, known := usual[r.TournamentID]; !known {
			var row tournamentRow
			if err := tx.db.Where("id = ?", r.TournamentID).Take(&row).Error; err != nil {
				return nil, wrap(err, "durations")
			}
			t, err := row.tournament()
			if err != nil {
				return nil, wrap(err, "durations: tournament %s", r.TournamentID)
			}
			if usual[r.TournamentID] = t.UsualRound(); t.BidTime > 0 {
				usual[r.TournamentID] = 0 // says nothing of those at a board
			}
		}
		if usual[r.TournamentID] == 0 {
			continue
		}
		list = append(list, outlook.Took{Time: at(r.LastAt).Sub(at(r.OpenedAt)), Usual: usual[r.TournamentID]})
	}
	return list, nil
}
