package store

import (
	"errors"
	"time"

	"chpok.org/chpok/player"
)

// MakeCalendarLink makes a new link to a player's calendar and ends the old one. The
// secret is returned and stored nowhere.
func (tx *Tx) MakeCalendarLink(of player.ID, now time.Time) (player.Secret, error) {
	secret := NewSecret()
	err := tx.db.Exec(`INSERT INTO calendar_links (player_id, digest, created_at) VALUES (?, ?, ?)
		ON CONFLICT (player_id)
		DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at`, string(of), secret.Digest(), ms(now)).Error
	if err != nil {
		return "", wrap(err, "calendar link")
	}
	return secret, nil
}

// DropCalendarLink ends the link to a player's calendar.
func (tx *Tx) DropCalendarLink(of player.ID) error {
	return wrap(tx.db.Exec("DELETE FROM calendar_links WHERE player_id = ?", string(of)).Error, "drop calendar link")
}

type calendarLinkRow struct {
	PlayerID  string `gorm:"primaryKey"`
	Digest    string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

func (calendarLinkRow) TableName() string { return "calendar_links" }

// CalendarOf is the player whose calendar a link shows.
func (tx *Tx) CalendarOf(secret player.Secret) (player.Player, error) {
	var row calendarLinkRow
	if err := tx.db.Where("digest = ?", secret.Digest()).Take(&row).Error; err != nil {
		return player.Player{}, wrap(err, "calendar")
	}
	return tx.Player(player.ID(row.PlayerID))
}

// CalendarLinkSince is when a player's link was made, the zero time without one.
func (tx *Tx) CalendarLinkSince(of player.ID) (time.Time, error) {
	var row calendarLinkRow
	err := tx.db.Where("player_id = ?", string(of)).Take(&row).Error
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, wrap(err, "calendar link")
	}
	return at(row.CreatedAt), nil
}
