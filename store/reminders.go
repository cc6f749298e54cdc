package store

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// Reminder is a reminder that was given: of a subject at a moment, this long before it.
type Reminder struct {
	Subject string
	Moment  time.Time
	Lead    time.Duration
}

type reminderRow struct {
	Subject string `gorm:"primaryKey"`
	Moment  int64  `gorm:"primaryKey;autoIncrement:false"`
	Lead    int64  `gorm:"primaryKey;autoIncrement:false"`
}

func (reminderRow) TableName() string { return "reminders" }

// Reminded is every reminder given of something still to come.
func (tx *Tx) Reminded(now time.Time) (map[Reminder]bool, error) {
	var rows []reminderRow
	if err := tx.db.Where("moment > ?", ms(now)).Find(&rows).Error; err != nil {
		return nil, wrap(err, "reminders")
	}
	out := make(map[Reminder]bool, len(rows))
	for _, r := range rows {
		out[Reminder{r.Subject, at(r.Moment), time.Duration(r.Lead) * time.Millisecond}] = true
	}
	return out, nil
}

// AddReminders notes reminders as given, ErrConflict when another node has given one of
// them.
func (tx *Tx) AddReminders(list []Reminder) error {
	rows := make([]reminderRow, len(list))
	for i, r := range list {
		rows[i] = reminderRow{r.Subject, ms(r.Moment), r.Lead.Milliseconds()}
	}
	r := tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&rows)
	if r.Error == nil && r.RowsAffected != int64(len(rows)) {
		r.Error = ErrConflict
	}
	if r.Error != nil {
		return wrap(r.Error, "add reminders")
	}
	return nil
}

// How long reminders and notices are kept. No late job looks further back to see what was
// told already.
const (
	remindersKept = 30 * 24 * time.Hour
	noticesKept   = 180 * 24 * time.Hour
)

// SweepNotices deletes old reminders and notices.
func (tx *Tx) SweepNotices(now time.Time) error {
	err := tx.db.Exec("DELETE FROM reminders WHERE moment < ?", ms(now.Add(-remindersKept))).Error
	if err == nil {
		err = tx.db.Exec("DELETE FROM notices WHERE at < ?", ms(now.Add(-noticesKept))).Error
	}
	return wrap(err, "sweep notices")
}

type leadsRow struct {
	PlayerID string `gorm:"primaryKey"`
	Early    int64
	Late     int64
}

func (leadsRow) TableName() string { return "reminder_leads" }

// Leads is when players want to be reminded, with the defaults for those who chose nothing.
func (tx *Tx) Leads(of ...player.ID) (map[player.ID]notice.Leads, error) {
	out := make(map[player.ID]notice.Leads, len(of))
	for _, id := range of {
		out[id] = notice.DefaultLeads
	}
	err := eachOf(of, func(some []string) *gorm.DB { return tx.db.Where("player_id IN ?", some) }, func(r leadsRow) {
		out[player.ID(r.PlayerID)] = notice.Leads{Early: time.Duration(r.Early) * time.Millisecond,
			Late: time.Duration(r.Late) * time.Millisecond}
	})
	return out, wrap(err, "leads")
}

// SetLeads changes when a player is reminded.
func (tx *Tx) SetLeads(of player.ID, l notice.Leads) error {
	row := leadsRow{string(of), l.Early.Milliseconds(), l.Late.Milliseconds()}
	return wrap(tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error, "set leads")
}

// TimedTournaments are the upcoming and running tournaments whose next rounds have a
// time.
func (tx *Tx) TimedTournaments() ([]tournament.ID, error) {
	return scan[[]tournament.ID](tx.db.Raw(`SELECT id FROM tournaments
		WHERE status IN (?, ?) AND (next_at IS NOT NULL OR settings LIKE '%"times":[%' OR timetable <> '') ORDER BY id`,
		uint8(tournament.Registration), uint8(tournament.Running)), "timed tournaments")
}

// RunningLadderChallenges are the running challenges of all ladders.
func (tx *Tx) RunningLadderChallenges() ([]LadderDuty, error) {
	return tx.ladderDuties(tx.db.Where("status <> 'ended'"))
}

// ExpiringChallenges are the open challenges to a named player that expire before a
// moment.
func (tx *Tx) ExpiringChallenges(now, before time.Time) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("status = ? AND opponent_id IS NOT NULL AND expires_at > ? AND expires_at <= ?",
		uint8(challenge.Open), ms(now), ms(before)))
}

// SlowTurns are the matches that wait for one player who has a long time to act.
func (tx *Tx) SlowTurns(now time.Time) ([]Head, error) {
	return findAll(tx.db.Where("status < "+matchOver+" AND status IN ("+matchBidding+", "+matchPlaying+") AND to_act IN ("+
		seatFirst+", "+seatSecond+") AND deadline_at > ? AND deadline_at - last_at >= ?",
		ms(now), notice.SlowTurn.Milliseconds()), matchRow.head, "slow turns")
}
