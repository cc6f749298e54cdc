package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// Against is a player's record against an opponent, in matches played to an end.
type Against struct {
	Opponent            player.ID
	Wins, Draws, Losses int
}

// firstSide and secondSide are the SQL of a player's played matches from their side:
// opponent, result (of package rating) and end. The argument of each is the player.
var (
	firstSide = `SELECT m.id, m.second_player AS opponent, ` + resultIf(wonByFirst) + ` AS result, m.last_at
		FROM matches m WHERE m.first_player = ? AND ` + playedMatch
	secondSide = `SELECT m.id, m.first_player AS opponent, ` + resultIf(wonBySecond) + ` AS result, m.last_at
		FROM matches m WHERE m.second_player = ? AND ` + playedMatch
	sidesOf = firstSide + " UNION ALL " + secondSide
)

// IsNewcomer reports whether a player has not played a match and plays none now.
func (tx *Tx) IsNewcomer(id player.ID) (bool, error) {
	n, err := scan[int64](tx.db.Raw(`SELECT COUNT(*) FROM (SELECT id FROM (`+sidesOf+`) AS played UNION ALL
		SELECT id FROM (`+runningOf+`) AS running LIMIT 1) AS matches`, string(id), string(id), string(id), string(id)), "matches of %s", id)
	return n == 0, err
}

const latestOf = " ORDER BY m.last_at DESC, m.id DESC LIMIT ?"

// resultIf is the SQL of the result of a played match for whom an outcome is a win.
func resultIf(won string) string {
	return "CASE m.outcome WHEN " + won + " THEN " + ratedWin + " WHEN " + drawn + " THEN " + ratedDraw + " ELSE " + ratedLoss + " END"
}

// Opponents are the players that a player has met most often.
func (tx *Tx) Opponents(of player.ID, limit int) ([]Against, error) {
	return tx.against(of, "", limit)
}

// HeadToHead is a player's record against one opponent.
func (tx *Tx) HeadToHead(of, opponent player.ID) (Against, error) {
	found, err := tx.against(of, string(opponent), 1)
	if err != nil || len(found) == 0 {
		return Against{Opponent: opponent}, err
	}
	return found[0], nil
}

func (tx *Tx) against(of player.ID, only string, limit int) ([]Against, error) {
	where, args := "", []any{string(of), string(of)}
	if only != "" {
		where, args = " WHERE opponent = ?", append(args, only)
	}
	return scan[[]Against](tx.db.Raw(`SELECT opponent, SUM(CASE result WHEN `+ratedWin+` THEN 1 ELSE 0 END) AS wins,
		SUM(CASE result WHEN `+ratedDraw+` THEN 1 ELSE 0 END) AS draws, SUM(CASE result WHEN `+ratedLoss+` THEN 1 ELSE 0 END) AS losses
		FROM (`+sidesOf+`) AS s`+where+` GROUP BY opponent ORDER BY COUNT(*) DESC, opponent LIMIT ?`,
		append(args, limit)...), "opponents of %s", of)
}

// ResultsOf are the results of a player's last matches, the first one first.
func (tx *Tx) ResultsOf(of player.ID, limit int) ([]rating.Result, error) {
	return scan[[]rating.Result](tx.db.Raw(`SELECT result FROM (SELECT result, last_at, id FROM (
		SELECT * FROM (`+firstSide+latestOf+`) AS firsts UNION ALL SELECT * FROM (`+secondSide+latestOf+`) AS seconds) AS s
		ORDER BY last_at DESC, id DESC LIMIT ?) AS t ORDER BY last_at, id`,
		string(of), limit, string(of), limit, limit), "results of %s", of)
}

// MatchesBetween are the latest matches of two players against each other.
func (tx *Tx) MatchesBetween(a, b player.ID, limit int) ([]Head, error) {
	return findAll(tx.db.Where("first_player = ? AND second_player = ? OR first_player = ? AND second_player = ?",
		string(a), string(b), string(b), string(a)).
		Order("last_at DESC, id").Limit(limit), matchRow.head, "matches of %s and %s", a, b)
}

// ratedMatch is the SQL condition for matches m whose result counts for ratings.
const ratedMatch = `(EXISTS (SELECT 1 FROM pairings p JOIN tournaments t ON t.id = p.tournament_id WHERE p.match_id = m.id AND t.rated)
	OR EXISTS (SELECT 1 FROM challenges c WHERE c.match_id = m.id AND c.rated)
	OR EXISTS (SELECT 1 FROM ladder_challenges l WHERE l.match_id = m.id AND l.rated))`

// LastRated are a player's rated results up to a moment, the latest first and at most
// limit; against limits them to one opponent, empty: all. Each side is read backwards
// from its end until there are enough.
func (tx *Tx) LastRated(of, against player.ID, until time.Time, limit int) ([]review.RatedResult, error) {
	side := func(own, other, won string) string {
		only := ""
		if against != "" {
			only = " AND m." + other + " = ?"
		}
		return fmt.Sprintf(`SELECT * FROM (SELECT m.id, m.last_at, m.reason, m.%s AS opponent,
			%s AS halves
			FROM matches m WHERE m.%s = ? AND m.last_at <= ? AND %s AND %s%s
			ORDER BY m.last_at DESC, m.id DESC LIMIT ?) AS side%s`, other, resultIf(won), own, playedMatch, ratedMatch, only, won)
	}
	args := []any{string(of), ms(until)}
	if against != "" {
		args = append(args, string(against))
	}
	args = append(args, limit)
	var rows []struct {
		ID, Opponent, Reason string
		Halves, Plies        int
	}
	err := tx.db.Raw(`SELECT s.id, s.opponent, s.reason, s.halves, (
		SELECT COUNT(*) FROM match_events e WHERE e.match_id = s.id AND e.kind = ?) AS plies
		FROM (`+side("first_player", "second_player", wonByFirst)+` UNION ALL `+side("second_player", "first_player", wonBySecond)+`) AS s
		ORDER BY s.last_at DESC, s.id DESC LIMIT ?`,
		append(append(append([]any{match.Kind(match.Played{})}, args...), args...), limit)...).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "last rated results of %s", of)
	}
	out := make([]review.RatedResult, len(rows))
	for i, r := range rows {
		out[i] = review.RatedResult{Match: match.ID(r.ID), Against: player.ID(r.Opponent), Halves: r.Halves,
			Plies: r.Plies, Ruled: match.Reason(r.Reason) == match.Adjudicated}
	}
	return out, nil
}

// Spending is what a player has paid for a target over all matches played to an end:
// matches, chips paid and chips they began with, how often they had the last word, and
// half points scored with it and without.
type Spending struct {
	Target                 int
	Matches, Chips, Purses int
	Won, WonHalves         int
	Lost, LostHalves       int
}

// SpendingOf is a player's spending, by target.
func (tx *Tx) SpendingOf(of player.ID) ([]Spending, error) {
	return scan[[]Spending](tx.db.Raw(`SELECT target, COUNT(*) AS matches, SUM(chips) AS chips, SUM(purse) AS purses,
		SUM(CASE won WHEN 1 THEN 1 ELSE 0 END) AS won, SUM(CASE won WHEN 1 THEN score ELSE 0 END) AS won_halves,
		SUM(CASE won WHEN 0 THEN 1 ELSE 0 END) AS lost, SUM(CASE won WHEN 0 THEN score ELSE 0 END) AS lost_halves
		FROM match_bids WHERE player_id = ? GROUP BY target ORDER BY target`, string(of)), "bids of %s", of)
}
