package store

import (
	"fmt"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/screen"
)

type screenRow struct {
	ID           string `gorm:"primaryKey"`
	TournamentID string
	Token        string
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

func (r screenRow) screen() screen.Screen {
	return screen.Screen{
		ID: r.ID, Tournament: tournament.ID(r.TournamentID), Token: r.Token, Name: r.Name, Shows: screen.Picture(r.Shows), Seconds: r.Seconds,
		Message: r.Message, Lang: r.Lang, Zone: r.Zone, CreatedAt: at(r.CreatedAt),
	}
}

// Screens are those of a tournament, the oldest first.
func (tx *Tx) Screens(id tournament.ID) ([]screen.Screen, error) {
	var rows []screenRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: screens of %s: %w", id, err)
	}
	screens := make([]screen.Screen, len(rows))
	for i, r := range rows {
		screens[i] = r.screen()
	}
	return screens, nil
}

// Screen is the one with that token.
func (tx *Tx) Screen(token string) (screen.Screen, error) {
	var row screenRow
	if err := tx.db.Where("token = ?", token).Take(&row).Error; err != nil {
		return screen.Screen{}, fmt.Errorf("store: screen: %w", err)
	}
	return row.screen(), nil
}

// SaveScreen adds a screen, or changes the one with its id.
func (tx *Tx) SaveScreen(s screen.Screen) error {
	row := screenRow{s.ID, string(s.Tournament), s.Token, s.Name, uint8(s.Shows), s.Seconds, s.Message, s.Lang, s.Zone, 1, ms(s.CreatedAt)}
	if err := tx.db.Save(&row).Error; err != nil {
		return fmt.Errorf("store: save screen: %w", err)
	}
	return nil
}

// DropScreen ends a screen's link.
func (tx *Tx) DropScreen(id tournament.ID, screen string) error {
	if err := guarded(tx.db.Where("tournament_id = ? AND id = ?", string(id), screen).Delete(&screenRow{})); err != nil {
		return fmt.Errorf("store: drop screen: %w", err)
	}
	return nil
}
