package store

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// SeenSince is the devices and networks from which players acted in matches of Declared and
// above since a moment; those who did not act are missing.
func (tx *Tx) SeenSince(since time.Time, ids ...player.ID) (map[player.ID]review.Seen, error) {
	found := map[player.ID]review.Seen{}
	err := eachOf(ids, func(some []string) *gorm.DB {
		return tx.db.Raw(`SELECT DISTINCT p.id AS player_id, d.device, d.network FROM match_devices d JOIN matches m ON m.id = d.match_id
			JOIN players p ON p.id = CASE WHEN d.seat = `+seatFirst+` THEN m.first_player ELSE m.second_player END
			WHERE d.at >= ? AND p.id IN ?`, ms(since), some)
	}, func(r struct{ PlayerID, Device, Network string }) {
		s := found[player.ID(r.PlayerID)]
		s.Devices, s.Networks = append(s.Devices, r.Device), append(s.Networks, r.Network)
		found[player.ID(r.PlayerID)] = s
	})
	return found, wrap(err, "where players were seen")
}

type venueRow struct {
	TournamentID string `gorm:"primaryKey"`
	Network      string `gorm:"primaryKey"`
	At           int64
}

func (venueRow) TableName() string { return "tournament_venues" }

// Venues are the networks in which a tournament is played, as keyed hashes.
func (tx *Tx) Venues(id tournament.ID) ([]string, error) {
	return pluck[string](tx.db.Model(&venueRow{}).Where("tournament_id = ?", string(id)).Order("at, network"), "network", "venues of %s", id)
}

// IsVenue reports whether a network is one in which the tournament of a match is played.
func (tx *Tx) IsVenue(id match.ID, network string) (bool, error) {
	return exists(tx.db.Table("pairings p").Joins("JOIN tournament_venues v ON v.tournament_id = p.tournament_id").
		Where("p.match_id = ? AND v.network = ?", string(id), network), "venue of %s", id)
}

// AddVenue notes a network; for a known one the time is renewed.
func (tx *Tx) AddVenue(id tournament.ID, network string, now time.Time) error {
	row := venueRow{string(id), network, ms(now)}
	err := tx.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "tournament_id"}, {Name: "network"}},
		DoUpdates: clause.AssignmentColumns([]string{"at"})}).Create(&row).Error
	return wrap(err, "venue of %s", id)
}

// DropVenues deletes a tournament's networks.
func (tx *Tx) DropVenues(id tournament.ID) error {
	return wrap(tx.db.Where("tournament_id = ?", string(id)).Delete(&venueRow{}).Error, "venues of %s", id)
}
