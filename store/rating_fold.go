package store

import (
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"

	"chpok.org/chpok/rating"
)

// FoldStandings are where players stand at the end of a fold.
func (tx *Tx) FoldStandings(f RatingFold, players []string) (map[string]rating.Standing, error) {
	found := make(map[string]rating.Standing, len(players))
	var damaged error
	err := eachOf(players, func(some []string) *gorm.DB { return tx.db.Where("fold_id = ? AND player_id IN ?", f.ID, some) },
		func(r ratingRow) {
			p, err := standingOf(r.Rating, r.Peak, r.Deviation, r.Games, r.State)
			found[r.PlayerID], damaged = p, errors.Join(damaged, err)
		})
	return found, wrap(errors.Join(err, damaged), "standings of fold %d", f.ID)
}

// ChangesFrom counts the changes of a fold from an event on.
func (tx *Tx) ChangesFrom(f RatingFold, ordinal int64) (int, error) {
	return count(tx.db.Table("rating_changes").Where("fold_id = ? AND ordinal >= ?", f.ID, ordinal), "changes of fold %d", f.ID)
}

// RewindFold takes a stale fold back to before the event from which it is stale: later
// changes are deleted and the ratings restored. The caller folds on from there in the
// same transaction. ErrConflict means the fold is not stale from there.
func (tx *Tx) RewindFold(f RatingFold) (RatingFold, error) {
	from := f.StaleFrom
	f.UpTo, f.StaleFrom = min(f.UpTo, from-1), 0
	err := guarded(tx.db.Exec("UPDATE rating_folds SET upto = ?, stale_from = NULL WHERE id = ? AND stale_from = ?", f.UpTo, f.ID, from))
	if err == nil {
		err = tx.db.Exec(`DELETE FROM ratings WHERE fold_id = ? AND player_id IN (SELECT player_id
			FROM rating_changes WHERE fold_id = ? AND ordinal >= ?)`, f.ID, f.ID, from).Error
	}
	if err == nil {
		err = tx.db.Exec(`INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at)
			SELECT c.fold_id, c.player_id, p.bot, c.after, c.games, c.provisional, c.peak, c.deviation, c.state, c.at
			FROM (SELECT player_id, MAX(ordinal) AS ordinal FROM rating_changes WHERE fold_id = ? AND ordinal < ?
				AND player_id IN (SELECT player_id FROM rating_changes WHERE fold_id = ? AND ordinal >= ?) GROUP BY player_id) l
			JOIN rating_changes c ON c.fold_id = ? AND c.ordinal = l.ordinal AND c.player_id = l.player_id AND c.final
			JOIN players p ON p.id = c.player_id`, f.ID, from, f.ID, from, f.ID).Error
	}
	if err == nil {
		err = tx.db.Exec("DELETE FROM rating_changes WHERE fold_id = ? AND ordinal >= ?", f.ID, from).Error
	}
	return f, wrap(err, "rewind fold %d", f.ID)
}

// ExtendFold adds the changes of further events to a fold, which then ends with the event
// upto. A player's last change is where they stand. It fails with ErrConflict if the fold
// has moved or is stale.
func (tx *Tx) ExtendFold(f RatingFold, upto int64, changes []RatingChange, bots map[string]bool) error {
	err := guarded(tx.db.Exec(`UPDATE rating_folds SET upto = ?
		WHERE id = ? AND upto = ? AND status = ? AND stale_from IS NULL`, upto, f.ID, f.UpTo, uint8(f.Status)))
	if err == nil {
		err = tx.addChanges(f.ID, changes)
	}
	if err == nil {
		err = tx.setRatings(f.ID, changes, bots)
	}
	return wrap(err, "extend fold %d", f.ID)
}

// rowsAtOnce is how many rows one statement inserts: SQLite allows 32,766 parameters, but
// the text of the statement grows with them.
const rowsAtOnce = 100

func (tx *Tx) addChanges(fold int64, changes []RatingChange) error {
	rows := make([][]any, 0, len(changes))
	for i, c := range changes {
		steps, err := encodeSteps(c.Steps)
		if err != nil {
			return err
		}
		state, err := encodeState(c.Standing)
		if err != nil {
			return err
		}
		final := i+1 == len(changes) || changes[i+1].Ordinal != c.Ordinal || changes[i+1].Player != c.Player
		rows = append(rows, []any{fold, c.Ordinal, c.Player, uint8(c.Reason), final, int64(c.Before), int64(c.After), c.K, c.Games,
			c.Provisional, int64(c.Standing.Peak), int64(c.Standing.Deviation), state, steps, ms(c.At)})
	}
	return tx.insert(`INSERT INTO rating_changes (fold_id, ordinal, player_id, reason, final, before, after, k, games,
		provisional, peak, deviation, state, steps, at)`, rows, "")
}

// insert runs an INSERT for all rows, rowsAtOnce at a time.
func (tx *Tx) insert(into string, rows [][]any, onConflict string) error {
	for some := range slices.Chunk(rows, rowsAtOnce) {
		err := tx.db.Exec(into+" VALUES "+tuples(len(some), len(some[0]))+onConflict, slices.Concat(some...)...).Error
		if err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) setRatings(fold int64, changes []RatingChange, bots map[string]bool) error {
	last := make(map[string]int, len(changes))
	for i, c := range changes {
		last[c.Player] = i
	}
	rows := make([][]any, 0, len(last))
	for i, c := range changes {
		if last[c.Player] != i {
			continue
		}
		state, err := encodeState(c.Standing)
		if err != nil {
			return err
		}
		rows = append(rows, []any{fold, c.Player, bots[c.Player], int64(c.After), c.Games, c.Provisional,
			int64(c.Standing.Peak), int64(c.Standing.Deviation), state, ms(c.At)})
	}
	return tx.insert("INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at)", rows,
		` ON CONFLICT (fold_id, player_id) DO UPDATE SET rating = excluded.rating, games = excluded.games,
		provisional = excluded.provisional, peak = excluded.peak, deviation = excluded.deviation, state = excluded.state, at = excluded.at`)
}

// tuples is the text of the parameters of so many rows: (?, ?), (?, ?).
func tuples(rows, columns int) string {
	one := "(" + strings.Repeat("?, ", columns-1) + "?)"
	return strings.Repeat(one+", ", rows-1) + one
}

// BotsAmong tells which accounts are bots.
func (tx *Tx) BotsAmong(players []string) (map[string]bool, error) {
	return byID(players, func(some []string) *gorm.DB { return tx.db.Select("id").Where("bot AND id IN ?", some) },
		func(r playerRow) (string, bool) { return r.ID, true }, "bots")
}
