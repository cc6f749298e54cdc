package format

import (
	"fmt"
	"strconv"
	"strings"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/keizer"
	"chpok.org/chpok/tournament/tiebreak"
)

// Standing is one line of a table.
type Standing struct {
	tiebreak.Standing
	Entry   tournament.Entry
	Other   tournament.Score // of a team: the score that does not order, game points or match points
	Sheet   arena.Line       // in an arena: the matches behind the score
	Figures []string         // what a file says beside the score, one for each of Table.Columns
}

// Table is a tournament's order after a number of rounds.
type Table struct {
	Codes   []tiebreak.Code
	Columns []string // names of the figures in files: the codes, or what else orders equal scores
	Lines   []Standing
	// Annulled are entries that left a round robin too early to count.
	Annulled []tournament.Entry
}

// ParseTiebreak reads a tie-break of an event, which may be one of teams.
func ParseTiebreak(s tournament.Settings, code string) (tiebreak.Code, error) {
	if s.HasTeams() {
		return tiebreak.ParseForTeams(code)
	}
	return tiebreak.Parse(code)
}

// byPoints orders by points, then by the tie-breaks; a knock-out by its places.
func byPoints(t *tournament.Tournament, rounds int) (Table, error) {
	var table Table
	for _, text := range t.Tiebreaks {
		c, err := ParseTiebreak(t.Settings, text)
		if err != nil {
			return table, fmt.Errorf("tie-break %s: %w", text, err)
		}
		table.Codes, table.Columns = append(table.Codes, c), append(table.Columns, c.String())
	}
	byNumber := entriesByNumber(t)
	for _, e := range t.Entries {
		if t.IsAnnulled(e.ID) {
			table.Annulled = append(table.Annulled, e)
		}
	}
	f := t.FieldAfter(rounds)
	lines, err := tiebreak.Standings(f, table.Codes)
	if err != nil {
		return table, fmt.Errorf("standings of %s: %w", t.ID, err)
	}
	for _, l := range lines {
		figures := make([]string, len(l.Values))
		for i, v := range l.Values {
			figures[i] = v.String()
		}
		table.Lines = append(table.Lines, Standing{Standing: l, Entry: byNumber[l.Number], Other: otherScore(f, l.Number), Figures: figures})
	}
	return table, nil
}

// otherScore returns the score of a team that does not order the table; 0 of players.
func otherScore(f tournament.Field, number int) (sum tournament.Score) {
	if f.Teams == nil {
		return 0
	}
	if !f.Teams.ByGames {
		for _, m := range f.Teams.Matches[number] {
			sum += m.Games
		}
		return sum
	}
	for _, p := range f.Players {
		for _, c := range p.Rounds {
			if p.Number == number {
				sum += f.Points.Of(c.Outcome)
			}
		}
	}
	return sum
}

// entriesByNumber returns the entries that have a number.
func entriesByNumber(t *tournament.Tournament) map[int]tournament.Entry {
	entries := make(map[int]tournament.Entry, len(t.Entries))
	for _, e := range t.Entries {
		if e.Number > 0 {
			entries[e.Number] = e
		}
	}
	return entries
}

// tenths make a point: an arena has whole ones.
const tenths = 10

// bySheets is the table of an arena; the sheets order equal scores.
func bySheets(t *tournament.Tournament, _ int) (Table, error) {
	table := Table{Columns: []string{"wins", "matches", "performance", "sheet"}}
	for _, l := range arena.TableOf(&t.Table) {
		e, _ := t.Entry(tournament.EntryID(l.ID)) // it has a number
		table.Lines = append(table.Lines, Standing{
			Standing: tiebreak.Standing{Rank: l.Rank, Number: e.Number, Name: e.Name, Score: tournament.Score(tenths * l.Score)},
			Entry:    e, Sheet: l, Figures: sheetFigures(l),
		})
	}
	return table, nil
}

// sheetFigures returns matches won and played, the performance, and the points of every match in order.
func sheetFigures(l arena.Line) []string {
	var points []string
	for _, p := range l.Finished() {
		points = append(points, strconv.Itoa(p))
	}
	performance := ""
	if l.Performance > 0 {
		performance = strconv.Itoa(l.Performance)
	}
	return []string{strconv.Itoa(l.Wins), strconv.Itoa(l.Games), performance, strings.Join(points, " ")}
}

// byValues is the table of a Keizer; the score is that of the system.
func byValues(t *tournament.Tournament, rounds int) (Table, error) {
	table, byNumber := Table{Columns: []string{"value", "points"}}, entriesByNumber(t)
	for _, l := range keizer.Order(t.FieldAfter(rounds)) {
		e := byNumber[l.Number]
		value := ""
		if l.Value > 0 {
			value = strconv.Itoa(l.Value)
		}
		table.Lines = append(table.Lines, Standing{
			Standing: tiebreak.Standing{Rank: l.Rank, Number: e.Number, Name: e.Name, Score: l.Tenths()},
			Entry:    e, Figures: []string{value, strconv.FormatFloat(float64(l.Points)/tenths, 'f', -1, 64)},
		})
	}
	return table, nil
}
