package store

import (
	"errors"
	"fmt"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// PairingRef is where a match stands in a tournament.
type PairingRef struct {
	Tournament   tournament.ID
	Name         string // of the tournament
	Round, Board int
	Result       tournament.Result
	Rehearsal    bool
	Sealed       bool // the two bid for draw odds
	Hidden       bool // the tournament is a rehearsal, or not shown yet: for staff
	Format       tournament.Format
	Names        [2]string // under which the two have entered
}

// placeRow is where a match stands, as it is read.
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
		r.Pairing.Sealed, isHidden(r.Rehearsal, r.Status), tournament.Format(r.Format), [2]string{r.NameFirst, r.NameSecond}}
}

// places are where matches stand.
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
	Sealed       bool
	Odds         uint8
}

func (pairingRow) TableName() string { return "pairings" }

func (r pairingRow) pairing() tournament.Pairing {
	p := tournament.Pairing{Board: r.Board, First: tournament.EntryID(r.FirstEntry),
		Second: tournament.EntryID(r.SecondEntry), Contest: r.Contest, Sealed: r.Sealed, Result: r.result()}
	if r.MatchID != nil {
		p.Match = match.ID(*r.MatchID)
	}
	return p
}

func (r pairingRow) result() tournament.Result {
	return tournament.Result{
		Kind: tournament.ResultKind(r.Result), Points: [2]int{r.PointsFirst, r.PointsSecond}, Reason: match.Reason(r.Reason),
		By: player.ID(r.ByPlayer), At: at(r.ResultAt), Rated: tournament.ResultKind(r.RatedAs), Was: tournament.ResultKind(r.PlayedAs),
		Why: r.Why, Stood: tournament.ResultKind(r.StoodAs), Odds: match.Seat(r.Odds),
	}
}

func rowOfPairing(id tournament.ID, round int, p tournament.Pairing) pairingRow {
	r := pairingRow{
		TournamentID: string(id), Round: round, Board: p.Board, FirstEntry: int(p.First), SecondEntry: int(p.Second),
		Result: uint8(p.Result.Kind), PointsFirst: p.Result.Points[0], PointsSecond: p.Result.Points[1], Reason: string(p.Result.Reason),
		ByPlayer: string(p.Result.By), ResultAt: ms(p.Result.At), RatedAs: uint8(p.Result.Rated), PlayedAs: uint8(p.Result.Was),
		Why: p.Result.Why, StoodAs: uint8(p.Result.Stood), Contest: p.Contest,
		Sealed: p.Sealed, Odds: uint8(p.Result.Odds),
	}
	if p.Match != "" {
		m := string(p.Match)
		r.MatchID = &m
	}
	return r
}

// PairingOf is where a match stands, ErrNotFound when no tournament has it.
func (tx *Tx) PairingOf(id match.ID) (PairingRef, error) {
	var row placeRow
	err := tx.places().Where("match_id = ?", string(id)).Take(&row).Error
	if err != nil {
		return PairingRef{}, fmt.Errorf("store: pairing of match %s: %w", id, err)
	}
	return row.ref(), nil
}

// isHidden tells a tournament that only its staff see, as public tells it in SQL.
func isHidden(rehearsal string, status uint8) bool {
	return rehearsal != "" || tournament.Status(status) <= tournament.Draft
}

// PairingsOf are where some matches stand, by match; those of no tournament are missing.
func (tx *Tx) PairingsOf(ids []match.ID) (map[match.ID]PairingRef, error) {
	var rows []placeRow
	err := tx.places().Where("match_id IN ?", texts(ids)).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: pairings of matches: %w", err)
	}
	found := make(map[match.ID]PairingRef, len(rows))
	for _, r := range rows {
		found[match.ID(*r.Pairing.MatchID)] = r.ref()
	}
	return found, nil
}

// RecordResult writes a match's result into its pairing, unless one stands
// there, raises the tournament's version and adds the deed; false: one stood
// there.
func (tx *Tx) RecordResult(id match.ID, r tournament.Result) (recorded bool, err error) {
	var row pairingRow
	var version int64
	steps := []func() error{
		func() error {
			return guarded(tx.db.Exec(`UPDATE tournaments SET version = version + 1
				WHERE id = (SELECT tournament_id FROM pairings WHERE match_id = ? AND result = 0)`, string(id)))
		},
		func() error { return tx.db.Where("match_id = ?", string(id)).Take(&row).Error },
		func() error {
			return tx.db.Raw("SELECT version FROM tournaments WHERE id = ?", row.TournamentID).Scan(&version).Error
		},
		func() error {
			return guarded(tx.db.Exec(`UPDATE pairings
				SET result = ?, points_first = ?, points_second = ?, reason = ?, by_player = ?, why = ?, result_at = ?, odds = ?
				WHERE match_id = ? AND result = 0`,
				uint8(r.Kind), r.Points[0], r.Points[1], string(r.Reason), string(r.By), r.Why, ms(r.At), uint8(r.Odds), string(id)))
		},
		func() error {
			before := row.pairing()
			after := before
			after.Result = r
			return tx.addDeed(tournament.ID(row.TournamentID), ledger.Deed{
				Seq: version, At: r.At, Act: tournament.ActRecord, Changes: []ledger.Change{ledger.BoardChange(row.Round, before, after)},
			})
		},
	}
	for _, step := range steps {
		if err := step(); errors.Is(err, ErrConflict) {
			return false, nil
		} else if err != nil {
			return false, fmt.Errorf("store: record result of match %s: %w", id, err)
		}
	}
	return true, nil
}

// OpenBoards is how many boards of a tournament have no result yet.
func (tx *Tx) OpenBoards(id tournament.ID) (int, error) {
	var n int64
	if err := tx.db.Model(&pairingRow{}).Where("tournament_id = ? AND result = 0", string(id)).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("store: open boards of %s: %w", id, err)
	}
	return int(n), nil
}
