package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

type waitingRow struct {
	TournamentID string `gorm:"primaryKey"`
	Entry        int    `gorm:"primaryKey;autoIncrement:false"`
	Since        int64
	SeenAt       int64
	Board        int
}

func (waitingRow) TableName() string { return "arena_waiting" }

// Arenas are the arenas that are announced with a time which has come, or running.
func (tx *Tx) Arenas(now time.Time, limit int) ([]tournament.ID, error) {
	return tx.tournamentIDs("format = 5 AND (status = 3 OR status = 2 AND starts_at > 0 AND starts_at <= ?)", "id", limit, ms(now))
}

// ArenaWaiting is who waits in an arena and was seen there after gone.
func (tx *Tx) ArenaWaiting(id tournament.ID, gone time.Time) ([]tournament.Awaiting, error) {
	var rows []waitingRow
	err := tx.db.Where("tournament_id = ? AND board = 0 AND seen_at > ?", string(id), ms(gone)).Order("entry").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: waiting in arena %s: %w", id, err)
	}
	list := make([]tournament.Awaiting, len(rows))
	for i, r := range rows {
		list[i] = tournament.Awaiting{Entry: tournament.EntryID(r.Entry), Since: at(r.Since)}
	}
	return list, nil
}

// Await lets an entry wait from now on; who waits already, and was seen after gone,
// goes on.
func (tx *Tx) Await(id tournament.ID, entry tournament.EntryID, now, gone time.Time) error {
	err := tx.db.Exec(`INSERT INTO arena_waiting (tournament_id, entry, since, seen_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (tournament_id, entry) DO UPDATE SET
			since = CASE WHEN arena_waiting.board = 0 AND arena_waiting.seen_at > ? THEN arena_waiting.since ELSE excluded.since END,
			seen_at = excluded.seen_at, board = 0`, string(id), int(entry), ms(now), ms(now), ms(gone)).Error
	if err != nil {
		return fmt.Errorf("store: wait in arena %s: %w", id, err)
	}
	return nil
}

// Unawait takes an entry out of those who wait.
func (tx *Tx) Unawait(id tournament.ID, entry tournament.EntryID) error {
	err := tx.db.Where("tournament_id = ? AND entry = ?", string(id), int(entry)).Delete(&waitingRow{}).Error
	if err != nil {
		return fmt.Errorf("store: leave arena %s: %w", id, err)
	}
	return nil
}

// SeatWaiting seats entries that wait at a board. ErrConflict: one of them does not wait
// any more.
func (tx *Tx) SeatWaiting(id tournament.ID, board int, entries ...tournament.EntryID) error {
	for _, e := range entries {
		if err := guarded(tx.db.Exec("UPDATE arena_waiting SET board = ? WHERE tournament_id = ? AND entry = ? AND board = 0",
			board, string(id), int(e))); err != nil {
			return fmt.Errorf("store: seat %d in arena %s: %w", e, id, err)
		}
	}
	return nil
}

// AwaitAgain lets a player whose opponent did not come to a board go on waiting as if
// they had never sat there.
func (tx *Tx) AwaitAgain(id tournament.ID, board int, p player.ID, now time.Time) error {
	err := tx.db.Exec(`UPDATE arena_waiting SET board = 0, seen_at = ? WHERE tournament_id = ? AND board = ? AND entry IN
		(SELECT id FROM entries WHERE tournament_id = ? AND player_id = ?)`, ms(now), string(id), board, string(id), string(p)).Error
	if err != nil {
		return fmt.Errorf("store: wait again in arena %s: %w", id, err)
	}
	return nil
}

// SeeWaiting notes that players have the page of an arena open in which they wait.
func (tx *Tx) SeeWaiting(id tournament.ID, players []player.ID, now time.Time) error {
	err := tx.db.Exec(`UPDATE arena_waiting SET seen_at = ? WHERE tournament_id = ? AND board = 0 AND entry IN
		(SELECT id FROM entries WHERE tournament_id = ? AND player_id IN ?)`, ms(now), string(id), string(id), texts(players)).Error
	if err != nil {
		return fmt.Errorf("store: see who waits in arena %s: %w", id, err)
	}
	return nil
}
