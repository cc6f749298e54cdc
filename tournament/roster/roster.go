// Package roster reads lists of players as organizers have them: pasted lines, a table
// with or without headings, a tournament report. It reports every line that it cannot
// read, and knows neither accounts nor entry conditions.
package roster

import (
	"encoding/csv"
	"errors"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/tournament/trf"
)

// MaxLines is the maximum number of players in a list.
const MaxLines = 1000

// Line is one player of a list: an account by handle, or a guest by name.
type Line struct {
	Number int    // line number, from 1
	Text   string // as written, shortened
	Handle player.Handle
	Alone  string // the line if it is a single word: a name as well, where no player has that handle
	Name   string
	Club   string
	Rating int
	Report tournament.ReportPlayer // what a report tells besides
	Err    error                   // why the line is unreadable
}

// Problems of a line.
var (
	ErrHandle  = refusal.Invalid("entry.line.handle", "roster: not a handle")
	ErrRating  = refusal.Invalid("entry.line.rating", "roster: the rating must be a number from 0 to 4000")
	ErrFields  = refusal.Invalid("entry.line.fields", "roster: more columns than name, rating and club")
	ErrQuotes  = refusal.Invalid("entry.line.quotes", "roster: unclosed quotation mark")
	ErrReport  = refusal.Invalid("entry.line.report", "roster: tournament reports cannot be read here")
	ErrTooMany = refusal.Invalid("entry.line.many", "roster: too many lines")
)

// headings are the headings of a table, by its columns.
var headings = map[string][]string{
	"handle": {"handle", "account", "login", "нік", "обліковий запис", "логін"},
	"name": {"name", "full name", "first name", "given name", "last name", "family name", "surname", "player", "participant",
		"ім'я", "прізвище", "прізвище та ім'я", "ПІБ", "гравець", "учасник", "имя", "фамилия", "фамилия и имя", "ФИО", "игрок", "участник"},
	"rating": {"rating", "elo", "рейтинг"},
	"club":   {"club", "team", "клуб", "команда"},
}

// columnOf returns the column that a heading names; empty: one that is not read.
func columnOf(heading string) string {
	key := fold.Key(heading)
	for column, names := range headings {
		if slices.ContainsFunc(names, func(name string) bool { return fold.Key(name) == key }) {
			return column
		}
	}
	return ""
}

// listed is what stands before the lines of a list that is numbered or has bullets.
var listed = regexp.MustCompile(`^(?:\d{1,4}[.)]|[•●▪◦*–—-])\s+`)

// counted is a number before a line, as people write numbers. It may be part of a name, so all lines of a list tell
// whether it is one.
var counted = regexp.MustCompile(`^[(#№]*\s*(\d{1,4})(?:\s*[.):]+\s*|\s*[–—-]\s+|\s+)`)

// numbered is the number of a line in a column of its own.
var numbered = regexp.MustCompile(`^\d{1,4}$`)

// torn is the end of a line within a quoted cell, in which somebody pressed Enter.
var torn = regexp.MustCompile(`(?:^|[;,\t|])[ ]*"[^"\n]+$`)

// cellLines is how many lines such a cell may have: a quotation mark that nobody closed swallows no list.
const cellLines = 3

// mended joins a line with those after it that belong to its cells, and returns how many these are.
func mended(lines []string) (line string, more int) {
	line = strings.TrimRightFunc(lines[0], unicode.IsSpace)
	for torn.MatchString(line) {
		cell, n := cellEnd(lines[more+1:])
		if n == 0 {
			break
		}
		line, more = line+" "+cell, more+n
	}
	return line, more
}

// cellEnd is what closes a cell at the begin of some lines, as one line, and of how many it is; 0: nothing does.
func cellEnd(lines []string) (text string, n int) {
	for i, next := range lines[:min(len(lines), cellLines-1)] {
		if _, rest, closed := strings.Cut(next, `"`); closed {
			if rest = strings.TrimSpace(rest); rest != "" && !strings.ContainsAny(rest[:1], ";,\t|") {
				return "", 0
			}
			return strings.TrimSpace(strings.Join(lines[:i+1], " ")), i + 1
		}
	}
	return "", 0
}

// shape is how the lines of a list are written.
type shape struct {
	first   int // the first line that is not blank, from 0
	columns []string
	headed  bool // the first line is headings
	comma   rune // between the columns that headings name; 0: each line shows its own
	counted bool // every line begins with its number
}

// shapeOf returns the shape of a list.
func shapeOf(lines []string) shape {
	first := slices.IndexFunc(lines, func(line string) bool { return !isBlank(line) })
	if first < 0 {
		return shape{}
	}
	if columns, comma, are := readHeadings(lines[first]); are {
		return shape{first: first, columns: columns, headed: true, comma: comma}
	}
	return shape{first: first, columns: []string{"name", "rating", "club"}, counted: areCounted(lines)}
}

// rows yields the lines of players with their numbers, from 1.
func (s shape) rows(lines []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := 0; i < len(lines); i++ {
			raw, more := mended(lines[i:])
			if !isBlank(raw) && !(s.headed && i == s.first) && !yield(i+1, raw) {
				return
			}
			i += more
		}
	}
}

// areCounted reports whether lines begin with numbers that follow each other.
func areCounted(lines []string) bool {
	last := -1
	all := 0
	for _, line := range lines {
		if isBlank(line) {
			continue
		}
		all++
		n := counted.FindStringSubmatch(strings.TrimSpace(line))
		if n == nil {
			return false
		}
		number, _ := strconv.Atoi(n[1])
		if last >= 0 && number != last+1 {
			return false
		}
		last = number
	}
	return all > 1
}

// fields returns the fields of a line.
func (s shape) fields(raw string) ([]string, error) {
	if s.comma != 0 {
		return split(raw, s.comma)
	}
	raw = strings.TrimSpace(raw)
	if s.counted {
		raw = counted.ReplaceAllString(raw, "")
	} else if !s.headed {
		raw = listed.ReplaceAllString(raw, "")
	}
	return split(raw, separator(raw, false))
}

// isBlank reports whether a line names nobody: it is empty, has separators only, or tells Excel the separator.
func isBlank(raw string) bool {
	return player.Tidy(strings.Trim(raw, ";,|\t ")) == "" || strings.HasPrefix(strings.ToLower(raw), "sep=") && len(raw) <= len("sep=;")
}

// Read reads a list, which package intake has made text, and ignores blank lines.
func Read(text string) []Line {
	if isReport(text) {
		return fromReport(text)
	}
	var lines []Line
	all := strings.Split(text, "\n")
	written := shapeOf(all)
	for number, raw := range written.rows(all) {
		if len(lines) >= MaxLines {
			return append(lines, Line{Number: number, Text: player.Excerpt(raw, 80), Err: ErrTooMany})
		}
		fields, err := written.fields(raw)
		l := Line{Number: number, Text: player.Excerpt(raw, 80), Err: err}
		if err == nil {
			l.fill(fields, written.columns, written.headed)
		}
		lines = append(lines, l)
	}
	return lines
}

// Left returns some lines of a list, by their numbers, as a list that reads as the whole one: with its headings, without
// numbers that no longer follow each other. anew has the numbers of its lines by those that they had.
func Left(text string, stay []int) (list string, anew map[int]int) {
	anew = map[int]int{}
	all := strings.Split(text, "\n")
	written, report := shapeOf(all), isReport(text)
	var left []string
	if written.headed && !report {
		left = append(left, all[written.first])
	}
	for number, raw := range written.rows(all) {
		if !slices.Contains(stay, number) {
			continue
		}
		if written.counted && !report {
			raw = counted.ReplaceAllString(strings.TrimSpace(raw), "")
		}
		left = append(left, raw)
		anew[number] = len(left)
	}
	return strings.Join(left, "\n"), anew
}

// separator returns the separator of fields in a line; 0 for a single field. Without
// headings a comma separates only before a number, because it may be part of a name
// (Franko, Ivan).
func separator(raw string, hasHeadings bool) rune {
	switch {
	case strings.Contains(raw, "\t"): // nobody types it in a name, and workbooks have it between cells
		return '\t'
	case strings.Contains(raw, ";"):
		return ';'
	case strings.Contains(raw, "|"):
		return '|'
	}
	parts := strings.Split(raw, ",")
	if len(parts) == 1 {
		return 0
	}
	if _, err := strconv.Atoi(strings.TrimSpace(parts[1])); err == nil || hasHeadings || strings.HasPrefix(raw, `"`) {
		return ','
	}
	return 0
}

func split(raw string, comma rune) ([]string, error) {
	if comma == 0 && strings.HasPrefix(raw, `"`) && strings.Count(raw, `"`)%2 != 0 {
		return nil, ErrQuotes
	}
	if comma == 0 {
		return []string{player.Tidy(raw)}, nil
	}
	r := csv.NewReader(strings.NewReader(raw))
	r.Comma, r.TrimLeadingSpace = comma, comma != '\t' // or an empty cell would go with the space
	fields, err := r.Read()
	switch {
	case err != nil && strings.Count(raw, `"`)%2 != 0:
		return nil, ErrQuotes
	case err != nil: // quotes that belong to a name: Ivan "Lion" Franko
		fields = strings.Split(raw, string(comma))
	}
	for i := range fields {
		fields[i] = player.Tidy(fields[i])
	}
	return fields, nil
}

// readHeadings returns the columns of a table, and what stands between them, if raw is its heading.
func readHeadings(raw string) (columns []string, comma rune, are bool) {
	comma = separator(raw, true)
	fields, err := split(raw, comma)
	if err != nil {
		return nil, 0, false
	}
	columns = make([]string, len(fields))
	for i, f := range fields {
		columns[i] = columnOf(f)
	}
	return columns, comma, slices.Contains(columns, "name") || slices.Contains(columns, "handle")
}

func (l *Line) fill(fields, columns []string, hasHeadings bool) {
	if numbered.MatchString(fields[0]) && !hasHeadings && len(fields) > 1 {
		fields = fields[1:] // numbers of the lines
	}
	for len(fields) > len(columns) && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1]
	}
	if len(fields) > len(columns) {
		l.Err = ErrFields
		return
	}
	handle, rating := "", ""
	for i, f := range fields {
		switch columns[i] {
		case "handle":
			handle = f
		case "name": // first and last names may have a column each
			l.Name = strings.TrimSpace(l.Name + " " + f)
		case "rating":
			rating = f
		case "club":
			l.Club = f
		}
	}
	if !hasHeadings && len(fields) == 1 {
		handle, l.Name = l.Name, ""
		switch _, err := player.ParseHandle(handle); {
		case err == nil:
			l.Alone = handle
		case !strings.HasPrefix(handle, "@"):
			handle, l.Name = "", handle
		}
	}
	if !hasHeadings && strings.HasPrefix(l.Name, "@") {
		handle, l.Name = l.Name, ""
	}
	if handle != "" {
		h, err := player.ParseHandle(strings.TrimPrefix(handle, "@"))
		if err != nil {
			l.Err = ErrHandle
		}
		l.Handle, l.Name = h, "" // the club may be a team
		return
	}
	l.guest(rating)
}

func (l *Line) guest(rating string) {
	name, err := club.ParseGuestName(l.Name)
	if err != nil {
		l.Err = err
		return
	}
	l.Name = name
	if rating == "" || rating == "-" || rating == "–" {
		return
	}
	n, err := Rating(rating)
	if err != nil {
		l.Err = err
		return
	}
	l.Rating = n
}

// rated is a rating as people write it; numbers of programs, such as 1e3 or 0x10, are slips.
var rated = regexp.MustCompile(`^\d+(?:\.\d+)?$`)

// Rating reads a rating as tables have it: 1650, 1 650, 1650.4 or 1650,4.
func Rating(text string) (int, error) {
	plain := strings.NewReplacer(",", ".", " ", "").Replace(text)
	n, err := strconv.ParseFloat(plain, 64)
	if err != nil || !rated.MatchString(plain) || n > setting.MaxRating {
		return 0, ErrRating
	}
	return int(n + 0.5), nil
}

func isReport(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "001 ") && len(line) > 20 {
			return true
		}
	}
	return false
}

// fromReport returns the players of a report, regardless of their results.
func fromReport(text string) []Line {
	r, err := trf.Read(text)
	var faults *trf.SyntaxError
	if errors.As(err, &faults) {
		var lines []Line
		for _, p := range faults.Problems {
			lines = append(lines, Line{Number: p.Line, Text: p.Reason, Err: ErrReport})
		}
		return lines
	}
	if err != nil {
		return []Line{{Number: 1, Text: err.Error(), Err: ErrReport}}
	}
	at := map[int]int{} // line by player number
	number := 0
	for line := range strings.Lines(text) {
		number++
		if rest, is := strings.CutPrefix(line, "001 "); is && len(rest) >= 4 {
			n, _ := strconv.Atoi(strings.TrimSpace(rest[:4]))
			at[n] = number
		}
	}
	var lines []Line
	for _, p := range r.Players {
		l := Line{Number: at[p.Number], Text: player.Excerpt(p.Name, 80), Name: player.Tidy(p.Name), Report: p.ReportPlayer}
		l.guest(strconv.Itoa(p.Rating))
		if lines = append(lines, l); len(lines) == MaxLines {
			break
		}
	}
	return lines
}
