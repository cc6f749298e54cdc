package store

import (
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/challenge"
)

// Happened is what has happened around an account since a moment, and what waits: challenges that are open or were
// closed since, matches that run or ended since, and notices, on whichever channel they went.
type Happened struct {
	Challenges []challenge.Challenge
	Matches    []Head
	Notices    []Told
}

// mostHappened is how much of each kind is read of what is over, the latest first.
const mostHappened = 500

// challengesOf and endedOf are the SQL of one side's challenges and finished matches since a moment. Each arm is one
// range of an index.
var (
	challengesOf = func(side string) string {
		return `SELECT ` + challengeColumns + ` FROM challenges WHERE ` + side + ` = ? AND closed_at = 0 UNION ALL
			SELECT * FROM (SELECT ` + challengeColumns + ` FROM challenges WHERE ` + side + ` = ? AND closed_at >= ?
			ORDER BY closed_at DESC LIMIT ?) AS challenges`
	}
	endedOf = func(side string) string {
		return `SELECT ` + matchColumns + ` FROM (SELECT ` + matchColumns + ` FROM matches WHERE ` + side + ` = ? AND status = ` + matchOver +
			` AND last_at >= ? ORDER BY last_at DESC LIMIT ?) AS matches`
	}
	challengeColumns = columnsOf("challenges", challengeRow{})
)

// HappenedSince reads what has happened around an account since a moment, and what waits.
func (tx *Tx) HappenedSince(of player.ID, since time.Time) (h Happened, err error) {
	id, from := string(of), max(1, ms(since))
	h.Challenges, err = parseAll(tx.db.Raw(challengesOf("challenger_id")+" UNION ALL "+challengesOf("opponent_id"),
		id, id, from, mostHappened, id, id, from, mostHappened), challengeRow.challenge, "challenges around %s", of)
	if err != nil {
		return h, err
	}
	h.Matches, err = findAll(tx.db.Raw(runningOf+" UNION ALL "+endedOf("first_player")+" UNION ALL "+endedOf("second_player"),
		id, id, id, from, mostHappened, id, from, mostHappened), matchRow.head, "matches around %s", of)
	if err != nil {
		return h, err
	}
	h.Notices, err = parseAll(tx.db.Where("player_id = ? AND at >= ?", id, from).Order("at DESC").Limit(mostHappened), noticeRow.told,
		"notices around %s", of)
	return h, err
}

// LastChallenges are the times of the last challenge from or to each player, made or closed.
func (tx *Tx) LastChallenges(ids []player.ID) (map[player.ID]time.Time, error) {
	return tx.lastOf(ids, "SELECT player_id, MAX(at) AS at FROM ("+lastChallenges+") AS told WHERE at IS NOT NULL GROUP BY player_id")
}

// lastChallenges reads the end of each index, as lastActs does.
var lastChallenges = func() (query string) {
	for _, side := range []string{"challenger_id", "opponent_id"} {
		for _, what := range []string{"MAX(c.closed_at) AS at FROM challenges c WHERE c.closed_at > 0", "MAX(c.created_at) AS at FROM challenges c WHERE c.closed_at = 0"} {
			if query != "" {
				query += " UNION ALL "
			}
			query += "SELECT p.id AS player_id, (SELECT " + what + " AND c." + side + " = p.id) AS at FROM players p WHERE p.id IN ?"
		}
	}
	return query
}()
