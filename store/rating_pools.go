package store

import (
	"encoding/json"
	"fmt"
	"time"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
)

// FoldStatus is what a fold is for.
type FoldStatus uint8

const (
	ShownFold   FoldStatus = iota + 1 // the pool as shown
	MakingFold                        // being recomputed, shown once complete
	MonthlyFold                       // a published monthly list
	DroppedFold                       // to be deleted
)

// RatingFold is the state of a pool's ratings after the events up to UpTo.
type RatingFold struct {
	ID        int64
	Status    FoldStatus
	Month     string      // of a monthly list
	Pool      rating.Pool // with this fold's rules, which may be older than the pool's
	UpTo      int64       // ordinal of the last event in it
	StaleFrom int64       // the first event to recompute; 0: none
	At        time.Time
}

// IsStale reports whether an event in the fold has changed since.
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
	err := decodeRules(&p, r.Counts, r.Rules)
	return p, err
}

func rowOfPool(p rating.Pool) (poolRow, error) {
	counts, rules, err := encodeRules(p)
	return poolRow{ID: string(p.ID), ClubID: textOrNull(p.Club), Name: p.Name, Zone: p.Zone, Counts: counts, Rules: rules}, err
}

// DefaultStart is a newcomer's rating where no other was set.
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

// RatingPools are all pools: those of the site first, then by name.
func (tx *Tx) RatingPools() ([]rating.Pool, error) { return tx.ratingPools("1 = 1") }

// RatingPoolsOf are the pools of a club.
func (tx *Tx) RatingPoolsOf(id club.ID) ([]rating.Pool, error) {
	return tx.ratingPools("club_id = ?", string(id))
}

func (tx *Tx) ratingPools(where string, args ...any) ([]rating.Pool, error) {
	const order = "CASE id WHEN 'main' THEN 0 WHEN 'handicap' THEN 1 ELSE 2 END, club_id IS NOT NULL, name, id"
	return parseAll(tx.db.Where(where, args...).Order(order), poolRow.pool, "rating pools")
}

// RatingPool is one pool, ErrNotFound without it.
func (tx *Tx) RatingPool(id rating.PoolID) (rating.Pool, error) {
	return parseOne(tx.db.Where("id = ?", string(id)), poolRow.pool, "rating pool %s", id)
}

// AddRatingPool stores a new pool with an empty fold to show; its events are still to be
// folded.
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
	return wrap(err, "add rating pool")
}

// SetRatingPool changes a pool's name, zone, counts and rules; what is shown stays until
// it has been recomputed.
func (tx *Tx) SetRatingPool(p rating.Pool) error {
	row, err := rowOfPool(p)
	if err == nil {
		err = guarded(tx.db.Model(&poolRow{}).Where("id = ?", row.ID).
			Updates(map[string]any{"name": row.Name, "zone": row.Zone, "counts": row.Counts, "rules": row.Rules}))
	}
	return wrap(err, "set rating pool %s", p.ID)
}

func (tx *Tx) nextFold() (int64, error) {
	return scan[int64](tx.db.Raw("SELECT COALESCE(MAX(id), 0) + 1 FROM rating_folds"), "next rating fold")
}

// shownFold is the SQL of the fold that a pool shows.
const shownFold = "(SELECT fold_id FROM rating_pools WHERE id = ?)"

// RatingFold is the fold that a pool shows, ErrNotFound without the pool.
func (tx *Tx) RatingFold(id rating.PoolID) (RatingFold, error) {
	return tx.oneFold("pool_id = ? AND status = "+foldShown, string(id))
}

// FoldInTheMaking is the fold being recomputed, ErrNotFound without one.
func (tx *Tx) FoldInTheMaking(id rating.PoolID) (RatingFold, error) {
	return tx.oneFold("pool_id = ? AND status = "+foldMaking, string(id))
}

// MonthlyList is the fold of a published monthly list, ErrNotFound before it is
// published.
func (tx *Tx) MonthlyList(id rating.PoolID, m rating.Month) (RatingFold, error) {
	return tx.oneFold("pool_id = ? AND status = "+foldMonthly+" AND month = ?", string(id), m.String())
}

// MonthlyLists are all published lists of a pool, the latest first.
func (tx *Tx) MonthlyLists(id rating.PoolID) ([]RatingFold, error) {
	return tx.folds("f.pool_id = ? AND f.status = "+foldMonthly, "f.month DESC", string(id))
}

// PendingFolds are the folds that need work: in the making, stale, or behind the events.
func (tx *Tx) PendingFolds() ([]RatingFold, error) {
	return tx.folds(`f.status = `+foldMaking+` OR f.status IN (`+foldShown+`, `+foldMonthly+`) AND f.stale_from IS NOT NULL
		OR f.status = `+foldShown+` AND f.upto < (SELECT COALESCE(MAX(ordinal), 0) FROM rated_events)`, "f.status, f.id")
}

func (tx *Tx) oneFold(where string, args ...any) (RatingFold, error) {
	found, err := tx.folds("f."+where, "f.id", args...)
	if err == nil && len(found) == 0 {
		err = wrap(ErrNotFound, "rating fold")
	}
	if err != nil {
		return RatingFold{}, err
	}
	return found[0], nil
}

func (tx *Tx) folds(where, order string, args ...any) ([]RatingFold, error) {
	return parseAll(tx.db.Raw(`SELECT `+columnsOf("f", foldRow{})+`, p.club_id, p.name, p.zone
		FROM rating_folds f JOIN rating_pools p ON p.id = f.pool_id WHERE `+where+" ORDER BY "+order, args...),
		pooledFoldRow.fold, "rating folds")
}

// pooledFoldRow is a fold with what is read of its pool.
type pooledFoldRow struct {
	Fold   foldRow `gorm:"embedded"`
	ClubID *string
	Name   string
	Zone   string
}

func (row pooledFoldRow) fold() (RatingFold, error) {
	r := row.Fold
	f := RatingFold{
		ID: r.ID, Status: FoldStatus(r.Status), Month: r.Month, UpTo: r.Upto, At: at(r.At),
		Pool: rating.Pool{ID: rating.PoolID(r.PoolID), Club: textOf(row.ClubID), Name: row.Name, Zone: row.Zone},
	}
	if r.StaleFrom != nil {
		f.StaleFrom = *r.StaleFrom
	}
	err := decodeRules(&f.Pool, r.Counts, r.Rules)
	return f, err
}

// BeginFold starts an empty fold in the making by a pool's present rules, and drops one
// that was in the making.
func (tx *Tx) BeginFold(id rating.PoolID, now time.Time) (RatingFold, error) {
	p, err := tx.RatingPool(id)
	if err == nil {
		err = tx.db.Exec("UPDATE rating_folds SET status = "+foldDropped+" WHERE pool_id = ? AND status = "+foldMaking, string(id)).Error
	}
	if err == nil {
		err = tx.addFold(&foldRow{PoolID: string(id), Status: uint8(MakingFold), At: ms(now)}, p)
	}
	if err != nil {
		return RatingFold{}, wrap(err, "begin fold of %s", id)
	}
	return tx.FoldInTheMaking(id)
}

// ShowFold shows a fold in the making in place of the shown one, and has the pool's
// monthly lists recomputed. It fails with ErrConflict if the fold is not in the making or
// lacks events.
func (tx *Tx) ShowFold(f RatingFold) error {
	pool := string(f.Pool.ID)
	err := guarded(tx.db.Exec(`UPDATE rating_folds SET status = `+foldDropped+` WHERE pool_id = ? AND status = `+foldShown+` AND EXISTS (
		SELECT 1 FROM rating_folds m WHERE m.id = ? AND m.status = `+foldMaking+`
		AND m.upto >= (SELECT COALESCE(MAX(ordinal), 0) FROM rated_events))`, pool, f.ID))
	if err == nil {
		err = guarded(tx.db.Exec("UPDATE rating_folds SET status = "+foldShown+" WHERE id = ? AND status = "+foldMaking, f.ID))
	}
	if err == nil {
		err = guarded(tx.db.Exec("UPDATE rating_pools SET fold_id = ? WHERE id = ?", f.ID, pool))
	}
	if err == nil {
		err = tx.db.Exec("UPDATE rating_folds SET stale_from = 1 WHERE pool_id = ? AND status = "+foldMonthly, pool).Error
	}
	return wrap(err, "show fold %d", f.ID)
}

// PurgeFolds deletes at most so many rows of dropped folds, so that no statement takes
// long; false: nothing is left.
func (tx *Tx) PurgeFolds(rows int) (more bool, err error) {
	var id int64
	if err := tx.db.Raw("SELECT COALESCE(MIN(id), 0) FROM rating_folds WHERE status = " + foldDropped).Scan(&id).Error; err != nil || id == 0 {
		return false, err
	}
	var last int64
	// The ordinal of the last of so many changes.
	err = tx.db.Raw(`SELECT COALESCE(MAX(ordinal), 0) FROM (
		SELECT ordinal FROM rating_changes WHERE fold_id = ? ORDER BY ordinal LIMIT ?) AS c`, id, rows).Scan(&last).Error
	switch {
	case err != nil:
	case last > 0:
		err = tx.db.Exec("DELETE FROM rating_changes WHERE fold_id = ? AND ordinal <= ?", id, last).Error
	default:
		if err = tx.db.Exec("DELETE FROM ratings WHERE fold_id = ?", id).Error; err == nil {
			err = tx.db.Exec("DELETE FROM rating_folds WHERE id = ? AND status = "+foldDropped, id).Error
		}
	}
	if err != nil {
		return false, wrap(err, "purge fold %d", id)
	}
	return true, nil
}

// PublishMonth stores a monthly list of a pool, the standings before the month's moment
// by the shown fold. It replaces a list of that month.
func (tx *Tx) PublishMonth(f RatingFold, m rating.Month) error {
	moment := ms(f.Pool.At(m))
	row := foldRow{PoolID: string(f.Pool.ID), Status: uint8(MonthlyFold), Month: m.String(), At: moment}
	err := tx.db.Exec("UPDATE rating_folds SET status = "+foldDropped+" WHERE pool_id = ? AND status = "+foldMonthly+" AND month = ?",
		row.PoolID, row.Month).Error
	if err == nil {
		err = tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events WHERE rated_at < ?", moment).Scan(&row.Upto).Error
	}
	if err == nil {
		err = tx.addFold(&row, f.Pool)
	}
	if err == nil {
		// The plus keeps SQLite from walking through the wide rows instead of the index by player.
		err = tx.db.Exec(`INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at)
			SELECT `+fmt.Sprint(row.ID)+`, c.player_id, p.bot, c.after, c.games, c.provisional, c.peak, c.deviation, '', c.at
			FROM (SELECT player_id, MAX(ordinal) AS ordinal FROM rating_changes WHERE fold_id = ? AND +ordinal <= ? GROUP BY player_id) l
			JOIN rating_changes c ON c.fold_id = ? AND c.ordinal = l.ordinal AND c.player_id = l.player_id AND c.final
			JOIN players p ON p.id = c.player_id`, f.ID, row.Upto, f.ID).Error
	}
	return wrap(err, "publish list %s of %s", m, f.Pool.ID)
}

// addFold stores a fold under the next id with the counts and rules of a pool.
func (tx *Tx) addFold(row *foldRow, p rating.Pool) (err error) {
	if row.Counts, row.Rules, err = encodeRules(p); err != nil {
		return err
	}
	if row.ID, err = tx.nextFold(); err != nil {
		return err
	}
	return tx.db.Create(row).Error
}

// FirstRated is when the first event of a fold was rated, the zero time without any.
func (tx *Tx) FirstRated(f RatingFold) (time.Time, error) {
	first, err := scan[int64](tx.db.Raw(`SELECT COALESCE(MIN(at), 0) FROM rating_changes WHERE fold_id = ? AND ordinal = (SELECT MIN(ordinal)
		FROM rating_changes WHERE fold_id = ?)`, f.ID, f.ID), "first rated of %s", f.Pool.ID)
	return at(first), err
}
