package store

import (
	"encoding/json"
	"time"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/tournament/league"
)

type leagueRow struct {
	ID          string `gorm:"primaryKey"`
	ClubID      string
	OrganizerID string
	Name        string
	State       string
	DueAt       *int64
	CreatedAt   int64 `gorm:"autoCreateTime:false"`
	Version     int64
}

func (leagueRow) TableName() string { return "leagues" }

type leagueEventRow struct {
	LeagueID string `gorm:"primaryKey"`
	Seq      int64  `gorm:"primaryKey;autoIncrement:false"`
	Body     string
}

func (leagueEventRow) TableName() string { return "league_events" }

func rowOfLeague(l *league.League) (leagueRow, error) {
	state, err := json.Marshal(l)
	return leagueRow{ID: string(l.ID), ClubID: string(l.Club), OrganizerID: string(l.Organizer), Name: l.Settings.Name, State: string(state),
		DueAt: msOrNull(l.Due()), CreatedAt: ms(l.CreatedAt), Version: l.Version}, err
}

func (r leagueRow) league() (*league.League, error) {
	l := &league.League{}
	err := json.Unmarshal([]byte(r.State), l)
	l.Version = r.Version
	return l, err
}

// League is one league with all its seasons.
func (tx *Tx) League(id league.ID) (*league.League, error) {
	return parseOne(tx.db.Where("id = ?", string(id)), leagueRow.league, "league %s", id)
}

// LeagueQuery limits a list of leagues: to those of a club, or with a name that has these words.
type LeagueQuery struct {
	Club          club.ID
	Search        string
	Limit, Offset int
}

// Leagues is one page of a list, the oldest first, and the length of the whole list.
func (tx *Tx) Leagues(q LeagueQuery) ([]*league.League, int, error) {
	db := tx.db.Model(&leagueRow{})
	if q.Club != "" {
		db = db.Where("club_id = ?", string(q.Club))
	}
	if q.Search != "" {
		db = matching(db, foundLeague, "id", q.Search)
	}
	total, err := count(db, "count leagues")
	if err != nil {
		return nil, 0, err
	}
	list, err := parseAll(db.Order("created_at, id").Limit(q.Limit).Offset(q.Offset), leagueRow.league, "leagues")
	return list, total, err
}

// DueLeagues are those in which something is due to happen by itself.
func (tx *Tx) DueLeagues(now time.Time, limit int) ([]league.ID, error) {
	return pluck[league.ID](tx.db.Model(&leagueRow{}).Where("due_at <= ?", ms(now)).Order("due_at, id").Limit(limit), "id", "due leagues")
}

// SaveLeague writes a league with what has happened in it. It fails with ErrConflict if the league has changed since
// it was read as before; nil: it is new.
func (tx *Tx) SaveLeague(before, after *league.League) error {
	seq := int64(0)
	if before != nil {
		seq = before.Version
	}
	after.Version = seq + int64(len(after.Fresh()))
	row, err := rowOfLeague(after)
	switch {
	case err != nil:
	case before == nil:
		err = tx.db.Create(&row).Error
	default:
		err = guarded(tx.db.Model(&leagueRow{}).Where("id = ? AND version = ?", row.ID, before.Version).Select("*").Omit("created_at").Updates(&row))
	}
	var rows []leagueEventRow
	for i, e := range after.Fresh() {
		body, _ := json.Marshal(e) // texts and times
		rows = append(rows, leagueEventRow{row.ID, seq + int64(i) + 1, string(body)})
	}
	if err == nil && len(rows) > 0 {
		err = tx.db.CreateInBatches(rows, 100).Error
	}
	for i, e := range after.Fresh() {
		if err == nil && e.IsPublic() {
			err = tx.queueLeague(after.ID, seq+int64(i)+1, e)
		}
	}
	if err == nil && (before == nil || before.Settings.Name != after.Settings.Name) {
		err = tx.index(foundLeague, row.ID, fold.Words(after.Settings.Name))
	}
	return wrap(err, "save league %s", after.ID)
}

// LeagueLogSince is what has happened in a league after a line, the latest last.
func (tx *Tx) LeagueLogSince(id league.ID, seq int64) ([]league.Event, error) {
	return parseAll(tx.db.Where("league_id = ? AND seq > ?", string(id), seq).Order("seq"), func(r leagueEventRow) (e league.Event, err error) {
		err = json.Unmarshal([]byte(r.Body), &e)
		return e, err
	}, "log of league %s", id)
}

// LeagueLog is what has happened in a league, the latest first.
func (tx *Tx) LeagueLog(id league.ID, limit int) ([]league.Event, error) {
	return parseAll(tx.db.Where("league_id = ?", string(id)).Order("seq DESC").Limit(limit), func(r leagueEventRow) (e league.Event, err error) {
		err = json.Unmarshal([]byte(r.Body), &e)
		return e, err
	}, "log of league %s", id)
}
