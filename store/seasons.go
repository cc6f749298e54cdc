package store

import (
	"encoding/json"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
)

// MatchCounts is what the matches that ended between two moments add to a season's
// numbers: levels demanded and achieved, how sides checked in, and why less was achieved.
// It reads the matches through the index of their ends.
func (tx *Tx) MatchCounts(from, to time.Time) (review.Counts, error) {
	fail := func(err error) (review.Counts, error) { return nil, wrap(err, "count matches") }
	c := review.Counts{}
	ended := "m.status = " + matchOver + " AND m.last_at >= ? AND m.last_at < ? AND m.level > 0 AND m.achieved > 0"
	var levels []struct{ Level, Achieved, N int }
	err := tx.db.Raw("SELECT m.level, m.achieved, COUNT(*) AS n FROM matches m WHERE "+ended+" GROUP BY m.level, m.achieved",
		ms(from), ms(to)).Scan(&levels).Error
	if err != nil {
		return fail(err)
	}
	for _, l := range levels {
		c["demanded."+fairplay.Assurance(l.Level).String()] += l.N
		c["achieved."+fairplay.Assurance(l.Achieved).String()] += l.N
	}
	var arrivals []struct {
		Kind string
		N    int
	}
	err = tx.db.Raw("SELECT f.kind, COUNT(*) AS n FROM matches m JOIN match_facts f ON f.match_id = m.id WHERE "+ended+
		" AND (f.kind IN ? OR f.kind = ? AND f.demand = ?) GROUP BY f.kind", ms(from), ms(to),
		[]string{string(fairplay.CheckedIn), string(fairplay.CheckedByCode)}, string(fairplay.Waived), string(fairplay.DemandCheckIn)).
		Scan(&arrivals).Error
	if err != nil {
		return fail(err)
	}
	names := map[fairplay.FactKind]string{fairplay.CheckedIn: "passkey", fairplay.CheckedByCode: "code", fairplay.Waived: "waived"}
	for _, a := range arrivals {
		c["check-in."+names[fairplay.FactKind(a.Kind)]] = a.N
	}
	rows, err := tx.db.Raw(`SELECT p.statement FROM matches m JOIN match_policies p ON p.match_id = m.id
		WHERE `+ended+" AND m.achieved < m.level AND p.statement <> ''", ms(from), ms(to)).Rows()
	if err != nil {
		return fail(err)
	}
	defer rows.Close()
	for rows.Next() {
		var raw string
		var s fairplay.SignedStatement
		if err := rows.Scan(&raw); err != nil {
			return fail(err)
		}
		if err := json.Unmarshal([]byte(raw), &s); err != nil {
			return fail(err)
		}
		c.CountLowered(s.Statement.Achieved)
	}
	return c, rows.Err()
}

// ReviewsAlive are the reviews that were open at any time between two moments.
func (tx *Tx) ReviewsAlive(from, to time.Time) ([]Review, error) {
	return tx.reviews("opened_at < ? AND (closed_at = 0 OR closed_at >= ?)", ms(to), ms(from))
}

// SetCounts replaces the counts of a month. Nothing is kept about a judge whose account was
// erased.
func (tx *Tx) SetCounts(m review.Month, site review.Counts, judges map[player.ID]review.Counts) error {
	err := tx.db.Exec("DELETE FROM fair_play_counts WHERE month = ?", string(m)).Error
	if err == nil {
		err = tx.db.Exec("DELETE FROM arbiter_counts WHERE month = ?", string(m)).Error
	}
	for name, n := range site {
		if err == nil {
			err = tx.db.Exec("INSERT INTO fair_play_counts (month, name, n) VALUES (?, ?, ?)", string(m), name, n).Error
		}
	}
	for id, counts := range judges {
		for name, n := range counts {
			if err == nil {
				err = tx.db.Exec(`INSERT INTO arbiter_counts (month, player_id, name, n) SELECT ?, ?, ?, ?
					WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE player_id = ? AND done_at > 0)`, string(m), string(id), name, n, string(id)).Error
			}
		}
	}
	return wrap(err, "counts of %s", m)
}

// SeasonCounts are the site's counts, by season.
func (tx *Tx) SeasonCounts() (map[review.Season]review.Counts, error) {
	var rows []struct {
		Month, Name string
		N           int
	}
	if err := tx.db.Raw("SELECT month, name, n FROM fair_play_counts").Scan(&rows).Error; err != nil {
		return nil, wrap(err, "counts")
	}
	out := map[review.Season]review.Counts{}
	for _, r := range rows {
		s := review.SeasonOf(review.Month(r.Month))
		if out[s] == nil {
			out[s] = review.Counts{}
		}
		out[s][r.Name] += r.N
	}
	return out, nil
}

// JudgeCounts are the counts of each judge, by season.
func (tx *Tx) JudgeCounts() (map[review.Season]map[player.ID]review.Counts, error) {
	var rows []struct {
		Month, PlayerID, Name string
		N                     int
	}
	if err := tx.db.Raw("SELECT month, player_id, name, n FROM arbiter_counts").Scan(&rows).Error; err != nil {
		return nil, wrap(err, "counts of arbiters")
	}
	out := map[review.Season]map[player.ID]review.Counts{}
	for _, r := range rows {
		s, id := review.SeasonOf(review.Month(r.Month)), player.ID(r.PlayerID)
		if out[s] == nil {
			out[s] = map[player.ID]review.Counts{}
		}
		if out[s][id] == nil {
			out[s][id] = review.Counts{}
		}
		out[s][id][r.Name] += r.N
	}
	return out, nil
}
