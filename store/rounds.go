package store

import (
	"encoding/json"
	"reflect"
	"slices"

	"chpok.org/chpok/tournament"
)

type roundRow struct {
	TournamentID string `gorm:"primaryKey"`
	Number       int    `gorm:"primaryKey;autoIncrement:false"`
	OpenedAt     int64
	Engine       string
	Edited       bool
	Overtaken    bool
	Input        string
	Pass         string
}

func (roundRow) TableName() string { return "rounds" }

func (r roundRow) round() (round tournament.Round, err error) {
	round = tournament.Round{Number: r.Number, OpenedAt: at(r.OpenedAt), Engine: r.Engine, Edited: r.Edited, Overtaken: r.Overtaken}
	if r.Pass != "" {
		err = json.Unmarshal([]byte(r.Pass), &round.Pass)
	}
	return round, err
}

type byeRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Entry        int    `gorm:"primaryKey;autoIncrement:false"`
	Kind         uint8
}

func (byeRow) TableName() string { return "byes" }

// rounds are all rounds of a tournament, with pairings and byes, without inputs.
func (tx *Tx) rounds(id tournament.ID, ofTeams bool) ([]tournament.Round, error) {
	rounds, err := parseAll(tx.db.Select("number", "opened_at", "engine", "edited", "overtaken", "pass").Where("tournament_id = ?", string(id)).
		Order("number"), roundRow.round, "rounds of %s", id)
	if err != nil {
		return nil, err
	}
	var pairings []pairingRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Order("round, board").Find(&pairings).Error; err != nil {
		return nil, wrap(err, "pairings of %s", id)
	}
	var byes []byeRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Order("round, entry").Find(&byes).Error; err != nil {
		return nil, wrap(err, "byes of %s", id)
	}
	if ofTeams {
		if err := tx.teamMatches(id, rounds); err != nil {
			return nil, err
		}
	}
	for _, p := range pairings {
		rounds[p.Round-1].Pairings = append(rounds[p.Round-1].Pairings, p.pairing())
	}
	for _, b := range byes {
		rounds[b.Round-1].Byes = append(rounds[b.Round-1].Byes,
			tournament.Bye{Entry: tournament.EntryID(b.Entry), Kind: tournament.Outcome(b.Kind)})
	}
	return rounds, nil
}

func (tx *Tx) addRound(id tournament.ID, r tournament.Round) error {
	row := roundRow{TournamentID: string(id), Number: r.Number, OpenedAt: ms(r.OpenedAt), Engine: r.Engine, Edited: r.Edited,
		Overtaken: r.Overtaken, Pass: passText(r)}
	if err := tx.db.Create(&row).Error; err != nil {
		return err
	}
	if err := tx.saveTeamMatches(id, tournament.Round{}, r); err != nil {
		return err
	}
	return tx.addBoards(id, r)
}

// passText is the stored form of the latest pass of an arena's round.
func passText(r tournament.Round) string {
	if r.Pass == nil {
		return ""
	}
	text, _ := json.Marshal(r.Pass) // numbers and times
	return string(text)
}

// saveRound writes what differs: results and added boards one by one, a round that was
// paired anew as a whole.
func (tx *Tx) saveRound(id tournament.ID, before, after tournament.Round) error {
	pass := passText(after)
	if !before.OpenedAt.Equal(after.OpenedAt) || before.Engine != after.Engine || before.Edited != after.Edited ||
		before.Overtaken != after.Overtaken || passText(before) != pass {
		if err := guarded(tx.db.Model(&roundRow{}).Where("tournament_id = ? AND number = ?", string(id), after.Number).
			Updates(map[string]any{"opened_at": ms(after.OpenedAt), "engine": after.Engine, "edited": after.Edited,
				"overtaken": after.Overtaken, "pass": pass})); err != nil {
			return err
		}
	}
	stay := after.Pairings[:min(len(before.Pairings), len(after.Pairings))]
	if !slices.Equal(before.Teams, after.Teams) {
		if err := tx.saveTeamMatches(id, before, after); err != nil {
			return err
		}
	}
	if !slices.Equal(before.Byes, after.Byes) || !slices.EqualFunc(before.Pairings, stay, func(a, b tournament.Pairing) bool {
		return a.First == b.First && a.Second == b.Second && a.Board == b.Board && (a.Match == b.Match || a.Fixture != nil)
	}) {
		if err := tx.dropBoards(id, after.Number); err != nil {
			return err
		}
		return tx.addBoards(id, after)
	}
	if err := tx.addPairings(id, after.Number, after.Pairings[len(stay):]); err != nil {
		return err
	}
	for i, p := range stay {
		if reflect.DeepEqual(before.Pairings[i], p) {
			continue
		}
		row := rowOfPairing(id, after.Number, p)
		if err := guarded(tx.db.Model(&pairingRow{}).
			Where("tournament_id = ? AND round = ? AND board = ?", row.TournamentID, row.Round, row.Board).
			Select("*").Updates(&row)); err != nil {
			return err
		}
	}
	return nil
}

// dropRound deletes a round; its pairing stays in the log.
func (tx *Tx) dropRound(id tournament.ID, n int) error {
	if err := tx.dropBoards(id, n); err != nil {
		return err
	}
	if err := tx.dropTeamMatches(id, n, nil); err != nil {
		return err
	}
	return guarded(tx.db.Where("tournament_id = ? AND number = ?", string(id), n).Delete(&roundRow{}))
}

func (tx *Tx) dropBoards(id tournament.ID, n int) error {
	if err := tx.db.Where("tournament_id = ? AND round = ?", string(id), n).Delete(&pairingRow{}).Error; err != nil {
		return err
	}
	return tx.db.Where("tournament_id = ? AND round = ?", string(id), n).Delete(&byeRow{}).Error
}

func (tx *Tx) addPairings(id tournament.ID, round int, boards []tournament.Pairing) error {
	pairings := make([]pairingRow, len(boards))
	for i, p := range boards {
		pairings[i] = rowOfPairing(id, round, p)
	}
	return tx.db.CreateInBatches(pairings, 100).Error
}

func (tx *Tx) addBoards(id tournament.ID, r tournament.Round) error {
	if err := tx.addPairings(id, r.Number, r.Pairings); err != nil {
		return err
	}
	byes := make([]byeRow, len(r.Byes))
	for i, b := range r.Byes {
		byes[i] = byeRow{TournamentID: string(id), Round: r.Number, Entry: int(b.Entry), Kind: uint8(b.Kind)}
	}
	return tx.db.CreateInBatches(byes, 100).Error
}

// SetRoundInput stores the report a round was paired from.
func (tx *Tx) SetRoundInput(id tournament.ID, round int, report string) error {
	err := guarded(tx.db.Model(&roundRow{}).Where("tournament_id = ? AND number = ?", string(id), round).Update("input", report))
	return wrap(err, "input of round %d of %s", round, id)
}

// RoundInput is the report a round was paired from; empty for an imported round.
func (tx *Tx) RoundInput(id tournament.ID, round int) (string, error) {
	var row roundRow
	if err := tx.db.Where("tournament_id = ? AND number = ?", string(id), round).Take(&row).Error; err != nil {
		return "", wrap(err, "round %d of %s", round, id)
	}
	return row.Input, nil
}
