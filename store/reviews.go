package store

import (
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
)

// Review is a review with the version that guards its next change.
type Review struct {
	review.Review
	Version int64
}

type reviewRow struct {
	ID            string `gorm:"primaryKey"`
	PlayerID      string
	Place         string
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
		ID: r.ID, PlayerID: string(r.Player), Place: string(r.Place),
		Status: string(r.Status), OpenedAt: ms(r.OpenedAt), DecidedAt: ms(r.DecidedAt),
		ClosedAt: ms(r.ClosedAt), Upheld: r.IsUpheld(), ExcludedUntil: ms(r.Excluded), Version: version, Body: string(raw),
	}, err
}

// AddReview stores a new review, ErrTaken if one of that player runs in that place.
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

// ReviewsIn are the reviews in a place, the latest first.
func (tx *Tx) ReviewsIn(p fairplay.Place) ([]Review, error) {
	return tx.reviews("place = ?", string(p))
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
func (tx *Tx) Accesses(of player.ID, place fairplay.Place) ([]review.Access, error) {
	return findAll(tx.db.Where("player_id = ? AND place = ?", string(of), string(place)).Order("at DESC, by_player"),
		func(r accessRow) review.Access { return review.Access{By: player.ID(r.ByPlayer), At: at(r.At)} }, "accesses")
}

// AddAccess notes an access; a repetition changes nothing.
func (tx *Tx) AddAccess(of player.ID, place fairplay.Place, l review.Access) error {
	row := accessRow{string(of), string(place), string(l.By), ms(l.At)}
	return wrap(tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error, "add access")
}

// Concern is a player in a place for whom a review is due.
type Concern struct {
	Player player.ID
	Place  fairplay.Place
	Why    review.Opening
}

// DueConcerns are players in places with a signal that opens a review, with reports
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
	const noticed = `SELECT DISTINCT s.player_id AS player, m.place, ? AS why FROM signals s JOIN matches m ON m.id = s.match_id
			WHERE s.kind IN ? AND m.place <> '' AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = s.player_id AND r.place = m.place
				AND (r.status <> 'closed' OR r.closed_at >= s.at)) UNION ALL `
	var due, out []Concern
	err := tx.db.Raw(noticed+noticed+`SELECT w.player_id AS player, m.place, ? AS why
		FROM play_reports w JOIN matches m ON m.id = w.match_id
			WHERE m.place <> '' AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = w.player_id AND r.place = m.place
				AND (r.status <> 'closed' OR r.closed_at >= w.at))
			GROUP BY w.player_id, m.place HAVING COUNT(DISTINCT w.reporter_id) >= ?
		UNION ALL SELECT d.player_id AS player, d.place, ? AS why FROM dossiers d WHERE d.concern
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = d.player_id AND r.place = d.place
				AND (r.status <> 'closed' OR r.closed_at >= d.at))`,
		string(review.OpenedBySignal), kinds[review.OpenedBySignal], string(review.OpenedByResults), kinds[review.OpenedByResults],
		string(review.OpenedByReports), review.ReportsToOpen, string(review.OpenedByMoves)).Scan(&due).Error
	if err != nil {
		return nil, wrap(err, "concerns")
	}
	for _, c := range due {
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

// reporters are the players who reported somebody in a place since the last review
// there, with what became of their earlier reports.
func (tx *Tx) reporters(c Concern) ([]review.Reporter, error) {
	return scan[[]review.Reporter](tx.db.Raw(`SELECT (
		SELECT COUNT(DISTINCT p.review_id) FROM play_reports p WHERE p.reporter_id = r.reporter_id AND p.review_id <> '') AS ended,
			(SELECT COUNT(DISTINCT p.review_id) FROM play_reports p WHERE p.reporter_id = r.reporter_id AND p.upheld) AS upheld
		FROM (SELECT DISTINCT w.reporter_id FROM play_reports w JOIN matches m ON m.id = w.match_id
			WHERE w.player_id = ? AND m.place = ? AND w.review_id = '') AS r`, string(c.Player), string(c.Place)), "reporters")
}

// settleReports marks the reports that came before the end of a review with its outcome.
func (tx *Tx) settleReports(r review.Review) error {
	return tx.db.Exec(`UPDATE play_reports SET review_id = ?, upheld = ? WHERE player_id = ? AND review_id = '' AND at <= ?
		AND EXISTS (SELECT 1 FROM matches m WHERE m.id = play_reports.match_id AND m.place = ?)`,
		r.ID, r.IsUpheld(), string(r.Player), ms(r.ClosedAt), string(r.Place)).Error
}

// PlayedIn are the matches of a player in a place, in order of their ends; those that run come last.
func (tx *Tx) PlayedIn(p fairplay.Place, of player.ID) ([]Head, error) {
	return findAll(tx.db.Where("place <> '' AND place = ? AND (first_player = ? OR second_player = ?)", string(p), string(of), string(of)).
		Order("CASE WHEN status = "+matchOver+" THEN 0 ELSE 1 END, last_at, id"), matchRow.head, "matches of %s in %s", of, p)
}

// PlacesOf are the places where a player has played or is reviewed, the latest first.
func (tx *Tx) PlacesOf(id player.ID) ([]fairplay.Place, error) {
	return scan[[]fairplay.Place](tx.db.Raw(`SELECT x.place FROM (
			SELECT place, opened_at FROM matches WHERE place <> '' AND first_player = ?
			UNION ALL SELECT place, opened_at FROM matches WHERE place <> '' AND second_player = ?
			UNION ALL SELECT place, opened_at FROM reviews WHERE player_id = ?) AS x
		GROUP BY x.place ORDER BY MAX(x.opened_at) DESC, x.place`, string(id), string(id), string(id)), "places of %s", id)
}

// PlaceNames are what the tournaments and ladders of places are called.
func (tx *Tx) PlaceNames(places ...fairplay.Place) (map[fairplay.Place]string, error) {
	ids := map[fairplay.PlaceKind][]string{}
	for _, p := range places {
		kind, id, _, _ := p.Parts()
		ids[kind] = append(ids[kind], id)
	}
	called := map[fairplay.PlaceKind]map[string]string{}
	for kind, table := range map[fairplay.PlaceKind]string{fairplay.InTournament: "tournaments", fairplay.OnLadder: "ladders"} {
		var err error
		called[kind], err = byID(ids[kind], func(some []string) *gorm.DB { return tx.db.Table(table).Select("id", "name").Where("id IN ?", some) },
			func(r struct{ ID, Name string }) (string, string) { return r.ID, r.Name }, "names of %s", table)
		if err != nil {
			return nil, err
		}
	}
	names := map[fairplay.Place]string{}
	for _, p := range places {
		kind, id, _, _ := p.Parts()
		names[p] = called[kind][id]
	}
	return names, nil
}

// Suspect is somebody in a place about whom there is a signal, a report or a review.
type Suspect struct {
	Player player.ID
	Place  fairplay.Place
	Runs   bool // a review
}

// Noticed are those in places that begin so, at most so many, those with a running review and the latest places first.
func (tx *Tx) Noticed(begins string, most int) ([]Suspect, error) {
	return scan[[]Suspect](tx.db.Raw(`SELECT x.player_id AS player, x.place, MAX(x.runs) = 1 AS runs FROM (
			SELECT r.player_id, r.place, CASE WHEN r.status = 'closed' THEN 0 ELSE 1 END AS runs FROM reviews r
			UNION ALL SELECT s.player_id, m.place, 0 FROM signals s JOIN matches m ON m.id = s.match_id
			UNION ALL SELECT w.player_id, m.place, 0 FROM play_reports w JOIN matches m ON m.id = w.match_id) AS x
		WHERE x.place LIKE ? GROUP BY x.player_id, x.place ORDER BY MAX(x.runs) DESC, x.place DESC, x.player_id LIMIT ?`, begins+"%", most),
		"noticed in %s", begins)
}
