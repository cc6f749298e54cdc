package store

import (
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/player"
)

// MakeCalendarLink makes the link to a player's calendar anew; one from before
// serves no longer. The secret is in the answer and nowhere else.
func (tx *Tx) MakeCalendarLink(of player.ID, now time.Time) (player.Secret, error) {
	secret := NewSecret()
	err := tx.db.Exec(`INSERT INTO calendar_links (player_id, digest, created_at) VALUES (?, ?, ?)
		ON CONFLICT (player_id)
		DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at`, string(of), secret.Digest(), ms(now)).Error
	if err != nil {
		return "", fmt.Errorf("store: calendar link: %w", err)
	}
	return secret, nil
}

// DropCalendarLink ends the link to a player's calendar.
func (tx *Tx) DropCalendarLink(of player.ID) error {
	if err := tx.db.Exec("DELETE FROM calendar_links WHERE player_id = ?", string(of)).Error; err != nil {
		return fmt.Errorf("store: drop calendar link: %w", err)
	}
	return nil
}

type calendarLinkRow struct {
	PlayerID  string `gorm:"primaryKey"`
	Digest    string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

func (calendarLinkRow) TableName() string { return "calendar_links" }

// CalendarOf finds whose calendar a link leads to.
func (tx *Tx) CalendarOf(secret player.Secret) (player.Player, error) {
	var row calendarLinkRow
	if err := tx.db.Where("digest = ?", secret.Digest()).Take(&row).Error; err != nil {
		return player.Player{}, fmt.Errorf("store: calendar: %w", err)
	}
	return tx.Player(player.ID(row.PlayerID))
}

// CalendarLinkSince is when a player's link was made, zero: they have none.
func (tx *Tx) CalendarLinkSince(of player.ID) (time.Time, error) {
	var row calendarLinkRow
	err := tx.db.Where("player_id = ?", string(of)).Take(&row).Error
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("store: calendar link: %w", err)
	}
	return at(row.CreatedAt), nil
}
