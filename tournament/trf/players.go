package trf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Columns of the 001 record, 1-based and inclusive as in the TRF specification.
const (
	firstRoundColumn = 92
	roundWidth       = 10
)

// player reads a 001 record. Columns are characters; if it fits the table better, a file
// whose writer padded UTF-8 names by bytes is understood, too.
func (r *reader) player(text string) {
	line := []rune(text)
	if len(line) != len(text) {
		if columns := byteColumns(text); misfits(columns) < misfits(line) {
			line = columns
		}
	}
	p := r.parsePlayer(line)
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

// byteColumns puts each character into the column of its first byte; the columns of its
// other bytes are 0.
func byteColumns(text string) []rune {
	columns := make([]rune, len(text))
	for i, c := range text {
		columns[i] = c
	}
	return columns
}

// cut returns the text in columns from…to, without padding.
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

// spaced returns a line with spaces for control characters.
func spaced(line []rune) []rune {
	line = slices.Clone(line)
	for i, c := range line {
		if c != 0 && c < ' ' || c == 0x7f {
			line[i] = ' '
		}
	}
	return line
}

func (r *reader) parsePlayer(line []rune) (p Player) {
	line = spaced(line)
	p.Number, _ = r.number("player number", cut(line, 5, 8), 1, MaxNumber)
	p.Sex, p.Title, p.Name = cut(line, 10, 10), cut(line, 11, 13), cut(line, 15, 47)
	p.Rating, _ = r.number("rating", cut(line, 49, 52), 0, 9999)
	p.Federation, p.FIDE, p.Birth = cut(line, 54, 56), cut(line, 58, 68), cut(line, 70, 79)
	// Column 80 is blank in the table; totals of 100 and more need it.
	if text := cut(line, 80, 84); text != "" {
		if p.Points, p.HasPoints = parseScore(text); !p.HasPoints {
			r.problem("points %q are not a score", text)
		}
	}
	p.Rank, _ = r.number("rank", cut(line, 86, 89), 0, 9999)
	for at, round := firstRoundColumn, 1; at <= len(line); at, round = at+roundWidth, round+1 {
		if round > MaxRounds {
			r.problem("more than %d rounds", MaxRounds)
			break
		}
		cell, warning, err := parseCell(cut(line, at, at+3), cut(line, at+5, at+5), cut(line, at+7, at+7), r.report.Teams != nil)
		if err != nil {
			r.problem("round %d: %v", round, err)
		}
		if warning != "" {
			r.warn("round %d: %s", round, warning)
		}
		p.Rounds = append(p.Rounds, cell)
	}
	return p
}

// The result codes of a scheduled game and of a round without one.
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
	// Older programs write a bye as the result with its points.
	oldByes = map[string]tournament.Outcome{
		"+": tournament.PairingBye, "=": tournament.HalfBye, "-": tournament.ZeroBye, "0": tournament.ZeroBye,
	}
)

var seats = map[string]match.Seat{"w": match.First, "b": match.Second}

func parseCell(opponent, color, result string, isTeam bool) (c tournament.RoundResult, warning string, err error) {
	if opponent != "" {
		n, err := strconv.Atoi(opponent)
		if err != nil || n < 0 {
			return c, "", fmt.Errorf("opponent %q is not a number", opponent)
		}
		c.Opponent = n
	}
	result = strings.ToUpper(result)
	var known bool
	if isTeam && c.Opponent == 0 && (result == "+" || result == "-") {
		// Nobody sat opposite; without a seat, - is a player who had no board.
		c.Seat, c.Outcome = seats[strings.ToLower(color)], paired[result]
		if c.Outcome == tournament.ForfeitLoss && !c.Seat.Valid() {
			c.Outcome = tournament.ZeroBye
		}
		return c, "", nil
	}
	if c.Opponent == 0 {
		if c.Outcome, known = unpaired[result]; known {
			return c, "", nil
		}
		if c.Outcome, known = oldByes[result]; known {
			return c, fmt.Sprintf("result %q without an opponent, read as a bye", result), nil
		}
		return tournament.RoundResult{}, "", fmt.Errorf("result %q without an opponent", result)
	}
	if c.Outcome, known = paired[result]; !known {
		return tournament.RoundResult{}, "", fmt.Errorf("result %q against an opponent", result)
	}
	switch strings.ToLower(color) {
	case "w", "b":
		c.Seat = seats[strings.ToLower(color)]
	case "-", "":
		if !c.Outcome.IsForfeit() {
			return tournament.RoundResult{}, "", errors.New("a game without a color")
		}
	default:
		return tournament.RoundResult{}, "", fmt.Errorf("color %q is none of w, b, -", color)
	}
	return c, "", nil
}
