package store

import (
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

// Analysis is the analysis of a finished match by this program's version of the engine,
// as far as it has come. Body is JSON.
type Analysis struct {
	Match match.ID
	Seq   int64 // of the end it is about
	State AnalysisState
	Done  int
	Body  string
	Due   time.Time // when a node may do the next piece
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

// askAnalysis queues the analysis of a match that has ended and drops the analysis of an
// earlier end.
var askAnalysis = `INSERT INTO match_analyses (match_id, engine, seq, state, done, body, due_at)
	VALUES ($1, $2, $3, ` + analysisUnderWay + `, 0, '', $4)
	ON CONFLICT (match_id, engine) DO UPDATE SET seq = excluded.seq, state = excluded.state, done = 0, body = '', due_at = excluded.due_at
	WHERE match_analyses.seq <> excluded.seq`

func analysisOf(h Head) []any { return []any{string(h.ID), search.Version, h.Seq, ms(h.LastAt)} }

// AskAnalysis queues the analysis of a finished match ahead of those nobody waits for.
func (tx *Tx) AskAnalysis(h Head, now time.Time) error {
	err := tx.db.Exec(askAnalysis, string(h.ID), search.Version, h.Seq, 0).Error
	if err == nil { // a node that works on it keeps its lease
		err = tx.db.Exec("UPDATE match_analyses SET due_at = 0 WHERE match_id = ? AND engine = ? AND due_at <= ?",
			string(h.ID), search.Version, ms(now)).Error
	}
	return wrap(err, "ask for the analysis of %s", h.ID)
}

// Analysis is the analysis of a match so far, ErrNotFound if nobody has asked for it.
func (tx *Tx) Analysis(id match.ID) (Analysis, error) {
	return findOne(tx.db.Where("match_id = ? AND engine = ?", string(id), search.Version), analysisRow.analysis, "analysis of %s", id)
}

// DueAnalysis is an analysis with a piece to do that no node has leased, ErrNotFound without one.
func (tx *Tx) DueAnalysis(now time.Time) (Analysis, error) {
	return findOne(tx.db.Where("state = "+analysisUnderWay+" AND engine = ? AND due_at <= ?", search.Version, ms(now)).
		Order("due_at, match_id"),
		analysisRow.analysis, "due analysis")
}

// LeaseAnalysis takes the next piece until a moment, ErrConflict if another node has it
// or has done it.
func (tx *Tx) LeaseAnalysis(a Analysis, until time.Time) error {
	return guarded(tx.db.Exec("UPDATE match_analyses SET due_at = ? WHERE match_id = ? AND engine = ? AND seq = ? AND done = ? AND due_at = ?",
		ms(until), string(a.Match), search.Version, a.Seq, a.Done, ms(a.Due)))
}

// SaveAnalysis stores the result of a piece; the next one is due at a.Due. It fails with
// ErrConflict if another node came first or the match has ended again.
func (tx *Tx) SaveAnalysis(done int, a Analysis) error {
	return guarded(tx.db.Model(&analysisRow{}).
		Where("match_id = ? AND engine = ? AND seq = ? AND done = ? AND state = "+analysisUnderWay, string(a.Match), search.Version, a.Seq, done).
		Updates(map[string]any{"state": uint8(a.State), "done": a.Done, "body": a.Body, "due_at": ms(a.Due)}))
}
