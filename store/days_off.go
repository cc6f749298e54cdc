package store

import "chpok.org/chpok/player"

type dayOffRow struct {
	PlayerID string `gorm:"primaryKey"`
	Day      string `gorm:"primaryKey"`
}

func (dayOffRow) TableName() string { return "days_off" }

// DaysOff are the days on which players cannot play, in order, as time.DateOnly writes them. Whoever has none is missing.
func (tx *Tx) DaysOff(ids ...player.ID) (map[player.ID][]string, error) {
	var rows []dayOffRow
	if err := tx.db.Where("player_id IN ?", ids).Order("player_id, day").Find(&rows).Error; err != nil {
		return nil, wrap(err, "days off")
	}
	list := map[player.ID][]string{}
	for _, r := range rows {
		list[player.ID(r.PlayerID)] = append(list[player.ID(r.PlayerID)], r.Day)
	}
	return list, nil
}

// SetDaysOff replaces a player's days from one to another, both included.
func (tx *Tx) SetDaysOff(of player.ID, from, to string, days []string) error {
	err := tx.db.Where("player_id = ? AND day >= ? AND day <= ?", string(of), from, to).Delete(&dayOffRow{}).Error
	if len(days) == 0 || err != nil {
		return wrap(err, "days off")
	}
	rows := make([]dayOffRow, len(days))
	for i, day := range days {
		rows[i] = dayOffRow{string(of), day}
	}
	return wrap(tx.db.CreateInBatches(rows, 100).Error, "days off")
}
