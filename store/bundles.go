package store

import (
	"maps"
	"slices"

	"gorm.io/gorm"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/ledger"
)

// BoardRef names one board of a tournament; both numbers start at 1.
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
		return nil, wrap(err, "imported records of %s", id)
	}
	out := make(map[BoardRef][]byte, len(rows))
	for _, r := range rows {
		out[BoardRef{r.Round, r.Board}] = []byte(r.Record)
	}
	return out, nil
}

// AddImportedRecord stores the record of a match played on another site.
func (tx *Tx) AddImportedRecord(id tournament.ID, at BoardRef, record []byte) error {
	row := importedRecordRow{string(id), at.Round, at.Board, string(record)}
	return wrap(tx.db.Create(&row).Error, "add record of %s", id)
}

// PlayersByHandles finds the accounts of this site with the handles of a bundle's people,
// by the ids the bundle gives them. A person matches no bot, and a bot no person.
func (tx *Tx) PlayersByHandles(people map[player.ID]bundle.Person) (map[player.ID]player.Player, error) {
	found := map[player.ID]player.Player{}
	named := map[string]player.ID{}
	for id, p := range people {
		if h, err := player.ParseHandle(p.Handle); err == nil { // a handle under other rules is nobody's here
			named[h.Key()] = id
		}
	}
	err := eachOf(slices.Collect(maps.Keys(named)), func(some []string) *gorm.DB { return tx.db.Where("handle_key IN ?", some) },
		func(r playerRow) {
			if id := named[r.HandleKey]; r.Bot == people[id].Bot {
				found[id] = r.player()
			}
		})
	return found, wrap(err, "players by handles")
}

// ImportTournament stores a tournament of another site: its log as it came, then the deed
// that imported it.
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
		return wrap(err, "import tournament")
	}
	return tx.index(foundTournament, string(after.ID), tournamentWords(after))
}
