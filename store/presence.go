package store

import (
	"slices"
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// Presence is when a player last had the page of their match open.
type Presence struct {
	Match  match.ID
	Player player.ID
	At     time.Time
}

// forgottenPresence is how long it matters.
const forgottenPresence = 24 * time.Hour

// SeePlayers notes which players have the page of their match open, and forgets old notes.
func (tx *Tx) SeePlayers(list []Presence, now time.Time) error {
	for some := range slices.Chunk(list, 200) {
		args := make([]any, 0, 3*len(some))
		for _, p := range some {
			args = append(args, string(p.Match), string(p.Player), ms(p.At))
		}
		err := tx.db.Exec("INSERT INTO match_presence (match_id, player_id, at) VALUES "+tuples(len(some), 3)+
			" ON CONFLICT (match_id, player_id) DO UPDATE SET at = excluded.at WHERE match_presence.at < excluded.at", args...).Error
		if err != nil {
			return wrap(err, "see players")
		}
	}
	return wrap(tx.db.Exec("DELETE FROM match_presence WHERE at < ?", ms(now.Add(-forgottenPresence))).Error, "forget presence")
}

// SeenIn is when each player of these matches last had the page open.
func (tx *Tx) SeenIn(ids []match.ID) (map[match.ID]map[player.ID]time.Time, error) {
	out := map[match.ID]map[player.ID]time.Time{}
	err := eachOf(ids, func(some []string) *gorm.DB {
		return tx.db.Raw("SELECT match_id, player_id, at FROM match_presence WHERE match_id IN ?", some)
	}, func(r struct {
		MatchID  match.ID
		PlayerID player.ID
		At       int64
	}) {
		if out[r.MatchID] == nil {
			out[r.MatchID] = map[player.ID]time.Time{}
		}
		out[r.MatchID][r.PlayerID] = at(r.At)
	})
	return out, wrap(err, "seen players")
}
