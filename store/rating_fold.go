package store

import (
	"fmt"
	"strings"

	"chpok.org/chpok/rating"
)

// FoldStandings are where players stand at the end of a fold.
func (tx *Tx) FoldStandings(f RatingFold, players []string) (map[string]rating.Standing, error) {
	found := make(map[string]rating.Standing, len(players))
	for len(players) > 0 {
		n := min(len(players), 500)
		var rows []ratingRow
		if err := tx.db.Where("fold_id = ? AND player_id IN ?", f.ID, players[:n]).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: standings of fold %d: %w", f.ID, err)
		}
		for _, r := range rows {
			p, err := standingOf(r.Rating, r.Peak, r.Deviation, r.Games, r.State)
			if err != nil {
				return nil, fmt.Errorf("store: standing of %s: %w", r.PlayerID, err)
			}
			found[r.PlayerID] = p
		}
		players = players[n:]
	}
	return found, nil
}

// ChangesFrom is how many changes a fold has from an event on.
func (tx *Tx) ChangesFrom(f RatingFold, ordinal int64) (n int, err error) {
	if err := tx.db.Raw("SELECT COUNT(*) FROM rating_changes WHERE fold_id = ? AND ordinal >= ?", f.ID, ordinal).Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("store: changes of fold %d: %w", f.ID, err)
	}
	return n, nil
}

// RewindFold takes a stale fold back to before the event from which it is stale:
// its changes go, and players stand where they stood. The caller folds on from
// there in the same transaction. ErrConflict: it is not stale from there.
func (tx *Tx) RewindFold(f RatingFold) (RatingFold, error) {
	from := f.StaleFrom
	f.UpTo, f.StaleFrom = min(f.UpTo, from-1), 0
	err := guarded(tx.db.Exec("UPDATE rating_folds SET upto = ?, stale_from = NULL WHERE id = ? AND stale_from = ?", f.UpTo, f.ID, from))
	statements := []struct {
		sql  string
		args []any
	}{
		{`DELETE FROM ratings WHERE fold_id = ? AND player_id IN (SELECT player_id
			FROM rating_changes WHERE fold_id = ? AND ordinal >= ?)`, []any{f.ID, f.ID, from}},
		{"INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at) " +
			`SELECT c.fold_id, c.player_id, p.bot, c.after, c.games, c.provisional, c.peak, c.deviation, c.state, c.at
			FROM (SELECT player_id, MAX(ordinal) AS ordinal FROM rating_changes WHERE fold_id = ? AND ordinal < ?
				AND player_id IN (SELECT player_id FROM rating_changes WHERE fold_id = ? AND ordinal >= ?) GROUP BY player_id) l
			JOIN rating_changes c ON c.fold_id = ? AND c.ordinal = l.ordinal AND c.player_id = l.player_id AND c.final
			JOIN players p ON p.id = c.player_id`, []any{f.ID, from, f.ID, from, f.ID}},
		{"DELETE FROM rating_changes WHERE fold_id = ? AND ordinal >= ?", []any{f.ID, from}},
	}
	for _, s := range statements {
		if err == nil {
			err = tx.db.Exec(s.sql, s.args...).Error
		}
	}
	if err != nil {
		return f, fmt.Errorf("store: rewind fold %d: %w", f.ID, err)
	}
	return f, nil
}

// ExtendFold stores what further events made of a fold, which now ends with that
// ordinal. The last change of a player is where they stand. ErrConflict: the fold
// is no longer where it was, or stale.
func (tx *Tx) ExtendFold(f RatingFold, upto int64, changes []RatingChange, bots map[string]bool) error {
	err := guarded(tx.db.Exec(`UPDATE rating_folds SET upto = ?
		WHERE id = ? AND upto = ? AND status = ? AND stale_from IS NULL`, upto, f.ID, f.UpTo, uint8(f.Status)))
	if err == nil {
		err = tx.addChanges(f.ID, changes)
	}
	if err == nil {
		err = tx.setRatings(f.ID, changes, bots)
	}
	if err != nil {
		return fmt.Errorf("store: extend fold %d: %w", f.ID, err)
	}
	return nil
}

// rowsAtOnce is how many rows one statement inserts: SQLite allows 32766
// parameters, but the text of the statement grows with them.
const rowsAtOnce = 100

func (tx *Tx) addChanges(fold int64, changes []RatingChange) error {
	const columns = 15
	args := make([]any, 0, columns*rowsAtOnce)
	flush := func() error {
		if len(args) == 0 {
			return nil
		}
		err := tx.db.Exec(`INSERT INTO rating_changes (fold_id, ordinal, player_id, reason, final, before, after, k, games,
			provisional, peak, deviation,
			state, steps, at) VALUES `+tuples(len(args)/columns, columns), args...).Error
		args = args[:0]
		return err
	}
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
		args = append(args, fold, c.Ordinal, c.Player, uint8(c.Reason), final, int64(c.Before), int64(c.After), c.K, c.Games, c.Provisional,
			int64(c.Standing.Peak), int64(c.Standing.Deviation), state, steps, ms(c.At))
		if len(args) == columns*rowsAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func (tx *Tx) setRatings(fold int64, changes []RatingChange, bots map[string]bool) error {
	last := make(map[string]int, len(changes))
	for i, c := range changes {
		last[c.Player] = i
	}
	const columns = 10
	args := make([]any, 0, columns*rowsAtOnce)
	flush := func() error {
		if len(args) == 0 {
			return nil
		}
		err := tx.db.Exec(`INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at) VALUES `+
			tuples(len(args)/columns, columns)+` ON CONFLICT (fold_id, player_id) DO UPDATE SET rating = excluded.rating, games = excluded.games,
			provisional = excluded.provisional, peak = excluded.peak, deviation = excluded.deviation, state = excluded.state, at = excluded.at`,
			args...).Error
		args = args[:0]
		return err
	}
	for i, c := range changes {
		if last[c.Player] != i {
			continue
		}
		state, err := encodeState(c.Standing)
		if err != nil {
			return err
		}
		args = append(args, fold, c.Player, bots[c.Player], int64(c.After), c.Games, c.Provisional,
			int64(c.Standing.Peak), int64(c.Standing.Deviation), state, ms(c.At))
		if len(args) == columns*rowsAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// tuples is the text of so many rows of so many parameters.
func tuples(rows, columns int) string {
	one := "(" + strings.Repeat("?, ", columns-1) + "?)"
	return strings.Repeat(one+", ", rows-1) + one
}

// BotsAmong tells which of some accounts are bots.
func (tx *Tx) BotsAmong(players []string) (map[string]bool, error) {
	found := map[string]bool{}
	for len(players) > 0 {
		n := min(len(players), 500)
		var ids []string
		if err := tx.db.Raw("SELECT id FROM players WHERE bot AND id IN ?", players[:n]).Scan(&ids).Error; err != nil {
			return nil, fmt.Errorf("store: bots: %w", err)
		}
		for _, id := range ids {
			found[id] = true
		}
		players = players[n:]
	}
	return found, nil
}
