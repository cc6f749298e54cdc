package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// Rating is where a player stands.
type Rating struct {
	Player      player.ID
	Rating      rating.Rating
	Games       int // rated games so far
	Provisional bool
	Peak        rating.Rating
	At          time.Time // of the last change
}

// RatedEvent names what is rated together: a tournament or a challenge, one of
// the two.
type RatedEvent struct {
	Tournament tournament.ID
	Challenge  challenge.ID
}

// String is its id; no tournament has that of a challenge.
func (e RatedEvent) String() string {
	if e.Challenge != "" {
		return string(e.Challenge)
	}
	return string(e.Tournament)
}

// RatingChange is what one event did to one player's rating, and why.
type RatingChange struct {
	rating.Change
	Tournament tournament.ID // or, one of the two:
	Challenge  challenge.ID
	Ordinal    int64 // of the event among the rated ones
	At         time.Time
}

// RatedGames are the games of one event that count, as they were rated.
type RatedGames struct {
	RatedEvent
	Event   rating.Event
	Ordinal int64
	At      time.Time
}

// RatingQuery selects a page of the rating list, the highest first.
type RatingQuery struct {
	Search        string // part of a handle
	Bots          bool   // bots as well
	Limit, Offset int
}

type ratingRow struct {
	PlayerID    string `gorm:"primaryKey"`
	Rating      int64
	Games       int
	Provisional bool
	Peak        int64
	At          int64
}

func (ratingRow) TableName() string { return "ratings" }

func (r ratingRow) rating() Rating {
	return Rating{player.ID(r.PlayerID), rating.Rating(r.Rating), r.Games, r.Provisional, rating.Rating(r.Peak), at(r.At)}
}

type ratingChangeRow struct {
	Ordinal      int64  `gorm:"primaryKey;autoIncrement:false"`
	PlayerID     string `gorm:"primaryKey"`
	Reason       uint8  `gorm:"primaryKey;autoIncrement:false"`
	TournamentID *string
	ChallengeID  *string
	Before       int64
	After        int64
	K            int
	Games        int
	Steps        string
	At           int64
}

func (ratingChangeRow) TableName() string { return "rating_changes" }

func (r ratingChangeRow) change() (RatingChange, error) {
	event := RatedEvent{tournament.ID(textOf(r.TournamentID)), challenge.ID(textOf(r.ChallengeID))}
	c := RatingChange{Tournament: event.Tournament, Challenge: event.Challenge, Ordinal: r.Ordinal, At: at(r.At), Change: rating.Change{
		Event: event.String(), Player: r.PlayerID, Reason: rating.Reason(r.Reason), Before: rating.Rating(r.Before), After: rating.Rating(r.After),
		K: r.K, Games: r.Games,
	}}
	return c, json.Unmarshal([]byte(r.Steps), &c.Steps)
}

func rowOfChange(c RatingChange) (ratingChangeRow, error) {
	steps, err := json.Marshal(c.Steps)
	return ratingChangeRow{
		Ordinal: c.Ordinal, PlayerID: c.Player, Reason: uint8(c.Reason),
		TournamentID: textOrNull(string(c.Tournament)), ChallengeID: textOrNull(string(c.Challenge)),
		Before: int64(c.Before), After: int64(c.After), K: c.K, Games: c.Games, Steps: string(steps), At: ms(c.At),
	}, err
}

// Ratings are those of players who have one.
func (tx *Tx) Ratings(ids ...player.ID) (map[player.ID]Rating, error) {
	found := make(map[player.ID]Rating, len(ids))
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []ratingRow
		if err := tx.db.Where("player_id IN ?", texts(ids[:n])).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: ratings: %w", err)
		}
		for _, r := range rows {
			found[player.ID(r.PlayerID)] = r.rating()
		}
		ids = ids[n:]
	}
	return found, nil
}

// RatingList is one page of the list and its whole length.
func (tx *Tx) RatingList(q RatingQuery) ([]Rating, int, error) {
	db := tx.db.Model(&ratingRow{}).Joins("JOIN players p ON p.id = ratings.player_id")
	if !q.Bots {
		db = db.Where("NOT p.bot")
	}
	if q.Search != "" {
		pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(q.Search)) + "%"
		db = db.Where(`p.handle_key LIKE ? ESCAPE '\'`, pattern)
	}
	var total int64
	var rows []ratingRow
	if err := db.Count(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("store: count ratings: %w", err)
	}
	if err := db.Select("ratings.*").Order("ratings.rating DESC, p.handle_key").Limit(q.Limit).Offset(q.Offset).Find(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("store: rating list: %w", err)
	}
	out := make([]Rating, len(rows))
	for i, r := range rows {
		out[i] = r.rating()
	}
	return out, int(total), nil
}

// RatingHistory is a player's changes, the first one first.
func (tx *Tx) RatingHistory(id player.ID) ([]RatingChange, error) {
	return tx.ratingChanges("player_id = ?", "ordinal, reason", string(id))
}

// RatingChangesOf are those of one tournament, by player.
func (tx *Tx) RatingChangesOf(id tournament.ID) ([]RatingChange, error) {
	return tx.ratingChanges("tournament_id = ?", "player_id, reason", string(id))
}

// RatingChangesOfChallenge are those of one challenge, by player.
func (tx *Tx) RatingChangesOfChallenge(id challenge.ID) ([]RatingChange, error) {
	return tx.ratingChanges("challenge_id = ?", "player_id, reason", string(id))
}

func (tx *Tx) ratingChanges(where, order string, arg any) ([]RatingChange, error) {
	var rows []ratingChangeRow
	if err := tx.db.Where(where, arg).Order(order).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: rating changes: %w", err)
	}
	out := make([]RatingChange, len(rows))
	for i, r := range rows {
		c, err := r.change()
		if err != nil {
			return nil, fmt.Errorf("store: rating change: %w", err)
		}
		out[i] = c
	}
	return out, nil
}

// RatedGames are the games of all rated events, in the order of rating, and
// last those of next (the zero event: none), whose turn it is. Only games
// between two accounts count, and only those that were played.
func (tx *Tx) RatedGames(next RatedEvent) ([]RatedGames, error) {
	tournaments, err := tx.ratedTournaments(next.Tournament)
	if err != nil {
		return nil, err
	}
	challenges, err := tx.ratedChallenges(next.Challenge)
	if err != nil {
		return nil, err
	}
	out := append(tournaments, challenges...)
	slices.SortFunc(out, func(a, b RatedGames) int {
		switch {
		case a.Ordinal == 0:
			return 1
		case b.Ordinal == 0:
			return -1
		}
		return cmp.Compare(a.Ordinal, b.Ordinal)
	})
	return out, nil
}

func (tx *Tx) ratedTournaments(next tournament.ID) ([]RatedGames, error) {
	var heads []tournamentRow
	err := tx.db.Select("id", "ended_at", "rated_no", "rated_at").Where("(rated AND rated_no IS NOT NULL) OR id = ?", string(next)).
		Order("id").Find(&heads).Error
	if err != nil {
		return nil, fmt.Errorf("store: rated tournaments: %w", err)
	}
	var games []struct {
		TournamentID  string
		First, Second string
		Result        uint8
	}
	err = tx.db.Raw(`SELECT p.tournament_id, a.player_id AS first, b.player_id AS second, p.result FROM pairings p
		JOIN tournaments t ON t.id = p.tournament_id
		JOIN entries a ON a.tournament_id = p.tournament_id AND a.id = p.first_entry
		JOIN entries b ON b.tournament_id = p.tournament_id AND b.id = p.second_entry
		WHERE p.result BETWEEN ? AND ? AND a.player_id IS NOT NULL AND b.player_id IS NOT NULL
			AND (t.rated AND t.rated_no IS NOT NULL OR t.id = ?)
		ORDER BY p.tournament_id, p.round, p.board`, uint8(tournament.FirstWins), uint8(tournament.Drawn), string(next)).Scan(&games).Error
	if err != nil {
		return nil, fmt.Errorf("store: rated games: %w", err)
	}
	results := map[uint8]rating.Result{
		uint8(tournament.FirstWins): rating.Win, uint8(tournament.SecondWins): rating.Loss, uint8(tournament.Drawn): rating.Draw,
	}
	byTournament := map[string][]rating.Game{}
	for _, g := range games {
		byTournament[g.TournamentID] = append(byTournament[g.TournamentID], rating.Game{First: g.First, Second: g.Second, FirstResult: results[g.Result]})
	}
	out := make([]RatedGames, len(heads))
	for i, h := range heads {
		out[i] = ratedGames(RatedEvent{Tournament: tournament.ID(h.ID)}, at(h.EndedAt), byTournament[h.ID], h.RatedNo, h.RatedAt)
	}
	return out, nil
}

// ratedChallenges are events of one game each.
func (tx *Tx) ratedChallenges(next challenge.ID) ([]RatedGames, error) {
	var rows []struct {
		ID            string
		First, Second string
		Outcome       uint8
		EndedAt       int64
		RatedNo       *int64
		RatedAt       *int64
	}
	err := tx.db.Raw(`SELECT c.id, m.first_player AS first, m.second_player AS second, m.outcome, m.last_at AS ended_at, c.rated_no, c.rated_at
		FROM challenges c JOIN matches m ON m.id = c.match_id
		WHERE c.rated AND (c.rated_no IS NOT NULL OR c.id = ?) AND `+playedMatch, string(next)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: rated challenges: %w", err)
	}
	results := map[match.Outcome]rating.Result{match.FirstWins: rating.Win, match.SecondWins: rating.Loss, match.Draw: rating.Draw}
	out := make([]RatedGames, len(rows))
	for i, r := range rows {
		games := []rating.Game{{First: r.First, Second: r.Second, FirstResult: results[match.Outcome(r.Outcome)]}}
		out[i] = ratedGames(RatedEvent{Challenge: challenge.ID(r.ID)}, at(r.EndedAt), games, r.RatedNo, r.RatedAt)
	}
	return out, nil
}

func ratedGames(e RatedEvent, ended time.Time, games []rating.Game, ordinal, ratedAt *int64) RatedGames {
	g := RatedGames{RatedEvent: e, At: atOrZero(ratedAt), Event: rating.Event{
		ID: e.String(), Month: ended.Year()*12 + int(ended.Month()) - 1, Games: games,
	}}
	if ordinal != nil {
		g.Ordinal = *ordinal
	}
	return g
}

// MarkRated notes that an event's ratings are applied, as the one with that
// ordinal. ErrConflict: they were already. ErrTaken: another event has come
// first, so everything has to be worked out again. The caller holds the lock
// under which ordinals are given.
func (tx *Tx) MarkRated(e RatedEvent, ordinal int64, now time.Time) error {
	var last int64
	err := tx.db.Raw(`SELECT COALESCE(MAX(no), 0) FROM (SELECT MAX(rated_no) AS no FROM tournaments UNION ALL SELECT MAX(rated_no) FROM challenges) AS r`).
		Scan(&last).Error
	switch {
	case err != nil:
	case last >= ordinal:
		err = ErrTaken
	case e.Challenge != "":
		err = guarded(tx.db.Exec("UPDATE challenges SET rated_at = ?, rated_no = ? WHERE id = ? AND rated_at IS NULL", ms(now), ordinal, string(e.Challenge)))
	default:
		err = tx.markTournamentRated(e.Tournament, ordinal, now)
	}
	if err != nil {
		return fmt.Errorf("store: mark %s rated: %w", e, err)
	}
	return nil
}

func (tx *Tx) markTournamentRated(id tournament.ID, ordinal int64, now time.Time) error {
	before, err := tx.Tournament(id)
	if err != nil {
		return err
	}
	if err := guarded(tx.db.Exec("UPDATE tournaments SET rated_no = ?, rated_at = ? WHERE id = ? AND rated_at IS NULL", ordinal, ms(now), string(id))); err != nil {
		return err
	}
	after := before.Clone()
	after.RatedAt = now
	return tx.SaveTournament(before, after, tournament.Deed{At: now, Act: tournament.ActRate})
}

// AddRatingChanges stores changes.
func (tx *Tx) AddRatingChanges(changes []RatingChange) error {
	rows := make([]ratingChangeRow, len(changes))
	for i, c := range changes {
		row, err := rowOfChange(c)
		if err != nil {
			return fmt.Errorf("store: rating change: %w", err)
		}
		rows[i] = row
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.db.CreateInBatches(rows, 100).Error; err != nil {
		return fmt.Errorf("store: rating changes: %w", err)
	}
	return nil
}

// SetRatings stores where players stand now.
func (tx *Tx) SetRatings(list []Rating) error {
	for _, r := range list {
		err := tx.db.Exec(`INSERT INTO ratings (player_id, rating, games, provisional, peak, at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (player_id) DO UPDATE SET rating = excluded.rating, games = excluded.games, provisional = excluded.provisional,
			peak = excluded.peak, at = excluded.at`, string(r.Player), int64(r.Rating), r.Games, r.Provisional, int64(r.Peak), ms(r.At)).Error
		if err != nil {
			return fmt.Errorf("store: rating of %s: %w", r.Player, err)
		}
	}
	return nil
}

// ClearRatings forgets all ratings and changes, before they are made anew.
func (tx *Tx) ClearRatings() error {
	for _, statement := range []string{"DELETE FROM rating_changes", "DELETE FROM ratings"} {
		if err := tx.db.Exec(statement).Error; err != nil {
			return fmt.Errorf("store: clear ratings: %w", err)
		}
	}
	return nil
}
