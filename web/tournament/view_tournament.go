package tournament

import (
	"time"

	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

func (s pages) schedule(p lang.Printer, t *tournament.Tournament) []tournamentview.ScheduleLine {
	var lines []tournamentview.ScheduleLine
	rounds := t.Settings.Rounds
	if t.Status < tournament.Running {
		rounds = len(t.Times)
	}
	next, due := t.NextRoundAt()
	for n := 1; n <= rounds; n++ {
		l := tournamentview.ScheduleLine{Round: words.RoundTitle(p, t, n)}
		var when time.Time
		switch {
		case n <= len(t.Rounds):
			r := t.Rounds[n-1]
			l.URL, when = words.RoundURL(t.ID, n), r.OpenedAt
			l.State = p.T("tournament.round.open")
			if r.IsOver() {
				l.State = p.T("tournament.round.over")
			}
		case n == len(t.Rounds)+1 && due && !t.Rolls(): // a match that opens next may be in an earlier round
			when = next
		case n > len(t.Rounds):
			when, _ = t.RoundAt(n)
			if when.IsZero() && t.Pace == tournament.Times && n <= len(t.Times) {
				when = t.Times[n-1]
			}
		}
		if !when.IsZero() {
			l.When, l.Stamp = p.When(when), p.Stamp(when)
		}
		lines = append(lines, l)
	}
	return lines
}
