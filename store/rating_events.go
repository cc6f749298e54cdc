package store

import (
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/ledger"
)

// RatedEvent names what is rated together. One field is set: a tournament, a challenge, a
// ladder match, or the pool in which ratings were given.
type RatedEvent struct {
	Tournament tournament.ID
	Challenge  challenge.ID
	Match      match.ID
	Pool       rating.PoolID
}

// String is the id of the event; ids of two kinds never collide.
func (e RatedEvent) String() string {
	switch {
	case e.Tournament != "":
		return string(e.Tournament)
	case e.Challenge != "":
		return string(e.Challenge)
	case e.Match != "":
		return string(e.Match)
	}
	return string(e.Pool)
}

// Kind is where the event's results come from, 0 for given ratings.
func (e RatedEvent) Kind() rating.Kind {
	switch {
	case e.Tournament != "":
		return rating.InTournament
	case e.Challenge != "":
		return rating.InChallenge
	case e.Match != "":
		return rating.InLadder
	}
	return 0
}

// RatedGames are the games of one event that count in a pool.
type RatedGames struct {
	RatedEvent
	Event   rating.Event
	Ordinal int64 // place of the event among all rated ones
	At      time.Time
}

type ratedEventRow struct {
	Ordinal      int64 `gorm:"primaryKey;autoIncrement:false"`
	TournamentID *string
	ChallengeID  *string
	MatchID      *string
	PoolID       *string
	Handicap     bool
	EndedAt      int64
	RatedAt      int64
}

func (ratedEventRow) TableName() string { return "rated_events" }

func (r ratedEventRow) event() RatedEvent {
	return RatedEvent{tournament.ID(textOf(r.TournamentID)), challenge.ID(textOf(r.ChallengeID)),
		match.ID(textOf(r.MatchID)), rating.PoolID(textOf(r.PoolID))}
}

// LastOrdinal is the ordinal of the last rated event, 0 before the first.
func (tx *Tx) LastOrdinal() (int64, error) {
	return scan[int64](tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events"), "last rated event")
}

// belongs limits a query to the events of a pool.
func belongs(db *gorm.DB, p rating.Pool) *gorm.DB {
	return db.Where(`(pool_id = ? OR (pool_id IS NULL AND handicap = ? AND (
		tournament_id IS NOT NULL AND ? OR challenge_id IS NOT NULL AND ? OR match_id IS NOT NULL AND ?)))`,
		string(p.ID), p.Counts.Handicap, p.Counts.Tournaments, p.Counts.Challenges, p.Counts.Ladders)
}

// RatedGames are at most limit events of a pool after one, in order. Only games between
// two accounts count, and only if they were played; an event may have none.
func (tx *Tx) RatedGames(p rating.Pool, after int64, limit int) ([]RatedGames, error) {
	var heads []ratedEventRow
	err := belongs(tx.db.Where("ordinal > ?", after), p).Order("ordinal").Limit(limit).Find(&heads).Error
	if err != nil {
		return nil, wrap(err, "rated events")
	}
	if len(heads) == 0 {
		return nil, nil
	}
	out, place := make([]RatedGames, len(heads)), make(map[int64]int, len(heads))
	for i, h := range heads {
		ended := at(h.EndedAt)
		out[i] = RatedGames{RatedEvent: h.event(), Ordinal: h.Ordinal, At: at(h.RatedAt)}
		out[i].Event = rating.Event{ID: out[i].String(), Month: ended.Year()*12 + int(ended.Month()) - 1}
		place[h.Ordinal] = i
	}
	last := heads[len(heads)-1].Ordinal
	add := func(ordinal int64, g rating.Game) {
		if i, ok := place[ordinal]; ok {
			out[i].Event.Games = append(out[i].Event.Games, g)
		}
	}
	if err := tx.ratedPairings(p, after, last, add); err != nil {
		return nil, err
	}
	if err := tx.ratedMatches(p, after, last, add); err != nil {
		return nil, err
	}
	var starts []struct {
		Ordinal                  int64
		PlayerID                 string
		Rating, Games, Deviation int
	}
	err = tx.db.Raw(`SELECT s.ordinal, s.player_id, s.rating, s.games, s.deviation
		FROM rating_starts s JOIN rated_events e ON e.ordinal = s.ordinal
		WHERE e.pool_id = ? AND s.ordinal > ? AND s.ordinal <= ? ORDER BY s.ordinal, s.player_id`, string(p.ID), after, last).Scan(&starts).Error
	if err != nil {
		return nil, wrap(err, "given ratings")
	}
	for _, s := range starts {
		e := &out[place[s.Ordinal]].Event
		e.Starts = append(e.Starts, rating.Start{Player: s.PlayerID, Rating: s.Rating, Games: s.Games, Deviation: s.Deviation})
	}
	return out, nil
}

// ofClub is the SQL condition of a club's pool for games of a and b: those of the club's
// own events, and those elsewhere between two of its members.
func ofClub(p rating.Pool, own, a, b string) (string, []any) {
	if p.Club == "" {
		return "", nil
	}
	member := "EXISTS (SELECT 1 FROM rated_members x WHERE x.ordinal = e.ordinal AND x.club_id = ? AND x.player_id = "
	return " AND (" + own + " = ? OR " + member + a + ") AND " + member + b + "))", []any{p.Club, p.Club, p.Club}
}

// pairingRated is the SQL condition for pairings p whose result is that of a game with
// equal chips.
const pairingRated = "NOT p.sealed AND p.reason <> 'carried-over' AND " +
	"CASE WHEN p.rated_as > 0 THEN p.rated_as ELSE p.result END BETWEEN ? AND ?"

func (tx *Tx) ratedPairings(p rating.Pool, after, last int64, add func(int64, rating.Game)) error {
	members, clubs := ofClub(p, "t.club_id", "a.player_id", "b.player_id")
	rows, err := tx.db.Raw(`SELECT e.ordinal, a.player_id, b.player_id,
		CASE WHEN p.rated_as > 0 THEN p.rated_as ELSE p.result END FROM rated_events e
		JOIN tournaments t ON t.id = e.tournament_id
		JOIN pairings p ON p.tournament_id = e.tournament_id
		JOIN entries a ON a.tournament_id = p.tournament_id AND a.id = p.first_entry
		JOIN entries b ON b.tournament_id = p.tournament_id AND b.id = p.second_entry
		WHERE e.ordinal > ? AND e.ordinal <= ? AND `+pairingRated+`
		AND a.player_id IS NOT NULL AND b.player_id IS NOT NULL`+members+`
		ORDER BY e.ordinal, p.round, p.board`,
		append([]any{after, last, uint8(tournament.FirstWins), uint8(tournament.Drawn)}, clubs...)...).Rows()
	if err != nil {
		return wrap(err, "rated games")
	}
	defer rows.Close()
	results := map[uint8]rating.Result{
		uint8(tournament.FirstWins): rating.Win, uint8(tournament.SecondWins): rating.Loss, uint8(tournament.Drawn): rating.Draw,
	}
	for rows.Next() {
		var ordinal int64
		var g rating.Game
		var result uint8
		if err := rows.Scan(&ordinal, &g.First, &g.Second, &result); err != nil {
			return wrap(err, "rated games")
		}
		g.FirstResult = results[result]
		add(ordinal, g)
	}
	return rows.Err()
}

// ratedMatches hands over the events of one game each.
func (tx *Tx) ratedMatches(p rating.Pool, after, last int64, add func(int64, rating.Game)) error {
	results := map[match.Outcome]rating.Result{match.FirstWins: rating.Win, match.SecondWins: rating.Loss, match.Draw: rating.Draw}
	for _, from := range [][2]string{
		{"JOIN challenges c ON c.id = e.challenge_id JOIN matches m ON m.id = c.match_id", "NULL"},
		{"JOIN matches m ON m.id = e.match_id LEFT JOIN ladder_challenges lc ON lc.match_id = m.id LEFT JOIN ladders l ON l.id = lc.ladder_id",
			"l.club_id"},
	} {
		members, clubs := ofClub(p, from[1], "m.first_player", "m.second_player")
		rows, err := tx.db.Raw("SELECT e.ordinal, m.first_player, m.second_player, m.outcome FROM rated_events e "+from[0]+
			" WHERE e.ordinal > ? AND e.ordinal <= ? AND "+playedMatch+members+" ORDER BY e.ordinal", append([]any{after, last}, clubs...)...).Rows()
		if err != nil {
			return wrap(err, "rated matches")
		}
		for rows.Next() {
			var ordinal int64
			var g rating.Game
			var outcome match.Outcome
			if err := rows.Scan(&ordinal, &g.First, &g.Second, &outcome); err != nil {
				rows.Close()
				return wrap(err, "rated matches")
			}
			g.FirstResult = results[outcome]
			add(ordinal, g)
		}
		if err := rows.Close(); err != nil {
			return wrap(err, "rated matches")
		}
	}
	return nil
}

// MarkRated gives an event the next ordinal and stores who was in which club at the time.
// It fails with ErrConflict if the event has an ordinal. The caller holds the lock under
// which ordinals are given.
func (tx *Tx) MarkRated(e RatedEvent, handicap bool, ended, now time.Time) (ordinal int64, err error) {
	last, err := tx.LastOrdinal()
	if err != nil {
		return 0, err
	}
	ordinal = last + 1
	switch {
	case e.Challenge != "":
		err = guarded(tx.db.Exec(`UPDATE challenges SET rated_at = ?, rated_no = ?
			WHERE id = ? AND rated_at IS NULL`, ms(now), ordinal, string(e.Challenge)))
	case e.Tournament != "":
		err = tx.markTournamentRated(e.Tournament, ordinal, now)
	case e.Match != "":
		var known bool
		if known, err = exists(tx.db.Model(&ratedEventRow{}).Where("match_id = ?", string(e.Match)), "rated event"); known {
			err = ErrConflict
		}
	}
	if err == nil {
		err = tx.db.Create(&ratedEventRow{
			Ordinal: ordinal, TournamentID: textOrNull(e.Tournament), ChallengeID: textOrNull(e.Challenge),
			MatchID: textOrNull(e.Match), PoolID: textOrNull(e.Pool), Handicap: handicap, EndedAt: ms(ended), RatedAt: ms(now),
		}).Error
	}
	if err == nil {
		err = tx.keepMembers(e, ordinal)
	}
	if err != nil {
		return 0, wrap(err, "mark %s rated", e)
	}
	return ordinal, nil
}

func (tx *Tx) markTournamentRated(id tournament.ID, ordinal int64, now time.Time) error {
	before, err := tx.Tournament(id)
	if err != nil {
		return err
	}
	if !before.Rated || !before.Status.IsOver() {
		return ErrConflict // it was reopened
	}
	if err := guarded(tx.db.Exec(`UPDATE tournaments SET rated_no = ?, rated_at = ?
		WHERE id = ? AND rated_at IS NULL`, ordinal, ms(now), string(id))); err != nil {
		return err
	}
	after := before.Clone()
	after.RatedAt = now
	return tx.SaveTournament(before, after, ledger.Deed{At: now, Act: tournament.ActRate})
}

func (tx *Tx) keepMembers(e RatedEvent, ordinal int64) error {
	insert := `INSERT INTO rated_members (ordinal, club_id, player_id)
		SELECT DISTINCT ` + fmt.Sprint(ordinal) + ", m.club_id, m.player_id FROM club_members m "
	switch {
	case e.Tournament != "":
		return tx.db.Exec(insert+"JOIN entries n ON n.player_id = m.player_id WHERE n.tournament_id = ?", string(e.Tournament)).Error
	case e.Challenge != "":
		return tx.db.Exec(insert+"JOIN challenges c ON m.player_id IN (c.challenger_id, c.opponent_id) WHERE c.id = ?", string(e.Challenge)).Error
	case e.Match != "":
		return tx.db.Exec(insert+"JOIN matches x ON m.player_id IN (x.first_player, x.second_player) WHERE x.id = ?", string(e.Match)).Error
	}
	return nil
}

// PoolsOfEvent are the pools an event may count in: those of the site, and those of clubs
// that held it or that had two of its players as members when it was rated.
func (tx *Tx) PoolsOfEvent(ordinal int64) ([]rating.Pool, error) {
	return tx.ratingPools(`club_id IS NULL OR club_id IN (
		SELECT club_id FROM rated_members WHERE ordinal = ? GROUP BY club_id HAVING COUNT(*) > 1)
		OR club_id IN (SELECT t.club_id FROM rated_events e JOIN tournaments t ON t.id = e.tournament_id WHERE e.ordinal = ?)
		OR club_id IN (SELECT l.club_id FROM rated_events e JOIN ladder_challenges lc ON lc.match_id = e.match_id
		JOIN ladders l ON l.id = lc.ladder_id WHERE e.ordinal = ?)`,
		ordinal, ordinal, ordinal)
}

// AddRatingStarts stores the ratings given to players of a pool as the event with that
// ordinal.
func (tx *Tx) AddRatingStarts(ordinal int64, starts []rating.Start) error {
	for some := range slices.Chunk(starts, 200) {
		args := make([]any, 0, 5*len(some))
		for _, s := range some {
			args = append(args, ordinal, s.Player, s.Rating, s.Games, s.Deviation)
		}
		if err := tx.db.Exec("INSERT INTO rating_starts (ordinal, player_id, rating, games, deviation) VALUES "+tuples(len(some), 5),
			args...).Error; err != nil {
			return wrap(err, "given ratings")
		}
	}
	return nil
}

// RatingsStale notes that a result, or what an event is rated by, has changed: every list
// is recomputed from that event on.
func (tx *Tx) RatingsStale(from int64) error {
	err := tx.db.Exec(`UPDATE rating_folds SET stale_from = ?
		WHERE (stale_from IS NULL OR stale_from > ?) AND (status IN (`+foldShown+`, `+foldMaking+`) OR status = `+foldMonthly+` AND upto >= ?)`,
		from, from, from).Error
	return wrap(err, "ratings from event %d on", from)
}

// sameGames reports whether two versions of a tournament have the same rated games.
func sameGames(before, after *tournament.Tournament) bool {
	return before.ClubID == after.ClubID &&
		slices.EqualFunc(before.Entries, after.Entries, func(a, b tournament.Entry) bool { return a.Player == b.Player }) &&
		slices.EqualFunc(before.Rounds, after.Rounds, func(a, b tournament.Round) bool {
			return slices.EqualFunc(a.Pairings, b.Pairings, func(x, y tournament.Pairing) bool {
				return x.First == y.First && x.Second == y.Second && x.Result.RatedKind() == y.Result.RatedKind()
			})
		})
}

// staleTournament is RatingsStale for a tournament, if it is rated.
func (tx *Tx) staleTournament(id tournament.ID) error {
	var ordinal int64
	err := tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events WHERE tournament_id = ?", string(id)).Scan(&ordinal).Error
	if err != nil || ordinal == 0 {
		return err
	}
	return tx.RatingsStale(ordinal)
}

// unrate removes a tournament from the rated events; its ordinal stays unused.
func (tx *Tx) unrate(id tournament.ID) error {
	if err := tx.staleTournament(id); err != nil {
		return err
	}
	if err := tx.db.Exec("UPDATE rated_events SET tournament_id = NULL WHERE tournament_id = ?", string(id)).Error; err != nil {
		return err
	}
	return guarded(tx.db.Exec("UPDATE tournaments SET rated_no = NULL, rated_at = NULL WHERE id = ?", string(id)))
}

// UnrateChallenge removes a challenge from the rated events; its ordinal stays unused and
// the lists are recomputed from it on.
func (tx *Tx) UnrateChallenge(id challenge.ID) error {
	var ordinal int64
	err := tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events WHERE challenge_id = ?", string(id)).Scan(&ordinal).Error
	if err == nil {
		err = tx.RatingsStale(ordinal)
	}
	if err == nil {
		err = tx.db.Exec("UPDATE rated_events SET challenge_id = NULL WHERE ordinal = ?", ordinal).Error
	}
	if err == nil {
		err = guarded(tx.db.Exec("UPDATE challenges SET rated_no = NULL, rated_at = NULL WHERE id = ? AND rated_no IS NOT NULL", string(id)))
	}
	return wrap(err, "unrate challenge %s", id)
}

// BirthYears are the birth years of those players who gave one.
func (tx *Tx) BirthYears(ids ...string) (map[string]int, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return tx.db.Raw("SELECT player_id, year FROM rating_births WHERE player_id IN ?", some)
	}, func(r struct {
		PlayerID string
		Year     int
	}) (string, int) {
		return r.PlayerID, r.Year
	}, "birth years")
}

// SetBirthYear stores a player's birth year, 0 deletes it; what they were rated by it is
// recomputed.
func (tx *Tx) SetBirthYear(id player.ID, year int) error {
	var err error
	if year == 0 {
		err = tx.db.Exec("DELETE FROM rating_births WHERE player_id = ?", string(id)).Error
	} else {
		err = tx.db.Exec(`INSERT INTO rating_births (player_id, year) VALUES (?, ?) ON CONFLICT (player_id)
			DO UPDATE SET year = excluded.year`, string(id), year).Error
	}
	var first int64
	if err == nil {
		err = tx.db.Raw(`SELECT COALESCE(MIN(ordinal), 0) FROM rating_changes WHERE player_id = ? AND fold_id IN (SELECT fold_id
			FROM rating_pools)`, string(id)).Scan(&first).Error
	}
	if err == nil && first > 0 {
		err = tx.RatingsStale(first)
	}
	return wrap(err, "birth year of %s", id)
}
