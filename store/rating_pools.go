package store

import (
	"encoding/json"
	"fmt"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/rating"
)

// FoldStatus is what a fold is for.
type FoldStatus uint8

const (
	ShownFold   FoldStatus = iota + 1 // the pool as it is shown
	MakingFold                        // being made anew, to be shown when it is whole
	MonthlyFold                       // a monthly list: where all stood
	DroppedFold                       // to be deleted
)

// RatingFold is what the events of a pool, up to one of them, fold to.
type RatingFold struct {
	ID        int64
	Status    FoldStatus
	Month     string      // of a monthly list
	Pool      rating.Pool // with the rules of this fold, which may be older than the pool's
	UpTo      int64       // ordinal of the last event that is in it
	StaleFrom int64       // from this event on it has to be made anew; 0: it is right
	At        time.Time
}

// IsStale tells whether something before its end has changed.
func (f RatingFold) IsStale() bool { return f.StaleFrom > 0 }

type poolRow struct {
	ID        string `gorm:"primaryKey"`
	ClubID    *string
	Name      string
	Zone      string
	Counts    string
	Rules     string
	FoldID    int64
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

func (poolRow) TableName() string { return "rating_pools" }

func (r poolRow) pool() (rating.Pool, error) {
	p := rating.Pool{ID: rating.PoolID(r.ID), Club: textOf(r.ClubID), Name: r.Name, Zone: r.Zone}
	return p, decodeRules(&p, r.Counts, r.Rules)
}

func rowOfPool(p rating.Pool) (poolRow, error) {
	counts, rules, err := encodeRules(p)
	return poolRow{ID: string(p.ID), ClubID: textOrNull(p.Club), Name: p.Name, Zone: p.Zone, Counts: counts, Rules: rules}, err
}

// DefaultStart is what newcomers start with where nothing else was set.
const DefaultStart = 1500

func decodeRules(p *rating.Pool, counts, rules string) error {
	p.Rules = rating.Club(DefaultStart)
	if err := json.Unmarshal([]byte(counts), &p.Counts); err != nil || rules == "" {
		return err
	}
	return json.Unmarshal([]byte(rules), &p.Rules)
}

func encodeRules(p rating.Pool) (counts, rules string, err error) {
	c, err := json.Marshal(p.Counts)
	if err != nil {
		return "", "", err
	}
	r, err := json.Marshal(p.Rules)
	return string(c), string(r), err
}

type foldRow struct {
	ID        int64 `gorm:"primaryKey;autoIncrement:false"`
	PoolID    string
	Status    uint8
	Month     string
	Counts    string
	Rules     string
	Upto      int64
	StaleFrom *int64
	At        int64
}

func (foldRow) TableName() string { return "rating_folds" }

// RatingPools are all: those of the site first, then by name.
func (tx *Tx) RatingPools() ([]rating.Pool, error) { return tx.ratingPools("1 = 1") }

// RatingPoolsOf are those of a club.
func (tx *Tx) RatingPoolsOf(id club.ID) ([]rating.Pool, error) {
	return tx.ratingPools("club_id = ?", string(id))
}

func (tx *Tx) ratingPools(where string, args ...any) ([]rating.Pool, error) {
	var rows []poolRow
	err := tx.db.Where(where, args...).Order("CASE id WHEN 'main' THEN 0 WHEN 'handicap' THEN 1 ELSE 2 END, club_id IS NOT NULL, name, id").
		Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: rating pools: %w", err)
	}
	out := make([]rating.Pool, len(rows))
	for i, r := range rows {
		if out[i], err = r.pool(); err != nil {
			return nil, fmt.Errorf("store: rating pool %s: %w", r.ID, err)
		}
	}
	return out, nil
}

// RatingPool finds one, ErrNotFound without it.
func (tx *Tx) RatingPool(id rating.PoolID) (rating.Pool, error) {
	var row poolRow
	err := tx.db.Where("id = ?", string(id)).Take(&row).Error
	if err == nil {
		var p rating.Pool
		if p, err = row.pool(); err == nil {
			return p, nil
		}
	}
	return rating.Pool{}, fmt.Errorf("store: rating pool %s: %w", id, err)
}

// AddRatingPool stores a new pool with an empty fold that is shown; its events
// are still to be folded.
func (tx *Tx) AddRatingPool(p rating.Pool, now time.Time) error {
	row, err := rowOfPool(p)
	if err == nil {
		row.CreatedAt = ms(now)
		row.FoldID, err = tx.nextFold()
	}
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.db.Create(&foldRow{ID: row.FoldID, PoolID: row.ID, Status: uint8(ShownFold),
			Counts: row.Counts, Rules: row.Rules, At: ms(now)}).Error
	}
	if err != nil {
		return fmt.Errorf("store: add rating pool: %w", err)
	}
	return nil
}

// SetRatingPool changes a pool's name, zone, counts and rules; what is shown
// stays until it is made anew.
func (tx *Tx) SetRatingPool(p rating.Pool) error {
	row, err := rowOfPool(p)
	if err == nil {
		err = guarded(tx.db.Model(&poolRow{}).Where("id = ?", row.ID).
			Updates(map[string]any{"name": row.Name, "zone": row.Zone, "counts": row.Counts, "rules": row.Rules}))
	}
	if err != nil {
		return fmt.Errorf("store: set rating pool %s: %w", p.ID, err)
	}
	return nil
}

func (tx *Tx) nextFold() (id int64, err error) {
	return id, tx.db.Raw("SELECT COALESCE(MAX(id), 0) + 1 FROM rating_folds").Scan(&id).Error
}

// shownFold is the SQL of the fold of a pool that is shown.
const shownFold = "(SELECT fold_id FROM rating_pools WHERE id = ?)"

// RatingFold is a pool's fold that is shown, ErrNotFound without the pool.
func (tx *Tx) RatingFold(id rating.PoolID) (RatingFold, error) {
	return tx.oneFold("pool_id = ? AND status = 1", string(id))
}

// FoldInTheMaking is the one that is being made anew, ErrNotFound without one.
func (tx *Tx) FoldInTheMaking(id rating.PoolID) (RatingFold, error) {
	return tx.oneFold("pool_id = ? AND status = 2", string(id))
}

// MonthlyList is the fold of a published monthly list, ErrNotFound before.
func (tx *Tx) MonthlyList(id rating.PoolID, m rating.Month) (RatingFold, error) {
	return tx.oneFold("pool_id = ? AND status = 3 AND month = ?", string(id), m.String())
}

// MonthlyLists are all published ones of a pool, the latest first.
func (tx *Tx) MonthlyLists(id rating.PoolID) ([]RatingFold, error) {
	return tx.folds("f.pool_id = ? AND f.status = 3", "f.month DESC", string(id))
}

// PendingFolds are those that need work: in the making, stale, behind the events.
func (tx *Tx) PendingFolds() ([]RatingFold, error) {
	return tx.folds(`f.status = 2 OR f.status IN (1, 3) AND f.stale_from IS NOT NULL
		OR f.status = 1 AND f.upto < (SELECT COALESCE(MAX(ordinal), 0) FROM rated_events)`, "f.status, f.id")
}

func (tx *Tx) oneFold(where string, args ...any) (RatingFold, error) {
	found, err := tx.folds("f."+where, "f.id", args...)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("store: rating fold: %w", ErrNotFound)
	}
	if err != nil {
		return RatingFold{}, err
	}
	return found[0], nil
}

func (tx *Tx) folds(where, order string, args ...any) ([]RatingFold, error) {
	var rows []struct {
		Fold   foldRow `gorm:"embedded"`
		ClubID *string
		Name   string
		Zone   string
	}
	err := tx.db.Raw(`SELECT `+columnsOf("f", foldRow{})+`, p.club_id, p.name, p.zone
		FROM rating_folds f JOIN rating_pools p ON p.id = f.pool_id WHERE `+where+" ORDER BY "+order, args...).
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: rating folds: %w", err)
	}
	out := make([]RatingFold, len(rows))
	for i, row := range rows {
		r := row.Fold
		f := RatingFold{
			ID: r.ID, Status: FoldStatus(r.Status), Month: r.Month, UpTo: r.Upto, At: at(r.At),
			Pool: rating.Pool{ID: rating.PoolID(r.PoolID), Club: textOf(row.ClubID), Name: row.Name, Zone: row.Zone},
		}
		if r.StaleFrom != nil {
			f.StaleFrom = *r.StaleFrom
		}
		if err := decodeRules(&f.Pool, r.Counts, r.Rules); err != nil {
			return nil, fmt.Errorf("store: rating fold %d: %w", r.ID, err)
		}
		out[i] = f
	}
	return out, nil
}

// BeginFold begins a fold of a pool by its rules of now, empty and in the
// making; one that was being made is dropped.
func (tx *Tx) BeginFold(id rating.PoolID, now time.Time) (RatingFold, error) {
	fail := func(err error) (RatingFold, error) {
		return RatingFold{}, fmt.Errorf("store: begin fold of %s: %w", id, err)
	}
	p, err := tx.RatingPool(id)
	if err != nil {
		return fail(err)
	}
	if err := tx.db.Exec("UPDATE rating_folds SET status = 4 WHERE pool_id = ? AND status = 2", string(id)).Error; err != nil {
		return fail(err)
	}
	row := foldRow{PoolID: string(id), Status: uint8(MakingFold), At: ms(now)}
	if row.Counts, row.Rules, err = encodeRules(p); err != nil {
		return fail(err)
	}
	if row.ID, err = tx.nextFold(); err == nil {
		err = tx.db.Create(&row).Error
	}
	if err != nil {
		return fail(err)
	}
	return tx.FoldInTheMaking(id)
}

// ShowFold shows a fold in the making instead of the one that is shown. The
// monthly lists of the pool are to be made anew. ErrConflict: it is not in the
// making, or does not have all events.
func (tx *Tx) ShowFold(f RatingFold) error {
	statements := []struct {
		sql  string
		args []any
	}{
		{`UPDATE rating_folds SET status = 4 WHERE pool_id = ? AND status = 1 AND EXISTS (
			SELECT 1 FROM rating_folds m WHERE m.id = ? AND m.status = 2
			AND m.upto >= (SELECT COALESCE(MAX(ordinal), 0) FROM rated_events))`, []any{string(f.Pool.ID), f.ID}},
		{"UPDATE rating_folds SET status = 1 WHERE id = ? AND status = 2", []any{f.ID}},
		{"UPDATE rating_pools SET fold_id = ? WHERE id = ?", []any{f.ID, string(f.Pool.ID)}},
	}
	for _, s := range statements {
		if err := guarded(tx.db.Exec(s.sql, s.args...)); err != nil {
			return fmt.Errorf("store: show fold %d: %w", f.ID, err)
		}
	}
	if err := tx.db.Exec("UPDATE rating_folds SET stale_from = 1 WHERE pool_id = ? AND status = 3", string(f.Pool.ID)).Error; err != nil {
		return fmt.Errorf("store: show fold %d: %w", f.ID, err)
	}
	return nil
}

// PurgeFolds deletes some of what dropped folds have left, so that no statement
// takes long; false: there is nothing more.
func (tx *Tx) PurgeFolds(rows int) (more bool, err error) {
	var id int64
	if err := tx.db.Raw("SELECT COALESCE(MIN(id), 0) FROM rating_folds WHERE status = 4").Scan(&id).Error; err != nil || id == 0 {
		return false, err
	}
	var last int64
	// The ordinal up to which so many changes stand.
	err = tx.db.Raw(`SELECT COALESCE(MAX(ordinal), 0) FROM (
		SELECT ordinal FROM rating_changes WHERE fold_id = ? ORDER BY ordinal LIMIT ?) AS c`, id, rows).Scan(&last).Error
	switch {
	case err != nil:
	case last > 0:
		err = tx.db.Exec("DELETE FROM rating_changes WHERE fold_id = ? AND ordinal <= ?", id, last).Error
	default:
		if err = tx.db.Exec("DELETE FROM ratings WHERE fold_id = ?", id).Error; err == nil {
			err = tx.db.Exec("DELETE FROM rating_folds WHERE id = ? AND status = 4", id).Error
		}
	}
	if err != nil {
		return false, fmt.Errorf("store: purge fold %d: %w", id, err)
	}
	return true, nil
}

// PublishMonth stores a monthly list of a pool: where all stood before a moment,
// by the fold that is shown. A list of that month is replaced.
func (tx *Tx) PublishMonth(f RatingFold, m rating.Month) error {
	fail := func(err error) error { return fmt.Errorf("store: publish list %s of %s: %w", m, f.Pool.ID, err) }
	moment := f.Pool.At(m)
	if err := tx.db.Exec(`UPDATE rating_folds SET status = 4
		WHERE pool_id = ? AND status = 3 AND month = ?`, string(f.Pool.ID), m.String()).Error; err != nil {
		return fail(err)
	}
	row := foldRow{PoolID: string(f.Pool.ID), Status: uint8(MonthlyFold), Month: m.String(), At: ms(moment)}
	var err error
	if row.Counts, row.Rules, err = encodeRules(f.Pool); err != nil {
		return fail(err)
	}
	if row.ID, err = tx.nextFold(); err != nil {
		return fail(err)
	}
	if err := tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events WHERE rated_at < ?", ms(moment)).
		Scan(&row.Upto).Error; err != nil {
		return fail(err)
	}
	if err := tx.db.Create(&row).Error; err != nil {
		return fail(err)
	}
	// The plus keeps SQLite from walking through the wide rows instead of the index by player.
	err = tx.db.Exec(`INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at)
		SELECT `+fmt.Sprint(row.ID)+`, c.player_id, p.bot, c.after, c.games, c.provisional, c.peak, c.deviation, '', c.at
		FROM (SELECT player_id, MAX(ordinal) AS ordinal FROM rating_changes WHERE fold_id = ? AND +ordinal <= ? GROUP BY player_id) l
		JOIN rating_changes c ON c.fold_id = ? AND c.ordinal = l.ordinal AND c.player_id = l.player_id AND c.final
		JOIN players p ON p.id = c.player_id`, f.ID, row.Upto, f.ID).Error
	if err != nil {
		return fail(err)
	}
	return nil
}

// FirstRated is when the first event of a fold was rated, zero without any.
func (tx *Tx) FirstRated(f RatingFold) (time.Time, error) {
	var first int64
	err := tx.db.Raw(`SELECT COALESCE(MIN(at), 0) FROM rating_changes WHERE fold_id = ? AND ordinal = (SELECT MIN(ordinal)
		FROM rating_changes WHERE fold_id = ?)`, f.ID, f.ID).
		Scan(&first).Error
	if err != nil {
		return time.Time{}, fmt.Errorf("store: first rated of %s: %w", f.Pool.ID, err)
	}
	return at(first), nil
}
