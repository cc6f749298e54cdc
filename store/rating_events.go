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

// RatedEvent names what is rated together, one of these: a tournament, a
// challenge, a match of a ladder, or ratings given to players of a pool.
type RatedEvent struct {
	Tournament tournament.ID
	Challenge  challenge.ID
	Match      match.ID
	Pool       rating.PoolID
}

// String is its id; no two kinds share one.
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

// Kind is where its results come from; 0 for ratings that were given.
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
	Ordinal int64 // its place among all rated events
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

// LastOrdinal is that of the last rated event, 0 before the first.
func (tx *Tx) LastOrdinal() (last int64, err error) {
	if err := tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events").Scan(&last).Error; err != nil {
		return 0, fmt.Errorf("store: last rated event: %w", err)
	}
	return last, nil
}

// belongs is the SQL condition for events of a pool.
func belongs(db *gorm.DB, p rating.Pool) *gorm.DB {
	return db.Where(`(pool_id = ? OR (pool_id IS NULL AND handicap = ? AND (
		tournament_id IS NOT NULL AND ? OR challenge_id IS NOT NULL AND ? OR match_id IS NOT NULL AND ?)))`,
		string(p.ID), p.Counts.Handicap, p.Counts.Tournaments, p.Counts.Challenges, p.Counts.Ladders)
}

// RatedGames are a pool's next events after one, in their order, at most limit.
// Only games between two accounts count, and only those that were played; an
// event may be without any.
func (tx *Tx) RatedGames(p rating.Pool, after int64, limit int) ([]RatedGames, error) {
	var heads []ratedEventRow
	err := belongs(tx.db.Where("ordinal > ?", after), p).Order("ordinal").Limit(limit).Find(&heads).Error
	if err != nil {
		return nil, fmt.Errorf("store: rated events: %w", err)
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
		return nil, fmt.Errorf("store: given ratings: %w", err)
	}
	for _, s := range starts {
		e := &out[place[s.Ordinal]].Event
		e.Starts = append(e.Starts, rating.Start{Player: s.PlayerID, Rating: s.Rating, Games: s.Games, Deviation: s.Deviation})
	}
	return out, nil
}

// ofClub is the SQL condition of a club's pool for games of a and b: what is
// played in the club's own events, and elsewhere between two of its members.
func ofClub(p rating.Pool, own, a, b string) (string, []any) {
	if p.Club == "" {
		return "", nil
	}
	member := "EXISTS (SELECT 1 FROM rated_members x WHERE x.ordinal = e.ordinal AND x.club_id = ? AND x.player_id = "
	return " AND (" + own + " = ? OR " + member + a + ") AND " + member + b + "))", []any{p.Club, p.Club, p.Club}
}

// pairingRated is the SQL condition for a pairing p whose result is a game's with equal chips.
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
		return fmt.Errorf("store: rated games: %w", err)
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
			return fmt.Errorf("store: rated games: %w", err)
		}
		g.FirstResult = results[result]
		add(ordinal, g)
	}
	return rows.Err()
}

// ratedMatches are the events of one game each.
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
			return fmt.Errorf("store: rated matches: %w", err)
		}
		for rows.Next() {
			var ordinal int64
			var g rating.Game
			var outcome match.Outcome
			if err := rows.Scan(&ordinal, &g.First, &g.Second, &outcome); err != nil {
				rows.Close()
				return fmt.Errorf("store: rated matches: %w", err)
			}
			g.FirstResult = results[outcome]
			add(ordinal, g)
		}
		if err := rows.Close(); err != nil {
			return fmt.Errorf("store: rated matches: %w", err)
		}
	}
	return nil
}

// MarkRated gives an event the next ordinal and keeps who was then in which
// club. ErrConflict: it has one. The caller holds the lock under which ordinals
// are given.
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
		var known int64
		if err = tx.db.Model(&ratedEventRow{}).Where("match_id = ?", string(e.Match)).Count(&known).Error; err == nil && known > 0 {
			err = ErrConflict
		}
	}
	if err == nil {
		err = tx.db.Create(&ratedEventRow{
			Ordinal: ordinal, TournamentID: textOrNull(string(e.Tournament)), ChallengeID: textOrNull(string(e.Challenge)),
			MatchID: textOrNull(string(e.Match)), PoolID: textOrNull(string(e.Pool)), Handicap: handicap, EndedAt: ms(ended), RatedAt: ms(now),
		}).Error
	}
	if err == nil {
		err = tx.keepMembers(e, ordinal)
	}
	if err != nil {
		return 0, fmt.Errorf("store: mark %s rated: %w", e, err)
	}
	return ordinal, nil
}

func (tx *Tx) markTournamentRated(id tournament.ID, ordinal int64, now time.Time) error {
	before, err := tx.Tournament(id)
	if err != nil {
		return err
	}
	if !before.Rated || !before.Status.IsOver() {
		return ErrConflict // it goes on again
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

// PoolsOfEvent are the pools of the site, and those of clubs whose event it was
// or of which two were members when it was rated.
func (tx *Tx) PoolsOfEvent(ordinal int64) ([]rating.Pool, error) {
	return tx.ratingPools(`club_id IS NULL OR club_id IN (
		SELECT club_id FROM rated_members WHERE ordinal = ? GROUP BY club_id HAVING COUNT(*) > 1)
		OR club_id IN (SELECT t.club_id FROM rated_events e JOIN tournaments t ON t.id = e.tournament_id WHERE e.ordinal = ?)
		OR club_id IN (SELECT l.club_id FROM rated_events e JOIN ladder_challenges lc ON lc.match_id = e.match_id
		JOIN ladders l ON l.id = lc.ladder_id WHERE e.ordinal = ?)`,
		ordinal, ordinal, ordinal)
}

// AddRatingStarts stores ratings given to players of a pool, as the event with
// that ordinal.
func (tx *Tx) AddRatingStarts(ordinal int64, starts []rating.Start) error {
	for len(starts) > 0 {
		n := min(len(starts), 200)
		args := make([]any, 0, 5*n)
		for _, s := range starts[:n] {
			args = append(args, ordinal, s.Player, s.Rating, s.Games, s.Deviation)
		}
		if err := tx.db.Exec("INSERT INTO rating_starts (ordinal, player_id, rating, games, deviation) VALUES "+tuples(n, 5),
			args...).Error; err != nil {
			return fmt.Errorf("store: given ratings: %w", err)
		}
		starts = starts[n:]
	}
	return nil
}

// RatingsStale says that a result, or what an event is rated by, has changed:
// every list is to be made anew from that event on.
func (tx *Tx) RatingsStale(from int64) error {
	err := tx.db.Exec(`UPDATE rating_folds SET stale_from = ?
		WHERE (stale_from IS NULL OR stale_from > ?) AND (status IN (1, 2) OR status = 3 AND upto >= ?)`,
		from, from, from).Error
	if err != nil {
		return fmt.Errorf("store: ratings from event %d on: %w", from, err)
	}
	return nil
}

// sameGames tells whether two states of a tournament have the same rated games.
func sameGames(before, after *tournament.Tournament) bool {
	return before.ClubID == after.ClubID &&
		slices.EqualFunc(before.Entries, after.Entries, func(a, b tournament.Entry) bool { return a.Player == b.Player }) &&
		slices.EqualFunc(before.Rounds, after.Rounds, func(a, b tournament.Round) bool {
			return slices.EqualFunc(a.Pairings, b.Pairings, func(x, y tournament.Pairing) bool {
				return x.First == y.First && x.Second == y.Second && x.Result.RatedKind() == y.Result.RatedKind()
			})
		})
}

// staleTournament is RatingsStale for a tournament that is rated already.
func (tx *Tx) staleTournament(id tournament.ID) error {
	var ordinal int64
	err := tx.db.Raw("SELECT COALESCE(MAX(ordinal), 0) FROM rated_events WHERE tournament_id = ?", string(id)).Scan(&ordinal).Error
	if err != nil || ordinal == 0 {
		return err
	}
	return tx.RatingsStale(ordinal)
}

// unrate takes a tournament off the rated ones: its place stays empty.
func (tx *Tx) unrate(id tournament.ID) error {
	if err := tx.staleTournament(id); err != nil {
		return err
	}
	if err := tx.db.Exec("UPDATE rated_events SET tournament_id = NULL WHERE tournament_id = ?", string(id)).Error; err != nil {
		return err
	}
	return guarded(tx.db.Exec("UPDATE tournaments SET rated_no = NULL, rated_at = NULL WHERE id = ?", string(id)))
}

// UnrateChallenge takes a challenge's result off the rated ones: its place stays
// empty, and the lists are to be made anew from it on.
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
	if err != nil {
		return fmt.Errorf("store: unrate challenge %s: %w", id, err)
	}
	return nil
}

// BirthYears are those that players have told.
func (tx *Tx) BirthYears(ids ...string) (map[string]int, error) {
	found := map[string]int{}
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []struct {
			PlayerID string
			Year     int
		}
		if err := tx.db.Raw("SELECT player_id, year FROM rating_births WHERE player_id IN ?", ids[:n]).Scan(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: birth years: %w", err)
		}
		for _, r := range rows {
			found[r.PlayerID] = r.Year
		}
		ids = ids[n:]
	}
	return found, nil
}

// SetBirthYear stores a player's, 0 forgets it; what they were rated by it is to be
// made anew.
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
	if err != nil {
		return fmt.Errorf("store: birth year of %s: %w", id, err)
	}
	return nil
}
