package store

import (
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
)

type screenRow struct {
	ID           string `gorm:"primaryKey"`
	TournamentID string
	TokenDigest  string
	TokenSealed  string
	Name         string
	Shows        uint8
	Seconds      int
	Message      string
	Lang         string
	Zone         string
	Version      int64
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
}

func (screenRow) TableName() string { return "screens" }

func (tx *Tx) screenOf(r screenRow) venue.Screen {
	return venue.Screen{
		ID: r.ID, Tournament: tournament.ID(r.TournamentID), Token: tx.unsealed("screen", r.TokenSealed), Name: r.Name, Shows: venue.Picture(r.Shows),
		Seconds: r.Seconds, Message: r.Message, Lang: r.Lang, Zone: r.Zone, CreatedAt: at(r.CreatedAt),
	}
}

// Screens are the screens of a tournament, the oldest first.
func (tx *Tx) Screens(id tournament.ID) ([]venue.Screen, error) {
	return findAll(tx.db.Where("tournament_id = ?", string(id)).Order("created_at, id"), tx.screenOf, "screens of %s", id)
}

// Screen is the screen with a token.
func (tx *Tx) Screen(token string) (venue.Screen, error) {
	return findOne(tx.db.Where("token_digest IN ?", tx.digests("screen", token)), tx.screenOf, "screen")
}

// SaveScreen adds a screen or changes the one with its id.
func (tx *Tx) SaveScreen(s venue.Screen) error {
	row := screenRow{s.ID, string(s.Tournament), tx.digest("screen", s.Token), tx.sealed("screen", s.Token), s.Name, uint8(s.Shows), s.Seconds, s.Message, s.Lang, s.Zone, 1, ms(s.CreatedAt)}
	return wrap(tx.db.Save(&row).Error, "save screen")
}

// DropScreen deletes a screen, ErrNotFound when it is gone.
func (tx *Tx) DropScreen(id tournament.ID, screen string) error {
	return wrap(existing(tx.db.Where("tournament_id = ? AND id = ?", string(id), screen).Delete(&screenRow{})), "drop screen")
}
