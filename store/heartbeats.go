package store

import (
	"time"
)

// Outage is a time during which no node was alive.
type Outage struct{ From, To time.Time }

const (
	forgottenAfter = 24 * time.Hour // a silent node's row goes
	aheadFor       = time.Minute    // how far the clocks of nodes may differ
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
		return time.Time{}, wrap(err, "last heartbeat")
	}
	return at(row.At), nil
}

// Beats is when a node was last alive, and when any other node was; the zero time: never.
func (tx *Tx) Beats(node string) (own, others time.Time, err error) {
	var rows []heartbeatRow
	if err := tx.db.Find(&rows).Error; err != nil {
		return own, others, wrap(err, "beats")
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

// Beat notes that a node is alive. It deletes the beats of nodes that have been silent
// for long, and those of the future, which a clock since set back has left.
func (tx *Tx) Beat(node string, now time.Time) error {
	err := tx.db.Exec(`INSERT INTO heartbeats (node, at) VALUES (?, ?)
		ON CONFLICT (node) DO UPDATE SET at = excluded.at`, node, ms(now)).Error
	if err == nil {
		err = tx.db.Exec("DELETE FROM heartbeats WHERE at < ? OR at > ?", ms(now.Add(-forgottenAfter)), ms(now.Add(aheadFor))).Error
	}
	return wrap(err, "beat")
}

// AddOutage files an outage. Of several nodes that find the same one, the first wins.
func (tx *Tx) AddOutage(o Outage) error {
	err := tx.db.Exec("INSERT INTO outages (from_at, to_at, settled) VALUES (?, ?, FALSE) ON CONFLICT (from_at) DO NOTHING",
		ms(o.From), ms(o.To)).Error
	return wrap(err, "add outage")
}

// OpenOutages are those not yet given back to every match, the oldest first.
func (tx *Tx) OpenOutages() ([]Outage, error) {
	return findAll(tx.db.Where("NOT settled").Order("from_at"), func(r outageRow) Outage { return Outage{at(r.FromAt), at(r.ToAt)} },
		"open outages")
}

// OutagesSince are the outages that ended after a moment, the oldest first.
func (tx *Tx) OutagesSince(moment time.Time) ([]Outage, error) {
	return findAll(tx.db.Where("to_at > ?", ms(moment)).Order("from_at"), func(r outageRow) Outage { return Outage{at(r.FromAt), at(r.ToAt)} },
		"outages since")
}

// Stay is when no deadline passes because people could not act: from the beginning of an outage until
// as much time after it as it took, a day at most. The zero Stay holds nothing.
type Stay struct{ From, Until time.Time }

// longestStay is how long deadlines wait after an outage at most.
const longestStay = 24 * time.Hour

// Holds reports whether a deadline waits.
func (s Stay) Holds(due time.Time) bool { return !due.Before(s.From) && due.Before(s.Until) }

// Passed returns the moment by which deadlines have passed now.
func (s Stay) Passed(now time.Time) time.Time {
	if s.Holds(now) {
		return s.From.Add(-time.Millisecond)
	}
	return now
}

// StayAt returns the stay that holds at a moment.
func (tx *Tx) StayAt(now time.Time) (s Stay, err error) {
	outages, err := tx.OutagesSince(now.Add(-longestStay))
	for _, o := range outages { // the oldest first
		until := o.To.Add(min(o.To.Sub(o.From), longestStay))
		if !now.Before(until) {
			continue
		}
		if s.From.IsZero() {
			s.From = o.From
		}
		if until.After(s.Until) {
			s.Until = until
		}
	}
	return s, err
}

// SettleOutage notes that every match has its time back.
func (tx *Tx) SettleOutage(o Outage) error {
	return wrap(tx.db.Exec("UPDATE outages SET settled = TRUE WHERE from_at = ?", ms(o.From)).Error, "settle outage")
}
