package store

import (
	"strings"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/oauth"
)

type tokenRow struct {
	Digest    string `gorm:"primaryKey"`
	ID        string
	PlayerID  string
	Name      string
	Scopes    string // words with spaces between
	CreatedAt int64  `gorm:"autoCreateTime:false"`
	UsedAt    int64
	EndsAt    int64
	Target    string
}

func (tokenRow) TableName() string { return "tokens" }

func (r tokenRow) token() player.Token {
	return player.Token{ID: r.ID, Player: player.ID(r.PlayerID), Name: r.Name, Created: at(r.CreatedAt), Used: at(r.UsedAt), Ends: at(r.EndsAt),
		Scopes: scopesOf(r.Scopes), Target: r.Target}
}

func scopesOf(words string) (list []player.Scope) {
	for word := range strings.FieldsSeq(words) {
		list = append(list, player.Scope(word))
	}
	return list
}

// Tokens are all tokens of an account, the newest first.
func (tx *Tx) Tokens(of player.ID) ([]player.Token, error) {
	return findAll(tx.db.Where("player_id = ?", string(of)).Order("created_at DESC, id"), tokenRow.token, "tokens")
}

// AddToken stores a token with a name, scopes and maybe an end. Its secret is returned
// and stored nowhere.
func (tx *Tx) AddToken(t player.Token) (player.Secret, error) {
	secret := "chpok_" + NewSecret()
	row := tokenRow{
		Digest: secret.Digest(), ID: NewID(), PlayerID: string(t.Player), Name: t.Name, Scopes: strings.Join(texts(t.Scopes), " "),
		CreatedAt: ms(t.Created), EndsAt: ms(t.Ends), Target: t.Target,
	}
	if err := tx.db.Create(&row).Error; err != nil {
		return "", wrap(err, "add token")
	}
	return secret, nil
}

// DropToken ends one token of an account, ErrNotFound when it has none such.
func (tx *Tx) DropToken(of player.ID, id string) error {
	tx.accounts = true
	return wrap(existing(tx.db.Exec("DELETE FROM tokens WHERE player_id = ? AND id = ?", string(of), id)), "drop token")
}

// RevokeToken ends the token with a secret, if there is one.
func (tx *Tx) RevokeToken(secret player.Secret) error {
	tx.accounts = true
	return wrap(tx.db.Exec("DELETE FROM tokens WHERE digest = ?", secret.Digest()).Error, "revoke token")
}

type codeRow struct {
	Digest    string `gorm:"primaryKey"`
	PlayerID  string
	Client    string
	Target    string
	Challenge string
	Scopes    string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Token     string
}

func (codeRow) TableName() string { return "grant_codes" }

// AddCode stores what an account grants to an application. The code is returned and stored nowhere.
func (tx *Tx) AddCode(c oauth.Code) (player.Secret, error) {
	secret, r := NewSecret(), c.Request
	row := codeRow{Digest: secret.Digest(), PlayerID: string(c.Player), Client: r.Client, Target: r.Target.String(), Challenge: r.Challenge,
		Scopes: oauth.Scopes(r.Scopes), CreatedAt: ms(c.Created)}
	return secret, wrap(tx.db.Create(&row).Error, "add code")
}

// Code is what an account has granted under a code.
func (tx *Tx) Code(code player.Secret) (oauth.Code, error) {
	var row codeRow
	if err := tx.db.Where("digest = ?", code.Digest()).Take(&row).Error; err != nil {
		return oauth.Code{}, wrap(err, "code")
	}
	target, err := oauth.ParseTarget(row.Target)
	return oauth.Code{Player: player.ID(row.PlayerID), Created: at(row.CreatedAt), IsUsed: row.Token != "", Request: oauth.Request{
		Client: row.Client, Target: target, Challenge: row.Challenge, Scopes: scopesOf(row.Scopes)}}, wrap(err, "target of a code")
}

// UseCode notes the token that a code was changed for.
func (tx *Tx) UseCode(code, token player.Secret) error {
	return wrap(tx.db.Exec("UPDATE grant_codes SET token = ? WHERE digest = ?", token.Digest(), code.Digest()).Error, "use code")
}

// RevokeCode ends the token that a code was changed for.
func (tx *Tx) RevokeCode(code player.Secret) error {
	tx.accounts = true
	return wrap(tx.db.Exec("DELETE FROM tokens WHERE digest = (SELECT token FROM grant_codes WHERE digest = ?)", code.Digest()).Error,
		"revoke code")
}
