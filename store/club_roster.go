package store

import (
	"gorm.io/gorm"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
)

type clubRequestRow struct {
	ClubID   string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	Note     string
	AskedAt  int64
}

func (clubRequestRow) TableName() string { return "club_requests" }

func (r clubRequestRow) request() club.Request {
	return club.Request{Player: player.ID(r.PlayerID), Note: r.Note, At: at(r.AskedAt)}
}

type clubBanRow struct {
	ClubID   string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	ByPlayer string
	Reason   string
	BannedAt int64
	UntilAt  *int64
}

func (clubBanRow) TableName() string { return "club_bans" }

func (r clubBanRow) ban() club.Ban {
	return club.Ban{Player: player.ID(r.PlayerID), By: player.ID(r.ByPlayer), Reason: r.Reason, At: at(r.BannedAt), Until: atOrZero(r.UntilAt)}
}

// Roster is a club with its people, ErrNotFound without one. The oldest request and the
// latest ban come first.
func (tx *Tx) Roster(id club.ID) (club.Roster, error) {
	var r club.Roster
	var err error
	if r.Club, err = tx.Club(id); err != nil {
		return r, err
	}
	if r.Members, err = tx.Members(id); err != nil {
		return r, err
	}
	requests, err := findAll(tx.db.Where("club_id = ?", string(id)).Order("asked_at, player_id"), clubRequestRow.request, "club requests")
	if err != nil {
		return r, err
	}
	bans, err := findAll(tx.db.Where("club_id = ?", string(id)).Order("banned_at DESC, player_id"), clubBanRow.ban, "club bans")
	r.Requests, r.Bans = append(r.Requests, requests...), append(r.Bans, bans...) // nil without any
	return r, err
}

// AddClub creates a club with its people, ErrTaken when the name is in use.
func (tx *Tx) AddClub(r club.Roster) error {
	r.Version = 1
	row := tx.rowOfClub(r.Club)
	err := tx.db.Create(&row).Error
	if err == nil {
		err = tx.savePeople(club.Roster{}, r)
	}
	if err != nil {
		return wrap(err, "add club")
	}
	return tx.index(foundClub, string(r.ID), fold.Words(r.Name))
}

// SaveClub writes the differences between before and after and raises the version. It
// fails with ErrConflict if the club has changed since before was read, and with ErrTaken
// if another club has the name.
func (tx *Tx) SaveClub(before, after club.Roster) error {
	after.Version = before.Version + 1
	row := tx.rowOfClub(after.Club)
	var omitted []string
	if before.Code == after.Code { // it stays sealed as it is, even by a key that is missing now
		omitted = append(omitted, "Code")
	}
	err := guarded(tx.db.Model(&clubRow{}).Where("id = ? AND version = ?", row.ID, before.Version).Select("*").Omit(omitted...).Updates(&row))
	if err == nil {
		err = tx.savePeople(before, after)
	}
	if err != nil {
		return wrap(err, "save club %s", after.ID)
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

// saveKeyed writes the difference between two lists of a club in which every player
// stands at most once.
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
