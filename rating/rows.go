package rating

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/refusal"
)

// Row is a line of a rating list from elsewhere. It names a player in at least one way.
type Row struct {
	Line      int // in the file, from 1
	Handle    string
	FIDE      string // their number there
	Name      string
	Rating    int
	Games     int
	Deviation int // 0: none given
}

// RowProblem is why a line cannot be used.
type RowProblem struct {
	Line   int
	Column string // one of Columns; empty: the whole line
	Text   string // what the line says there
}

// Columns of a list as CSV. rating is required, and one of those that name a player; other columns are ignored.
// Commas, semicolons or tabs separate them.
var Columns = []string{"handle", "fide", "name", "rating", "games", "deviation"}

// naming are the columns that name a player, the surest first.
var naming = Columns[:3]

// MaxRows is how many lines one list may have.
const MaxRows = 20_000

const (
	highestRating = 4000
	mostGames     = 1_000_000
	widest        = 500
)

// The refusals of a whole list.
var (
	ErrNoHeader = refusal.Invalid("rating.import-header", "rating list: the first line must name the column rating, and handle, fide or name")
	ErrTooMany  = refusal.Invalid("rating.import-many", "rating list: too many lines")
)

// ReadRows reads a list. It returns the good lines and every problem; a handle may occur
// once.
func ReadRows(in io.Reader) ([]Row, []RowProblem, error) {
	text := bufio.NewReader(in)
	head, _ := text.Peek(4096)
	head, _, _ = bytes.Cut(head, []byte("\n"))
	before := 0
	if told := bytes.TrimSpace(head); len(told) <= len("sep=;") && bytes.HasPrefix(bytes.ToLower(told), []byte("sep=")) {
		_, _ = text.ReadString('\n') // how Excel tells the separator; a broken reader fails again below
		before = 1
	}
	r := csv.NewReader(text)
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
	switch {
	case bytes.ContainsRune(head, '\t'):
		r.Comma = '\t'
	case bytes.ContainsRune(head, ';'):
		r.Comma = ';'
	}
	names, err := r.Read()
	if err != nil {
		return nil, nil, ErrNoHeader
	}
	at := map[string]int{}
	for i, name := range names {
		at[columnOf(name)] = i
	}
	_, rated := at["rating"]
	if !rated || !slices.ContainsFunc(naming, func(name string) bool { _, there := at[name]; return there }) {
		return nil, nil, ErrNoHeader
	}
	var rows []Row
	var problems []RowProblem
	seen := map[string]bool{}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, problems, nil
		}
		if err != nil {
			var syntax *csv.ParseError
			if !errors.As(err, &syntax) {
				return nil, nil, err
			}
			problems = append(problems, RowProblem{Line: before + syntax.Line, Text: syntax.Err.Error()})
			continue
		}
		line, _ := r.FieldPos(0)
		line += before
		if !slices.ContainsFunc(fields, func(f string) bool { return strings.TrimSpace(f) != "" }) {
			continue
		}
		if len(rows)+len(problems) >= MaxRows {
			return nil, nil, refusal.Case(ErrTooMany, fmt.Sprintf("rating list: more than %d lines", MaxRows), "Most", MaxRows)
		}
		row, wrong := readRow(line, fields, at)
		key := strings.ToLower(row.Handle)
		switch {
		case len(wrong) > 0:
			problems = append(problems, wrong...)
		case key != "" && seen[key]:
			problems = append(problems, RowProblem{line, "handle", row.Handle})
		default:
			rows = append(rows, row)
		}
		seen[key] = true
	}
}

// columnOf is the column under a head, which may be written "FIDE ID".
func columnOf(head string) string {
	key := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(head)))
	if key == "fideid" {
		return "fide"
	}
	return key
}

func readRow(line int, fields []string, at map[string]int) (Row, []RowProblem) {
	var wrong []RowProblem
	text := func(column string) string {
		if i, ok := at[column]; ok && i < len(fields) {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	number := func(column string, low, high int) int {
		value := text(column)
		if value == "" && low == 0 {
			return 0
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(value, ",", "."), 64)
		if err != nil || !(n >= float64(low) && n <= float64(high)) {
			wrong = append(wrong, RowProblem{line, column, value})
			return 0
		}
		return int(n + 0.5)
	}
	row := Row{Line: line, Handle: text("handle"), FIDE: text("fide"), Name: text("name")}
	if row.Handle+row.FIDE+row.Name == "" {
		wrong = append(wrong, RowProblem{line, "handle", ""})
	}
	row.Rating, row.Games, row.Deviation = number("rating", 1, highestRating), number("games", 0, mostGames), number("deviation", 0, widest)
	return row, wrong
}
