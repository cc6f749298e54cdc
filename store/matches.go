package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// Head is what is known of a match without reading its log, from which it follows: who
// plays, where it stands, whom it waits for and until when.
type Head struct {
	ID      match.ID
	Players [2]player.ID // by Seat.Index
	Bots    [2]bool      // which of them are programs
	Seq     int64        // of the last event
	Status  match.Status
	// ToAct is the seat the match waits for: whose clock runs or, before the start, who
	// is not ready. None when it waits for both or is over.
	ToAct            match.Seat
	Deadline         time.Time // when something happens by itself; zero: never
	BotDue           time.Time // when to ask the bot for its act; zero: not its turn
	Result           match.Result
	OpenedAt, LastAt time.Time
	// Level is the assurance the match demands, and Achieved what it reached, zero while
	// unknown. Feed is how much later watchers see its moves.
	Level, Achieved fairplay.Assurance
	Feed            fairplay.Delay
	Untimed         bool // a practice match, which is not listed
	Place           fairplay.Place
}

// SeatOf is where a player sits, none for a spectator.
func (h Head) SeatOf(id player.ID) match.Seat {
	switch id {
	case "":
		return 0
	case h.Players[0]:
		return match.First
	case h.Players[1]:
		return match.Second
	}
	return 0
}

// WaitsFor reports whether it is this player's turn to act.
func (h Head) WaitsFor(id player.ID) bool {
	seat := h.SeatOf(id)
	if !seat.Valid() || h.Status == match.Over {
		return false
	}
	return h.ToAct == seat || h.Status == match.Waiting && !h.ToAct.Valid()
}

// Append is the outcome of a command on its way into the log.
type Append struct {
	Head      Head             // after the events
	Events    []match.Recorded // without gaps; the match must stand right before the first
	Seat      match.Seat       // who gave the command; none: the server
	CommandID string           // the client's name for it; empty: none
}

type matchRow struct {
	ID           string `gorm:"primaryKey"`
	FirstPlayer  string
	SecondPlayer string
	FirstBot     bool
	SecondBot    bool
	Seq          int64
	Status       uint8
	ToAct        uint8
	DeadlineAt   *int64
	BotDueAt     *int64
	Outcome      uint8
	Reason       string
	PointsFirst  int
	PointsSecond int
	OpenedAt     int64
	LastAt       int64
	Level        uint8
	Achieved     uint8
	FeedPlies    int
	FeedSeconds  int
	Untimed      bool
	Place        string
}

func (matchRow) TableName() string { return "matches" }

var matchColumns = columnsOf("matches", matchRow{})

func (r matchRow) head() Head {
	return Head{
		ID: match.ID(r.ID), Players: [2]player.ID{player.ID(r.FirstPlayer), player.ID(r.SecondPlayer)},
		Bots: [2]bool{r.FirstBot, r.SecondBot}, Seq: r.Seq, Status: match.Status(r.Status), ToAct: match.Seat(r.ToAct),
		Deadline: atOrZero(r.DeadlineAt), BotDue: atOrZero(r.BotDueAt),
		Result:   match.Result{Outcome: match.Outcome(r.Outcome), Reason: match.Reason(r.Reason), Points: [2]int{r.PointsFirst, r.PointsSecond}},
		OpenedAt: at(r.OpenedAt), LastAt: at(r.LastAt),
		Level: fairplay.Assurance(r.Level), Achieved: fairplay.Assurance(r.Achieved),
		Feed:    fairplay.Delay{Plies: r.FeedPlies, Seconds: r.FeedSeconds},
		Untimed: r.Untimed, Place: fairplay.Place(r.Place),
	}
}

func rowOf(h Head) matchRow {
	return matchRow{
		ID: string(h.ID), FirstPlayer: string(h.Players[0]), SecondPlayer: string(h.Players[1]), FirstBot: h.Bots[0], SecondBot: h.Bots[1],
		Seq: h.Seq, Status: uint8(h.Status), ToAct: uint8(h.ToAct), DeadlineAt: msOrNull(h.Deadline), BotDueAt: msOrNull(h.BotDue),
		Outcome: uint8(h.Result.Outcome), Reason: string(h.Result.Reason), PointsFirst: h.Result.Points[0], PointsSecond: h.Result.Points[1],
		OpenedAt: ms(h.OpenedAt), LastAt: ms(h.LastAt),
		Level: uint8(h.Level), FeedPlies: h.Feed.Plies, FeedSeconds: h.Feed.Seconds, Untimed: h.Untimed,
		Place: string(h.Place),
	}
}

type eventRow struct {
	MatchID   string `gorm:"primaryKey"`
	Seq       int64  `gorm:"primaryKey;autoIncrement:false"`
	At        int64
	Kind      string
	V         int
	Seat      uint8
	CommandID *string
	Body      string
}

func (eventRow) TableName() string { return "match_events" }

// eventRows are the rows of an append; the first carries the command's id.
func eventRows(a Append) ([]eventRow, error) {
	rows := make([]eventRow, len(a.Events))
	for i, e := range a.Events {
		kind, version, body, err := match.Encode(e.Event)
		if err != nil {
			return nil, err
		}
		rows[i] = eventRow{MatchID: string(a.Head.ID), Seq: e.Seq, At: ms(e.At), Kind: kind, V: version, Seat: uint8(a.Seat), Body: string(body)}
	}
	if a.CommandID != "" && len(rows) > 0 {
		rows[0].CommandID = &a.CommandID
	}
	return rows, nil
}

// Match is the head of one match.
func (tx *Tx) Match(id match.ID) (Head, error) {
	return findOne(tx.db.Where("id = ?", string(id)), matchRow.head, "match %s", id)
}

// Matches are the heads of those matches that exist.
func (tx *Tx) Matches(ids []match.ID) (map[match.ID]Head, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.db.Where("id IN ?", some) },
		func(r matchRow) (match.ID, Head) { return match.ID(r.ID), r.head() }, "matches")
}

// MatchesOf are a player's matches: first those that wait for them, the most urgent
// first; then their other running ones; then the latest finished.
func (tx *Tx) MatchesOf(id player.ID, limit int) ([]Head, error) {
	// From either side at most limit finished ones.
	ended := func(side string) string {
		return `SELECT ` + matchColumns + ` FROM (SELECT ` + matchColumns + ` FROM matches WHERE ` + side + ` = ? AND status = ` + matchOver + `
			ORDER BY last_at DESC, id LIMIT ?) AS matches`
	}
	of := string(id)
	all := runningOf + ` UNION ALL ` + ended("first_player") + ` UNION ALL ` + ended("second_player")
	return findAll(tx.db.Raw(`SELECT `+matchColumns+` FROM (`+all+`) AS matches
		ORDER BY CASE
			WHEN status = `+matchOver+` THEN 2
			WHEN status = `+matchWaiting+` AND to_act = 0 THEN 0
			WHEN to_act = CASE WHEN first_player = ? THEN `+seatFirst+` ELSE `+seatSecond+` END THEN 0
			ELSE 1 END, CASE WHEN status < `+matchOver+` THEN deadline_at ELSE -last_at END, id LIMIT ?`,
		of, of, of, limit, of, limit, of, limit), matchRow.head, "matches of %s", id)
}

// runningOf is the SQL of a player's running matches; its arguments are the player twice.
var runningOf = `SELECT ` + matchColumns + ` FROM matches WHERE first_player = ? AND status < ` + matchOver + ` UNION ALL
	SELECT ` + matchColumns + ` FROM matches WHERE second_player = ? AND status < ` + matchOver

// RunningOf are a player's running matches, the most urgent first.
func (tx *Tx) RunningOf(id player.ID) ([]Head, error) {
	return findAll(tx.db.Raw(`SELECT `+matchColumns+` FROM (`+runningOf+`) AS matches ORDER BY deadline_at, id`,
		string(id), string(id)), matchRow.head, "running matches of %s", id)
}

// LastActs are the times of the last act in each player's matches, for those who have
// any.
func (tx *Tx) LastActs(ids []player.ID) (map[player.ID]time.Time, error) {
	return tx.lastOf(ids, "SELECT player_id, MAX(at) AS at FROM ("+lastActs+") AS acts WHERE at IS NOT NULL GROUP BY player_id")
}

// lastActs reads the end of each index instead of anybody's whole past.
var lastActs = func() string {
	var parts []string
	for _, side := range []string{"first_player", "second_player"} {
		for _, which := range []string{"status < " + matchOver, "status = " + matchOver} {
			parts = append(parts, "SELECT p.id AS player_id, (SELECT MAX(m.last_at) FROM matches m WHERE m."+side+" = p.id AND m."+which+
				") AS at FROM players p WHERE p.id IN ?")
		}
	}
	return strings.Join(parts, " UNION ALL ")
}()

// lastOf asks for a moment of each of some players; every question mark of the query takes
// their ids.
func (tx *Tx) lastOf(ids []player.ID, query string) (map[player.ID]time.Time, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return tx.db.Raw(query, slices.Repeat([]any{some}, strings.Count(query, "?"))...)
	}, func(r struct {
		PlayerID string
		At       int64
	}) (player.ID, time.Time) {
		return player.ID(r.PlayerID), at(r.At)
	}, "latest of players")
}

// public is the SQL condition that leaves out practice, which nobody watches, and the
// matches of rehearsals and hidden tournaments, which are for staff.
var public = `NOT untimed AND NOT EXISTS (SELECT 1 FROM pairings p JOIN tournaments t ON t.id = p.tournament_id
	WHERE p.match_id = matches.id AND (t.rehearsal <> '' OR t.status <= ` + eventDraft + `))`

// RunningMatches are the running public matches, the latest act first.
func (tx *Tx) RunningMatches(limit int) ([]Head, error) {
	return tx.publicMatches("last_at DESC, id", limit, "status < "+matchOver)
}

// longestDelay is more than any policy delays the end of a match for watchers.
const longestDelay = time.Hour

// WatchableMatches are the public matches being played and those that ended for watchers
// since a moment. The latest opened come first: that order reveals no act before it is
// shown.
func (tx *Tx) WatchableMatches(since time.Time, limit int) ([]Head, error) {
	played, err := tx.publicMatches("opened_at DESC, id", limit, "status < "+matchOver+" AND status > "+matchWaiting)
	if err != nil {
		return nil, err
	}
	ended, err := tx.publicMatches("last_at DESC, id", limit, "status = "+matchOver+" AND last_at > ? AND last_at + feed_seconds * 1000 > ?",
		ms(since.Add(-longestDelay)), ms(since))
	if err != nil {
		return nil, err
	}
	all := append(played, ended...)
	slices.SortStableFunc(all, func(a, b Head) int { return b.OpenedAt.Compare(a.OpenedAt) })
	return all, nil
}

// FinishedMatches are the finished public matches, the latest first.
func (tx *Tx) FinishedMatches(limit int) ([]Head, error) {
	return tx.publicMatches("last_at DESC, id", limit, "status = "+matchOver)
}

func (tx *Tx) publicMatches(order string, limit int, where string, args ...any) ([]Head, error) {
	return findAll(tx.db.Where(where, args...).Where(public).Order(order).Limit(limit), matchRow.head, "public matches")
}

// OpenedBefore are the running matches opened before a moment.
func (tx *Tx) OpenedBefore(moment time.Time) ([]match.ID, error) {
	return tx.matchIDs("status < "+matchOver+" AND opened_at < ?", "id", -1, ms(moment))
}

// AtBoards returns who of the players sits at a live board of a competition now, or sat at one that
// ended after a moment, and until when. A match that nobody began is none, nor is one whose turns
// take hours.
func (tx *Tx) AtBoards(since, now time.Time, players ...player.ID) (map[player.ID]time.Time, error) {
	out := map[player.ID]time.Time{}
	for some := range slices.Chunk(texts(players), idsAtOnce) {
		rows, err := findAll(tx.db.Where("first_player IN ? OR second_player IN ?", some, some).
			Where("status IN ("+matchBidding+", "+matchPlaying+") AND deadline_at - last_at < ? OR "+
				"status = "+matchOver+" AND last_at > ? AND reason NOT IN ?",
				time.Hour.Milliseconds(), ms(since), []string{string(match.Forfeit), string(match.Voided)}).
			Where(`(id IN (SELECT match_id FROM pairings WHERE match_id IS NOT NULL)
				OR id IN (SELECT match_id FROM ladder_challenges WHERE match_id IS NOT NULL))`), // gorm adds no brackets around an OR at the start of a line
			matchRow.head, "players at boards")
		if err != nil {
			return nil, err
		}
		for _, h := range rows {
			until := now
			if h.Status == match.Over {
				until = h.LastAt
			}
			for _, p := range h.Players {
				if until.After(out[p]) {
					out[p] = until
				}
			}
		}
	}
	return out, nil
}

// AnyRuns reports whether anybody's time is running in any match.
func (tx *Tx) AnyRuns() (bool, error) {
	ids, err := tx.matchIDs("deadline_at > ?", "deadline_at", 1, int64(0))
	return len(ids) > 0, err
}

// DueMatches are the matches whose deadline has passed, the longest overdue first.
func (tx *Tx) DueMatches(now time.Time, limit int) ([]match.ID, error) {
	return tx.matchIDs("deadline_at <= ?", "deadline_at", limit, ms(now))
}

func (tx *Tx) matchIDs(where, order string, limit int, arg any) ([]match.ID, error) {
	return pluck[match.ID](tx.db.Model(&matchRow{}).Where(where, arg).Order(order).Limit(limit), "id", "match ids")
}

// BotsDue are the matches in which it is time to ask a bot.
func (tx *Tx) BotsDue(now time.Time, limit int) ([]Head, error) {
	return findAll(tx.db.Where("bot_due_at <= ?", ms(now)).Order("bot_due_at").Limit(limit), matchRow.head, "bots due")
}

// LeaseBot claims a bot's turn until a moment, after which another node may try. It fails
// with ErrConflict if another node was quicker or the match has moved on.
func (tx *Tx) LeaseBot(h Head, until time.Time) error {
	return guarded(tx.db.Exec("UPDATE matches SET bot_due_at = ? WHERE id = ? AND seq = ? AND bot_due_at = ?",
		ms(until), string(h.ID), h.Seq, ms(h.BotDue)))
}

// OpenMatch adds a match with its first events.
func (tx *Tx) OpenMatch(a Append) error {
	events, err := eventRows(a)
	if err == nil {
		row := rowOf(a.Head)
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.db.Create(&events).Error
	}
	return wrap(err, "open match %s", a.Head.ID)
}

// AppendMatch is Store.Append inside a transaction with other changes. It fails with
// ErrConflict if the match does not stand right before the events, or if the command is
// in the log already.
func (tx *Tx) AppendMatch(a Append) error {
	events, err := eventRows(a)
	if err == nil {
		query, args := headUpdate(a, events[0].Seq-1)
		var n int64
		if n, err = tx.execute(query, args); err == nil && n == 0 {
			err = ErrConflict
		}
	}
	if args, ends := choresOf(a.Head); ends && err == nil {
		if _, err = tx.execute(addChores, args); err == nil {
			_, err = tx.execute(askAnalysis, analysisOf(a.Head))
		}
	}
	if err == nil {
		err = errors.Join(tx.db.Create(&events).Error, tx.supersede(a.Head.ID))
	}
	return wrap(err, "append to %s", a.Head.ID)
}

// execute runs a statement of the group commit, whose parameters gorm does not know ($1).
func (tx *Tx) execute(query string, args []any) (changed int64, err error) {
	result, err := tx.db.Statement.ConnPool.ExecContext(tx.db.Statement.Context, query, args...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	return changed, translate(err)
}

// CommandDone reports whether a client's command is in the log already.
func (tx *Tx) CommandDone(id match.ID, command string) (bool, error) {
	return exists(tx.db.Model(&eventRow{}).Where("match_id = ? AND command_id = ?", string(id), command), "command %s", command)
}

const selectTail = "SELECT seq, at, kind, v, body FROM match_events WHERE match_id = $1 AND seq > $2 ORDER BY seq"

// Tail is the log of a match after a place in it, oldest first. Every command begins with it, so it is one statement
// outside any transaction, except for pages, which read it in theirs.
func (s *Store) Tail(ctx context.Context, id match.ID, after int64) (log []match.Recorded, err error) {
	if snapshotOf(ctx) != nil {
		err = s.Read(ctx, func(tx *Tx) error {
			log, err = tailOf(tx.db.Statement.ConnPool.QueryContext(ctx, selectTail, string(id), after))
			return err
		})
	} else {
		s.reads.Add(1)
		log, err = tailOf(s.tail.QueryContext(ctx, string(id), after))
	}
	return log, wrap(translate(err), "log of %s", id)
}

func tailOf(rows *sql.Rows, err error) (log []match.Recorded, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq, moment int64
		var version int
		var kind string
		var body []byte
		if err := rows.Scan(&seq, &moment, &kind, &version, &body); err != nil {
			return nil, err
		}
		event, err := match.Decode(kind, version, body)
		if err != nil {
			return nil, wrap(err, "event %d", seq)
		}
		log = append(log, match.Recorded{Seq: seq, At: at(moment), Event: event})
	}
	return log, rows.Err()
}
