package store

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// Rating is where a player stands.
type Rating struct {
	Player      player.ID
	Bot         bool
	Rating      rating.Rating
	Games       int // rated games so far
	Provisional bool
	Peak        rating.Rating
	Deviation   rating.Rating // Glicko-2; 0 under Elo
	At          time.Time     // of the last change
}

// RatingChange is what one event did to a player's rating, and why.
type RatingChange struct {
	rating.Change
	RatedEvent
	Ordinal     int64 // of the event among the rated ones
	Provisional bool  // after the change
	At          time.Time
	Played      match.ID           // of a challenge or ladder; empty for other events
	Achieved    fairplay.Assurance // by that match; zero while unknown
}

// RatingQuery selects a page of a rating list, the highest first.
type RatingQuery struct {
	Pool        rating.PoolID // empty: the site's own
	List        int64         // the fold of a monthly list; 0: the present list
	Bots        bool          // the list of bots instead of that of people
	Search      string        // words, or parts of a handle
	Settled     bool          // no provisional ratings
	MinGames    int
	ActiveSince time.Time // zero: whenever they last played
	Club        string    // only present members of that club
	Limit       int
	Offset      int
}

type ratingRow struct {
	FoldID      int64  `gorm:"primaryKey;autoIncrement:false"`
	PlayerID    string `gorm:"primaryKey"`
	Bot         bool
	Rating      int64
	Games       int
	Provisional bool
	Peak        int64
	Deviation   int64
	State       string
	At          int64
}

func (ratingRow) TableName() string { return "ratings" }

func (r ratingRow) rating() Rating {
	return Rating{
		player.ID(r.PlayerID), r.Bot, rating.Rating(r.Rating), r.Games,
		r.Provisional, rating.Rating(r.Peak), rating.Rating(r.Deviation), at(r.At),
	}
}

// stateJSON is the part of a standing that has no column.
type stateJSON struct {
	Unseen     bool             `json:"u,omitempty"`
	Pending    []rating.Pending `json:"p,omitempty"`
	Volatility float64          `json:"v,omitempty"`
	Month      int              `json:"m,omitempty"`
}

func encodeState(p rating.Standing) (string, error) {
	if p.Seen && len(p.Pending) == 0 && p.Volatility == 0 {
		return "", nil
	}
	text, err := json.Marshal(stateJSON{!p.Seen, p.Pending, p.Volatility, p.Month})
	return string(text), err
}

func standingOf(rating_, peak, deviation int64, games int, state string) (rating.Standing, error) {
	p := rating.Standing{Rating: rating.Rating(rating_), Games: games, Peak: rating.Rating(peak),
		Deviation: rating.Rating(deviation), Seen: true}
	if state == "" {
		return p, nil
	}
	var s stateJSON
	err := json.Unmarshal([]byte(state), &s)
	p.Seen, p.Pending, p.Volatility, p.Month = !s.Unseen, s.Pending, s.Volatility, s.Month
	return p, err
}

type ratingChangeRow struct {
	Ordinal     int64
	PlayerID    string
	Reason      uint8
	Before      int64
	After       int64
	K           int
	Games       int
	Provisional bool
	Peak        int64
	Deviation   int64
	State       string
	Steps       string
	At          int64
}

// listedChangeRow is a change with the event it came from.
type listedChangeRow struct {
	Row ratingChangeRow `gorm:"embedded"`

	TournamentID *string
	ChallengeID  *string
	MatchID      *string
	PoolID       *string
	Played       *string
	Achieved     *uint8
}

func (l listedChangeRow) change() (RatingChange, error) {
	r := l.Row
	event := ratedEventRow{TournamentID: l.TournamentID, ChallengeID: l.ChallengeID, MatchID: l.MatchID, PoolID: l.PoolID}.event()
	c := RatingChange{RatedEvent: event, Ordinal: r.Ordinal, Provisional: r.Provisional, At: at(r.At), Played: match.ID(textOf(l.Played)), Change: rating.Change{
		Event: event.String(), Player: r.PlayerID, Reason: rating.Reason(r.Reason),
		Before: rating.Rating(r.Before), After: rating.Rating(r.After),
		K: r.K, Games: r.Games,
	}}
	if l.Achieved != nil {
		c.Achieved = fairplay.Assurance(*l.Achieved)
	}
	var err error
	if c.Standing, err = standingOf(r.After, r.Peak, r.Deviation, r.Games, r.State); err != nil {
		return c, err
	}
	c.Steps, err = decodeSteps(r.Steps)
	return c, err
}

// Ratings are the ratings of those players who have one on the site's own list.
func (tx *Tx) Ratings(ids ...player.ID) (map[player.ID]Rating, error) {
	return tx.PoolRatings(rating.Main, ids...)
}

// PoolRatings are the ratings of those players who have one in a pool.
func (tx *Tx) PoolRatings(pool rating.PoolID, ids ...player.ID) (map[player.ID]Rating, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return tx.db.Where("fold_id = "+shownFold+" AND player_id IN ? AND rating > 0", string(pool), some)
	}, func(r ratingRow) (player.ID, Rating) { return player.ID(r.PlayerID), r.rating() }, "ratings")
}

// RatingsOf are all ratings of a player, by pool.
func (tx *Tx) RatingsOf(id player.ID) (map[rating.PoolID]Rating, error) {
	var rows []struct {
		Row  ratingRow `gorm:"embedded"`
		Pool string
	}
	err := tx.db.Raw(`SELECT `+columnsOf("r", ratingRow{})+`, p.id AS pool FROM rating_pools p CROSS JOIN ratings r
		WHERE r.fold_id = p.fold_id AND r.player_id = ? AND r.rating > 0`, string(id)).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "ratings of %s", id)
	}
	out := make(map[rating.PoolID]Rating, len(rows))
	for _, r := range rows {
		out[rating.PoolID(r.Pool)] = r.Row.rating()
	}
	return out, nil
}

func (tx *Tx) ratingList(q RatingQuery) *gorm.DB {
	if q.Pool == "" {
		q.Pool = rating.Main
	}
	db := tx.db.Model(&ratingRow{})
	if q.List != 0 {
		db = db.Where("ratings.fold_id = ? AND ratings.bot = ? AND ratings.rating > 0", q.List, q.Bots)
	} else {
		db = db.Where("ratings.fold_id = "+shownFold+" AND ratings.bot = ? AND ratings.rating > 0", string(q.Pool), q.Bots)
	}
	if q.Search != "" {
		db = matching(db, foundPlayer, "ratings.player_id", q.Search)
	}
	if q.Settled {
		db = db.Where("NOT ratings.provisional")
	}
	if q.MinGames > 0 {
		db = db.Where("ratings.games >= ?", q.MinGames)
	}
	if !q.ActiveSince.IsZero() {
		db = db.Where("ratings.at >= ?", ms(q.ActiveSince))
	}
	if q.Club != "" {
		db = db.Where("ratings.player_id IN (SELECT player_id FROM club_members WHERE club_id = ?)", q.Club)
	}
	return db
}

// RatingList is one page of a list, and the length of the whole list. The order of equal
// ratings is stable.
func (tx *Tx) RatingList(q RatingQuery) ([]Rating, int, error) {
	total, err := tx.lengthOf(q)
	if err != nil {
		return nil, 0, wrap(err, "count ratings")
	}
	// The page is found in the index alone, and its rows fetched after that.
	page := tx.ratingList(q).Select("ratings.fold_id", "ratings.player_id").Order(ratingOrder).Limit(q.Limit).Offset(q.Offset)
	list, err := findAll(tx.db.Table("(?) AS page", page).Select(columnsOf("ratings", ratingRow{})).
		Joins("JOIN ratings ON ratings.fold_id = page.fold_id AND ratings.player_id = page.player_id").Order(ratingOrder),
		ratingRow.rating, "rating list")
	return list, total, err
}

// ratingLengths caches the lengths of whole lists, so that a page costs no more than it
// shows. What this node changes clears it; the changes of other nodes go unnoticed for
// lengthFor.
type ratingLengths struct {
	changed atomic.Int64 // counts the changes of ratings

	mu    sync.Mutex
	known map[RatingQuery]ratingLength
}

type ratingLength struct {
	n       int
	changed int64
	counted time.Time
}

const (
	lengthFor   = 15 * time.Second
	mostLengths = 1000
)

// lengthOf is the length of a list.
func (tx *Tx) lengthOf(q RatingQuery) (int, error) {
	q.Limit, q.Offset = 0, 0
	whole := q == RatingQuery{Pool: q.Pool, List: q.List, Bots: q.Bots} && tx.lengths != nil
	if whole {
		tx.lengths.mu.Lock()
		length, ok := tx.lengths.known[q]
		tx.lengths.mu.Unlock()
		if ok && length.changed == tx.lengths.changed.Load() && time.Since(length.counted) < lengthFor {
			return length.n, nil
		}
	}
	var total int64
	if err := tx.ratingList(q).Count(&total).Error; err != nil || !whole {
		return int(total), err
	}
	tx.lengths.mu.Lock()
	defer tx.lengths.mu.Unlock()
	if tx.lengths.known == nil || len(tx.lengths.known) >= mostLengths {
		tx.lengths.known = map[RatingQuery]ratingLength{}
	}
	tx.lengths.known[q] = ratingLength{int(total), tx.began, time.Now()}
	return int(total), nil
}

const ratingOrder = "ratings.rating DESC, ratings.player_id DESC"

// EachRating calls do with the ratings of a list one by one, in its order, up to the
// limit. No other statement may run meanwhile.
func (tx *Tx) EachRating(q RatingQuery, do func(Rating, player.Handle) error) error {
	db := tx.ratingList(q).Select(columnsOf("ratings", ratingRow{}) + ", p.handle").
		Joins("JOIN players p ON p.id = ratings.player_id").Order(ratingOrder)
	if q.Limit > 0 {
		db = db.Limit(q.Limit)
	}
	rows, err := db.Rows()
	if err != nil {
		return wrap(err, "rating list")
	}
	defer rows.Close()
	for rows.Next() {
		var r struct {
			Row    ratingRow `gorm:"embedded"`
			Handle string
		}
		if err := tx.db.ScanRows(rows, &r); err != nil {
			return wrap(err, "rating list")
		}
		if err := do(r.Row.rating(), player.Handle(r.Handle)); err != nil {
			return err
		}
	}
	return rows.Err()
}

// BestRatings is the highest rating on the main list that players have had since a moment,
// as far as their ratings have changed since.
func (tx *Tx) BestRatings(since time.Time, ids ...player.ID) (map[player.ID]rating.Rating, error) {
	best := map[player.ID]rating.Rating{}
	err := eachOf(ids, func(some []string) *gorm.DB {
		return tx.db.Table("rating_changes").Select("player_id", "before", "after").
			Where("fold_id = "+shownFold+" AND at >= ? AND player_id IN ?", string(rating.Main), ms(since), some)
	}, func(r ratingChangeRow) {
		id := player.ID(r.PlayerID)
		best[id] = max(best[id], rating.Rating(r.Before), rating.Rating(r.After))
	})
	return best, wrap(err, "best ratings")
}

// RatingHistory is a player's changes on the site's own list, the first one first.
func (tx *Tx) RatingHistory(id player.ID) ([]RatingChange, error) {
	return tx.PoolHistory(rating.Main, id)
}

// RatingChangesSince are a player's changes on the site's own list since a moment, the first one first.
func (tx *Tx) RatingChangesSince(id player.ID, since time.Time) ([]RatingChange, error) {
	return tx.ratingChanges(rating.Main, "c.player_id = ? AND c.at >= ?", "c.ordinal, c.reason", string(id), ms(since))
}

// PoolHistory is a player's changes in a pool, the first one first.
func (tx *Tx) PoolHistory(pool rating.PoolID, id player.ID) ([]RatingChange, error) {
	return tx.ratingChanges(pool, "c.player_id = ?", "c.ordinal, c.reason", string(id))
}

// RatingChangesOf are the changes of one tournament on the site's own list, by player.
func (tx *Tx) RatingChangesOf(id tournament.ID) ([]RatingChange, error) {
	return tx.ratingChanges(rating.Main, "e.tournament_id = ?", "c.player_id, c.reason", string(id))
}

// RatedGameNo is the number of a match among the rated games of its two players in its
// tournament, from 0; false: it is not rated, because it was not played or its result was
// changed.
func (tx *Tx) RatedGameNo(id match.ID) (n int, rated bool, err error) {
	ids, err := scan[[]string](tx.db.Raw(`SELECT COALESCE(p.match_id, '') FROM pairings p
		JOIN pairings own ON own.tournament_id = p.tournament_id AND own.match_id = ?
			AND (own.first_entry = p.first_entry AND own.second_entry = p.second_entry
				OR own.first_entry = p.second_entry AND own.second_entry = p.first_entry)
		WHERE `+pairingRated+` ORDER BY p.round, p.board`,
		string(id), uint8(tournament.FirstWins), uint8(tournament.Drawn)), "rated game %s", id)
	n = slices.Index(ids, string(id))
	return n, n >= 0, err
}

// RatingChangesOfChallenge are the changes of one challenge, by player: on the site's own
// list, or on the handicap list where it counted there.
func (tx *Tx) RatingChangesOfChallenge(id challenge.ID) ([]RatingChange, error) {
	found, err := tx.ratingChanges(rating.Main, "e.challenge_id = ?", "c.player_id, c.reason", string(id))
	if err != nil || len(found) > 0 {
		return found, err
	}
	return tx.ratingChanges(rating.Handicap, "e.challenge_id = ?", "c.player_id, c.reason", string(id))
}

func (tx *Tx) ratingChanges(pool rating.PoolID, where, order string, args ...any) ([]RatingChange, error) {
	return parseAll(tx.db.Raw(`SELECT `+columnsOf("c", ratingChangeRow{})+`, e.tournament_id, e.challenge_id, e.match_id, e.pool_id, m.id AS played, m.achieved
		FROM rating_changes c JOIN rated_events e ON e.ordinal = c.ordinal
		LEFT JOIN challenges h ON h.id = e.challenge_id LEFT JOIN matches m ON m.id = COALESCE(e.match_id, h.match_id)
		WHERE c.fold_id = `+shownFold+` AND `+where+` ORDER BY `+order, append([]any{string(pool)}, args...)...), listedChangeRow.change, "rating changes")
}
