package store

import (
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// SeenSince is from where players acted in matches of Declared and above since a
// moment; who has not is missing.
func (tx *Tx) SeenSince(since time.Time, ids ...player.ID) (map[player.ID]review.Seen, error) {
	found := map[player.ID]review.Seen{}
	for chunk := range slices.Chunk(texts(ids), 500) {
		var rows []struct{ PlayerID, Device, Network string }
		err := tx.db.Raw(`SELECT DISTINCT p.id AS player_id, d.device, d.network FROM match_devices d JOIN matches m ON m.id = d.match_id
			JOIN players p ON p.id = CASE WHEN d.seat = 1 THEN m.first_player ELSE m.second_player END
			WHERE d.at >= ? AND p.id IN ?`, ms(since), chunk).Scan(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("store: where players were seen: %w", err)
		}
		for _, r := range rows {
			s := found[player.ID(r.PlayerID)]
			s.Devices, s.Networks = append(s.Devices, r.Device), append(s.Networks, r.Network)
			found[player.ID(r.PlayerID)] = s
		}
	}
	return found, nil
}

type venueRow struct {
	TournamentID string `gorm:"primaryKey"`
	Network      string `gorm:"primaryKey"`
	At           int64
}

func (venueRow) TableName() string { return "tournament_venues" }

// Venues are the networks in which a tournament is played, as keyed hashes.
func (tx *Tx) Venues(id tournament.ID) ([]string, error) {
	var networks []string
	if err := tx.db.Model(&venueRow{}).Where("tournament_id = ?", string(id)).Order("at, network").
		Pluck("network", &networks).Error; err != nil {
		return nil, fmt.Errorf("store: venues of %s: %w", id, err)
	}
	return networks, nil
}

// IsVenue tells whether a network is one in which the tournament of a match is played.
func (tx *Tx) IsVenue(id match.ID, network string) (bool, error) {
	var found []int
	err := tx.db.Raw(`SELECT 1 FROM pairings p JOIN tournament_venues v ON v.tournament_id = p.tournament_id
		WHERE p.match_id = ? AND v.network = ? LIMIT 1`,
		string(id), network).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("store: venue of %s: %w", id, err)
	}
	return len(found) > 0, nil
}

// AddVenue notes a network; one that is known stays, from now on.
func (tx *Tx) AddVenue(id tournament.ID, network string, now time.Time) error {
	row := venueRow{string(id), network, ms(now)}
	err := tx.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "tournament_id"}, {Name: "network"}},
		DoUpdates: clause.AssignmentColumns([]string{"at"})}).Create(&row).Error
	if err != nil {
		return fmt.Errorf("store: venue of %s: %w", id, err)
	}
	return nil
}

// DropVenues forgets a tournament's networks.
func (tx *Tx) DropVenues(id tournament.ID) error {
	if err := tx.db.Where("tournament_id = ?", string(id)).Delete(&venueRow{}).Error; err != nil {
		return fmt.Errorf("store: venues of %s: %w", id, err)
	}
	return nil
}
