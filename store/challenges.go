package store

import (
	"encoding/json"
	"fmt"
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
	MatchID        *string
	RematchOf      *string
	CreatedAt      int64 `gorm:"autoCreateTime:false"`
	ExpiresAt      int64
	ClosedAt       int64
	RatedAt        *int64
	RatedNo        *int64
}

func (challengeRow) TableName() string { return "challenges" }

// challengeJSON is challenge.Settings as it is stored; whether it is rated has a
// column of its own.
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
		Seat: match.Seat(r.ChallengerSeat), Status: challenge.Status(r.Status),
		Match: match.ID(textOf(r.MatchID)), Rematch: match.ID(textOf(r.RematchOf)),
		Settings: challenge.Settings{Envelope: envelope, Claims: s.Claims, Lateness: s.Lateness, Rated: r.Rated, Life: s.Life,
			Handicap: s.Handicap, Policy: s.Policy, BidTime: s.BidTime, Untimed: s.Untimed, Either: s.Either, Lobby: r.Lobby},
		Created: at(r.CreatedAt), Expires: at(r.ExpiresAt), Closed: at(r.ClosedAt), RatedAt: atOrZero(r.RatedAt),
	}, nil
}

// rowOfChallenge leaves out how it was rated: MarkRated writes that.
func rowOfChallenge(c challenge.Challenge) (challengeRow, error) {
	envelope, err := json.Marshal(c.Settings.Envelope)
	if err != nil {
		return challengeRow{}, err
	}
	settings, err := json.Marshal(challengeJSON{envelope, c.Settings.Claims, c.Settings.Lateness, c.Settings.Life,
		c.Settings.Handicap, c.Settings.Policy, c.Settings.BidTime, c.Settings.Untimed, c.Settings.Either})
	return challengeRow{
		ID: string(c.ID), ChallengerID: string(c.Challenger), OpponentID: textOrNull(string(c.Opponent)), ByLink: c.ByLink,
		ChallengerSeat: uint8(c.Seat), Rated: c.Settings.Rated, Lobby: c.Settings.Lobby, Settings: string(settings), Status: uint8(c.Status),
		MatchID: textOrNull(string(c.Match)), RematchOf: textOrNull(string(c.Rematch)),
		CreatedAt: ms(c.Created), ExpiresAt: ms(c.Expires), ClosedAt: ms(c.Closed),
	}, err
}

// textOrNull and textOf are the same for texts that may be NULL.
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

// Challenge finds one by its id.
func (tx *Tx) Challenge(id challenge.ID) (challenge.Challenge, error) {
	return tx.oneChallenge("id = ?", string(id))
}

// ChallengeOf is the one that led to a match, ErrNotFound when none did.
func (tx *Tx) ChallengeOf(id match.ID) (challenge.Challenge, error) {
	return tx.oneChallenge("match_id = ?", string(id))
}

// RematchOf is the one that offers to play a match again and waits, or has led
// to a match; ErrNotFound without either.
func (tx *Tx) RematchOf(of match.ID) (challenge.Challenge, error) {
	return tx.oneChallenge("status <= 2 AND rematch_of = ?", string(of))
}

func (tx *Tx) oneChallenge(where, arg string) (challenge.Challenge, error) {
	var row challengeRow
	err := tx.db.Where(where, arg).Take(&row).Error
	if err == nil {
		var c challenge.Challenge
		if c, err = row.challenge(); err == nil {
			return c, nil
		}
	}
	return challenge.Challenge{}, fmt.Errorf("store: challenge of %s: %w", arg, err)
}

// WaitingChallenges are those that wait for an answer, from a player or to them,
// the latest first.
func (tx *Tx) WaitingChallenges(of player.ID, now time.Time) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("status = 1 AND (challenger_id = ? OR opponent_id = ?) AND expires_at > ?",
		string(of), string(of), ms(now)).
		Order("created_at DESC, id"))
}

// Lobby are the challenges that anyone may accept, the oldest first.
func (tx *Tx) Lobby(now time.Time, limit int) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("lobby <> '' AND status = 1 AND expires_at > ?", ms(now)).Order("created_at, id").Limit(limit))
}

// LobbyWaits is how long those who were accepted last had waited in the lobby.
func (tx *Tx) LobbyWaits(limit int) ([]time.Duration, error) {
	var waits []int64
	err := tx.db.Raw(`SELECT closed_at - created_at FROM challenges
		WHERE lobby <> '' AND status = 2 ORDER BY closed_at DESC LIMIT ?`, limit).Scan(&waits).Error
	if err != nil {
		return nil, fmt.Errorf("store: waits in the lobby: %w", err)
	}
	out := make([]time.Duration, len(waits))
	for i, w := range waits {
		out[i] = time.Duration(w) * time.Millisecond
	}
	return out, nil
}

// DueChallenges are those whose time is over and that nobody has answered.
func (tx *Tx) DueChallenges(now time.Time, limit int) ([]challenge.Challenge, error) {
	return tx.challenges(tx.db.Where("status = 1 AND expires_at <= ?", ms(now)).Order("expires_at, id").Limit(limit))
}

func (tx *Tx) challenges(db *gorm.DB) ([]challenge.Challenge, error) {
	var rows []challengeRow
	if err := db.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: challenges: %w", err)
	}
	out := make([]challenge.Challenge, len(rows))
	for i, r := range rows {
		c, err := r.challenge()
		if err != nil {
			return nil, fmt.Errorf("store: challenge %s: %w", r.ID, err)
		}
		out[i] = c
	}
	return out, nil
}

// OpenChallenges is how many challenges of a player wait for an answer.
func (tx *Tx) OpenChallenges(by player.ID, now time.Time) (int, error) {
	var n int64
	err := tx.db.Model(&challengeRow{}).Where("challenger_id = ? AND status = 1 AND expires_at > ?", string(by), ms(now)).Count(&n).Error
	if err != nil {
		return 0, fmt.Errorf("store: open challenges of %s: %w", by, err)
	}
	return int(n), nil
}

// ChallengeStatuses is where challenges stand, for those that exist.
func (tx *Tx) ChallengeStatuses(ids []challenge.ID) (map[challenge.ID]challenge.Status, error) {
	found := make(map[challenge.ID]challenge.Status, len(ids))
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []challengeRow
		if err := tx.db.Select("id", "status").Where("id IN ?", texts(ids[:n])).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: challenge statuses: %w", err)
		}
		for _, r := range rows {
			found[challenge.ID(r.ID)] = challenge.Status(r.Status)
		}
		ids = ids[n:]
	}
	return found, nil
}

// playedMatch tells of matches m that ended on the board or in the bidding: a
// forfeit or a void match is no game.
const playedMatch = "m.status = 3 AND m.outcome BETWEEN 1 AND 3 AND m.reason <> 'forfeit'"

// AddChallenge stores a new one. ErrTaken: the same two, or the same rematch,
// have one waiting already.
func (tx *Tx) AddChallenge(c challenge.Challenge) error {
	row, err := rowOfChallenge(c)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err != nil {
		return fmt.Errorf("store: add challenge: %w", err)
	}
	return nil
}

// ExpireChallenges closes those of a player, and those that offer a match again,
// whose time is over: what waits in vain must not stand in the way of a new one.
func (tx *Tx) ExpireChallenges(by player.ID, rematch match.ID, now time.Time) error {
	err := tx.db.Exec(`UPDATE challenges SET status = 5, closed_at = ?
		WHERE status = 1 AND expires_at <= ? AND (challenger_id = ? OR rematch_of = ?)`,
		ms(now), ms(now), string(by), string(rematch)).Error
	if err != nil {
		return fmt.Errorf("store: expire challenges of %s: %w", by, err)
	}
	return nil
}

// CloseChallenge stores what has become of one that waited. ErrConflict: it no
// longer did.
func (tx *Tx) CloseChallenge(c challenge.Challenge) error {
	err := guarded(tx.db.Exec(`UPDATE challenges SET status = ?, rated = ?, opponent_id = ?, match_id = ?, closed_at = ?
		WHERE id = ? AND status = 1`,
		uint8(c.Status), c.Settings.Rated, textOrNull(string(c.Opponent)), textOrNull(string(c.Match)), ms(c.Closed), string(c.ID)))
	if err != nil {
		return fmt.Errorf("store: close challenge %s: %w", c.ID, err)
	}
	return nil
}
