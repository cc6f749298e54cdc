package store

import (
	"crypto/rand"
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/oauth"
)

// NewSecret is 130 random bits for a cookie, a token or a link.
func NewSecret() player.Secret { return player.Secret(rand.Text()) }

type sessionRow struct {
	Digest    string `gorm:"primaryKey"`
	ID        string
	PlayerID  string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	UsedAt    int64
	Device    string
	Address   string
}

func (sessionRow) TableName() string { return "sessions" }

func (r sessionRow) session() player.Session {
	return player.Session{ID: r.ID, Player: player.ID(r.PlayerID), Created: at(r.CreatedAt),
		Used: at(r.UsedAt), Device: r.Device, Address: r.Address}
}

// Shown is the player whom a secret identifies, and the token or session it belongs to.
type Shown struct {
	Player  player.Player
	Token   player.Token
	Session player.Session
}

// Shown finds the players behind secrets; unknown secrets are missing. Whether a session
// or a token has expired is for the caller to judge.
func (tx *Tx) Shown(secrets []player.Secret) (map[player.Secret]Shown, error) {
	out := make(map[player.Secret]Shown, len(secrets))
	for some := range slices.Chunk(secrets, 500) {
		by, digests := map[string]player.Secret{}, make([]string, len(some))
		for i, secret := range some {
			digests[i] = secret.Digest()
			by[digests[i]] = secret
		}
		var tokens []tokenRow
		var sessions []sessionRow
		err := tx.db.Where("digest IN ?", digests).Find(&tokens).Error
		if err == nil {
			err = tx.db.Where("digest IN ?", digests).Find(&sessions).Error
		}
		if err != nil {
			return nil, wrap(err, "shown")
		}
		var owners []player.ID
		for _, r := range tokens {
			out[by[r.Digest]] = Shown{Token: r.token()}
			owners = append(owners, player.ID(r.PlayerID))
		}
		for _, r := range sessions {
			out[by[r.Digest]] = Shown{Session: r.session()}
			owners = append(owners, player.ID(r.PlayerID))
		}
		players, err := tx.Players(owners...)
		if err != nil {
			return nil, err
		}
		for _, secret := range some {
			if who, ok := out[secret]; ok {
				who.Player = players[max(who.Token.Player, who.Session.Player)]
				out[secret] = who
			}
		}
	}
	return out, nil
}

// Sessions are all sessions of an account, the last used first.
func (tx *Tx) Sessions(of player.ID) ([]player.Session, error) {
	return findAll(tx.db.Where("player_id = ?", string(of)).Order("used_at DESC, id"), sessionRow.session, "sessions")
}

// AddSession stores a session.
func (tx *Tx) AddSession(secret player.Secret, s player.Session) error {
	row := sessionRow{secret.Digest(), s.ID, string(s.Player), ms(s.Created), ms(s.Used), s.Device, s.Address}
	return wrap(tx.db.Create(&row).Error, "add session")
}

// TouchUses notes that tokens and sessions are in use.
func (tx *Tx) TouchUses(tokens, sessions []string, now time.Time) error {
	for update, ids := range map[string][]string{
		"UPDATE tokens SET used_at = ? WHERE id IN ? AND used_at < ?":   tokens,
		"UPDATE sessions SET used_at = ? WHERE id IN ? AND used_at < ?": sessions,
	} {
		for some := range slices.Chunk(ids, 500) {
			if err := tx.db.Exec(update, ms(now), some, ms(now)).Error; err != nil {
				return wrap(err, "touch uses")
			}
		}
	}
	return nil
}

// DropSession ends one session of an account, ErrNotFound when it has none such.
func (tx *Tx) DropSession(of player.ID, id string) error {
	tx.accounts = true
	return wrap(existing(tx.db.Exec("DELETE FROM sessions WHERE player_id = ? AND id = ?", string(of), id)), "drop session")
}

// DropSessions ends every session of an account but one (empty: every one).
func (tx *Tx) DropSessions(of player.ID, but string) error {
	tx.accounts = true
	return wrap(tx.db.Exec("DELETE FROM sessions WHERE player_id = ? AND id <> ?", string(of), but).Error, "drop sessions")
}

// SweepSessions deletes expired sessions, links, codes and tokens of applications.
func (tx *Tx) SweepSessions(now time.Time) error {
	err := tx.db.Exec("DELETE FROM sessions WHERE used_at < ? OR created_at < ?",
		ms(now.Add(-player.SessionLife)), ms(now.Add(-player.SessionMost))).Error
	if err == nil {
		err = tx.db.Exec("DELETE FROM sign_in_links WHERE expires_at < ?", ms(now)).Error
	}
	if err == nil {
		err = tx.db.Exec("DELETE FROM grant_codes WHERE created_at < ?", ms(now.Add(-oauth.CodeLife))).Error
	}
	if err == nil {
		err = tx.db.Exec("DELETE FROM tokens WHERE target <> '' AND ends_at <= ?", ms(now)).Error
	}
	return wrap(err, "sweep sessions")
}

// CreateSignInLink makes a secret that signs an account in once, until a moment.
func (tx *Tx) CreateSignInLink(of player.ID, until time.Time) (player.Secret, error) {
	secret := NewSecret()
	err := tx.db.Exec("INSERT INTO sign_in_links (digest, player_id, expires_at) VALUES (?, ?, ?)",
		secret.Digest(), string(of), ms(until)).Error
	if err != nil {
		return "", wrap(err, "create sign-in link")
	}
	return secret, nil
}

// SignInLink is the account of a link, which stays valid.
func (tx *Tx) SignInLink(secret player.Secret, now time.Time) (player.Player, error) {
	var owner string
	if err := existing(tx.db.Raw("SELECT player_id FROM sign_in_links WHERE digest = ? AND expires_at >= ?", secret.Digest(), ms(now)).
		Scan(&owner)); err != nil {
		return player.Player{}, wrap(err, "sign-in link")
	}
	return tx.Player(player.ID(owner))
}

// UseSignInLink uses up a link and returns its account; of two uses at once, one gets
// ErrNotFound.
func (tx *Tx) UseSignInLink(secret player.Secret, now time.Time) (player.Player, error) {
	p, err := tx.SignInLink(secret, now)
	if err == nil {
		err = wrap(existing(tx.db.Exec("DELETE FROM sign_in_links WHERE digest = ?", secret.Digest())), "use sign-in link")
	}
	return p, err
}
