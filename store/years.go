package store

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/year"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
)

// BidLine is what one player paid for one target in a match.
type BidLine struct {
	Player       player.ID
	Target       int
	Chips, Purse int
	Won          int // who had the last word: 1 they, 0 the opponent, 2 chance or nobody
	Score        rating.Result
	Raised       string // the outcome of their last raise, as Raise has it; empty: none
}

// SetDone stores what was paid in a match and what its players did in it, in place of what was stored before.
func (tx *Tx) SetDone(id match.ID, bids []BidLine, feats map[player.ID][]match.Feat) error {
	err := tx.db.Exec("DELETE FROM match_bids WHERE match_id = ?", string(id)).Error
	if err == nil {
		err = tx.db.Exec("DELETE FROM match_feats WHERE match_id = ?", string(id)).Error
	}
	for _, l := range bids {
		if err == nil {
			err = tx.db.Exec("INSERT INTO match_bids (match_id, player_id, target, chips, purse, won, score, raised) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				string(id), string(l.Player), l.Target, l.Chips, l.Purse, l.Won, uint8(l.Score), l.Raised).Error
		}
	}
	for by, list := range feats {
		for _, feat := range list {
			if err == nil {
				err = tx.db.Exec("INSERT INTO match_feats (match_id, player_id, feat) VALUES (?, ?, ?)", string(id), string(by), string(feat)).Error
			}
		}
	}
	return wrap(err, "bids of match %s", id)
}

// Raise is an outcome that a player has raised to, and how they fared in those matches.
type Raise struct {
	Target  int
	Outcome string // a row, "5+3", or features as JSON
	Matches int
	Halves  int // half points scored
	Chips   int // paid for the target
}

// Usual returns the chips paid in a match, on average.
func (r Raise) Usual() int { return (2*r.Chips + r.Matches) / (2 * r.Matches) }

// RaisesOf are the outcomes that a player raised to most often in matches that ended between two moments, at most limit.
func (tx *Tx) RaisesOf(of player.ID, from, to time.Time, limit int) ([]Raise, error) {
	return scan[[]Raise](tx.db.Raw(`SELECT b.target, b.raised AS outcome, COUNT(*) AS matches, SUM(b.score) AS halves, SUM(b.chips) AS chips
		FROM match_bids b JOIN matches m ON m.id = b.match_id
		WHERE b.player_id = ? AND b.raised <> '' AND m.last_at >= ? AND m.last_at < ?
		GROUP BY b.target, b.raised ORDER BY COUNT(*) DESC, SUM(b.score) DESC, b.target, b.raised LIMIT ?`,
		string(of), ms(from), ms(to), limit), "raises of %s", of)
}

// yearEntries are how many must play in an event, and yearRounds how many rounds, for it to be an evening.
const yearEntries, yearRounds = 4, 3

// YearOf are the facts of a player between two moments. Feats count in rated matches between people with accounts, events
// if a club held them, the player was never absent, and somebody else staged them.
func (tx *Tx) YearOf(of player.ID, from, to time.Time) (f year.Facts, err error) {
	within := []any{string(of), ms(from), ms(to)}
	var matches []struct {
		ID, Opponent string
		LastAt       int64
		Bot          bool
		Result       rating.Result
		Own, Theirs  int
	}
	side := func(own, other, won, points, against string) string {
		return "SELECT m.id, m." + other + "_player AS opponent, m.last_at, m." + other + "_bot AS bot, " + resultIf(won) + " AS result, m." +
			points + " AS own, m." + against + " AS theirs FROM matches m WHERE m." + own + "_player = ? AND m.last_at >= ? AND m.last_at < ? AND " +
			playedMatch
	}
	err = tx.db.Raw("SELECT * FROM ("+side("first", "second", wonByFirst, "points_first", "points_second")+" UNION ALL "+
		side("second", "first", wonBySecond, "points_second", "points_first")+") AS sides ORDER BY last_at, id",
		append(within, within...)...).Scan(&matches).Error
	if err != nil {
		return f, wrap(err, "matches of %s in a year", of)
	}
	for _, m := range matches {
		f.Matches = append(f.Matches, year.Match{ID: match.ID(m.ID), At: at(m.LastAt), Opponent: player.ID(m.Opponent), Bot: m.Bot,
			Result: m.Result, Own: m.Own, Theirs: m.Theirs})
	}
	var feats []struct {
		Feat, ID, Opponent string
		LastAt             int64
	}
	err = tx.db.Raw(`SELECT f.feat, m.id, o.id AS opponent, m.last_at FROM match_feats f JOIN matches m ON m.id = f.match_id
		JOIN players o ON o.id = CASE m.first_player WHEN f.player_id THEN m.second_player ELSE m.first_player END
		WHERE f.player_id = ? AND m.last_at >= ? AND m.last_at < ? AND NOT o.bot AND NOT o.guest AND `+ratedMatch+`
		ORDER BY m.last_at, m.id, f.feat`, within...).Scan(&feats).Error
	if err != nil {
		return f, wrap(err, "feats of %s", of)
	}
	for _, x := range feats {
		f.Feats = append(f.Feats, year.Feat{Feat: match.Feat(x.Feat), Match: match.ID(x.ID), At: at(x.LastAt), Opponent: player.ID(x.Opponent)})
	}
	var evenings []struct {
		ID, Name, Series string
		EndedAt          int64
	}
	err = tx.db.Raw(`SELECT t.id, t.name, COALESCE(d.series_id, '') AS series, t.ended_at FROM entries e
		JOIN tournaments t ON t.id = e.tournament_id LEFT JOIN series_dates d ON d.tournament_id = t.id
		WHERE e.player_id = ? AND t.ended_at >= ? AND t.ended_at < ? AND t.status >= ? AND t.club_id IS NOT NULL AND t.rehearsal = ''
			AND e.status = ? AND e.from_round <= 1 AND NOT e.expelled AND t.organizer_id <> e.player_id
			AND (SELECT COUNT(*) FROM rounds r WHERE r.tournament_id = t.id) >= ?
			AND (SELECT COUNT(*) FROM entries x WHERE x.tournament_id = t.id AND x.number > 0 AND NOT x.bot) >= ?
			AND NOT EXISTS (SELECT 1 FROM no_shows n WHERE n.player_id = e.player_id AND n.tournament_id = t.id AND n.verdict <> ?)
		ORDER BY t.ended_at, t.id`, append(within, uint8(tournament.Finished), uint8(tournament.Active), yearRounds, yearEntries,
		uint8(player.Excused))...).Scan(&evenings).Error
	if err != nil {
		return f, wrap(err, "evenings of %s", of)
	}
	for _, e := range evenings {
		f.Evenings = append(f.Evenings, year.Evening{ID: e.ID, Name: e.Name, Series: e.Series, At: at(e.EndedAt)})
	}
	return f, nil
}

// YearsOf are the moments of a player's first and last match, zero without one.
func (tx *Tx) YearsOf(of player.ID) (first, last time.Time, err error) {
	var ends struct{ First, Last int64 }
	err = tx.db.Raw(`SELECT COALESCE(MIN(last_at), 0) AS first, COALESCE(MAX(last_at), 0) AS last
		FROM (`+sidesOf+`) AS s`, string(of), string(of)).Scan(&ends).Error
	return at(ends.First), at(ends.Last), wrap(err, "years of %s", of)
}
