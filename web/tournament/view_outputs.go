package tournament

import (
	"cmp"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/words"
)

// wallchartBody renders a tournament by rounds in the order of numbers: opponent's number, seat, result and the
// score so far.
func wallchartBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table format.Table) eventview.CrosstableBody {
	b := eventview.CrosstableBody{Caption: event.Caption(p, t, p.T("files.wallchart")), Legend: p.T("files.wallchart-legend"),
		Number: true}
	for n := range t.Rounds {
		b.Columns = append(b.Columns, words.Fact(words.Itoa(n+1), p.T("tournament.round-n", "Round", n+1)))
	}
	b.OfTeams = t.HasTeams()
	b.Score, _ = words.ScoreHeads(p, t.Settings)
	f := t.Field()
	scores, so, system := make([]map[int]tournament.Score, len(t.Rounds)), f, format.System(&t.Table)
	for n := range scores {
		so.Played = n + 1
		scores[n] = system.ScoresIn(so)
	}
	lines := slices.Clone(table.Lines)
	slices.SortFunc(lines, func(a, b format.Standing) int { return cmp.Compare(a.Number, b.Number) })
	cells, isMine := event.WallCells(p, t, func(number int) int { return number }), words.IsMine(t, v)
	for _, x := range f.Players {
		for n, r := range x.Rounds {
			if r.Outcome != tournament.NoRecord && r.Outcome != tournament.Unfinished {
				cells[x.Number][n].Text += " " + words.ScoreText(p, scores[n][x.Number])
			}
			cells[x.Number][n].URL = "" // it is for print
		}
	}
	for _, l := range lines {
		b.Lines = append(b.Lines, eventview.CrossLine{Rank: words.Itoa(l.Number), Player: words.StandingRef(t, l.Entry),
			Score: words.ScoreText(p, l.Score), IsMe: isMine(l.Entry), IsOut: l.Entry.Status == tournament.Withdrawn, Cells: cells[l.Number]})
	}
	return b
}

// namesBody renders a round by the players' names, in the order of the language; of several open rounds the boards
// without a result.
func namesBody(p lang.Printer, t *tournament.Tournament, rounds []tournament.Round) tournamentview.NamesBody {
	last := rounds[len(rounds)-1]
	body := tournamentview.NamesBody{Caption: p.T("tournament.round-n", "Round", last.Number), Awaited: words.AwaitedText(p, rounds)}
	ref := func(id tournament.EntryID) templates.EntryRef {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return words.SeatRef(p, t, e)
	}
	for round, b := range tournament.Rounds(rounds).AllBoards() {
		if len(rounds) > 1 && !b.Result.IsPending() {
			continue
		}
		for _, seat := range match.Seats {
			if e, _ := t.Entry(b.EntryAt(seat)); t.IsTeam(e) {
				continue // nobody sits there
			}
			l := tournamentview.NameLine{Player: ref(b.EntryAt(seat)), Board: words.BoardLabel(t, round, b.Board), Seat: words.SeatText(p, seat),
				Opponent: ref(b.EntryAt(seat.Other()))}
			if b.Match != "" {
				l.URL = words.MatchURL(b.Match)
			}
			body.Lines = append(body.Lines, l)
		}
	}
	for _, b := range last.Byes {
		e, _ := t.Entry(b.Entry) // as of a pairing
		body.Lines = append(body.Lines, tournamentview.NameLine{Player: words.EntryRefOf(t, e), Bye: words.ByeText(p, t, b.Kind)})
	}
	slices.SortStableFunc(body.Lines, func(a, b tournamentview.NameLine) int {
		return cmp.Or(p.Compare(a.Player.Name, b.Player.Name), strings.Compare(a.Player.Number, b.Player.Number))
	})
	return body
}
