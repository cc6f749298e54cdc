package store

import (
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/challenge"
)

type challengeRow struct {
	ID             string `gorm:"primaryKey"`
	ChallengerID   string
	OpponentID     *string
	ByLink         bool
	ChallengerSeat uint8
	Rated          bool
	Lobby          string
	Settings       string
	Status         uint8
	Why            string
	MatchID        *string
	RematchOf      *string
	CreatedAt      int64 `gorm:"autoCreateTime:false"`
	ExpiresAt      int64
	ClosedAt       int64
	RatedAt        *int64
	RatedNo        *int64
}

func (challengeRow) TableName() string { return "challenges" }

// challengeJSON is the stored form of challenge.Settings; Rated and Lobby have columns of
// their own.
type challengeJSON struct {
	Envelope json.RawMessage `json:"envelope"`
	Claims   match.Claims    `json:"claims"`
	Lateness time.Duration   `json:"lateness"`
	Life     time.Duration   `json:"life"`
	Handicap bool            `json:"handicap,omitempty"`
	Policy   fairplay.Policy `json:"policy,omitzero"`
	BidTime  time.Duration   `json:"bidTime,omitempty"`
	Untimed  bool            `json:"untimed,omitempty"`
	Either   bool            `json:"either,omitempty"`
}

func (r challengeRow) challenge() (challenge.Challenge, error) {
	var s challengeJSON
	if err := json.Unmarshal([]byte(r.Settings), &s); err != nil {
		return challenge.Challenge{}, err
	}
	envelope, err := bidding.ParseEnvelope(s.Envelope)
	if err != nil {
		return challenge.Challenge{}, err
	}
	return challenge.Challenge{
		ID: challenge.ID(r.ID), Challenger: player.ID(r.ChallengerID), Opponent: player.ID(textOf(r.OpponentID)), ByLink: r.ByLink,
		Seat: match.Seat(r.ChallengerSeat), Status: challenge.Status(r.Status), Why: challenge.Why(r.Why),
		Match: match.ID(textOf(r.MatchID)), Rematch: match.ID(textOf(r.RematchOf)),
		Settings: challenge.Settings{Envelope: envelope, Claims: s.Claims, Lateness: s.Lateness, Rated: r.Rated, Life: s.Life,
			Handicap: s.Handicap, Policy: s.Policy, BidTime: s.BidTime, Untimed: s.Untimed, Either: s.Either, Lobby: r.Lobby},
		Created: at(r.CreatedAt), Expires: at(r.ExpiresAt), Closed: at(r.ClosedAt), RatedAt: atOrZero(r.RatedAt),
	}, nil
}

// rowOfChallenge leaves out the rating columns, which MarkRated writes.
func rowOfChallenge(c challenge.Challenge) (challengeRow, error) {
	envelope, err := json.Marshal(c.Settings.Envelope)
	if err != nil {
		return challengeRow{}, err
	}
	settings, err := json.Marshal(challengeJSON{envelope, c.Settings.Claims, c.Settings.Lateness, c.Settings.Life,
		c.Settings.Handicap, c.Settings.Policy, c.Settings.BidTime, c.Settings.Untimed, c.Settings.Either})
	return challengeRow{
		ID: string(c.ID), ChallengerID: string(c.Challenger), OpponentID: textOrNull(c.Opponent), ByLink: c.ByLink,
		ChallengerSeat: uint8(c.Seat), Rated: c.Settings.Rated, Lobby: c.Settings.Lobby, Settings: string(settings), Status: uint8(c.Status), Why: string(c.Why),
		MatchID: textOrNull(c.Match), RematchOf: textOrNull(c.Rematch),
		CreatedAt: ms(c.Created), ExpiresAt: ms(c.Expires), ClosedAt: ms(c.Closed),
	}, err
}

// textOrNull and textOf convert texts that may be NULL; empty is NULL.
func textOrNull[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Challenge finds a challenge by its id.
func (tx *Tx) Challenge(id challenge.ID) (challenge.Challenge, error) {
	return tx.oneChallenge("id = ?", string(id))
}

// ChallengeOf is the challenge that led to a match, ErrNotFound if none did.
func (tx *Tx) ChallengeOf(id match.ID) (challenge.Challenge, error) {
	return tx.oneChallenge("match_id = ?", string(id))
}

// RematchOf is the latest offer to play a match again, ErrNotFound without one.
func (tx *Tx) RematchOf(of match.ID) (challenge.Challenge, error) {
	return parseOne(tx.db.Where("rematch_of = ?", string(of)).Order("created_at DESC, status, id").Limit(1),
		challengeRow.challenge, "rematch of %s", of)
}

func (tx *Tx) oneChallenge(where, arg string) (challenge.Challenge, error) {
	return parseOne(tx.db.Where(where, arg), challengeRow.challenge, "challenge of %s", arg)
}

// WaitingChallenges are the challenges from and to a player that wait for an answer, the
// latest first.
func (tx *Tx) WaitingChallenges(of player.ID, now time.Time) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("status = "+challengeOpen+" AND (challenger_id = ? OR opponent_id = ?) AND expires_at > ?",
		string(of), string(of), ms(now)).
		Order("created_at DESC, id"))
}

// Lobby are the challenges that anyone may accept, the oldest first.
func (tx *Tx) Lobby(now time.Time, limit int) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("lobby <> '' AND status = "+challengeOpen+" AND expires_at > ?", ms(now)).
		Order("created_at, id").Limit(limit))
}

// LobbyWaits is how long the challenges accepted last had waited in the lobby.
func (tx *Tx) LobbyWaits(limit int) ([]time.Duration, error) {
	waits, err := scan[[]int64](tx.db.Raw(`SELECT closed_at - created_at FROM challenges
		WHERE lobby <> '' AND status = `+challengeAccepted+` ORDER BY closed_at DESC LIMIT ?`, limit), "waits in the lobby")
	out := make([]time.Duration, len(waits))
	for i, w := range waits {
		out[i] = time.Duration(w) * time.Millisecond
	}
	return out, err
}

// DueChallenges are the expired challenges that nobody has answered.
func (tx *Tx) DueChallenges(now time.Time, limit int) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("status = "+challengeOpen+" AND expires_at <= ?", ms(now)).Order("expires_at, id").Limit(limit))
}

func (tx *Tx) challenges(db *gorm.DB) ([]challenge.Challenge, error) {
	return parseAll(db, challengeRow.challenge, "challenges")
}

// OpenChallenges counts the challenges of a player that wait for an answer.
func (tx *Tx) OpenChallenges(by player.ID, now time.Time) (int, error) {
	return count(tx.db.Model(&challengeRow{}).
		Where("challenger_id = ? AND status = "+challengeOpen+" AND expires_at > ?", string(by), ms(now)),
		"open challenges of %s", by)
}

// ChallengeStatuses are the statuses of those challenges that exist.
func (tx *Tx) ChallengeStatuses(ids []challenge.ID) (map[challenge.ID]challenge.Status, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.db.Select("id", "status").Where("id IN ?", some) },
		func(r challengeRow) (challenge.ID, challenge.Status) {
			return challenge.ID(r.ID), challenge.Status(r.Status)
		},
		"challenge statuses")
}

// playedMatch is the SQL condition for matches m that ended on the board or in the
// bidding, not by forfeit and not void.
var playedMatch = "m.status = " + matchOver + " AND m.outcome BETWEEN " + wonByFirst + " AND " + drawn + " AND m.reason <> 'forfeit'"

// AddChallenge stores a new challenge, ErrTaken if the same two players or the same
// rematch have one waiting.
func (tx *Tx) AddChallenge(c challenge.Challenge) error {
	row, err := rowOfChallenge(c)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	return wrap(err, "add challenge")
}

// ExpireChallenges closes a player's expired challenges and the expired offers of a
// rematch, so that they do not stand in the way of a new one.
func (tx *Tx) ExpireChallenges(by player.ID, rematch match.ID, now time.Time) error {
	err := tx.db.Exec(`UPDATE challenges SET status = `+challengeExpired+`, closed_at = ?
		WHERE status = `+challengeOpen+` AND expires_at <= ? AND (challenger_id = ? OR rematch_of = ?)`,
		ms(now), ms(now), string(by), string(rematch)).Error
	return wrap(err, "expire challenges of %s", by)
}

// CloseChallenge stores the outcome of a waiting challenge, ErrConflict if it no longer
// waits.
func (tx *Tx) CloseChallenge(c challenge.Challenge) error {
	err := guarded(tx.db.Exec(`UPDATE challenges SET status = ?, why = ?, rated = ?, opponent_id = ?, match_id = ?, closed_at = ?
		WHERE id = ? AND status = `+challengeOpen,
		uint8(c.Status), string(c.Why), c.Settings.Rated, textOrNull(c.Opponent), textOrNull(c.Match), ms(c.Closed), string(c.ID)))
	return wrap(err, "close challenge %s", c.ID)
}
