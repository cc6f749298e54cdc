package store

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
)

type telemetryRow struct {
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

func (telemetryRow) TableName() string { return "telemetry" }

// Telemetry is what the pages of one side of a match reported, in order of arrival.
func (tx *Tx) Telemetry(id match.ID, seat match.Seat) ([]review.Telemetry, error) {
	return findAll(tx.db.Where("match_id = ? AND seat = ?", string(id), uint8(seat)).Order("no"), func(r telemetryRow) review.Telemetry {
		return review.Telemetry{Kind: review.TelemetryKind(r.Kind), Move: r.Move, Number: r.Number, At: at(r.At), Hash: r.Hash}
	}, "telemetry of %s", id)
}

// AddTelemetry stores what a page reported, after the rows its side has; ErrConflict or
// ErrTaken if another page was quicker.
func (tx *Tx) AddTelemetry(id match.ID, seat match.Seat, of player.ID, have int, list []review.Telemetry) error {
	if len(list) == 0 {
		return nil
	}
	rows := make([]telemetryRow, len(list))
	for i, t := range list {
		rows[i] = telemetryRow{string(id), uint8(seat), have + i + 1, string(of), ms(t.At), string(t.Kind), t.Move, t.Number, t.Hash}
	}
	return wrap(tx.db.Create(&rows).Error, "add telemetry")
}

// Report is a player's report of another's play in a match.
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

// AddReport stores a report, ErrTaken if the player has reported this match already.
func (tx *Tx) AddReport(r Report) error {
	row := reportRow{string(r.Match), string(r.By), string(r.Of), ms(r.At), r.Text}
	return wrap(tx.db.Create(&row).Error, "add report")
}

// ReportsBy are the times of an account's reports since a moment.
func (tx *Tx) ReportsBy(id player.ID, since time.Time) ([]time.Time, error) {
	made, err := pluck[int64](tx.db.Model(&reportRow{}).Where("reporter_id = ? AND at > ?", string(id), ms(since)), "at", "reports")
	return moments(made), err
}

// ReportsOf are the reports about a player in some matches, the latest first.
func (tx *Tx) ReportsOf(id player.ID, in []match.ID) ([]Report, error) {
	return findAll(tx.db.Where("player_id = ? AND match_id IN ?", string(id), texts(in)).Order("at DESC, reporter_id"),
		func(r reportRow) Report {
			return Report{match.ID(r.MatchID), player.ID(r.ReporterID), player.ID(r.PlayerID), at(r.At), r.Text}
		}, "reports")
}
