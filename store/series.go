package store

import (
	"encoding/json"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
)

type seriesRow struct {
	ID          string `gorm:"primaryKey"`
	ClubID      string
	OrganizerID string
	Settings    string
	Through     string
	DueAt       *int64
	CreatedAt   int64 `gorm:"autoCreateTime:false"`
	EndedAt     int64
	Version     int64
}

func (seriesRow) TableName() string { return "series" }

type seriesDateRow struct {
	SeriesID     string `gorm:"primaryKey"`
	Day          string `gorm:"primaryKey"`
	Status       string
	TournamentID *string
	StartAt      *int64
}

func (seriesDateRow) TableName() string { return "series_dates" }

func (r seriesDateRow) date() series.Date {
	return series.Date{Day: series.Day(r.Day), Status: series.ParseStatus(r.Status),
		Tournament: tournament.ID(textOf(r.TournamentID)), StartAt: atOrZero(r.StartAt)}
}

func rowOfDate(id series.ID, d series.Date) seriesDateRow {
	return seriesDateRow{string(id), string(d.Day), d.Status.String(), textOrNull(d.Tournament), msOrNull(d.StartAt)}
}

func (r seriesRow) series() (*series.Series, error) {
	s := &series.Series{
		ID: series.ID(r.ID), Club: club.ID(r.ClubID), Organizer: player.ID(r.OrganizerID), Through: series.Day(r.Through),
		Created: at(r.CreatedAt), Ended: at(r.EndedAt), Version: r.Version,
	}
	err := json.Unmarshal([]byte(r.Settings), &s.Settings)
	return s, err
}

func rowOfSeries(s *series.Series, due time.Time) (seriesRow, error) {
	settings, err := json.Marshal(s.Settings)
	return seriesRow{
		string(s.ID), string(s.Club), string(s.Organizer), string(settings),
		string(s.Through), msOrNull(due), ms(s.Created), ms(s.Ended), s.Version,
	}, err
}

// Series is one series with its dates, ErrNotFound without one.
func (tx *Tx) Series(id series.ID) (*series.Series, error) {
	list, err := tx.seriesWhere("id = ?", string(id))
	if err == nil && len(list) == 0 {
		err = wrap(ErrNotFound, "series %s", id)
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// ClubSeries are all series of a club, the active ones first.
func (tx *Tx) ClubSeries(of club.ID) ([]*series.Series, error) {
	return tx.seriesWhere("club_id = ?", string(of))
}

// MembersSeries are the active series of the clubs that a player is a member of.
func (tx *Tx) MembersSeries(of player.ID) ([]*series.Series, error) {
	return tx.seriesWhere("ended_at = 0 AND club_id IN (SELECT club_id FROM club_members WHERE player_id = ?)", string(of))
}

func (tx *Tx) seriesWhere(where, arg string) ([]*series.Series, error) {
	out, err := parseAll(tx.db.Where(where, arg).Order("CASE WHEN ended_at > 0 THEN 1 ELSE 0 END, created_at, id"), seriesRow.series, "series")
	for _, s := range out {
		if err == nil {
			s.Dates, err = findAll(tx.db.Where("series_id = ?", string(s.ID)).Order("day"), seriesDateRow.date, "dates of series %s", s.ID)
		}
	}
	return out, err
}

// SeriesOf is the series that a tournament is a date of, ErrNotFound when it is none.
func (tx *Tx) SeriesOf(id tournament.ID) (series.ID, error) {
	return findOne(tx.db.Where("tournament_id = ?", string(id)), func(r seriesDateRow) series.ID { return series.ID(r.SeriesID) },
		"series of tournament %s", id)
}

// DueSeries are the series whose next date is due to be announced.
func (tx *Tx) DueSeries(now time.Time, limit int) ([]series.ID, error) {
	return pluck[series.ID](tx.db.Model(&seriesRow{}).Where("due_at <= ?", ms(now)).Order("due_at, id").Limit(limit), "id", "due series")
}

// DueStarts are the tournaments of series that are due to start by themselves.
func (tx *Tx) DueStarts(now time.Time, limit int) ([]tournament.ID, error) {
	return pluck[tournament.ID](tx.db.Model(&seriesDateRow{}).Where("start_at <= ?", ms(now)).Order("start_at, tournament_id").Limit(limit),
		"tournament_id", "due starts")
}

// StartAt is when a tournament of a series starts by itself, the zero time when it does not
// or has.
func (tx *Tx) StartAt(id tournament.ID) (time.Time, error) {
	return findOne(tx.db.Where("tournament_id = ?", string(id)), func(r seriesDateRow) time.Time { return atOrZero(r.StartAt) },
		"start of tournament %s", id)
}

// DropStart keeps a tournament from starting by itself.
func (tx *Tx) DropStart(id tournament.ID) error {
	return wrap(tx.db.Exec("UPDATE series_dates SET start_at = NULL WHERE tournament_id = ?", string(id)).Error,
		"drop start of tournament %s", id)
}

// AddSeries stores a new series; due is when its next date is announced.
func (tx *Tx) AddSeries(s *series.Series, due time.Time) error {
	s.Version = 1
	row, err := rowOfSeries(s, due)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.saveDates(&series.Series{}, s)
	}
	return wrap(err, "add series")
}

// SaveSeries writes the differences between before and after and raises the version. due
// is when the next date is announced; zero: never. It fails with ErrConflict if the
// series has changed since before was read.
func (tx *Tx) SaveSeries(before, after *series.Series, due time.Time) error {
	after.Version = before.Version + 1
	row, err := rowOfSeries(after, due)
	if err == nil {
		err = guarded(tx.db.Model(&seriesRow{}).Where("id = ? AND version = ?", row.ID, before.Version).Select("*").Updates(&row))
	}
	if err == nil {
		err = tx.saveDates(before, after)
	}
	return wrap(err, "save series %s", after.ID)
}

// saveDates writes the new dates and deletes those no longer decided. A date's tournament
// must be stored before.
func (tx *Tx) saveDates(before, after *series.Series) error {
	old := map[series.Day]series.Status{}
	for _, d := range before.Dates {
		old[d.Day] = d.Status
	}
	for _, d := range after.Dates {
		was, known := old[d.Day]
		delete(old, d.Day)
		if known && was == d.Status {
			continue
		}
		row := rowOfDate(after.ID, d)
		if err := tx.db.Create(&row).Error; err != nil {
			return err
		}
	}
	for day := range old {
		if err := tx.db.Where("series_id = ? AND day = ?", string(after.ID), string(day)).Delete(&seriesDateRow{}).Error; err != nil {
			return err
		}
	}
	return nil
}
