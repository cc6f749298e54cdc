package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// Puzzle is one that the site has, with how hard it has proved.
type Puzzle struct {
	ID     string
	Match  match.ID // in which the position stood; empty: none of this site
	Ply    int
	What   puzzle.Puzzle
	Rating rating.Estimate
}

// PuzzleTry is somebody's first try of a puzzle, and where they stand after it.
type PuzzleTry struct {
	Player player.ID
	N      int // from 1
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
	p = Puzzle{ID: r.ID, Ply: r.Ply, Rating: r.Rated.estimate()}
	if r.MatchID != nil {
		p.Match = match.ID(*r.MatchID)
	}
	err = json.Unmarshal([]byte(r.Body), &p.What)
	return p, err
}

// AddPuzzle keeps a puzzle, unless the same position is there.
func (tx *Tx) AddPuzzle(p Puzzle) error {
	body, err := json.Marshal(p.What)
	if err == nil {
		var from *match.ID
		if p.Match != "" {
			from = &p.Match
		}
		r := ratedOf(p.Rating)
		err = tx.db.Exec(`INSERT INTO puzzles (id, match_id, ply, body, rating, deviation, volatility) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING`, p.ID, (*string)(from), p.Ply, string(body), r.Rating, r.Deviation, r.Volatility).Error
	}
	if err != nil {
		return fmt.Errorf("store: add puzzle %s: %w", p.ID, err)
	}
	return nil
}

// ratePuzzle keeps how hard a puzzle has proved.
func (tx *Tx) ratePuzzle(id string, e rating.Estimate) error {
	r := ratedOf(e)
	return guarded(tx.db.Exec("UPDATE puzzles SET rating = ?, deviation = ?, volatility = ? WHERE id = ?",
		r.Rating, r.Deviation, r.Volatility, id))
}

// Puzzle is the one of that name. ErrNotFound: there is none.
func (tx *Tx) Puzzle(id string) (Puzzle, error) { return tx.puzzle("id = ?", "id", id) }

// NearestPuzzle is the one whose rating is nearest of those that somebody has not
// tried. ErrNotFound: they have tried all.
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

// PuzzleAfter is the next harder one; the easiest after the hardest, and after none.
func (tx *Tx) PuzzleAfter(p Puzzle) (Puzzle, error) {
	at := ratedOf(p.Rating).Rating
	next, err := tx.puzzle("rating > ? OR rating = ? AND id > ?", "rating, id", at, at, p.ID)
	if errors.Is(err, ErrNotFound) {
		next, err = tx.puzzle("1 = 1", "rating, id")
	}
	return next, err
}

func (tx *Tx) puzzle(where, order string, args ...any) (Puzzle, error) {
	var row puzzleRow
	if err := tx.db.Table("puzzles").Where(where, args...).Order(order).Take(&row).Error; err != nil {
		return Puzzle{}, fmt.Errorf("store: puzzle: %w", err)
	}
	return row.puzzle()
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

// LastTry is where somebody stands. ErrNotFound: they have tried none.
func (tx *Tx) LastTry(by player.ID) (PuzzleTry, error) {
	return tx.puzzleTry("player_id = ?", string(by))
}

// TryOf is somebody's first try of a puzzle. ErrNotFound: there was none.
func (tx *Tx) TryOf(by player.ID, id string) (PuzzleTry, error) {
	return tx.puzzleTry("player_id = ? AND puzzle_id = ?", string(by), id)
}

func (tx *Tx) puzzleTry(where string, args ...any) (PuzzleTry, error) {
	var row puzzleTryRow
	if err := tx.db.Table("puzzle_tries").Where(where, args...).Order("n DESC").Take(&row).Error; err != nil {
		return PuzzleTry{}, fmt.Errorf("store: try of a puzzle: %w", err)
	}
	return row.try(), nil
}

// AddTry notes a try, and how hard the puzzle has proved with it.
func (tx *Tx) AddTry(t PuzzleTry, after rating.Estimate) error {
	r := ratedOf(t.Rating)
	err := tx.db.Exec(`INSERT INTO puzzle_tries (player_id, n, puzzle_id, at, solved, rating, deviation, volatility, streak)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(t.Player), t.N, t.Puzzle, ms(t.At), t.Solved, r.Rating, r.Deviation, r.Volatility, t.Streak).Error
	if err == nil {
		err = tx.ratePuzzle(t.Puzzle, after)
	}
	if err != nil {
		return fmt.Errorf("store: add a try of %s: %w", t.Puzzle, err)
	}
	return nil
}

// DueMine is a match whose analysis is done and in which no puzzles were looked for
// yet; false: it is for staff. ErrNotFound: there is none.
func (tx *Tx) DueMine(now time.Time) (a Analysis, h Head, isPublic bool, err error) {
	var row analysisRow
	err = tx.db.Where("state = 2 AND engine = ? AND due_at <= ?", search.Version, ms(now)).Order("due_at, match_id").Take(&row).Error
	if err != nil {
		return a, h, false, fmt.Errorf("store: due mine: %w", err)
	}
	a = row.analysis()
	if h, err = tx.Match(a.Match); err != nil {
		return a, h, false, err
	}
	found, err := tx.publicMatches("id", 1, "id = ?", row.MatchID)
	return a, h, len(found) == 1, err
}

// EndMine notes that a match was searched for puzzles. ErrConflict: another node came
// first, or it has ended once more.
func (tx *Tx) EndMine(a Analysis) error {
	return guarded(tx.db.Exec("UPDATE match_analyses SET state = 4 WHERE match_id = ? AND engine = ? AND seq = ? AND state = 2",
		string(a.Match), search.Version, a.Seq))
}
