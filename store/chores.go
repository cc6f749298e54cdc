package store

import (
	"time"

	"chpok.org/chpok/engine/match"
)

// ChoreKind is a kind of follow-up to a finished match; lower kinds are done first.
type ChoreKind uint8

const (
	ChoreResult    ChoreKind = iota + 1 // record it in the tournament, ladder and ratings
	ChoreBids                           // store what was paid and done
	ChoreWorth                          // determine the assurance it achieved
	ChorePositions                      // remember its positions as known
)

// String is the name in logs.
func (k ChoreKind) String() string {
	return [...]string{"", "result", "bids", "worth", "positions"}[k]
}

// Chore is a follow-up to a finished match that is still to do. It is written with the
// end of the match and crossed out by the node that has done it.
type Chore struct {
	Match   match.ID
	Kind    ChoreKind
	Seq     int64 // of the end
	EndedAt time.Time
}

// addChores writes the chores of a match that ends; open chores of an earlier end now
// stand for this one.
const addChores = `INSERT INTO match_chores (match_id, kind, seq, due_at)
	VALUES ($1, 1, $2, $3), ($1, 2, $2, $3), ($1, 3, $2, $3), ($1, 4, $2, $3)
	ON CONFLICT (match_id, kind) DO UPDATE SET seq = excluded.seq, due_at = excluded.due_at`

// choresOf are the arguments of addChores; false: the match goes on.
func choresOf(h Head) ([]any, bool) {
	return []any{string(h.ID), h.Seq, ms(h.LastAt)}, h.Status == match.Over
}

// DueChores are the chores that are due: by kind, then the longest overdue first.
func (tx *Tx) DueChores(now time.Time, limit int) ([]Chore, error) {
	return tx.chores(limit, "c.due_at <= ?", ms(now))
}

// ChoresOf are the chores of one match.
func (tx *Tx) ChoresOf(id match.ID) ([]Chore, error) {
	return tx.chores(-1, "c.match_id = ?", string(id))
}

type choreRow struct {
	MatchID     string
	Kind        ChoreKind
	Seq, LastAt int64
}

func (r choreRow) chore() Chore { return Chore{match.ID(r.MatchID), r.Kind, r.Seq, at(r.LastAt)} }

func (tx *Tx) chores(limit int, where string, arg any) ([]Chore, error) {
	return findAll(tx.db.Table("match_chores c").Select("c.match_id, c.kind, c.seq, m.last_at").Joins("JOIN matches m ON m.id = c.match_id").
		Where(where, arg).Order("c.kind, c.due_at, c.match_id").Limit(limit), choreRow.chore, "chores")
}

// CrossOut deletes a chore, unless the match has ended again since.
func (tx *Tx) CrossOut(c Chore) error {
	return wrap(tx.db.Exec("DELETE FROM match_chores WHERE match_id = ? AND kind = ? AND seq = ?",
		string(c.Match), uint8(c.Kind), c.Seq).Error, "cross out a chore of %s", c.Match)
}

// PutOff postpones a chore, unless the match has ended again since.
func (tx *Tx) PutOff(c Chore, until time.Time) error {
	err := tx.db.Exec("UPDATE match_chores SET due_at = ? WHERE match_id = ? AND kind = ? AND seq = ?",
		ms(until), string(c.Match), uint8(c.Kind), c.Seq).Error
	return wrap(err, "put off a chore of %s", c.Match)
}

// AllAgain queues a chore of this kind for every finished match.
func (tx *Tx) AllAgain(k ChoreKind) error {
	err := tx.db.Exec(`INSERT INTO match_chores (match_id, kind, seq, due_at) SELECT id, CAST(? AS SMALLINT), seq, last_at
		FROM matches WHERE status = `+matchOver+`
		ON CONFLICT (match_id, kind) DO NOTHING`, uint8(k)).Error
	return wrap(err, "%s of all matches", k)
}
