package store

import (
	"fmt"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// Presence is when a player last had the page of their match open.
type Presence struct {
	Match  match.ID
	Player player.ID
	At     time.Time
}

// forgottenPresence is when it no longer matters.
const forgottenPresence = 24 * time.Hour

// SeePlayers notes who has the page of their match open, and forgets the old.
func (tx *Tx) SeePlayers(list []Presence, now time.Time) error {
	for len(list) > 0 {
		n := min(len(list), 200)
		var b strings.Builder
		args := make([]any, 0, 3*n)
		for i, p := range list[:n] {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("(?, ?, ?)")
			args = append(args, string(p.Match), string(p.Player), ms(p.At))
		}
		err := tx.db.Exec("INSERT INTO match_presence (match_id, player_id, at) VALUES "+b.String()+
			" ON CONFLICT (match_id, player_id) DO UPDATE SET at = excluded.at WHERE match_presence.at < excluded.at", args...).Error
		if err != nil {
			return fmt.Errorf("store: see players: %w", err)
		}
		list = list[n:]
	}
	if err := tx.db.Exec("DELETE FROM match_presence WHERE at < ?", ms(now.Add(-forgottenPresence))).Error; err != nil {
		return fmt.Errorf("store: forget presence: %w", err)
	}
	return nil
}

// SeenIn is when each player of these matches last had the page open.
func (tx *Tx) SeenIn(ids []match.ID) (map[match.ID]map[player.ID]time.Time, error) {
	out := map[match.ID]map[player.ID]time.Time{}
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []struct {
			MatchID, PlayerID string
			At                int64
		}
		if err := tx.db.Raw("SELECT match_id, player_id, at FROM match_presence WHERE match_id IN ?", texts(ids[:n])).
			Scan(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: seen players: %w", err)
		}
		for _, r := range rows {
			id := match.ID(r.MatchID)
			if out[id] == nil {
				out[id] = map[player.ID]time.Time{}
			}
			out[id][player.ID(r.PlayerID)] = at(r.At)
		}
		ids = ids[n:]
	}
	return out, nil
}
