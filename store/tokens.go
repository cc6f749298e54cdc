package store

import (
	"fmt"
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

// Tokens are all of an account, the newest first.
func (tx *Tx) Tokens(of player.ID) ([]player.Token, error) {
	var rows []tokenRow
	if err := tx.db.Where("player_id = ?", string(of)).Order("created_at DESC, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: tokens: %w", err)
	}
	out := make([]player.Token, len(rows))
	for i, r := range rows {
		out[i] = r.token()
	}
	return out, nil
}

// AddToken makes a token of a name and scopes for an account, with an end or none;
// its secret is in the answer and nowhere else.
func (tx *Tx) AddToken(t player.Token) (player.Secret, error) {
	secret := "chpok_" + NewSecret()
	row := tokenRow{
		Digest: secret.Digest(), ID: NewID(), PlayerID: string(t.Player), Name: t.Name, Scopes: strings.Join(texts(t.Scopes), " "),
		CreatedAt: ms(t.Created), EndsAt: ms(t.Ends),
	}
	if err := tx.db.Create(&row).Error; err != nil {
		return "", fmt.Errorf("store: add token: %w", err)
	}
	return secret, nil
}

// DropToken ends one token of an account, ErrNotFound when it has no such.
func (tx *Tx) DropToken(of player.ID, id string) error {
	tx.accounts = true
	r := tx.db.Exec("DELETE FROM tokens WHERE player_id = ? AND id = ?", string(of), id)
	if r.Error == nil && r.RowsAffected == 0 {
		r.Error = ErrNotFound
	}
	if r.Error != nil {
		return fmt.Errorf("store: drop token: %w", r.Error)
	}
	return nil
}
