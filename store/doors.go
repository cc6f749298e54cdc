package store

import (
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
)

type doorRow struct {
	TournamentID string `gorm:"primaryKey"`
	Code         string
	KioskDigest  string
	KioskSealed  string
	OpenedAt     int64
}

func (doorRow) TableName() string { return "doors" }

func (tx *Tx) doorOf(r doorRow) venue.Door {
	return venue.Door{Tournament: tournament.ID(r.TournamentID), Code: r.Code, Kiosk: tx.unsealed("kiosk", r.KioskSealed),
		Opened: at(r.OpenedAt)}
}

func (tx *Tx) door(where string, arg any) (venue.Door, error) {
	return findOne(tx.db.Where(where, arg), tx.doorOf, "door")
}

// Door is the open door of a tournament, ErrNotFound when it is closed.
func (tx *Tx) Door(id tournament.ID) (venue.Door, error) {
	return tx.door("tournament_id = ?", string(id))
}

// DoorByCode is the door with a short address.
func (tx *Tx) DoorByCode(code string) (venue.Door, error) {
	return tx.door("code = ?", venue.DoorKey(code))
}

// DoorByKiosk is the door whose kiosk page has that secret.
func (tx *Tx) DoorByKiosk(secret string) (venue.Door, error) {
	return tx.door("kiosk_digest IN ?", tx.digests("kiosk", secret))
}

// OpenDoor stores a door, ErrTaken when its code is in use.
func (tx *Tx) OpenDoor(d venue.Door) error {
	row := doorRow{string(d.Tournament), d.Code, tx.digest("kiosk", d.Kiosk), tx.sealed("kiosk", d.Kiosk), ms(d.Opened)}
	return wrap(tx.db.Create(&row).Error, "open door")
}

// SetKiosk gives an open door another secret for its kiosk.
func (tx *Tx) SetKiosk(id tournament.ID, secret string) error {
	return wrap(existing(tx.db.Exec("UPDATE doors SET kiosk_digest = ?, kiosk_sealed = ? WHERE tournament_id = ?",
		tx.digest("kiosk", secret), tx.sealed("kiosk", secret), string(id))), "set kiosk")
}

// CloseDoor deletes a tournament's door, ErrNotFound when it is closed.
func (tx *Tx) CloseDoor(id tournament.ID) error {
	return wrap(existing(tx.db.Where("tournament_id = ?", string(id)).Delete(&doorRow{})), "close door")
}

type guestRow struct {
	PlayerID     string `gorm:"primaryKey"`
	ClubID       *string
	TournamentID string
	Name         string
	CodeDigest   *string // nil: claimed
	CodeSealed   string
	MadeAt       int64
}

func (guestRow) TableName() string { return "club_guests" }

func (tx *Tx) guestOf(r guestRow) club.Guest {
	return club.Guest{Player: player.ID(r.PlayerID), Club: club.ID(textOf(r.ClubID)), Tournament: r.TournamentID, Name: r.Name,
		HasSlip: r.CodeDigest != nil, Code: tx.unsealed("slip", r.CodeSealed), Made: at(r.MadeAt)}
}

// AddClubGuest stores a guest who came in at a door, ErrTaken when the code is in use.
func (tx *Tx) AddClubGuest(g club.Guest) error {
	row := guestRow{PlayerID: string(g.Player), ClubID: textOrNull(g.Club), TournamentID: g.Tournament, Name: g.Name, MadeAt: ms(g.Made)}
	if g.Code != "" {
		digest := tx.slipDigests(g.Code)[0]
		row.CodeDigest, row.CodeSealed = &digest, tx.sealed("slip", g.Code)
	}
	return wrap(tx.db.Create(&row).Error, "add club guest")
}

// slipDigests are those of a slip's code as anybody may type it.
func (tx *Tx) slipDigests(code string) []string { return tx.digests("slip", fold.Code(code)) }

// ClubGuestByCode is the guest with a code, however it was typed.
func (tx *Tx) ClubGuestByCode(code string) (club.Guest, error) {
	return findOne(tx.db.Where("code_digest IN ?", tx.slipDigests(code)), tx.guestOf, "club guest")
}

// SetGuestCode gives a guest with a code another one.
func (tx *Tx) SetGuestCode(id player.ID, code string) error {
	return wrap(guarded(tx.db.Exec("UPDATE club_guests SET code_digest = ?, code_sealed = ? WHERE player_id = ? AND code_digest IS NOT NULL",
		tx.slipDigests(code)[0], tx.sealed("slip", code), string(id))), "set guest code")
}

// RenameGuest corrects the name of a guest.
func (tx *Tx) RenameGuest(id player.ID, name string) error {
	return wrap(guarded(tx.db.Exec("UPDATE club_guests SET name = ? WHERE player_id = ?", name, string(id))), "rename guest")
}

// endSlip ends a guest's code, which lets in anyone who has it, and the passkeys made
// while it was valid. Without a code nothing changes.
func (tx *Tx) endSlip(id player.ID) error {
	const slip = "(SELECT g.player_id FROM club_guests g WHERE g.player_id = ? AND g.code_digest IS NOT NULL)"
	for _, statement := range []string{
		"DELETE FROM passkeys WHERE player_id = " + slip,
		"UPDATE club_guests SET code_digest = NULL, code_sealed = '' WHERE player_id = ?",
	} {
		if err := tx.db.Exec(statement, string(id)).Error; err != nil {
			return wrap(err, "end slip")
		}
	}
	return nil
}

// LastEvents are the latest events of a club in which each of some players took part: the
// name and when it began.
func (tx *Tx) LastEvents(of club.ID, ids ...player.ID) (map[player.ID]PlayedEvent, error) {
	var rows []struct {
		PlayerID, Name string
		StartedAt      int64
	}
	err := tx.db.Raw(`SELECT e.player_id, t.name, t.started_at FROM entries e JOIN tournaments t ON t.id = e.tournament_id
		WHERE t.club_id = ? AND t.started_at > 0 AND e.number > 0 AND e.player_id IN ? ORDER BY t.started_at`,
		string(of), texts(ids)).Scan(&rows).Error
	last := map[player.ID]PlayedEvent{}
	for _, r := range rows {
		last[player.ID(r.PlayerID)] = PlayedEvent{r.Name, at(r.StartedAt)}
	}
	return last, wrap(err, "last events")
}

// PlayedEvent is an event that somebody took part in.
type PlayedEvent struct {
	Name string
	At   time.Time
}

// ClubGuests are the guests of a club, by name.
func (tx *Tx) ClubGuests(of club.ID) ([]club.Guest, error) {
	return tx.clubGuests("club_id = ?", string(of))
}

// GuestsAt are those of some accounts that came in at a door, of this club or another.
func (tx *Tx) GuestsAt(ids ...player.ID) ([]club.Guest, error) {
	return tx.clubGuests("player_id IN ?", texts(ids))
}

func (tx *Tx) clubGuests(where string, arg any) ([]club.Guest, error) {
	return findAll(tx.db.Where(where, arg).Order("name, player_id"), tx.guestOf, "club guests")
}
