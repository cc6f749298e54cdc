package store

import (
	"gorm.io/gorm/clause"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
)

type clubChangeRow struct {
	ClubID    string `gorm:"primaryKey"`
	Part      string `gorm:"primaryKey"`
	Version   int64
	Act       string
	ByPlayer  string
	ChangedAt int64
}

func (clubChangeRow) TableName() string { return "club_changes" }

func (r clubChangeRow) change() club.Change {
	return club.Change{Club: club.ID(r.ClubID), Part: r.Part, Version: r.Version, Act: r.Act, By: player.ID(r.ByPlayer), At: at(r.ChangedAt)}
}

// ClubChange is the last change of a part of a club, ErrNotFound without any.
func (tx *Tx) ClubChange(of club.ID, part string) (club.Change, error) {
	return findOne(tx.db.Where("club_id = ? AND part = ?", string(of), part), clubChangeRow.change, "change of %s in club %s", part, of)
}

// NoteClubChange raises the version of a club and notes what was changed.
func (tx *Tx) NoteClubChange(c club.Change) error {
	err := existing(tx.db.Exec("UPDATE clubs SET version = version + 1 WHERE id = ?", string(c.Club)))
	if err != nil {
		return wrap(err, "note change of club %s", c.Club)
	}
	now, err := tx.Club(c.Club)
	if err != nil {
		return err
	}
	row := clubChangeRow{string(c.Club), c.Part, now.Version, c.Act, string(c.By), ms(c.At)}
	return wrap(tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error, "note change of club %s", c.Club)
}
