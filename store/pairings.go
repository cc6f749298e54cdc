package store

import (
	"cmp"
	"encoding/json"
	"errors"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// PairingRef is the place of a match in a tournament.
type PairingRef struct {
	Tournament   tournament.ID
	Name         string // of the tournament
	Round, Board int
	Result       tournament.Result
	Rehearsal    bool
	Sealed       bool // the players bid for draw odds
	Arranged     bool // the players have agreed on its time
	Hidden       bool // only staff see the tournament: a rehearsal or a draft
	Format       tournament.Format
	Names        [2]string // of the two entries
}

// placeRow is a pairing with what is read of its tournament and entries.
type placeRow struct {
	Pairing               pairingRow `gorm:"embedded"`
	Name                  string
	Rehearsal             string
	Status                uint8
	Format                uint8
	NameFirst, NameSecond string
}

func (r placeRow) ref() PairingRef {
	return PairingRef{tournament.ID(r.Pairing.TournamentID), r.Name, r.Pairing.Round, r.Pairing.Board, r.Pairing.result(), r.Rehearsal != "",
		r.Pairing.Sealed, r.Pairing.Fixture != "", isHidden(r.Rehearsal, r.Status), tournament.Format(r.Format), [2]string{r.NameFirst, r.NameSecond}}
}

func (tx *Tx) places() *gorm.DB {
	return tx.db.Model(&pairingRow{}).Select(columnsOf("pairings", pairingRow{}) +
		", t.name, t.rehearsal, t.status, t.format, COALESCE(a.name, '') AS name_first, COALESCE(b.name, '') AS name_second").
		Joins("JOIN tournaments t ON t.id = pairings.tournament_id").
		Joins("LEFT JOIN entries a ON a.tournament_id = pairings.tournament_id AND a.id = pairings.first_entry").
		Joins("LEFT JOIN entries b ON b.tournament_id = pairings.tournament_id AND b.id = pairings.second_entry")
}

type pairingRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Board        int    `gorm:"primaryKey;autoIncrement:false"`
	FirstEntry   int
	SecondEntry  int
	MatchID      *string
	Result       uint8
	PointsFirst  int
	PointsSecond int
	Reason       string
	ByPlayer     string
	ResultAt     int64
	RatedAs      uint8
	PlayedAs     uint8
	Why          string
	StoodAs      uint8
	Contest      int
	TeamMatch    int
	Sealed       bool
	Odds         uint8
	Gone         string
	Fixture      string
}

func (pairingRow) TableName() string { return "pairings" }

func (r pairingRow) pairing() tournament.Pairing {
	p := tournament.Pairing{Board: r.Board, First: tournament.EntryID(r.FirstEntry), Second: tournament.EntryID(r.SecondEntry),
		Match: match.ID(textOf(r.MatchID)), Contest: r.Contest, TeamMatch: r.TeamMatch, Sealed: r.Sealed,
		Result: r.result()}
	if r.Fixture != "" {
		_ = json.Unmarshal([]byte(r.Fixture), &p.Fixture) // as fixtureText wrote it
	}
	return p
}

// fixtureText is the stored form of how a board is arranged.
func fixtureText(f *tournament.Fixture) string {
	if f == nil {
		return ""
	}
	text, _ := json.Marshal(f) // numbers, texts and times
	return string(text)
}

// goneText is the stored form of who had left when a result came.
func goneText(list []tournament.EntryID) string {
	if len(list) == 0 {
		return ""
	}
	text, _ := json.Marshal(list) // numbers
	return string(text)
}

// goneOf reads what goneText wrote.
func goneOf(text string) (list []tournament.EntryID) {
	if text != "" {
		_ = json.Unmarshal([]byte(text), &list)
	}
	return list
}

func (r pairingRow) result() tournament.Result {
	return tournament.Result{
		Kind: tournament.ResultKind(r.Result), Points: [2]int{r.PointsFirst, r.PointsSecond}, Reason: match.Reason(r.Reason),
		By: player.ID(r.ByPlayer), At: at(r.ResultAt), Rated: tournament.ResultKind(r.RatedAs), Was: tournament.ResultKind(r.PlayedAs),
		Why: r.Why, Stood: tournament.ResultKind(r.StoodAs), Odds: match.Seat(r.Odds),
		Gone: goneOf(r.Gone),
	}
}

func rowOfPairing(id tournament.ID, round int, p tournament.Pairing) pairingRow {
	return pairingRow{
		TournamentID: string(id), Round: round, Board: p.Board, FirstEntry: int(p.First), SecondEntry: int(p.Second),
		MatchID: textOrNull(p.Match), Contest: p.Contest, TeamMatch: p.TeamMatch, Sealed: p.Sealed, Odds: uint8(p.Result.Odds),
		Result: uint8(p.Result.Kind), PointsFirst: p.Result.Points[0], PointsSecond: p.Result.Points[1], Reason: string(p.Result.Reason),
		ByPlayer: string(p.Result.By), ResultAt: ms(p.Result.At), RatedAs: uint8(p.Result.Rated), PlayedAs: uint8(p.Result.Was),
		Why: p.Result.Why, StoodAs: uint8(p.Result.Stood), Gone: goneText(p.Result.Gone),
		Fixture: fixtureText(p.Fixture),
	}
}

// PairingOf is the place of a match in a tournament, ErrNotFound when it has none.
func (tx *Tx) PairingOf(id match.ID) (PairingRef, error) {
	return findOne(tx.places().Where("match_id = ?", string(id)), placeRow.ref, "pairing of match %s", id)
}

// isHidden reports whether only staff see a tournament; public is the same in SQL.
func isHidden(rehearsal string, status uint8) bool {
	return rehearsal != "" || tournament.Status(status) <= tournament.Draft
}

// PairingsOf are the places of some matches, by match; those of no tournament are missing.
func (tx *Tx) PairingsOf(ids []match.ID) (map[match.ID]PairingRef, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.places().Where("match_id IN ?", some) },
		func(r placeRow) (match.ID, PairingRef) { return match.ID(*r.Pairing.MatchID), r.ref() }, "pairings of matches")
}

// NamesIn returns what the players of a match are called in notices: as they entered its event, else by their handles.
func (tx *Tx) NamesIn(h Head) (names [2]string, err error) {
	who, err := tx.Players(h.Players[:]...)
	if err != nil {
		return names, err
	}
	events, err := tx.PairingsOf([]match.ID{h.ID})
	for i, id := range h.Players {
		names[i] = cmp.Or(events[h.ID].Names[i], string(who[id].Handle))
	}
	return names, err
}

// RecordResult writes a match's result into its pairing, raises the tournament's version
// and adds the deed; false: the pairing has a result already.
func (tx *Tx) RecordResult(id match.ID, r tournament.Result) (recorded bool, err error) {
	var row pairingRow
	var version int64
	err = guarded(tx.db.Exec(`UPDATE tournaments SET version = version + 1
		WHERE id = (SELECT tournament_id FROM pairings WHERE match_id = ? AND result = `+resultPending+`)`, string(id)))
	if err == nil {
		err = tx.db.Where("match_id = ?", string(id)).Take(&row).Error
	}
	if err == nil {
		err = tx.db.Raw("SELECT version FROM tournaments WHERE id = ?", row.TournamentID).Scan(&version).Error
	}
	if err == nil {
		err = guarded(tx.db.Exec(`UPDATE pairings
			SET result = ?, points_first = ?, points_second = ?, reason = ?, by_player = ?, why = ?, result_at = ?, odds = ?,
				gone = ?, rated_as = ?
			WHERE match_id = ? AND result = `+resultPending,
			uint8(r.Kind), r.Points[0], r.Points[1], string(r.Reason), string(r.By), r.Why, ms(r.At), uint8(r.Odds),
			goneText(r.Gone), uint8(r.Rated), string(id)))
	}
	if err == nil {
		before := row.pairing()
		after := before
		after.Result = r
		err = tx.logDeed(tournament.ID(row.TournamentID), ledger.Deed{
			Seq: version, At: r.At, Act: tournament.ActRecord, Changes: []ledger.Change{ledger.BoardChange(row.Round, before, after)},
		})
	}
	if errors.Is(err, ErrConflict) {
		return false, nil
	}
	return err == nil, wrap(err, "record result of match %s", id)
}

// OpenBoards counts the boards of a tournament that have no result yet.
func (tx *Tx) OpenBoards(id tournament.ID) (int, error) {
	return count(tx.db.Model(&pairingRow{}).Where("tournament_id = ? AND result = "+resultPending, string(id)), "open boards of %s", id)
}
