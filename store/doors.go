package store

import (
	"fmt"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/door"
)

type doorRow struct {
	TournamentID string `gorm:"primaryKey"`
	Code         string
	Kiosk        string
	OpenedAt     int64
}

func (doorRow) TableName() string { return "doors" }

func (tx *Tx) door(where, arg string) (door.Door, error) {
	var row doorRow
	if err := tx.db.Where(where, arg).Take(&row).Error; err != nil {
		return door.Door{}, fmt.Errorf("store: door: %w", err)
	}
	return door.Door{Tournament: tournament.ID(row.TournamentID), Code: row.Code, Kiosk: row.Kiosk, Opened: at(row.OpenedAt)}, nil
}

// Door is that of a tournament, ErrNotFound: it is closed.
func (tx *Tx) Door(id tournament.ID) (door.Door, error) {
	return tx.door("tournament_id = ?", string(id))
}

// DoorByCode is the door of a short address.
func (tx *Tx) DoorByCode(code string) (door.Door, error) {
	return tx.door("code = ?", door.Key(code))
}

// DoorByKiosk is the door whose page for many has that secret.
func (tx *Tx) DoorByKiosk(secret string) (door.Door, error) {
	return tx.door("kiosk = ?", secret)
}

// OpenDoor adds a door; ErrTaken: the code is in use.
func (tx *Tx) OpenDoor(d door.Door) error {
	row := doorRow{string(d.Tournament), d.Code, d.Kiosk, ms(d.Opened)}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: open door: %w", err)
	}
	return nil
}

// CloseDoor takes a door away.
func (tx *Tx) CloseDoor(id tournament.ID) error {
	if err := guarded(tx.db.Where("tournament_id = ?", string(id)).Delete(&doorRow{})); err != nil {
		return fmt.Errorf("store: close door: %w", err)
	}
	return nil
}

type guestRow struct {
	PlayerID     string `gorm:"primaryKey"`
	ClubID       *string
	TournamentID string
	Name         string
	Code         *string
	MadeAt       int64
}

func (guestRow) TableName() string { return "club_guests" }

func (r guestRow) guest() club.Guest {
	return club.Guest{Player: player.ID(r.PlayerID), Club: club.ID(textOf(r.ClubID)), Tournament: r.TournamentID, Name: r.Name,
		Code: textOf(r.Code), Made: at(r.MadeAt)}
}

// AddClubGuest notes who came in at a door; ErrTaken: the code is in use.
func (tx *Tx) AddClubGuest(g club.Guest) error {
	row := guestRow{string(g.Player), textOrNull(string(g.Club)), g.Tournament, g.Name, textOrNull(g.Code), ms(g.Made)}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add club guest: %w", err)
	}
	return nil
}

// ClubGuestByCode is whose code it is.
func (tx *Tx) ClubGuestByCode(code string) (club.Guest, error) {
	var row guestRow
	if err := tx.db.Where("code = ?", code).Take(&row).Error; err != nil {
		return club.Guest{}, fmt.Errorf("store: club guest: %w", err)
	}
	return row.guest(), nil
}

// SetGuestCode gives somebody who came in at a door another code.
func (tx *Tx) SetGuestCode(id player.ID, code string) error {
	if err := guarded(tx.db.Exec("UPDATE club_guests SET code = ? WHERE player_id = ? AND code IS NOT NULL", code, string(id))); err != nil {
		return fmt.Errorf("store: set guest code: %w", err)
	}
	return nil
}

// endSlip takes the code away that lets in whoever has it, and the passkeys that were
// made while it did. Without a code nothing changes.
func (tx *Tx) endSlip(id player.ID) error {
	const slip = "(SELECT g.player_id FROM club_guests g WHERE g.player_id = ? AND g.code IS NOT NULL)"
	for _, statement := range []string{
		"DELETE FROM passkeys WHERE player_id = " + slip,
		"UPDATE club_guests SET code = NULL WHERE player_id = ?",
	} {
		if err := tx.db.Exec(statement, string(id)).Error; err != nil {
			return fmt.Errorf("store: end slip: %w", err)
		}
	}
	return nil
}

// ClubGuests are those of a club, by name.
func (tx *Tx) ClubGuests(of club.ID) ([]club.Guest, error) {
	return tx.clubGuests("club_id = ?", string(of))
}

// GuestsAt are those of some accounts who came in at a door, here or elsewhere.
func (tx *Tx) GuestsAt(ids ...player.ID) ([]club.Guest, error) {
	return tx.clubGuests("player_id IN ?", texts(ids))
}

func (tx *Tx) clubGuests(where string, arg any) ([]club.Guest, error) {
	var rows []guestRow
	if err := tx.db.Where(where, arg).Order("name, player_id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: club guests: %w", err)
	}
	out := make([]club.Guest, len(rows))
	for i, r := range rows {
		out[i] = r.guest()
	}
	return out, nil
}
