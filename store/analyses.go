package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

// AnalysisState is where the analysis of a match stands.
type AnalysisState uint8

const (
	AnalysisUnderWay AnalysisState = iota + 1
	AnalysisDone
	AnalysisFailed
	AnalysisMined // done, and searched for puzzles
)

// Analysis is what our engine, of the version that this program has, says of a
// finished match, as far as it has come. Body is JSON.
type Analysis struct {
	Match match.ID
	Seq   int64 // of the end that it is about
	State AnalysisState
	Done  int
	Body  string
	Due   time.Time // when somebody may do the next piece
}

type analysisRow struct {
	MatchID string `gorm:"primaryKey"`
	Engine  int    `gorm:"primaryKey;autoIncrement:false"`
	Seq     int64
	State   uint8
	Done    int
	Body    string
	DueAt   int64
}

func (analysisRow) TableName() string { return "match_analyses" }

func (r analysisRow) analysis() Analysis {
	return Analysis{Match: match.ID(r.MatchID), Seq: r.Seq, State: AnalysisState(r.State), Done: r.Done, Body: r.Body, Due: at(r.DueAt)}
}

// askAnalysis asks for the analysis of a match that has ended; what was said of an
// end before goes.
const askAnalysis = `INSERT INTO match_analyses (match_id, engine, seq, state, done, body, due_at) VALUES ($1, $2, $3, 1, 0, '', $4)
	ON CONFLICT (match_id, engine) DO UPDATE SET seq = excluded.seq, state = 1, done = 0, body = '', due_at = excluded.due_at
	WHERE match_analyses.seq <> excluded.seq`

func analysisOf(h Head) []any { return []any{string(h.ID), search.Version, h.Seq, ms(h.LastAt)} }

// AskAnalysis asks for the analysis of a finished match, before those that nobody
// waits for.
func (tx *Tx) AskAnalysis(h Head, now time.Time) error {
	err := tx.db.Exec(askAnalysis, string(h.ID), search.Version, h.Seq, 0).Error
	if err == nil { // whoever is at it keeps the lease
		err = tx.db.Exec("UPDATE match_analyses SET due_at = 0 WHERE match_id = ? AND engine = ? AND due_at <= ?",
			string(h.ID), search.Version, ms(now)).Error
	}
	if err != nil {
		return fmt.Errorf("store: ask for the analysis of %s: %w", h.ID, err)
	}
	return nil
}

// Analysis is what is said of a match so far. ErrNotFound: nobody has asked.
func (tx *Tx) Analysis(id match.ID) (Analysis, error) {
	var row analysisRow
	if err := tx.db.Where("match_id = ? AND engine = ?", string(id), search.Version).Take(&row).Error; err != nil {
		return Analysis{}, fmt.Errorf("store: analysis of %s: %w", id, err)
	}
	return row.analysis(), nil
}

// DueAnalysis is one with a piece to do that nobody is at. ErrNotFound: there is none.
func (tx *Tx) DueAnalysis(now time.Time) (Analysis, error) {
	var row analysisRow
	err := tx.db.Where("state = 1 AND engine = ? AND due_at <= ?", search.Version, ms(now)).Order("due_at, match_id").Take(&row).Error
	if err != nil {
		return Analysis{}, fmt.Errorf("store: due analysis: %w", err)
	}
	return row.analysis(), nil
}

// LeaseAnalysis takes the next piece, until a moment. ErrConflict: somebody else
// has it, or has done it.
func (tx *Tx) LeaseAnalysis(a Analysis, until time.Time) error {
	return guarded(tx.db.Exec("UPDATE match_analyses SET due_at = ? WHERE match_id = ? AND engine = ? AND seq = ? AND done = ? AND due_at = ?",
		ms(until), string(a.Match), search.Version, a.Seq, a.Done, ms(a.Due)))
}

// SaveAnalysis writes what a piece has brought; the next is due at a.Due.
// ErrConflict: another node came first, or the match has ended once more.
func (tx *Tx) SaveAnalysis(done int, a Analysis) error {
	return guarded(tx.db.Model(&analysisRow{}).
		Where("match_id = ? AND engine = ? AND seq = ? AND done = ? AND state = 1", string(a.Match), search.Version, a.Seq, done).
		Updates(map[string]any{"state": uint8(a.State), "done": a.Done, "body": a.Body, "due_at": ms(a.Due)}))
}
