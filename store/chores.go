package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
)

// ChoreKind is what follows from the end of a match; lesser ones come first.
type ChoreKind uint8

const (
	ChoreResult    ChoreKind = iota + 1 // into its tournament, ladder and ratings
	ChoreBids                           // into the bidding profiles
	ChoreWorth                          // which assurance it achieved
	ChorePositions                      // remembered, so that they are known
)

// String is how logs call it.
func (k ChoreKind) String() string {
	return [...]string{"", "result", "bids", "worth", "positions"}[k]
}

// Chore is something that follows from an end of a match and is not done yet. It is
// written with the end and crossed out when it is done, by whichever node.
type Chore struct {
	Match   match.ID
	Kind    ChoreKind
	Seq     int64 // of the end
	EndedAt time.Time
}

// addChores writes the chores of a match that ends: those of an end before stand for
// this one now.
const addChores = `INSERT INTO match_chores (match_id, kind, seq, due_at)
	VALUES ($1, 1, $2, $3), ($1, 2, $2, $3), ($1, 3, $2, $3), ($1, 4, $2, $3)
	ON CONFLICT (match_id, kind) DO UPDATE SET seq = excluded.seq, due_at = excluded.due_at`

// choresOf are the arguments of addChores; false: the match does not end.
func choresOf(h Head) ([]any, bool) {
	return []any{string(h.ID), h.Seq, ms(h.LastAt)}, h.Status == match.Over
}

// DueChores are those whose time has come, results before all, of a kind the longest
// overdue first.
func (tx *Tx) DueChores(now time.Time, limit int) ([]Chore, error) {
	return tx.chores(limit, "c.due_at <= ?", ms(now))
}

// ChoresOf are those of one match.
func (tx *Tx) ChoresOf(id match.ID) ([]Chore, error) {
	return tx.chores(-1, "c.match_id = ?", string(id))
}

func (tx *Tx) chores(limit int, where string, arg any) ([]Chore, error) {
	var rows []struct {
		MatchID     string
		Kind        ChoreKind
		Seq, LastAt int64
	}
	err := tx.db.Table("match_chores c").Select("c.match_id, c.kind, c.seq, m.last_at").Joins("JOIN matches m ON m.id = c.match_id").
		Where(where, arg).Order("c.kind, c.due_at, c.match_id").Limit(limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: chores: %w", err)
	}
	out := make([]Chore, len(rows))
	for i, r := range rows {
		out[i] = Chore{match.ID(r.MatchID), r.Kind, r.Seq, at(r.LastAt)}
	}
	return out, nil
}

// CrossOut ends a chore, unless the match has ended once more since.
func (tx *Tx) CrossOut(c Chore) error {
	if err := tx.db.Exec("DELETE FROM match_chores WHERE match_id = ? AND kind = ? AND seq = ?",
		string(c.Match), uint8(c.Kind), c.Seq).Error; err != nil {
		return fmt.Errorf("store: cross out a chore of %s: %w", c.Match, err)
	}
	return nil
}

// PutOff lets a chore wait, unless the match has ended once more since.
func (tx *Tx) PutOff(c Chore, until time.Time) error {
	err := tx.db.Exec("UPDATE match_chores SET due_at = ? WHERE match_id = ? AND kind = ? AND seq = ?",
		ms(until), string(c.Match), uint8(c.Kind), c.Seq).Error
	if err != nil {
		return fmt.Errorf("store: put off a chore of %s: %w", c.Match, err)
	}
	return nil
}

// AllAgain makes a chore of every finished match.
func (tx *Tx) AllAgain(k ChoreKind) error {
	err := tx.db.Exec(`INSERT INTO match_chores (match_id, kind, seq, due_at) SELECT id, CAST(? AS SMALLINT), seq, last_at
		FROM matches WHERE status = 3
		ON CONFLICT (match_id, kind) DO NOTHING`, uint8(k)).Error
	if err != nil {
		return fmt.Errorf("store: %s of all matches: %w", k, err)
	}
	return nil
}
