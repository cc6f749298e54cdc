package store

import (
	"encoding/json"
	"fmt"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Review is a review with its version, which guards its next change.
type Review struct {
	fairplay.Review
	Version int64
}

type reviewRow struct {
	ID            string `gorm:"primaryKey"`
	PlayerID      string
	TournamentID  string
	Status        string
	OpenedAt      int64
	DecidedAt     int64
	ClosedAt      int64
	Upheld        bool
	ExcludedUntil int64
	Version       int64
	Body          string
}

func (reviewRow) TableName() string { return "reviews" }

func rowOfReview(r fairplay.Review, version int64) (reviewRow, error) {
	raw, err := json.Marshal(r)
	return reviewRow{
		ID: r.ID, PlayerID: string(r.Player), TournamentID: r.Event, Status: string(r.Status), OpenedAt: ms(r.OpenedAt), DecidedAt: ms(r.DecidedAt),
		ClosedAt: ms(r.ClosedAt), Upheld: r.IsUpheld(), ExcludedUntil: ms(r.Excluded), Version: version, Body: string(raw),
	}, err
}

// AddReview opens a review; ErrTaken: one of that player runs in that event.
func (tx *Tx) AddReview(r fairplay.Review) error {
	row, err := rowOfReview(r, 1)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err != nil {
		return fmt.Errorf("store: add review: %w", err)
	}
	return nil
}

// SaveReview writes what became of a review; ErrConflict: another change came first.
func (tx *Tx) SaveReview(r Review) error {
	row, err := rowOfReview(r.Review, r.Version+1)
	if err == nil {
		err = guarded(tx.db.Exec(`UPDATE reviews SET status = ?, decided_at = ?, closed_at = ?, upheld = ?, excluded_until = ?, version = ?, body = ?
			WHERE id = ? AND version = ?`, row.Status, row.DecidedAt, row.ClosedAt, row.Upheld, row.ExcludedUntil, row.Version, row.Body, row.ID, r.Version))
	}
	if err != nil {
		return fmt.Errorf("store: save review: %w", err)
	}
	return nil
}

// Review is one review.
func (tx *Tx) Review(id string) (Review, error) {
	list, err := tx.reviews("id = ?", id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("store: review %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Review{}, err
	}
	return list[0], nil
}

// ReviewsIn are those of a tournament, the latest first.
func (tx *Tx) ReviewsIn(id tournament.ID) ([]Review, error) {
	return tx.reviews("tournament_id = ?", string(id))
}

// ReviewsOf are those about a player, the latest first.
func (tx *Tx) ReviewsOf(id player.ID) ([]Review, error) {
	return tx.reviews("player_id = ?", string(id))
}

// ExpiredReviews are those decided before a moment against which nobody appealed.
func (tx *Tx) ExpiredReviews(before time.Time) ([]Review, error) {
	return tx.reviews("status = 'decided' AND decided_at <= ?", ms(before))
}

func (tx *Tx) reviews(where string, args ...any) ([]Review, error) {
	var rows []reviewRow
	if err := tx.db.Where(where, args...).Order("opened_at DESC, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: reviews: %w", err)
	}
	out := make([]Review, len(rows))
	for i, r := range rows {
		out[i].Version = r.Version
		if err := json.Unmarshal([]byte(r.Body), &out[i].Review); err != nil {
			return nil, fmt.Errorf("store: review %s: %w", r.ID, err)
		}
	}
	return out, nil
}

// ExcludedUntil is until when a player may not play at Verified and above; zero:
// he may.
func (tx *Tx) ExcludedUntil(id player.ID, now time.Time) (time.Time, error) {
	var until int64
	err := tx.db.Raw("SELECT COALESCE(MAX(excluded_until), 0) FROM reviews WHERE player_id = ? AND excluded_until > ?", string(id), ms(now)).Scan(&until).Error
	if err != nil {
		return time.Time{}, fmt.Errorf("store: exclusion: %w", err)
	}
	return at(until), nil
}

// Concern is a player in a tournament about whom a review is due.
type Concern struct {
	Player     player.ID
	Tournament tournament.ID
	Why        fairplay.Opening
}

// DueConcerns are players of tournaments with a grave signal, or reports of
// enough others, since which no review was opened.
func (tx *Tx) DueConcerns() ([]Concern, error) {
	var grave []string
	for _, k := range fairplay.SignalKinds {
		if k.IsGrave() {
			grave = append(grave, string(k))
		}
	}
	var rows []struct{ PlayerID, TournamentID, Why string }
	err := tx.db.Raw(`SELECT DISTINCT s.player_id, p.tournament_id, ? AS why FROM signals s JOIN pairings p ON p.match_id = s.match_id
			WHERE s.kind IN ? AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = s.player_id AND r.tournament_id = p.tournament_id
				AND (r.status <> 'closed' OR r.closed_at >= s.at))
		UNION ALL
		SELECT w.player_id, p.tournament_id, ? AS why FROM play_reports w JOIN pairings p ON p.match_id = w.match_id
			WHERE NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = w.player_id AND r.tournament_id = p.tournament_id
				AND (r.status <> 'closed' OR r.closed_at >= w.at))
			GROUP BY w.player_id, p.tournament_id HAVING COUNT(DISTINCT w.reporter_id) >= ?`,
		string(fairplay.OpenedBySignal), grave, string(fairplay.OpenedByReports), fairplay.ReportsToOpen).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: concerns: %w", err)
	}
	out := make([]Concern, len(rows))
	for i, r := range rows {
		out[i] = Concern{player.ID(r.PlayerID), tournament.ID(r.TournamentID), fairplay.Opening(r.Why)}
	}
	return out, nil
}

// Entered is a tournament somebody entered.
type Entered struct {
	ID   tournament.ID
	Name string
}

// TournamentsEnteredBy are those a player entered, the latest first.
func (tx *Tx) TournamentsEnteredBy(id player.ID) ([]Entered, error) {
	var list []Entered
	err := tx.db.Raw("SELECT t.id, t.name FROM entries e JOIN tournaments t ON t.id = e.tournament_id WHERE e.player_id = ? ORDER BY e.entered_at DESC, t.id", string(id)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("store: entered by: %w", err)
	}
	return list, nil
}
