package store

import (
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
)

type callRow struct {
	ID           string `gorm:"primaryKey"`
	MatchID      string
	TournamentID *string
	LadderID     *string
	Round, Board int
	CallerID     string
	Seat         uint8
	Text         string
	Stopped      bool
	At           int64
	TakenBy      *string
	TakenAt      int64
	ResolvedBy   *string
	ResolvedAt   int64
}

func (callRow) TableName() string { return "match_calls" }

func rowOfCall(c call.Call) callRow {
	return callRow{
		ID: string(c.ID), MatchID: string(c.Match), TournamentID: textOrNull(c.Tournament), LadderID: textOrNull(c.Ladder),
		Round: c.Round, Board: c.Board, CallerID: string(c.Caller), Seat: uint8(c.Seat), Text: c.Text, Stopped: c.Stopped, At: ms(c.At),
		TakenBy: textOrNull(c.TakenBy), TakenAt: ms(c.TakenAt), ResolvedBy: textOrNull(c.ResolvedBy), ResolvedAt: ms(c.ResolvedAt),
	}
}

func (r callRow) call() call.Call {
	return call.Call{
		ID: call.ID(r.ID), Match: match.ID(r.MatchID),
		Place:  call.Place{Tournament: textOf(r.TournamentID), Ladder: textOf(r.LadderID), Round: r.Round, Board: r.Board},
		Caller: player.ID(r.CallerID), Seat: match.Seat(r.Seat), Text: r.Text, Stopped: r.Stopped, At: at(r.At),
		TakenBy: player.ID(textOf(r.TakenBy)), TakenAt: at(r.TakenAt),
		ResolvedBy: player.ID(textOf(r.ResolvedBy)), ResolvedAt: at(r.ResolvedAt),
	}
}

// AddCall stores a call, ErrTaken if the player has one waiting in that match.
func (tx *Tx) AddCall(c call.Call) error {
	row := rowOfCall(c)
	return wrap(tx.db.Create(&row).Error, "add call")
}

// Call is one call.
func (tx *Tx) Call(id call.ID) (call.Call, error) {
	return findOne(tx.db.Where("id = ?", string(id)), callRow.call, "call %s", id)
}

// SaveCall stores who took and settled a call, ErrConflict if it has changed since before
// was read.
func (tx *Tx) SaveCall(before, after call.Call) error {
	b, a := rowOfCall(before), rowOfCall(after)
	err := guarded(tx.db.Exec(`UPDATE match_calls SET taken_by = ?, taken_at = ?, resolved_by = ?, resolved_at = ?
		WHERE id = ? AND taken_at = ? AND resolved_at = ?`, a.TakenBy, a.TakenAt, a.ResolvedBy, a.ResolvedAt, a.ID, b.TakenAt, b.ResolvedAt))
	return wrap(err, "save call %s", after.ID)
}

func (tx *Tx) calls(where, order string, args ...any) ([]call.Call, error) {
	return findAll(tx.db.Where(where, args...).Order(order).Limit(500), callRow.call, "calls")
}

// CallsOfMatch are all calls of a match, the oldest first.
func (tx *Tx) CallsOfMatch(id match.ID) ([]call.Call, error) {
	return tx.calls("match_id = ?", "at, id", string(id))
}

// OpenCalls are the unsettled calls of a tournament: waiting ones before taken ones, then
// the oldest first, then by board.
func (tx *Tx) OpenCalls(id tournament.ID) ([]call.Call, error) {
	return tx.calls("tournament_id = ? AND resolved_at = 0", "CASE WHEN taken_by IS NULL THEN 0 ELSE 1 END, at, board", string(id))
}

// ResolvedCalls are the settled calls of a tournament, the latest first.
func (tx *Tx) ResolvedCalls(id tournament.ID) ([]call.Call, error) {
	return tx.calls("tournament_id = ? AND resolved_at > 0", "resolved_at DESC, id", string(id))
}

// WaitingCalls counts the calls of a tournament that nobody has taken.
func (tx *Tx) WaitingCalls(id tournament.ID) (int, error) {
	return count(tx.db.Model(&callRow{}).Where("tournament_id = ? AND resolved_at = 0 AND taken_by IS NULL", string(id)),
		"waiting calls of %s", id)
}

type messageRow struct {
	MatchID string `gorm:"primaryKey"`
	No      int    `gorm:"primaryKey;autoIncrement:false"`
	ByID    string
	Staff   bool
	Text    string
	At      int64
}

func (messageRow) TableName() string { return "match_messages" }

// AddMessage stores the next message on a match, ErrConflict if another came first.
func (tx *Tx) AddMessage(m call.Message) error {
	result := tx.db.Exec(`INSERT INTO match_messages (match_id, no, by_id, staff, text, at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (match_id, no) DO NOTHING`,
		string(m.Match), m.No, string(m.By), m.Staff, m.Text, ms(m.At))
	return wrap(guarded(result), "add message to %s", m.Match)
}

// Messages are the messages on a match, in order.
func (tx *Tx) Messages(id match.ID) ([]call.Message, error) {
	return findAll(tx.db.Where("match_id = ?", string(id)).Order("no"), func(r messageRow) call.Message {
		return call.Message{Match: match.ID(r.MatchID), No: r.No, By: player.ID(r.ByID), Staff: r.Staff, Text: r.Text, At: at(r.At)}
	}, "messages of %s", id)
}

// AddReplay links a void match to the one played instead.
func (tx *Tx) AddReplay(void, next match.ID) error {
	return wrap(tx.db.Exec("INSERT INTO match_replays (match_id, next_id) VALUES (?, ?)", string(void), string(next)).Error,
		"replay of %s", void)
}

// ReplaysOf is the void match that this one replaces, and the match that replaces this
// one; empty: none.
func (tx *Tx) ReplaysOf(id match.ID) (of, by match.ID, err error) {
	var rows []struct{ MatchID, NextID string }
	if err := tx.db.Raw("SELECT match_id, next_id FROM match_replays WHERE match_id = ? OR next_id = ?", string(id), string(id)).
		Scan(&rows).Error; err != nil {
		return "", "", wrap(err, "replays of %s", id)
	}
	for _, r := range rows {
		if r.MatchID == string(id) {
			by = match.ID(r.NextID)
		} else {
			of = match.ID(r.MatchID)
		}
	}
	return of, by, nil
}

// TalkedAt is when the last message or call came on each of these matches.
func (tx *Tx) TalkedAt(ids []match.ID) (map[match.ID]time.Time, error) {
	return latest(ids, func(some []string) *gorm.DB {
		return tx.db.Raw(`SELECT match_id AS id, MAX(at) AS at FROM (
			SELECT match_id, at FROM match_messages WHERE match_id IN ? UNION ALL
			SELECT match_id, CASE WHEN resolved_at > 0 THEN resolved_at WHEN taken_at > 0 THEN taken_at ELSE at END
			FROM match_calls WHERE match_id IN ?) AS t
			GROUP BY match_id`, some, some)
	})
}

// CalledAt is when the calls of each of these tournaments last changed.
func (tx *Tx) CalledAt(ids []tournament.ID) (map[tournament.ID]time.Time, error) {
	return latest(ids, func(some []string) *gorm.DB {
		return tx.db.Raw(`SELECT tournament_id AS id, MAX(CASE WHEN resolved_at > 0 THEN resolved_at
			WHEN taken_at > 0 THEN taken_at ELSE at END) AS at
			FROM match_calls WHERE tournament_id IN ? GROUP BY tournament_id`, some)
	})
}

func latest[ID ~string](ids []ID, query func(some []string) *gorm.DB) (map[ID]time.Time, error) {
	return byID(ids, query, func(r struct {
		ID ID
		At int64
	}) (ID, time.Time) {
		return r.ID, at(r.At)
	}, "latest calls")
}
