package store

import (
	"strings"

	"chpok.org/chpok/player"
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
}

func (tokenRow) TableName() string { return "tokens" }

func (r tokenRow) token() player.Token {
	t := player.Token{ID: r.ID, Player: player.ID(r.PlayerID), Name: r.Name, Created: at(r.CreatedAt), Used: at(r.UsedAt), Ends: at(r.EndsAt)}
	for word := range strings.FieldsSeq(r.Scopes) {
		t.Scopes = append(t.Scopes, player.Scope(word))
	}
	return t
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
		CreatedAt: ms(t.Created), EndsAt: ms(t.Ends),
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
