package store

import (
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

// Arenas are the running arenas, then the announced ones whose start has come: those that come too few
// to may stand there for ever.
func (tx *Tx) Arenas(now time.Time, limit int) ([]tournament.ID, error) {
	return tx.tournamentIDs("format = "+formatArena+" AND (status = "+eventRunning+
		" OR status = "+eventRegistration+" AND starts_at > 0 AND starts_at <= ?)", "status DESC, starts_at DESC, id", limit, ms(now))
}

// ArenaWaiting lists the entries that wait in an arena and were seen there after gone.
func (tx *Tx) ArenaWaiting(id tournament.ID, gone time.Time) ([]tournament.Awaiting, error) {
	return findAll(tx.db.Where("tournament_id = ? AND board = 0 AND seen_at > ?", string(id), ms(gone)).Order("entry"),
		func(r waitingRow) tournament.Awaiting {
			return tournament.Awaiting{Entry: tournament.EntryID(r.Entry), Since: at(r.Since)}
		}, "waiting in arena %s", id)
}

// Await makes an entry wait from now on. One that waits already and was seen after gone
// keeps its place.
func (tx *Tx) Await(id tournament.ID, entry tournament.EntryID, now, gone time.Time) error {
	err := tx.db.Exec(`INSERT INTO arena_waiting (tournament_id, entry, since, seen_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (tournament_id, entry) DO UPDATE SET
			since = CASE WHEN arena_waiting.board = 0 AND arena_waiting.seen_at > ? THEN arena_waiting.since ELSE excluded.since END,
			seen_at = excluded.seen_at, board = 0`, string(id), int(entry), ms(now), ms(now), ms(gone)).Error
	return wrap(err, "wait in arena %s", id)
}

// Unawait ends the waiting of an entry.
func (tx *Tx) Unawait(id tournament.ID, entry tournament.EntryID) error {
	return wrap(tx.db.Where("tournament_id = ? AND entry = ?", string(id), int(entry)).Delete(&waitingRow{}).Error, "leave arena %s", id)
}

// SeatWaiting seats waiting entries at a board, ErrConflict if one of them no longer
// waits.
func (tx *Tx) SeatWaiting(id tournament.ID, board int, entries ...tournament.EntryID) error {
	for _, e := range entries {
		if err := guarded(tx.db.Exec("UPDATE arena_waiting SET board = ? WHERE tournament_id = ? AND entry = ? AND board = 0",
			board, string(id), int(e))); err != nil {
			return wrap(err, "seat %d in arena %s", e, id)
		}
	}
	return nil
}

// AwaitAgain makes a player whose opponent did not come to a board wait on as if they had
// never sat there.
func (tx *Tx) AwaitAgain(id tournament.ID, board int, p player.ID, now time.Time) error {
	err := tx.db.Exec(`UPDATE arena_waiting SET board = 0, seen_at = ? WHERE tournament_id = ? AND board = ? AND entry IN
		(SELECT id FROM entries WHERE tournament_id = ? AND player_id = ?)`, ms(now), string(id), board, string(id), string(p)).Error
	return wrap(err, "wait again in arena %s", id)
}

// SeeWaiting notes that waiting players have the arena's page open.
func (tx *Tx) SeeWaiting(id tournament.ID, players []player.ID, now time.Time) error {
	err := tx.db.Exec(`UPDATE arena_waiting SET seen_at = ? WHERE tournament_id = ? AND board = 0 AND entry IN
		(SELECT id FROM entries WHERE tournament_id = ? AND player_id IN ?)`, ms(now), string(id), string(id), texts(players)).Error
	return wrap(err, "see who waits in arena %s", id)
}
