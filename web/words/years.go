package words

import (
	"strconv"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/year"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// YearURL returns the address of a player's year.
func YearURL(h player.Handle, n int) string { return PlayerURL(h) + "/years/" + strconv.Itoa(n) }

// YearTitle returns the title of a player's year.
func YearTitle(p lang.Printer, x player.Player, n int) string {
	return p.T("year.title", "Name", PlayerName(p, x), "Year", strconv.Itoa(n))
}

// YearScore returns the matches of a year with their score in a sentence.
func YearScore(p lang.Printer, y year.Year) string {
	if y.Matches() == 0 {
		return p.N("year.bots-only", y.BotMatches)
	}
	return p.N("year.score", y.Matches(), "Wins", p.Int(y.Wins), "Draws", p.Int(y.Draws), "Losses", p.Int(y.Losses))
}

// YearBest returns what the match to look back on is.
func YearBest(p lang.Printer, y year.Year) string {
	if y.Best.Result == rating.Win {
		return p.T("year.best")
	}
	return p.T("year.closest")
}

// FeatPieces are the pieces that stand for achievements.
var FeatPieces = map[year.Kind]board.Kind{
	"king": board.King, "claim": board.Knight, "raise": board.Dragon, year.Evenings: board.Rook, year.Season: board.Queen,
}

// YearFigure is a number of a year with what it counts.
type YearFigure struct{ Value, Label string }

// YearFigures returns the numbers of a year that say something, those that say most first.
func YearFigures(p lang.Printer, y year.Year, history []store.RatingChange) []YearFigure {
	var list []YearFigure
	if n := y.Matches(); n > 0 {
		list = append(list, YearFigure{p.Int(n), p.N("year.matches", n)})
	}
	if n := len(history); n > 0 && history[n-1].After != 0 {
		label := p.T("year.rating")
		for _, ch := range history {
			if ch.Before != 0 {
				label += " (" + p.Signed(history[n-1].After.Whole()-ch.Before.Whole()) + ")"
				break
			}
		}
		list = append(list, YearFigure{PublishedRating(p, history[n-1].After), label})
	}
	for _, f := range []struct {
		n, least int
		key      string
	}{{y.Opponents, 1, "year.opponents"}, {y.Run, 2, "year.run"}, {y.Evenings, 1, "year.evenings"}, {y.BotMatches, 1, "year.bots"}} {
		if f.n >= f.least {
			list = append(list, YearFigure{p.Int(f.n), p.N(f.key, f.n)})
		}
	}
	return list
}
