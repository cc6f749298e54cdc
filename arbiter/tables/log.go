package tables

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/ledger"
)

// FinalTable is a table as files carry it, for programs to recompute and compare.
type FinalTable struct {
	Tournament tournament.ID `json:"tournament"`
	Seq        int64         `json:"seq"` // of the last deed
	Codes      []string      `json:"codes"`
	Lines      []FinalLine   `json:"lines"`
}

// FinalLine is one player's figures; Score is in tenths of a point.
type FinalLine struct {
	Rank   int              `json:"rank"`
	Number int              `json:"number"`
	Name   string           `json:"name"`
	Score  tournament.Score `json:"score"`
	Values []string         `json:"values"`
}

// TableOf is the table of a tournament with every figure.
func TableOf(t *tournament.Tournament) (FinalTable, error) {
	table, err := Standings(t, -1)
	if err != nil {
		return FinalTable{}, err
	}
	out := FinalTable{Tournament: t.ID, Seq: t.Version, Codes: []string{}, Lines: []FinalLine{}}
	for _, c := range table.Codes {
		out.Codes = append(out.Codes, c.String())
	}
	if !t.Format.InRounds() {
		out.Codes = SheetCodes
	}
	for _, l := range table.Lines {
		line := FinalLine{Rank: l.Rank, Number: l.Number, Name: l.Entry.Name, Score: l.Score, Values: []string{}}
		for _, v := range l.Values {
			line.Values = append(line.Values, v.String())
		}
		if !t.Format.InRounds() {
			line.Values = SheetValues(l.Sheet)
		}
		out.Lines = append(out.Lines, line)
	}
	return out, nil
}

// SheetCodes name the figures of an arena's line: matches won and played, the
// performance, the points of every match in order.
var SheetCodes = []string{"wins", "matches", "performance", "sheet"}

// SheetValues are the figures of an arena's line, in the order of SheetCodes.
func SheetValues(l arena.Line) []string {
	var points []string
	for _, p := range SheetPoints(l) {
		points = append(points, strconv.Itoa(p))
	}
	performance := ""
	if l.Performance > 0 {
		performance = strconv.Itoa(l.Performance)
	}
	return []string{strconv.Itoa(l.Wins), strconv.Itoa(l.Games), performance, strings.Join(points, " ")}
}

// SheetPoints are the points of a line's finished matches, in order.
func SheetPoints(l arena.Line) []int {
	points := []int{}
	for _, c := range l.Cells {
		if c.Outcome != arena.Playing {
			points = append(points, c.Points)
		}
	}
	return points
}

// tableLine is the last line of an exported log.
type tableLine struct {
	Table *FinalTable `json:"table,omitempty"`
}

// WriteLog writes one line of JSON per deed, and then the table.
func WriteLog(out io.Writer, t *tournament.Tournament, deeds []ledger.Deed) error {
	table, err := TableOf(t)
	if err != nil {
		return err
	}
	e := json.NewEncoder(out)
	for _, d := range deeds {
		if err := e.Encode(d); err != nil {
			return err
		}
	}
	return e.Encode(tableLine{&table})
}

// mostLine is the greatest length of a log's line in bytes: a round of thousands of
// boards is one deed.
const mostLine = 64 << 20

// ReadLog reads what WriteLog writes; a missing table is nil.
func ReadLog(in io.Reader) (deeds []ledger.Deed, table *FinalTable, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var last tableLine
		if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		}
		if last.Table != nil {
			table = last.Table
			continue
		}
		var d ledger.Deed
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		}
		deeds = append(deeds, d)
	}
	if err := lines.Err(); err != nil {
		return nil, nil, err
	}
	if len(deeds) == 0 {
		return nil, nil, errNoDeeds
	}
	return deeds, table, nil
}

var errNoDeeds = errors.New("the file holds no deeds")

// Differences names every figure of a table that differs from the expected one.
func (f FinalTable) Differences(got FinalTable) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if fmt.Sprint(f.Codes) != fmt.Sprint(got.Codes) {
		say("tie-breaks: %v, not %v", f.Codes, got.Codes)
		return list
	}
	byNumber := map[int]FinalLine{}
	for _, l := range got.Lines {
		byNumber[l.Number] = l
	}
	for _, want := range f.Lines {
		l, ok := byNumber[want.Number]
		delete(byNumber, want.Number)
		if !ok {
			say("number %d %s: missing", want.Number, want.Name)
			continue
		}
		if l.Name != want.Name {
			say("number %d: name %q, not %q", want.Number, want.Name, l.Name)
		}
		if l.Rank != want.Rank {
			say("number %d %s: rank %d, not %d", want.Number, want.Name, want.Rank, l.Rank)
		}
		if l.Score != want.Score {
			say("number %d %s: score %d, not %d (tenths)", want.Number, want.Name, want.Score, l.Score)
		}
		for i, v := range want.Values {
			if i >= len(l.Values) {
				say("number %d %s: %s %s is missing", want.Number, want.Name, f.Codes[i], v)
			} else if l.Values[i] != v {
				say("number %d %s: %s is %s, not %s", want.Number, want.Name, f.Codes[i], v, l.Values[i])
			}
		}
	}
	for _, l := range got.Lines {
		if _, left := byNumber[l.Number]; left {
			say("number %d %s: is not in the tournament", l.Number, l.Name)
		}
	}
	return list
}
