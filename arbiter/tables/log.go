package tables

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
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
	table, err := format.Standings(t, -1)
	if err != nil {
		return FinalTable{}, err
	}
	out := FinalTable{Tournament: t.ID, Seq: t.Version, Codes: append([]string{}, table.Columns...), Lines: []FinalLine{}}
	for _, l := range table.Lines {
		out.Lines = append(out.Lines, FinalLine{Rank: l.Rank, Number: l.Number, Name: l.Entry.Name, Score: l.Score,
			Values: append([]string{}, l.Figures...)})
	}
	return out, nil
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
