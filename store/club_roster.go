package store

import (
	"fmt"

	"gorm.io/gorm"

	"chpok.org/chpok/club"
	"chpok.org/chpok/fold"
	"chpok.org/chpok/player"
)

type clubRequestRow struct {
	ClubID   string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	Note     string
	AskedAt  int64
}

func (clubRequestRow) TableName() string { return "club_requests" }

type clubBanRow struct {
	ClubID   string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	ByPlayer string
	Reason   string
	BannedAt int64
	UntilAt  *int64
}

func (clubBanRow) TableName() string { return "club_bans" }

// Roster is a club with its people, ErrNotFound without one. Who asked first
// and who was banned last stand first.
func (tx *Tx) Roster(id club.ID) (club.Roster, error) {
	var r club.Roster
	var err error
	if r.Club, err = tx.Club(id); err != nil {
		return r, err
	}
	if r.Members, err = tx.Members(id); err != nil {
		return r, err
	}
	var requests []clubRequestRow
	if err := tx.db.Where("club_id = ?", string(id)).Order("asked_at, player_id").Find(&requests).Error; err != nil {
		return r, fmt.Errorf("store: club requests: %w", err)
	}
	for _, q := range requests {
		r.Requests = append(r.Requests, club.Request{Player: player.ID(q.PlayerID), Note: q.Note, At: at(q.AskedAt)})
	}
	var bans []clubBanRow
	if err := tx.db.Where("club_id = ?", string(id)).Order("banned_at DESC, player_id").Find(&bans).Error; err != nil {
		return r, fmt.Errorf("store: club bans: %w", err)
	}
	for _, b := range bans {
		r.Bans = append(r.Bans, club.Ban{Player: player.ID(b.PlayerID), By: player.ID(b.ByPlayer),
			Reason: b.Reason, At: at(b.BannedAt), Until: atOrZero(b.UntilAt)})
	}
	return r, nil
}

// AddClub creates a club with its people, ErrTaken when the name is in use.
func (tx *Tx) AddClub(r club.Roster) error {
	r.Version = 1
	row := rowOfClub(r.Club)
	err := tx.db.Create(&row).Error
	if err == nil {
		err = tx.savePeople(club.Roster{}, r)
	}
	if err != nil {
		return fmt.Errorf("store: add club: %w", err)
	}
	return tx.index(foundClub, string(r.ID), fold.Words(r.Name))
}

// SaveClub writes what has changed from before to after and raises the version.
// ErrConflict: the club has changed since before was read. ErrTaken: another
// club has the name.
func (tx *Tx) SaveClub(before, after club.Roster) error {
	after.Version = before.Version + 1
	row := rowOfClub(after.Club)
	err := guarded(tx.db.Model(&clubRow{}).Where("id = ? AND version = ?", row.ID, before.Version).Select("*").Updates(&row))
	if err == nil {
		err = tx.savePeople(before, after)
	}
	if err != nil {
		return fmt.Errorf("store: save club %s: %w", after.ID, err)
	}
	if before.Name != after.Name {
		return tx.index(foundClub, string(after.ID), fold.Words(after.Name))
	}
	return nil
}

func (tx *Tx) savePeople(before, after club.Roster) error {
	id := string(after.ID)
	err := saveKeyed(tx.db, id, before.Members, after.Members, func(m club.Membership) (player.ID, memberRow) {
		return m.Player, memberRow{id, string(m.Player), m.Role.String(), ms(m.Joined)}
	})
	if err == nil {
		err = saveKeyed(tx.db, id, before.Requests, after.Requests, func(q club.Request) (player.ID, clubRequestRow) {
			return q.Player, clubRequestRow{id, string(q.Player), q.Note, ms(q.At)}
		})
	}
	if err == nil {
		err = saveKeyed(tx.db, id, before.Bans, after.Bans, func(b club.Ban) (player.ID, clubBanRow) {
			return b.Player, clubBanRow{id, string(b.Player), string(b.By), b.Reason, ms(b.At), msOrNull(b.Until)}
		})
	}
	return err
}

// saveKeyed writes the difference between two lists of a club that hold every
// player once at most.
func saveKeyed[T comparable, R any](db *gorm.DB, id string, before, after []T, row func(T) (player.ID, R)) error {
	old := make(map[player.ID]T, len(before))
	for _, x := range before {
		of, _ := row(x)
		old[of] = x
	}
	for _, x := range after {
		of, r := row(x)
		was, known := old[of]
		delete(old, of)
		if known && was == x {
			continue
		}
		if err := db.Where("club_id = ? AND player_id = ?", id, string(of)).Delete(new(R)).Error; err != nil {
			return err
		}
		if err := db.Create(&r).Error; err != nil {
			return err
		}
	}
	for of := range old {
		if err := db.Where("club_id = ? AND player_id = ?", id, string(of)).Delete(new(R)).Error; err != nil {
			return err
		}
	}
	return nil
}
