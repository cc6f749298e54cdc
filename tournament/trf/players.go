package trf

import (
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Columns of the 001 record, 1-based and inclusive, as the TRF text counts them.
const (
	firstRoundColumn = 92
	roundWidth       = 10
)

// player reads a 001 record. Columns are characters; a writer that padded
// UTF-8 names by bytes is understood too, where that reading fits the table better.
func (r *reader) player(text string) {
	line := []rune(text)
	if len(line) != len(text) {
		if columns := byteColumns(text); misfits(columns) < misfits(line) {
			line = columns
		}
	}
	p, warnings, problems := parsePlayer(line)
	for _, reason := range problems {
		r.problem("%s", reason)
	}
	for _, reason := range warnings {
		r.warn("%s", reason)
	}
	if p.Number != 0 {
		if first, twice := r.lineOf[p.Number]; twice {
			r.problem("player %d is already in line %d", p.Number, first)
		} else {
			r.lineOf[p.Number] = r.line
		}
	}
	r.lines = append(r.lines, r.line)
	r.report.Players = append(r.report.Players, p)
}

// misfits counts the columns between two entries of the table that are not blank.
func misfits(line []rune) int {
	n := 0
	blank := func(at int) {
		if at <= len(line) && line[at-1] != ' ' {
			n++
		}
	}
	for _, at := range []int{9, 14, 48, 53, 57, 69, 85, 90, 91} {
		blank(at)
	}
	for at := firstRoundColumn; at <= len(line); at += roundWidth {
		for _, gap := range []int{4, 6, 8, 9} {
			blank(at + gap)
		}
	}
	return n
}

// byteColumns spreads a text over its bytes: a character stands in the column
// of its first byte, the columns of its other bytes hold nothing (rune 0).
func byteColumns(text string) []rune {
	columns := make([]rune, len(text))
	for i, c := range text {
		columns[i] = c
	}
	return columns
}

// cut is the text in columns from…to, without padding.
func cut(line []rune, from, to int) string {
	if from > len(line) {
		return ""
	}
	var b strings.Builder
	for _, c := range line[from-1 : min(to, len(line))] {
		if c != 0 {
			b.WriteRune(c)
		}
	}
	return strings.Trim(b.String(), " ")
}

func parsePlayer(line []rune) (p Player, warnings, problems []string) {
	line = append([]rune(nil), line...)
	for i, c := range line {
		if c != 0 && c < ' ' || c == 0x7f {
			line[i] = ' '
		}
	}
	number := func(what, text string, low, high int) int {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			problems = append(problems, what+" "+strconv.Quote(text)+" is not a number in "+strconv.Itoa(low)+".."+strconv.Itoa(high))
			return 0
		}
		return n
	}
	p.Number = number("player number", cut(line, 5, 8), 1, MaxNumber)
	p.Sex, p.Title, p.Name = cut(line, 10, 10), cut(line, 11, 13), cut(line, 15, 47)
	if text := cut(line, 49, 52); text != "" {
		p.Rating = number("rating", text, 0, 9999)
	}
	p.Federation, p.FIDE, p.Birth = cut(line, 54, 56), cut(line, 58, 68), cut(line, 70, 79)
	// Column 80 is blank in the table; totals of 100 and more need it.
	if text := cut(line, 80, 84); text != "" {
		s, ok := parseScore(text)
		if !ok {
			problems = append(problems, "points "+strconv.Quote(text)+" are not a score")
		}
		p.Points, p.HasPoints = s, ok
	}
	if text := cut(line, 86, 89); text != "" {
		p.Rank = number("rank", text, 0, 9999)
	}
	for at, round := firstRoundColumn, 1; at <= len(line); at, round = at+roundWidth, round+1 {
		if round > MaxRounds {
			problems = append(problems, "more than "+strconv.Itoa(MaxRounds)+" rounds")
			break
		}
		cell, warning, problem := parseCell(cut(line, at, at+3), cut(line, at+5, at+5), cut(line, at+7, at+7))
		if problem != "" {
			problems = append(problems, "round "+strconv.Itoa(round)+": "+problem)
		}
		if warning != "" {
			warnings = append(warnings, "round "+strconv.Itoa(round)+": "+warning)
		}
		p.Rounds = append(p.Rounds, cell)
	}
	return p, warnings, problems
}

// letters are the result codes of a scheduled game and of a round without one.
var (
	paired = map[string]tournament.Outcome{
		"1": tournament.Win, "=": tournament.Draw, "0": tournament.Loss,
		"W": tournament.WinUnrated, "D": tournament.DrawUnrated, "L": tournament.LossUnrated,
		"+": tournament.ForfeitWin, "-": tournament.ForfeitLoss,
		"": tournament.Unfinished, "*": tournament.Unfinished,
	}
	unpaired = map[string]tournament.Outcome{
		"F": tournament.FullBye, "H": tournament.HalfBye, "Z": tournament.ZeroBye, "U": tournament.PairingBye,
		"": tournament.NoRecord,
	}
	// Older programs write a bye with the letter of its points.
	oldByes = map[string]tournament.Outcome{
		"+": tournament.PairingBye, "=": tournament.HalfBye, "-": tournament.ZeroBye, "0": tournament.ZeroBye,
	}
)

func parseCell(opponent, colour, result string) (c tournament.RoundResult, warning, problem string) {
	if opponent != "" {
		n, err := strconv.Atoi(opponent)
		if err != nil || n < 0 {
			return c, "", "opponent " + strconv.Quote(opponent) + " is not a number"
		}
		c.Opponent = n
	}
	result = strings.ToUpper(result)
	var known bool
	if c.Opponent == 0 {
		if c.Outcome, known = unpaired[result]; !known {
			if c.Outcome, known = oldByes[result]; !known {
				return tournament.RoundResult{}, "", "result " + strconv.Quote(result) + " without an opponent"
			}
			warning = "result " + strconv.Quote(result) + " without an opponent, read as a bye"
		}
		return c, warning, ""
	}
	if c.Outcome, known = paired[result]; !known {
		return tournament.RoundResult{}, "", "result " + strconv.Quote(result) + " against an opponent"
	}
	switch strings.ToLower(colour) {
	case "w":
		c.Seat = match.First
	case "b":
		c.Seat = match.Second
	case "-", "":
		if !c.Outcome.IsForfeit() {
			return tournament.RoundResult{}, "", "a game without a colour"
		}
	default:
		return tournament.RoundResult{}, "", "colour " + strconv.Quote(colour) + " is none of w, b, -"
	}
	return c, "", ""
}
