package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
)

type toldRow struct {
	MatchID  string `gorm:"primaryKey"`
	Seat     uint8  `gorm:"primaryKey;autoIncrement:false"`
	No       int    `gorm:"primaryKey;autoIncrement:false"`
	PlayerID string
	At       int64
	Kind     string
	Move     int
	Number   int
	Hash     string
}

func (toldRow) TableName() string { return "telemetry" }

// Told is what the pages of one side of a match told, in the order of coming.
func (tx *Tx) Told(id match.ID, seat match.Seat) ([]review.Told, error) {
	var rows []toldRow
	if err := tx.db.Where("match_id = ? AND seat = ?", string(id), uint8(seat)).Order("no").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: told in %s: %w", id, err)
	}
	out := make([]review.Told, len(rows))
	for i, r := range rows {
		out[i] = review.Told{Tell: review.Tell(r.Kind), Move: r.Move, Number: r.Number, At: at(r.At), Hash: r.Hash}
	}
	return out, nil
}

// AddTold keeps what a page told after have rows of that side; ErrConflict or
// ErrTaken: another page was quicker.
func (tx *Tx) AddTold(id match.ID, seat match.Seat, of player.ID, have int, list []review.Told) error {
	if len(list) == 0 {
		return nil
	}
	rows := make([]toldRow, len(list))
	for i, t := range list {
		rows[i] = toldRow{string(id), uint8(seat), have + i + 1, string(of), ms(t.At), string(t.Tell), t.Move, t.Number, t.Hash}
	}
	if err := tx.db.Create(&rows).Error; err != nil {
		return fmt.Errorf("store: add told: %w", err)
	}
	return nil
}

// Report is what one player reported of another's play in a match.
type Report struct {
	Match  match.ID
	By, Of player.ID
	At     time.Time
	Text   string
}

type reportRow struct {
	MatchID    string `gorm:"primaryKey"`
	ReporterID string `gorm:"primaryKey"`
	PlayerID   string `gorm:"primaryKey"`
	At         int64
	Text       string
}

func (reportRow) TableName() string { return "play_reports" }

// AddReport keeps a report; ErrTaken: that one reported this match already.
func (tx *Tx) AddReport(r Report) error {
	row := reportRow{string(r.Match), string(r.By), string(r.Of), ms(r.At), r.Text}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add report: %w", err)
	}
	return nil
}

// ReportsBy are the moments of the reports an account made since one.
func (tx *Tx) ReportsBy(id player.ID, since time.Time) ([]time.Time, error) {
	var made []int64
	if err := tx.db.Model(&reportRow{}).Where("reporter_id = ? AND at > ?", string(id), ms(since)).Pluck("at", &made).Error; err != nil {
		return nil, fmt.Errorf("store: reports: %w", err)
	}
	out := make([]time.Time, len(made))
	for i, m := range made {
		out[i] = at(m)
	}
	return out, nil
}

// ReportsOf are those of a player in matches, the latest first.
func (tx *Tx) ReportsOf(id player.ID, in []match.ID) ([]Report, error) {
	var rows []reportRow
	if err := tx.db.Where("player_id = ? AND match_id IN ?", string(id), texts(in)).
		Order("at DESC, reporter_id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: reports: %w", err)
	}
	out := make([]Report, len(rows))
	for i, r := range rows {
		out[i] = Report{match.ID(r.MatchID), player.ID(r.ReporterID), player.ID(r.PlayerID), at(r.At), r.Text}
	}
	return out, nil
}
