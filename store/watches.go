package store

import (
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

type watchRow struct {
	MatchID    string `gorm:"primaryKey"`
	Seat       uint8  `gorm:"primaryKey;autoIncrement:false"`
	StewardID  string
	PlayerID   string
	AcceptedAt int64
	OpenedAt   int64
	AbsentAt   int64
	SignedAt   int64
	Verdict    string
	Checks     string
}

func (watchRow) TableName() string { return "watches" }

func (r watchRow) watch() (w fairplay.Watch, err error) {
	w = fairplay.Watch{
		Steward: player.ID(r.StewardID), Accepted: at(r.AcceptedAt), Opened: at(r.OpenedAt), Absent: at(r.AbsentAt), Signed: at(r.SignedAt),
		Verdict: fairplay.FactKind(r.Verdict),
	}
	if r.Checks != "" {
		err = json.Unmarshal([]byte(r.Checks), &w.Checks)
	}
	return w, err
}

// Watch is a steward's work at a side of a match; ErrNotFound: none has begun.
func (tx *Tx) Watch(id match.ID, seat match.Seat) (fairplay.Watch, error) {
	var row watchRow
	err := tx.db.Where("match_id = ? AND seat = ?", string(id), uint8(seat)).Take(&row).Error
	var w fairplay.Watch
	if err == nil {
		w, err = row.watch()
	}
	if err != nil {
		return w, fmt.Errorf("store: watch of %s: %w", id, err)
	}
	return w, nil
}

// Watches are those of matches, by match and seat.
func (tx *Tx) Watches(ids []match.ID) (map[match.ID][2]fairplay.Watch, error) {
	out := map[match.ID][2]fairplay.Watch{}
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []watchRow
		if err := tx.db.Where("match_id IN ?", texts(ids[:n])).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: watches: %w", err)
		}
		for _, r := range rows {
			w, err := r.watch()
			if err != nil {
				return nil, fmt.Errorf("store: watch of %s: %w", r.MatchID, err)
			}
			both := out[match.ID(r.MatchID)]
			both[match.Seat(r.Seat).Index()] = w
			out[match.ID(r.MatchID)] = both
		}
		ids = ids[n:]
	}
	return out, nil
}

// SaveWatch keeps a steward's work at a player's side.
func (tx *Tx) SaveWatch(id match.ID, seat match.Seat, of player.ID, w fairplay.Watch) error {
	row := watchRow{
		MatchID: string(id), Seat: uint8(seat), StewardID: string(w.Steward),
		PlayerID: string(of), AcceptedAt: ms(w.Accepted), OpenedAt: ms(w.Opened),
		AbsentAt: ms(w.Absent), SignedAt: ms(w.Signed), Verdict: string(w.Verdict),
	}
	if len(w.Checks) > 0 {
		raw, err := json.Marshal(w.Checks)
		if err != nil {
			return err
		}
		row.Checks = string(raw)
	}
	if err := tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
		return fmt.Errorf("store: save watch: %w", err)
	}
	return nil
}

// UnsignedWatches are tournaments with a match that ended after a moment and
// waits for the word of a steward.
func (tx *Tx) UnsignedWatches(since time.Time) ([]tournament.ID, error) {
	var ids []tournament.ID
	err := tx.db.Raw(`SELECT DISTINCT p.tournament_id FROM matches m JOIN pairings p ON p.match_id = m.id
		WHERE m.status = 3 AND m.level > 0 AND m.achieved = 0 AND m.last_at > ?`, ms(since)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("store: unsigned watches: %w", err)
	}
	return ids, nil
}
