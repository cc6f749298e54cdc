package store

import (
	"encoding/json"
	"fmt"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
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
	d := series.Date{Day: series.Day(r.Day), Status: series.ParseStatus(r.Status), StartAt: atOrZero(r.StartAt)}
	if r.TournamentID != nil {
		d.Tournament = tournament.ID(*r.TournamentID)
	}
	return d
}

func rowOfDate(id series.ID, d series.Date) seriesDateRow {
	row := seriesDateRow{SeriesID: string(id), Day: string(d.Day), Status: d.Status.String(), StartAt: msOrNull(d.StartAt)}
	if d.Tournament != "" {
		t := string(d.Tournament)
		row.TournamentID = &t
	}
	return row
}

func (r seriesRow) series() (*series.Series, error) {
	s := &series.Series{
		ID: series.ID(r.ID), Club: club.ID(r.ClubID), Organizer: player.ID(r.OrganizerID), Through: series.Day(r.Through),
		Created: at(r.CreatedAt), Ended: at(r.EndedAt), Version: r.Version,
	}
	return s, json.Unmarshal([]byte(r.Settings), &s.Settings)
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
		err = fmt.Errorf("store: series %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// ClubSeries are all series of a club, those that go on first.
func (tx *Tx) ClubSeries(of club.ID) ([]*series.Series, error) {
	return tx.seriesWhere("club_id = ?", string(of))
}

func (tx *Tx) seriesWhere(where, arg string) ([]*series.Series, error) {
	var rows []seriesRow
	if err := tx.db.Where(where, arg).Order("CASE WHEN ended_at > 0 THEN 1 ELSE 0 END, created_at, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: series: %w", err)
	}
	var out []*series.Series
	for _, r := range rows {
		s, err := r.series()
		if err != nil {
			return nil, fmt.Errorf("store: series %s: %w", r.ID, err)
		}
		var dates []seriesDateRow
		if err := tx.db.Where("series_id = ?", r.ID).Order("day").Find(&dates).Error; err != nil {
			return nil, fmt.Errorf("store: dates of series %s: %w", r.ID, err)
		}
		for _, d := range dates {
			s.Dates = append(s.Dates, d.date())
		}
		out = append(out, s)
	}
	return out, nil
}

// SeriesOf is the series a tournament is a date of; ErrNotFound: of none.
func (tx *Tx) SeriesOf(id tournament.ID) (series.ID, error) {
	var row seriesDateRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Take(&row).Error; err != nil {
		return "", fmt.Errorf("store: series of tournament %s: %w", id, err)
	}
	return series.ID(row.SeriesID), nil
}

// DueSeries are those whose next date is to be announced by now.
func (tx *Tx) DueSeries(now time.Time, limit int) (ids []series.ID, err error) {
	if err := tx.db.Model(&seriesRow{}).Where("due_at <= ?", ms(now)).Order("due_at, id").Limit(limit).Pluck("id", &ids).Error; err != nil {
		return nil, fmt.Errorf("store: due series: %w", err)
	}
	return ids, nil
}

// DueStarts are the tournaments of series that start by themselves by now.
func (tx *Tx) DueStarts(now time.Time, limit int) (ids []tournament.ID, err error) {
	if err := tx.db.Model(&seriesDateRow{}).Where("start_at <= ?", ms(now)).Order("start_at, tournament_id").
		Limit(limit).Pluck("tournament_id", &ids).Error; err != nil {
		return nil, fmt.Errorf("store: due starts: %w", err)
	}
	return ids, nil
}

// StartAt is when a tournament of a series starts by itself; the zero time: it
// does not, or has.
func (tx *Tx) StartAt(id tournament.ID) (time.Time, error) {
	var row seriesDateRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Take(&row).Error; err != nil {
		return time.Time{}, fmt.Errorf("store: start of tournament %s: %w", id, err)
	}
	return atOrZero(row.StartAt), nil
}

// DropStart takes away that a tournament starts by itself.
func (tx *Tx) DropStart(id tournament.ID) error {
	if err := tx.db.Model(&seriesDateRow{}).Where("tournament_id = ?", string(id)).Update("start_at", nil).Error; err != nil {
		return fmt.Errorf("store: drop start of tournament %s: %w", id, err)
	}
	return nil
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
	if err != nil {
		return fmt.Errorf("store: add series: %w", err)
	}
	return nil
}

// SaveSeries writes what has changed from before to after and raises the
// version. due is when the next date is announced; zero: never. ErrConflict: the
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
	if err != nil {
		return fmt.Errorf("store: save series %s: %w", after.ID, err)
	}
	return nil
}

// saveDates writes the dates that are new, and takes away those that are no
// longer decided. A tournament of a date stands before the date.
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
