package store

import (
	"encoding/json"
	"fmt"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

type deedRow struct {
	TournamentID string `gorm:"primaryKey"`
	Seq          int64  `gorm:"primaryKey;autoIncrement:false"`
	At           int64
	ByPlayer     string
	Duty         uint8
	Act          string
	Reason       string
	Changes      string
}

func (deedRow) TableName() string { return "tournament_deeds" }

func (r deedRow) deed() (ledger.Deed, error) {
	d := ledger.Deed{
		Seq: r.Seq, At: at(r.At), By: player.ID(r.ByPlayer), Duty: tournament.Duty(r.Duty), Act: tournament.Act(r.Act), Reason: r.Reason,
	}
	if err := json.Unmarshal([]byte(r.Changes), &d.Changes); err != nil {
		return d, fmt.Errorf("number %d: %w", r.Seq, err)
	}
	return d, nil
}

// logDeed appends to a tournament's log, and lets those who are told of it know.
func (tx *Tx) logDeed(id tournament.ID, d ledger.Deed) error {
	err := tx.addDeed(id, d)
	if err == nil && ledger.IsPublic(d) {
		err = tx.queueDeed(id, d)
	}
	return err
}

// addDeed appends to a tournament's log.
func (tx *Tx) addDeed(id tournament.ID, d ledger.Deed) error {
	changes, err := json.Marshal(d.Changes)
	if err != nil {
		return err
	}
	row := deedRow{string(id), d.Seq, ms(d.At), string(d.By), uint8(d.Duty), string(d.Act), d.Reason, string(changes)}
	return tx.db.Create(&row).Error
}

// Deeds is the log of a tournament, the first deed first; ErrNotFound without one.
func (tx *Tx) Deeds(id tournament.ID) ([]ledger.Deed, error) {
	deeds, err := parseAll(tx.db.Where("tournament_id = ?", string(id)).Order("seq"), deedRow.deed, "deeds of %s", id)
	if err == nil && len(deeds) == 0 {
		err = wrap(ErrNotFound, "deeds of %s", id)
	}
	return deeds, err
}

// DeedsSince is the log of a tournament after a version, the first deed first.
func (tx *Tx) DeedsSince(id tournament.ID, version int64) ([]ledger.Deed, error) {
	return parseAll(tx.db.Where("tournament_id = ? AND seq > ?", string(id), version).Order("seq"), deedRow.deed, "deeds of %s", id)
}

type staffRow struct {
	TournamentID string `gorm:"primaryKey"`
	PlayerID     string `gorm:"primaryKey"`
	Place        int
	Duty         uint8
	Invited      bool
	Since        int64
}

func (staffRow) TableName() string { return "tournament_staff" }

func (tx *Tx) staff(id tournament.ID) ([]tournament.Member, error) {
	return findAll(tx.db.Where("tournament_id = ?", string(id)).Order("place"), func(r staffRow) tournament.Member {
		return tournament.Member{Player: player.ID(r.PlayerID), Duty: tournament.Duty(r.Duty), Invited: r.Invited, Since: at(r.Since)}
	}, "staff of %s", id)
}

func (tx *Tx) saveStaff(id tournament.ID, staff []tournament.Member) error {
	if err := tx.db.Where("tournament_id = ?", string(id)).Delete(&staffRow{}).Error; err != nil {
		return err
	}
	rows := make([]staffRow, len(staff))
	for i, m := range staff {
		rows[i] = staffRow{string(id), string(m.Player), i, uint8(m.Duty), m.Invited, ms(m.Since)}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.db.Create(&rows).Error
}
