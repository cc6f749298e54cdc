package store

import (
	"encoding/json"
	"errors"
	"time"

	"gorm.io/gorm"
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

// Watch is a steward's work at one side of a match, ErrNotFound before it has begun.
func (tx *Tx) Watch(id match.ID, seat match.Seat) (fairplay.Watch, error) {
	return parseOne(tx.db.Where("match_id = ? AND seat = ?", string(id), uint8(seat)), watchRow.watch, "watch of %s", id)
}

// Watches are the watches of some matches, by match and seat.
func (tx *Tx) Watches(ids []match.ID) (map[match.ID][2]fairplay.Watch, error) {
	out := map[match.ID][2]fairplay.Watch{}
	var damaged error
	err := eachOf(ids, func(some []string) *gorm.DB { return tx.db.Where("match_id IN ?", some) }, func(r watchRow) {
		w, err := r.watch()
		both := out[match.ID(r.MatchID)]
		both[match.Seat(r.Seat).Index()] = w
		out[match.ID(r.MatchID)], damaged = both, errors.Join(damaged, err)
	})
	return out, wrap(errors.Join(err, damaged), "watches")
}

// SaveWatch stores a steward's work at a player's side.
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
	return wrap(tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error, "save watch")
}

// UnsignedWatches are tournaments with a match that ended after a moment and waits for a
// steward to sign.
func (tx *Tx) UnsignedWatches(since time.Time) ([]tournament.ID, error) {
	return scan[[]tournament.ID](tx.db.Raw(`SELECT DISTINCT p.tournament_id FROM matches m JOIN pairings p ON p.match_id = m.id
		WHERE m.status = `+matchOver+` AND m.level > 0 AND m.achieved = 0 AND m.last_at > ?`, ms(since)), "unsigned watches")
}
