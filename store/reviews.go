package store

import (
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Review is a review with the version that guards its next change.
type Review struct {
	review.Review
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

func rowOfReview(r review.Review, version int64) (reviewRow, error) {
	raw, err := json.Marshal(r)
	return reviewRow{
		ID: r.ID, PlayerID: string(r.Player), TournamentID: r.Event,
		Status: string(r.Status), OpenedAt: ms(r.OpenedAt), DecidedAt: ms(r.DecidedAt),
		ClosedAt: ms(r.ClosedAt), Upheld: r.IsUpheld(), ExcludedUntil: ms(r.Excluded), Version: version, Body: string(raw),
	}, err
}

// AddReview stores a new review, ErrTaken if one of that player runs in that event.
func (tx *Tx) AddReview(r review.Review) error {
	row, err := rowOfReview(r, 1)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	return wrap(err, "add review")
}

// SaveReview stores a changed review, ErrConflict if another change came first.
func (tx *Tx) SaveReview(r Review) error {
	row, err := rowOfReview(r.Review, r.Version+1)
	if err == nil {
		err = guarded(tx.db.Exec(`UPDATE reviews SET status = ?, decided_at = ?, closed_at = ?, upheld = ?, excluded_until = ?,
			version = ?, body = ?
			WHERE id = ? AND version = ?`, row.Status, row.DecidedAt, row.ClosedAt, row.Upheld,
			row.ExcludedUntil, row.Version, row.Body, row.ID, r.Version))
	}
	if err == nil && r.Status == review.StatusClosed {
		err = tx.settleReports(r.Review)
	}
	return wrap(err, "save review")
}

// Review is one review, ErrNotFound without it.
func (tx *Tx) Review(id string) (Review, error) {
	return parseOne(tx.db.Where("id = ?", id), reviewRow.review, "review %s", id)
}

// ReviewsIn are the reviews in a tournament, the latest first.
func (tx *Tx) ReviewsIn(id tournament.ID) ([]Review, error) {
	return tx.reviews("tournament_id = ?", string(id))
}

// ReviewsOf are the reviews about a player, the latest first.
func (tx *Tx) ReviewsOf(id player.ID) ([]Review, error) {
	return tx.reviews("player_id = ?", string(id))
}

// ExpiredReviews are those decided before a moment without an appeal.
func (tx *Tx) ExpiredReviews(before time.Time) ([]Review, error) {
	return tx.reviews("status = 'decided' AND decided_at <= ?", ms(before))
}

func (r reviewRow) review() (Review, error) {
	out := Review{Version: r.Version}
	err := json.Unmarshal([]byte(r.Body), &out.Review)
	return out, err
}

func (tx *Tx) reviews(where string, args ...any) ([]Review, error) {
	return parseAll(tx.db.Where(where, args...).Order("opened_at DESC, id"), reviewRow.review, "reviews")
}

// Excluded are those players who may not play at Verified and above, and until when.
func (tx *Tx) Excluded(now time.Time, ids ...player.ID) (map[player.ID]time.Time, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return tx.db.Raw(`SELECT player_id, MAX(excluded_until) AS until
			FROM reviews WHERE player_id IN ? AND excluded_until > ? GROUP BY player_id`, some, ms(now))
	}, func(r struct {
		PlayerID player.ID
		Until    int64
	}) (player.ID, time.Time) {
		return r.PlayerID, at(r.Until)
	}, "exclusions")
}

type accessRow struct {
	PlayerID string `gorm:"primaryKey"`
	Place    string `gorm:"primaryKey"`
	ByPlayer string `gorm:"primaryKey"`
	At       int64  `gorm:"primaryKey;autoIncrement:false"`
}

func (accessRow) TableName() string { return "dossier_views" }

// Accesses are the looks of others at what is recorded of a player in one place, the latest
// first.
func (tx *Tx) Accesses(of player.ID, place string) ([]review.Access, error) {
	return findAll(tx.db.Where("player_id = ? AND place = ?", string(of), place).Order("at DESC, by_player"),
		func(r accessRow) review.Access { return review.Access{By: player.ID(r.ByPlayer), At: at(r.At)} }, "accesses")
}

// AddAccess notes an access; a repetition changes nothing.
func (tx *Tx) AddAccess(of player.ID, place string, l review.Access) error {
	row := accessRow{string(of), place, string(l.By), ms(l.At)}
	return wrap(tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error, "add access")
}

// Concern is a player in a tournament for whom a review is due.
type Concern struct {
	Player     player.ID
	Tournament tournament.ID
	Why        review.Opening
}

// DueConcerns are players in tournaments with a signal that opens a review, with reports
// from enough others, or with moves that are a concern, and no review since.
func (tx *Tx) DueConcerns() ([]Concern, error) {
	kinds := map[review.Opening][]string{}
	for _, k := range review.SignalKinds {
		if k.IsGrave() {
			kinds[review.OpenedBySignal] = append(kinds[review.OpenedBySignal], string(k))
		} else if k.OpensReview() {
			kinds[review.OpenedByResults] = append(kinds[review.OpenedByResults], string(k))
		}
	}
	const noticed = `SELECT DISTINCT s.player_id, p.tournament_id, ? AS why FROM signals s JOIN pairings p ON p.match_id = s.match_id
			WHERE s.kind IN ? AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = s.player_id AND r.tournament_id = p.tournament_id
				AND (r.status <> 'closed' OR r.closed_at >= s.at)) UNION ALL `
	var rows []struct{ PlayerID, TournamentID, Why string }
	err := tx.db.Raw(noticed+noticed+`SELECT w.player_id, p.tournament_id, ? AS why
		FROM play_reports w JOIN pairings p ON p.match_id = w.match_id
			WHERE NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = w.player_id AND r.tournament_id = p.tournament_id
				AND (r.status <> 'closed' OR r.closed_at >= w.at))
			GROUP BY w.player_id, p.tournament_id HAVING COUNT(DISTINCT w.reporter_id) >= ?
		UNION ALL SELECT d.player_id, d.place, ? AS why FROM dossiers d WHERE d.concern
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = d.player_id AND r.tournament_id = d.place
				AND (r.status <> 'closed' OR r.closed_at >= d.at))`,
		string(review.OpenedBySignal), kinds[review.OpenedBySignal], string(review.OpenedByResults), kinds[review.OpenedByResults],
		string(review.OpenedByReports), review.ReportsToOpen, string(review.OpenedByMoves)).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "concerns")
	}
	var out []Concern
	for _, r := range rows {
		c := Concern{player.ID(r.PlayerID), tournament.ID(r.TournamentID), review.Opening(r.Why)}
		if c.Why == review.OpenedByReports {
			by, err := tx.reporters(c)
			if err != nil {
				return nil, err
			}
			if !review.ReportsOpen(by) {
				continue
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// reporters are the players who reported somebody in a tournament since the last review
// there, with what became of their earlier reports.
func (tx *Tx) reporters(c Concern) ([]review.Reporter, error) {
	return scan[[]review.Reporter](tx.db.Raw(`SELECT (
		SELECT COUNT(DISTINCT p.review_id) FROM play_reports p WHERE p.reporter_id = r.reporter_id AND p.review_id <> '') AS ended,
			(SELECT COUNT(DISTINCT p.review_id) FROM play_reports p WHERE p.reporter_id = r.reporter_id AND p.upheld) AS upheld
		FROM (SELECT DISTINCT w.reporter_id FROM play_reports w JOIN pairings p ON p.match_id = w.match_id
			WHERE w.player_id = ? AND p.tournament_id = ? AND w.review_id = '') AS r`, string(c.Player), string(c.Tournament)), "reporters")
}

// settleReports marks the reports that came before the end of a review with its outcome.
func (tx *Tx) settleReports(r review.Review) error {
	return tx.db.Exec(`UPDATE play_reports SET review_id = ?, upheld = ? WHERE player_id = ? AND review_id = '' AND at <= ?
		AND match_id IN (SELECT p.match_id FROM pairings p WHERE p.tournament_id = ? AND p.match_id IS NOT NULL)`,
		r.ID, r.IsUpheld(), string(r.Player), ms(r.ClosedAt), r.Event).Error
}

// Entered is a tournament that a player entered.
type Entered struct {
	ID   tournament.ID
	Name string
}

// TournamentsEnteredBy are the tournaments a player entered, the latest first.
func (tx *Tx) TournamentsEnteredBy(id player.ID) ([]Entered, error) {
	return scan[[]Entered](tx.db.Raw(`SELECT t.id, t.name FROM entries e JOIN tournaments t ON t.id = e.tournament_id
		WHERE e.player_id = ? ORDER BY e.entered_at DESC, t.id`, string(id)), "entered by")
}
