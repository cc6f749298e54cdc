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

// player is a 001 record. Names longer than the table's columns are cut.
func (w *writer) player(p Player) string {
	points, rank := "", ""
	if p.HasPoints {
		points = formatScore(p.Points)
	}
	if p.Rank > 0 {
		rank = strconv.Itoa(p.Rank)
	}
	rating := ""
	if p.Rating > 0 {
		rating = strconv.Itoa(p.Rating)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "001 %4d %1s%3s %-33s %4s %3s %11s %10s%5s %4s", p.Number, fit(p.Sex, 1), fit(p.Title, 3),
		fit(p.Name, 33), rating, fit(p.Federation, 3), fit(p.FIDE, 11), fit(p.Birth, 10), points, rank)
	rounds := p.Rounds
	if w.dialect == TRF2026 && len(rounds) > w.played {
		rounds = rounds[:w.played] // the rest are 240 records
	}
	for _, c := range rounds {
		switch {
		case c.Opponent > 0:
			colour := byte('-')
			switch c.Seat {
			case match.First:
				colour = 'w'
			case match.Second:
				colour = 'b'
			}
			fmt.Fprintf(&b, "  %4d %c %c", c.Opponent, colour, letterOf[c.Outcome])
		case c.Outcome == tournament.NoRecord:
			b.WriteString("          ")
		default:
			fmt.Fprintf(&b, "  0000 - %c", letterOf[c.Outcome])
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// fit cuts a text to a column and keeps it on its line.
func fit(text string, width int) string {
	runes := []rune(text)
	for i, c := range runes {
		if c < ' ' || c == 0x7f {
			runes[i] = ' '
		}
	}
	return strings.Trim(string(runes[:min(len(runes), width)]), " ")
}
