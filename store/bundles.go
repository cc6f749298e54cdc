package store

import (
	"fmt"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/ledger"
)

// BoardRef is one board of a tournament, both from 1.
type BoardRef struct{ Round, Board int }

type importedRecordRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Board        int    `gorm:"primaryKey;autoIncrement:false"`
	Record       string
}

func (importedRecordRow) TableName() string { return "imported_records" }

// ImportedRecords are the records of matches played on another site.
func (tx *Tx) ImportedRecords(id tournament.ID) (map[BoardRef][]byte, error) {
	var rows []importedRecordRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: imported records of %s: %w", id, err)
	}
	out := make(map[BoardRef][]byte, len(rows))
	for _, r := range rows {
		out[BoardRef{r.Round, r.Board}] = []byte(r.Record)
	}
	return out, nil
}

// AddImportedRecord keeps one.
func (tx *Tx) AddImportedRecord(id tournament.ID, at BoardRef, record []byte) error {
	row := importedRecordRow{string(id), at.Round, at.Board, string(record)}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add record of %s: %w", id, err)
	}
	return nil
}

// PlayersByHandles are the accounts here that have the handles of a bundle's
// people, by the names the bundle gives them. A person is no bot, nor the other
// way round.
func (tx *Tx) PlayersByHandles(people map[player.ID]bundle.Person) (map[player.ID]player.Player, error) {
	found := map[player.ID]player.Player{}
	keys := make([]string, 0, len(people))
	named := map[string]player.ID{}
	for id, p := range people {
		h, err := player.ParseHandle(p.Handle)
		if err != nil {
			continue // a handle of a site with other rules belongs to nobody here
		}
		keys = append(keys, h.Key())
		named[h.Key()] = id
	}
	for len(keys) > 0 {
		n := min(len(keys), 500)
		var rows []playerRow
		if err := tx.db.Where("handle_key IN ?", keys[:n]).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: players by handles: %w", err)
		}
		for _, r := range rows {
			id := named[r.HandleKey]
			if r.Bot == people[id].Bot {
				found[id] = r.player()
			}
		}
		keys = keys[n:]
	}
	return found, nil
}

// ImportTournament stores a tournament of another site: its log as it came, and
// the deed that made it one of this site.
func (tx *Tx) ImportTournament(deeds []ledger.Deed, before, after *tournament.Tournament, d ledger.Deed) error {
	after.Version = before.Version + 1
	d.Seq, d.Changes = after.Version, ledger.Diff(before, after)
	row, err := rowOfTournament(after)
	if err == nil {
		row.RatedAt = nil
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.saveContents(&tournament.Tournament{}, after)
	}
	for _, old := range append(slices.Clip(deeds), d) {
		if err == nil {
			err = tx.addDeed(after.ID, old)
		}
	}
	if err != nil {
		return fmt.Errorf("store: import tournament: %w", err)
	}
	return nil
}
