package store

import (
	"encoding/json"
	"errors"
	"math"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// Puzzle is a puzzle of the site and its difficulty so far.
type Puzzle struct {
	ID     string
	Match  match.ID // where the position stood; empty: not on this site
	Ply    int
	What   puzzle.Puzzle
	Rating rating.Estimate
}

// PuzzleTry is a player's first try of a puzzle, and their rating after it.
type PuzzleTry struct {
	Player player.ID
	N      int // number of the try, from 1
	Puzzle string
	At     time.Time
	Solved bool
	Rating rating.Estimate
	Streak int // solved in a row
}

// ratedRow is an estimate in whole numbers: hundredths of a point, millionths.
type ratedRow struct{ Rating, Deviation, Volatility int }

func ratedOf(e rating.Estimate) ratedRow {
	return ratedRow{int(math.Round(e.Rating * 100)), int(math.Round(e.Deviation * 100)), int(math.Round(e.Volatility * 1e6))}
}

func (r ratedRow) estimate() rating.Estimate {
	return rating.Estimate{Rating: float64(r.Rating) / 100, Deviation: float64(r.Deviation) / 100, Volatility: float64(r.Volatility) / 1e6}
}

type puzzleRow struct {
	ID      string
	MatchID *string
	Ply     int
	Body    string
	Rated   ratedRow `gorm:"embedded"`
}

func (r puzzleRow) puzzle() (p Puzzle, err error) {
	p = Puzzle{ID: r.ID, Match: match.ID(textOf(r.MatchID)), Ply: r.Ply, Rating: r.Rated.estimate()}
	err = json.Unmarshal([]byte(r.Body), &p.What)
	return p, err
}

// AddPuzzle stores a puzzle, unless the same position is there.
func (tx *Tx) AddPuzzle(p Puzzle) error {
	body, err := json.Marshal(p.What)
	if err == nil {
		r := ratedOf(p.Rating)
		err = tx.db.Exec(`INSERT INTO puzzles (id, match_id, ply, body, rating, deviation, volatility) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING`, p.ID, textOrNull(p.Match), p.Ply, string(body), r.Rating, r.Deviation, r.Volatility).Error
	}
	return wrap(err, "add puzzle %s", p.ID)
}

// ratePuzzle stores the difficulty of a puzzle.
func (tx *Tx) ratePuzzle(id string, e rating.Estimate) error {
	r := ratedOf(e)
	return guarded(tx.db.Exec("UPDATE puzzles SET rating = ?, deviation = ?, volatility = ? WHERE id = ?",
		r.Rating, r.Deviation, r.Volatility, id))
}

// Puzzle is the puzzle with an id, ErrNotFound without one.
func (tx *Tx) Puzzle(id string) (Puzzle, error) { return tx.puzzle("id = ?", "id", id) }

// NearestPuzzle is, among the puzzles a player has not tried, the one rated nearest to a
// number, ErrNotFound when they have tried all.
func (tx *Tx) NearestPuzzle(to float64, by player.ID) (Puzzle, error) {
	const untried = " AND NOT EXISTS (SELECT 1 FROM puzzle_tries t WHERE t.puzzle_id = puzzles.id AND t.player_id = ?)"
	at := int(math.Round(to * 100))
	above, err := tx.puzzle("rating >= ?"+untried, "rating, id", at, string(by))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return above, err
	}
	below, errBelow := tx.puzzle("rating < ?"+untried, "rating DESC, id", at, string(by))
	if err != nil || errBelow == nil && to-below.Rating.Rating < above.Rating.Rating-to {
		return below, errBelow
	}
	if errors.Is(errBelow, ErrNotFound) {
		errBelow = nil
	}
	return above, errBelow
}

// PuzzleAfter is the next harder puzzle; after the hardest, and after the zero Puzzle,
// the easiest.
func (tx *Tx) PuzzleAfter(p Puzzle) (Puzzle, error) {
	at := ratedOf(p.Rating).Rating
	next, err := tx.puzzle("rating > ? OR rating = ? AND id > ?", "rating, id", at, at, p.ID)
	if errors.Is(err, ErrNotFound) {
		next, err = tx.puzzle("1 = 1", "rating, id")
	}
	return next, err
}

func (tx *Tx) puzzle(where, order string, args ...any) (Puzzle, error) {
	return parseOne(tx.db.Table("puzzles").Where(where, args...).Order(order), puzzleRow.puzzle, "puzzle")
}

type puzzleTryRow struct {
	PlayerID string
	N        int
	PuzzleID string
	At       int64
	Solved   bool
	Rated    ratedRow `gorm:"embedded"`
	Streak   int
}

func (r puzzleTryRow) try() PuzzleTry {
	return PuzzleTry{player.ID(r.PlayerID), r.N, r.PuzzleID, at(r.At), r.Solved, r.Rated.estimate(), r.Streak}
}

// LastTry is a player's last try, ErrNotFound when they have tried none.
func (tx *Tx) LastTry(by player.ID) (PuzzleTry, error) {
	return tx.puzzleTry("player_id = ?", string(by))
}

// TryOf is a player's first try of a puzzle, ErrNotFound when there was none.
func (tx *Tx) TryOf(by player.ID, id string) (PuzzleTry, error) {
	return tx.puzzleTry("player_id = ? AND puzzle_id = ?", string(by), id)
}

func (tx *Tx) puzzleTry(where string, args ...any) (PuzzleTry, error) {
	return findOne(tx.db.Table("puzzle_tries").Where(where, args...).Order("n DESC"), puzzleTryRow.try, "try of a puzzle")
}

// AddTry stores a try, and the difficulty of the puzzle after it.
func (tx *Tx) AddTry(t PuzzleTry, after rating.Estimate) error {
	r := ratedOf(t.Rating)
	err := tx.db.Exec(`INSERT INTO puzzle_tries (player_id, n, puzzle_id, at, solved, rating, deviation, volatility, streak)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(t.Player), t.N, t.Puzzle, ms(t.At), t.Solved, r.Rating, r.Deviation, r.Volatility, t.Streak).Error
	if err == nil {
		err = tx.ratePuzzle(t.Puzzle, after)
	}
	return wrap(err, "add a try of %s", t.Puzzle)
}

// DailyPuzzle is the puzzle of a day (YYYY-MM-DD), ErrNotFound before one is chosen.
func (tx *Tx) DailyPuzzle(day string) (Puzzle, error) {
	return tx.puzzle("id = (SELECT puzzle_id FROM daily_puzzles WHERE day = ?)", "id", day)
}

// FreshPuzzle is a puzzle that has been no day's: the first by id from one on, else the
// first of all. After every puzzle has had its day it is the first that had it longest
// ago; ErrNotFound without any.
func (tx *Tx) FreshPuzzle(from string) (Puzzle, error) {
	const fresh = "NOT EXISTS (SELECT 1 FROM daily_puzzles d WHERE d.puzzle_id = puzzles.id)"
	next, err := tx.puzzle(fresh+" AND id >= ?", "id", from)
	if errors.Is(err, ErrNotFound) {
		next, err = tx.puzzle(fresh, "id")
	}
	if errors.Is(err, ErrNotFound) {
		next, err = tx.puzzle("1 = 1", "(SELECT MAX(d.day) FROM daily_puzzles d WHERE d.puzzle_id = puzzles.id), id")
	}
	return next, err
}

// SetDailyPuzzle stores the puzzle of a day, unless it has one.
func (tx *Tx) SetDailyPuzzle(day, id string) error {
	return wrap(tx.db.Exec("INSERT INTO daily_puzzles (day, puzzle_id) VALUES (?, ?) ON CONFLICT (day) DO NOTHING", day, id).Error,
		"puzzle of %s", day)
}

// DailyTry is a player's first answer to the puzzle of a day.
type DailyTry struct {
	Player player.ID
	Day    string // YYYY-MM-DD
	Solved bool
	Streak int // days in a row on which they solved it, up to this one
}

type dailyTryRow struct {
	PlayerID string
	Day      string
	Solved   bool
	Streak   int
}

func (r dailyTryRow) try() DailyTry {
	return DailyTry{player.ID(r.PlayerID), r.Day, r.Solved, r.Streak}
}

// LastDailyTry is a player's last answer to a puzzle of the day, ErrNotFound without one.
func (tx *Tx) LastDailyTry(by player.ID) (DailyTry, error) {
	return findOne(tx.db.Table("daily_tries").Where("player_id = ?", string(by)).Order("day DESC"), dailyTryRow.try, "daily puzzle")
}

// AddDailyTry stores an answer, unless there is one of that day.
func (tx *Tx) AddDailyTry(t DailyTry) error {
	return wrap(tx.db.Exec("INSERT INTO daily_tries (player_id, day, solved, streak) VALUES (?, ?, ?, ?) ON CONFLICT (player_id, day) DO NOTHING",
		string(t.Player), t.Day, t.Solved, t.Streak).Error, "answer to the puzzle of %s", t.Day)
}

// DueMine is an analyzed match that has not been searched for puzzles yet, ErrNotFound
// without one; isPublic is false when only staff see the match.
func (tx *Tx) DueMine(now time.Time) (a Analysis, h Head, isPublic bool, err error) {
	var row analysisRow
	err = tx.db.Where("state = "+analysisDone+" AND engine = ? AND due_at <= ?", search.Version, ms(now)).
		Order("due_at, match_id").Take(&row).Error
	if err != nil {
		return a, h, false, wrap(err, "due mine")
	}
	a = row.analysis()
	if h, err = tx.Match(a.Match); err != nil {
		return a, h, false, err
	}
	found, err := tx.publicMatches("id", 1, "id = ?", row.MatchID)
	return a, h, len(found) == 1, err
}

// EndMine notes that a match was searched for puzzles, ErrConflict if another node came
// first or the match has ended again.
func (tx *Tx) EndMine(a Analysis) error {
	return guarded(tx.db.Exec("UPDATE match_analyses SET state = "+analysisMined+
		" WHERE match_id = ? AND engine = ? AND seq = ? AND state = "+analysisDone,
		string(a.Match), search.Version, a.Seq))
}
