package trf

import (
	"fmt"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

var letterOf = map[tournament.Outcome]byte{
	tournament.Win: '1', tournament.Draw: '=', tournament.Loss: '0',
	tournament.WinUnrated: 'W', tournament.DrawUnrated: 'D', tournament.LossUnrated: 'L',
	tournament.ForfeitWin: '+', tournament.ForfeitLoss: '-', tournament.Unfinished: ' ',
	tournament.FullBye: 'F', tournament.HalfBye: 'H', tournament.ZeroBye: 'Z', tournament.PairingBye: 'U',
}

// How many letters of the name of a player (001) and of a team (310) a report has room for; the rest is cut.
const (
	NameWidth = 33
	TeamWidth = 32
)

// player formats a 001 record. Names longer than their column are cut.
func (w *writer) player(p Player) string {
	points := ""
	if p.HasPoints {
		points = formatScore(p.Points)
	}
	if len(points) > 5 {
		points = strconv.Itoa(int(p.Points) / 10) // thousands leave no room for tenths
	}
	var b strings.Builder
	fmt.Fprintf(&b, "001 %4d %1s%3s %-33s %4s %3s %11s %10s%5s %4s", p.Number, fit(p.Sex, 1), fit(p.Title, 3),
		fit(p.Name, NameWidth), nonZero(p.Rating), fit(p.Federation, 3), fit(p.FIDE, 11), fit(p.Birth, 10), points, nonZero(p.Rank))
	rounds := p.Rounds
	if w.dialect == TRF2026 && len(rounds) > w.played && w.report.Teams == nil {
		rounds = rounds[:w.played] // the rest are 240 records, which name teams where there are any
	}
	for _, c := range rounds {
		color := byte('-')
		switch c.Seat {
		case match.First:
			color = 'w'
		case match.Second:
			color = 'b'
		}
		switch {
		case c.Opponent > 0:
			fmt.Fprintf(&b, "  %4d %c %c", c.Opponent, color, letterOf[c.Outcome])
		case c.Outcome == tournament.NoRecord:
			b.WriteString("          ")
		default:
			fmt.Fprintf(&b, "  0000 %c %c", color, letterOf[c.Outcome])
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// nonZero formats a number; zero is blank.
func nonZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// fit cuts a text to the width of a column and removes control characters.
func fit(text string, width int) string {
	runes := []rune(text)
	for i, c := range runes {
		if c < ' ' || c == 0x7f {
			runes[i] = ' '
		}
	}
	return strings.Trim(string(runes[:min(len(runes), width)]), " ")
}
