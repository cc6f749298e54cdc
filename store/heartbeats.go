package store

import (
	"fmt"
	"time"
)

// Outage is a time during which no node was alive.
type Outage struct{ From, To time.Time }

const (
	forgottenAfter = 24 * time.Hour // a silent node's row goes
	aheadFor       = time.Minute    // the clocks of nodes may be apart
)

type heartbeatRow struct {
	Node string `gorm:"primaryKey"`
	At   int64
}

func (heartbeatRow) TableName() string { return "heartbeats" }

type outageRow struct {
	FromAt  int64 `gorm:"primaryKey"`
	ToAt    int64
	Settled bool
}

func (outageRow) TableName() string { return "outages" }

// LastBeat is when any node was last alive, ErrNotFound before the first beat.
func (tx *Tx) LastBeat() (time.Time, error) {
	var row heartbeatRow
	if err := tx.db.Order("at DESC").Take(&row).Error; err != nil {
		return time.Time{}, fmt.Errorf("store: last heartbeat: %w", err)
	}
	return at(row.At), nil
}

// Beats is when a node last was alive, and when any other: the zero time when
// none ever was.
func (tx *Tx) Beats(node string) (own, others time.Time, err error) {
	var rows []heartbeatRow
	if err := tx.db.Find(&rows).Error; err != nil {
		return own, others, fmt.Errorf("store: beats: %w", err)
	}
	for _, r := range rows {
		if r.Node == node {
			own = at(r.At)
		} else if beat := at(r.At); beat.After(others) {
			others = beat
		}
	}
	return own, others, nil
}

// Beat notes that a node is alive, and forgets the beats of nodes that were not
// for long, or that lie ahead by more than a moment: of a clock set back.
func (tx *Tx) Beat(node string, now time.Time) error {
	err := tx.db.Exec(`INSERT INTO heartbeats (node, at) VALUES (?, ?)
		ON CONFLICT (node) DO UPDATE SET at = excluded.at`, node, ms(now)).Error
	if err == nil {
		err = tx.db.Exec("DELETE FROM heartbeats WHERE at < ? OR at > ?", ms(now.Add(-forgottenAfter)), ms(now.Add(aheadFor))).Error
	}
	if err != nil {
		return fmt.Errorf("store: beat: %w", err)
	}
	return nil
}

// AddOutage files an outage; of several nodes that find the same one, the first wins.
func (tx *Tx) AddOutage(o Outage) error {
	err := tx.db.Exec("INSERT INTO outages (from_at, to_at, settled) VALUES (?, ?, FALSE) ON CONFLICT (from_at) DO NOTHING",
		ms(o.From), ms(o.To)).Error
	if err != nil {
		return fmt.Errorf("store: add outage: %w", err)
	}
	return nil
}

// OpenOutages are those not yet given back to every match, oldest first.
func (tx *Tx) OpenOutages() ([]Outage, error) {
	var rows []outageRow
	if err := tx.db.Where("NOT settled").Order("from_at").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: open outages: %w", err)
	}
	outages := make([]Outage, len(rows))
	for i, r := range rows {
		outages[i] = Outage{at(r.FromAt), at(r.ToAt)}
	}
	return outages, nil
}

// OutageSince is when the last outage ended that ended after a moment; the zero
// time when there was none.
func (tx *Tx) OutageSince(moment time.Time) (time.Time, error) {
	var end *int64
	if err := tx.db.Raw("SELECT MAX(to_at) FROM outages WHERE to_at > ?", ms(moment)).Scan(&end).Error; err != nil {
		return time.Time{}, fmt.Errorf("store: outages since: %w", err)
	}
	return atOrZero(end), nil
}

// SettleOutage notes that every match has its time back.
func (tx *Tx) SettleOutage(o Outage) error {
	if err := tx.db.Exec("UPDATE outages SET settled = TRUE WHERE from_at = ?", ms(o.From)).Error; err != nil {
		return fmt.Errorf("store: settle outage: %w", err)
	}
	return nil
}
