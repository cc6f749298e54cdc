package store

import (
	"encoding/json"
	"strings"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
)

type entryRow struct {
	TournamentID string `gorm:"primaryKey"`
	ID           int    `gorm:"primaryKey;autoIncrement:false"`
	PlayerID     *string
	Name         string
	Club         string
	Rating       int
	Bot          bool
	Status       uint8
	Number       int
	FromRound    int
	UntilRound   int
	Byes         string
	Fast         bool
	Expelled     bool
	Was          uint8
	LateBye      uint8
	Removed      bool
	Reason       string
	EnteredAt    int64
	AcceptedAt   int64
	Team         int
	Place        int
	Camp         int
	Captains     string // JSON
	ClubID       *string
	CheckIn      string
	Waived       string // words with spaces between
	Steward      string
	FixedBoard   int
	Born         int
	OverTheBoard bool
	Report       string
}

// checkInJSON holds the rounds an entry checked in for, those it missed, and the last it was checked out of.
type checkInJSON struct {
	In     []int `json:"in,omitempty"`
	Missed []int `json:"missed,omitempty"`
	Out    int   `json:"out,omitempty"`
}

func (entryRow) TableName() string { return "entries" }

func (r entryRow) entry() (tournament.Entry, error) {
	e := tournament.Entry{
		ID: tournament.EntryID(r.ID), Player: player.ID(textOf(r.PlayerID)), Name: r.Name, Club: r.Club, Rating: r.Rating, Bot: r.Bot,
		Status: tournament.EntryStatus(r.Status), Number: r.Number, From: r.FromRound, Until: r.UntilRound, Fast: r.Fast, Expelled: r.Expelled,
		Was: tournament.EntryStatus(r.Was), EnteredAt: at(r.EnteredAt), AcceptedAt: at(r.AcceptedAt),
		Team: tournament.EntryID(r.Team), Place: r.Place, Camp: r.Camp, ClubID: club.ID(textOf(r.ClubID)),
		LateBye: tournament.Outcome(r.LateBye), Removed: r.Removed, Reason: r.Reason,
		Steward: player.ID(r.Steward), FixedBoard: r.FixedBoard, Born: r.Born, OverTheBoard: r.OverTheBoard,
	}
	for word := range strings.FieldsSeq(r.Waived) {
		e.Waived = append(e.Waived, fairplay.Demand(word))
	}
	if r.Byes != "" {
		if err := json.Unmarshal([]byte(r.Byes), &e.Byes); err != nil {
			return e, err
		}
	}
	if r.Captains != "" {
		if err := json.Unmarshal([]byte(r.Captains), &e.Captains); err != nil {
			return e, err
		}
	}
	if r.CheckIn != "" {
		var in checkInJSON
		if err := json.Unmarshal([]byte(r.CheckIn), &in); err != nil {
			return e, err
		}
		e.CheckedIn, e.Missed, e.CheckedOut = in.In, in.Missed, in.Out
	}
	if r.Report != "" {
		if err := json.Unmarshal([]byte(r.Report), &e.Report); err != nil {
			return e, err
		}
	}
	return e, nil
}

func rowOfEntry(id tournament.ID, e tournament.Entry) entryRow {
	r := entryRow{
		TournamentID: string(id), ID: int(e.ID), PlayerID: textOrNull(e.Player), Name: e.Name, Club: e.Club, Rating: e.Rating, Bot: e.Bot,
		Status: uint8(e.Status), Number: e.Number, FromRound: e.From, UntilRound: e.Until, Fast: e.Fast,
		Expelled: e.Expelled, Was: uint8(e.Was), EnteredAt: ms(e.EnteredAt), AcceptedAt: ms(e.AcceptedAt), Team: int(e.Team), Place: e.Place, Camp: e.Camp, ClubID: textOrNull(e.ClubID),
		Waived: strings.Join(texts(e.Waived), " "), LateBye: uint8(e.LateBye), Removed: e.Removed,
		Reason: e.Reason, Steward: string(e.Steward), FixedBoard: e.FixedBoard, Born: e.Born, OverTheBoard: e.OverTheBoard,
	}
	if len(e.Byes) > 0 {
		byes, _ := json.Marshal(e.Byes) // two numbers each
		r.Byes = string(byes)
	}
	if len(e.Captains) > 0 {
		captains, _ := json.Marshal(e.Captains) // texts
		r.Captains = string(captains)
	}
	if len(e.CheckedIn)+len(e.Missed)+e.CheckedOut > 0 {
		in, _ := json.Marshal(checkInJSON{e.CheckedIn, e.Missed, e.CheckedOut}) // numbers
		r.CheckIn = string(in)
	}
	if e.Report != (tournament.ReportPlayer{}) {
		told, _ := json.Marshal(e.Report) // texts
		r.Report = string(told)
	}
	return r
}

// entries are the entries of a tournament, by id.
func (tx *Tx) entries(id tournament.ID) ([]tournament.Entry, error) {
	list, err := parseAll(tx.db.Where("tournament_id = ?", string(id)).Order("id"), entryRow.entry, "entries of %s", id)
	if err != nil {
		return nil, err
	}
	return list, tx.addOfficers(list)
}

// addOfficers adds to teams of clubs who names players there.
func (tx *Tx) addOfficers(list []tournament.Entry) error {
	var ids []string
	for _, e := range list {
		if e.ClubID != "" {
			ids = append(ids, string(e.ClubID))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	members, err := findAll(tx.db.Where("club_id IN ? AND role IN ?", ids, officerRoles()).Order("joined_at, player_id"), memberRow.membership, "officers")
	for i, e := range list {
		for _, m := range members {
			if m.Club == e.ClubID {
				list[i].Officers = append(list[i].Officers, m.Player)
			}
		}
	}
	return err
}
