package tables

import (
	"fmt"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/arenas"
	"chpok.org/chpok/tournament/tiebreak"
)

// Standing is one line of a table.
type Standing struct {
	tiebreak.Standing
	Entry tournament.Entry
	Sheet arena.Line // in an arena: the matches behind the score
}

// Table is a tournament's order after a number of rounds.
type Table struct {
	Codes []tiebreak.Code
	Lines []Standing
	// Annulled are entries that left a round robin too early to count.
	Annulled []tournament.Entry
}

// Standings is the order after a number of rounds; below 0: after all so far. A
// tournament whose numbers are not drawn has none yet.
func Standings(t *tournament.Tournament, rounds int) (Table, error) {
	var table Table
	if !t.Format.InRounds() {
		return arenaTable(t), nil
	}
	for _, text := range t.Tiebreaks {
		c, err := tiebreak.Parse(text)
		if err != nil {
			return table, fmt.Errorf("tie-break %s: %w", text, err)
		}
		table.Codes = append(table.Codes, c)
	}
	if rounds < 0 {
		rounds = len(t.Rounds)
	}
	byNumber := make(map[int]tournament.Entry, len(t.Entries))
	for _, e := range t.Entries {
		if e.Number == 0 {
			continue
		}
		byNumber[e.Number] = e
		if t.IsAnnulled(e.ID) {
			table.Annulled = append(table.Annulled, e)
		}
	}
	lines, err := tiebreak.Standings(t.FieldAfter(rounds), table.Codes)
	if err != nil {
		return table, fmt.Errorf("standings of %s: %w", t.ID, err)
	}
	for _, l := range lines {
		table.Lines = append(table.Lines, Standing{Standing: l, Entry: byNumber[l.Number]})
	}
	return table, nil
}

// tenths make a point: an arena has whole ones.
const tenths = 10

// arenaTable is the table of an arena; the sheets order equal scores.
func arenaTable(t *tournament.Tournament) (table Table) {
	for _, l := range arenas.Table(&t.Table) {
		e, _ := t.Entry(tournament.EntryID(l.ID)) // it has a number
		table.Lines = append(table.Lines, Standing{
			Standing: tiebreak.Standing{Rank: l.Rank, Number: e.Number, Name: e.Name, Score: tournament.Score(tenths * l.Score)}, Entry: e, Sheet: l,
		})
	}
	return table
}
