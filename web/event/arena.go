package event

import (
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/words"
)

// arenaCodes returns the columns that break ties in an arena.
func arenaCodes(p lang.Printer) (codes []templates.TournamentFact) {
	for _, key := range []string{"wins", "games", "performance"} {
		codes = append(codes, words.Fact(p.T("arena.column."+key), p.T("arena.column."+key+".what")))
	}
	return codes
}

// arenaLine fills in what the score of a line is made of.
func arenaLine(p lang.Printer, t *tournament.Tournament, l format.Standing, line *eventview.StandingLine) {
	line.Values = []string{p.Int(l.Sheet.Wins), p.Int(l.Sheet.Games), words.NumberText(l.Sheet.Performance)}
	line.Double = DoubleText(p, t, l)
	for _, c := range l.Sheet.Cells {
		other, _ := t.Entry(tournament.EntryID(c.Opponent)) // they have met
		cell := eventview.SheetCell{Points: p.Int(c.Points), Double: c.Double, Open: c.Outcome == arena.Playing}
		if cell.Open {
			cell.Points = "·"
		}
		cell.Title = p.T("arena.cell."+cellWord(c), "Name", words.EntryName(p, other), "Points", p.Int(c.Points))
		if b := t.Rounds[0].Pairings; c.Board <= len(b) && b[c.Board-1].Match != "" {
			cell.URL = words.MatchURL(b[c.Board-1].Match)
		}
		line.Sheet = append(line.Sheet, cell)
	}
}

// DoubleText says that a player's next result counts double; empty if it does not.
func DoubleText(p lang.Printer, t *tournament.Tournament, l format.Standing) string {
	if !l.Sheet.Streak || t.Status != tournament.Running {
		return ""
	}
	return p.T("arena.double")
}

// cellWord names the outcome of a match in a sheet.
func cellWord(c arena.Cell) string {
	switch {
	case c.Vain:
		return "vain"
	case c.Double:
		return "double"
	}
	return map[arena.Outcome]string{arena.Playing: "playing", arena.Win: "win", arena.Draw: "draw", arena.Loss: "loss",
		arena.WinByForfeit: "forfeit", arena.Absent: "absent"}[c.Outcome]
}
