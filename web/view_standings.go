package web

import (
	"strings"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

// caption says after which round a table stands.
func caption(p lang.Printer, t *tournament.Tournament, name string) string {
	switch {
	case t.Status.IsOver():
		return name
	case len(t.Rounds) > 0 && !t.RoundIsOver():
		return p.T("tournament.table-during", "Table", name, "Round", len(t.Rounds))
	case len(t.Rounds) > 0:
		return p.T("tournament.table-after", "Table", name, "Round", len(t.Rounds))
	}
	return name
}

// mostExplained is in how large a table every value is explained on the spot;
// in larger ones the players' cards do it.
const mostExplained = 200

func standingsBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table arbiter.Table, changes map[player.ID]store.RatingChange) tournamentview.StandingsBody {
	b := tournamentview.StandingsBody{Caption: caption(p, t, p.T("tournament.tab.standings")), Rated: len(changes) > 0}
	if until, is := t.ProvisionalUntil(); is && !until.IsZero() {
		b.Note = p.T("tournament.provisional-until", "Date", p.Moment(until))
	} else if is {
		b.Note = p.T("tournament.provisional")
	}
	for _, code := range table.Codes {
		b.Codes = append(b.Codes, fact(code.String(), codeName(p, code)))
	}
	names := namesByNumber(t)
	for _, l := range table.Lines {
		line := tournamentview.StandingLine{
			Rank: itoa(l.Rank), Player: entryRefOf(t, l.Entry), Score: scoreText(p, l.Score), IsMe: v.Is(l.Entry.Player),
			IsOut: l.Entry.Status == tournament.Withdrawn, Ruled: firstRuled(t, l.Entry.ID),
		}
		for i, value := range l.Values {
			cell := tournamentview.ValueCell{Value: valueText(p, value)}
			if len(table.Lines) <= mostExplained {
				cell.Why = strings.Join(workedOut(p, t, table.Codes[i], l.Why[i], names), "\n")
			}
			line.Values = append(line.Values, cell)
		}
		if change, rated := changes[l.Entry.Player]; rated && change.Before != 0 {
			d := change.After.Whole() - change.Before.Whole()
			line.Change, line.Up, line.Down = p.Signed(d), d > 0, d < 0
		} else if rated && change.Reason == rating.Earned {
			line.Change = change.After.String()
		}
		b.Lines = append(b.Lines, line)
	}
	for _, e := range table.Annulled {
		b.Out = append(b.Out, p.T("tournament.annulled", "Name", e.Name))
	}
	return b
}

func namesByNumber(t *tournament.Tournament) map[int]string {
	names := make(map[int]string, len(t.Entries))
	for _, e := range t.Entries {
		names[e.Number] = e.Name
	}
	return names
}

func valueText(p lang.Printer, v tiebreak.Value) string {
	if !v.Defined {
		return "–"
	}
	switch {
	case v.Hundredths%100 == 0:
		return p.Int(int(v.Hundredths / 100))
	case v.Hundredths%10 == 0:
		return p.Decimal(v.Float(), 1)
	}
	return p.Decimal(v.Float(), 2)
}

// workedOut is a tie-break of one player worked out, a line for each term.
func workedOut(p lang.Printer, t *tournament.Tournament, code tiebreak.Code, why tiebreak.Explanation, names map[int]string) []string {
	var lines []string
	for _, term := range why.Terms {
		who := names[term.Opponent]
		switch {
		case term.Dummy && term.Opponent == 0:
			who = p.T("tournament.why.unplayed")
		case term.Dummy:
			who = p.T("tournament.why.dummy", "Name", names[term.Opponent])
		case term.Opponent == 0:
			who = p.T("tournament.why.own")
		}
		line := who + ": " + valueText(p, term.Worth)
		if term.Round > 0 {
			line = p.T("tournament.why.round", "Round", term.Round) + " " + line
		}
		if term.Basis.Defined && term.Points.Defined && term.Basis != term.Worth {
			line += " (" + valueText(p, term.Points) + " × " + valueText(p, term.Basis) + ")"
		}
		if term.Cut {
			line += " – " + p.T("tournament.why.cut")
		}
		lines = append(lines, line)
	}
	if why.Divided > 0 {
		lines = append(lines, p.T("tournament.why.divided", "N", why.Divided))
	}
	if why.Percent > 0 || why.Difference != 0 {
		lines = append(lines, p.T("tournament.why.performance", "Percent", why.Percent, "Difference", p.Signed(why.Difference)))
	}
	if len(why.Tied) > 0 {
		var tied []string
		for _, n := range why.Tied {
			tied = append(tied, names[n])
		}
		lines = append(lines, p.T("tournament.why.tied", "Names", strings.Join(tied, ", ")))
	}
	return lines
}

// signOf writes what a seat got, as crosstables do.
func signOf(o tournament.Outcome) string {
	switch o {
	case tournament.Win, tournament.WinUnrated:
		return "1"
	case tournament.Draw, tournament.DrawUnrated:
		return "½"
	case tournament.Loss, tournament.LossUnrated:
		return "0"
	case tournament.ForfeitWin:
		return "+"
	case tournament.ForfeitLoss:
		return "−"
	}
	return ""
}

func mark(cell *tournamentview.CrossCell, o tournament.Outcome) {
	switch o {
	case tournament.Win, tournament.WinUnrated, tournament.ForfeitWin, tournament.FullBye, tournament.PairingBye:
		cell.Won = true
	case tournament.Draw, tournament.DrawUnrated, tournament.HalfBye:
		cell.Drawn = true
	case tournament.Loss, tournament.LossUnrated, tournament.ForfeitLoss:
		cell.Lost = true
	}
}

// crossBody is everybody against everybody, in the order of the standings.
func crossBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table arbiter.Table) tournamentview.CrosstableBody {
	b := tournamentview.CrosstableBody{Caption: caption(p, t, p.T("tournament.tab.crosstable")), Legend: p.T("tournament.cross-legend")}
	meetings := t.Crosstable()
	type row struct {
		entry tournament.Entry
		rank  string
		score string
	}
	var rows []row
	for _, l := range table.Lines {
		rows = append(rows, row{l.Entry, itoa(l.Rank), scoreText(p, l.Score)})
	}
	for _, e := range table.Annulled {
		rows = append(rows, row{e, "", "–"})
	}
	for i, r := range rows {
		b.Columns = append(b.Columns, fact(itoa(i+1), r.entry.Name))
	}
	for i, r := range rows {
		line := tournamentview.CrossLine{Rank: r.rank, Player: entryRefOf(t, r.entry), Score: r.score, IsMe: v.Is(r.entry.Player), IsOut: r.entry.Status == tournament.Withdrawn}
		for j, other := range rows {
			cell := tournamentview.CrossCell{Self: i == j}
			for _, m := range meetings[r.entry.ID][other.entry.ID] {
				sign := signOf(m.Result.Outcome(m.Seat))
				if sign == "" {
					sign = "·"
				}
				cell.Text += sign
				mark(&cell, m.Result.Outcome(m.Seat))
				words := p.T("tournament.cell", "Round", m.Round, "Seat", seatText(p, m.Seat), "Name", other.entry.Name)
				if cell.Words != "" {
					words = cell.Words + "; " + words
				}
				cell.Words = words
				if m.Match != "" {
					cell.URL = matchURL(m.Match)
				}
				if cell.Ruled == "" {
					cell.Ruled = ruledIn(t, r.entry.ID, m.Round)
				}
			}
			line.Cells = append(line.Cells, cell)
		}
		b.Lines = append(b.Lines, line)
	}
	return b
}

// wallBody is a Swiss by rounds: the opponent's place, seat and result.
func wallBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table arbiter.Table) tournamentview.CrosstableBody {
	b := tournamentview.CrosstableBody{Caption: caption(p, t, p.T("tournament.tab.crosstable")), Legend: p.T("tournament.wall-legend")}
	for n := range t.Rounds {
		b.Columns = append(b.Columns, fact(itoa(n+1), p.T("tournament.round-n", "Round", n+1)))
	}
	place, names := map[int]int{}, namesByNumber(t)
	for i, l := range table.Lines {
		place[l.Number] = i + 1
	}
	matches := map[tournament.EntryID]map[int]match.ID{}
	for _, r := range t.Rounds {
		for _, pair := range r.Pairings {
			for _, id := range []tournament.EntryID{pair.First, pair.Second} {
				if matches[id] == nil {
					matches[id] = map[int]match.ID{}
				}
				matches[id][r.Number] = pair.Match
			}
		}
	}
	byNumber := map[int]tournament.FieldPlayer{}
	for _, x := range t.Field().Players {
		byNumber[x.Number] = x
	}
	for i, l := range table.Lines {
		line := tournamentview.CrossLine{Rank: itoa(i + 1), Player: entryRefOf(t, l.Entry), Score: scoreText(p, l.Score), IsMe: v.Is(l.Entry.Player), IsOut: l.Entry.Status == tournament.Withdrawn}
		for n, cell := range byNumber[l.Number].Rounds {
			out := wallCell(p, t, cell, n+1, place[cell.Opponent], names[cell.Opponent])
			if id := matches[l.Entry.ID][n+1]; id != "" && cell.Opponent > 0 {
				out.URL = matchURL(id)
			}
			out.Ruled = ruledIn(t, l.Entry.ID, n+1)
			line.Cells = append(line.Cells, out)
		}
		b.Lines = append(b.Lines, line)
	}
	return b
}

// wallCell is what one round gave a player: the opponent as the table counts
// him, seat and result.
func wallCell(p lang.Printer, t *tournament.Tournament, r tournament.RoundResult, round, opponent int, name string) tournamentview.CrossCell {
	cell := tournamentview.CrossCell{Text: byeSign(p, r.Outcome)}
	if r.Opponent > 0 {
		cell.Text = itoa(opponent) + p.T("tournament.seat-letter."+r.Seat.String()) + signOf(r.Outcome)
		cell.Words = p.T("tournament.cell", "Round", round, "Seat", seatText(p, r.Seat), "Name", name)
	} else if r.Outcome.IsBye() {
		cell.Words = byeText(p, t, r.Outcome)
	}
	mark(&cell, r.Outcome)
	return cell
}

// byeSign is a round without an opponent in a wallchart.
func byeSign(p lang.Printer, o tournament.Outcome) string {
	switch o {
	case tournament.PairingBye, tournament.FullBye:
		return "+1"
	case tournament.HalfBye:
		return "+½"
	case tournament.ZeroBye:
		return "0"
	}
	return ""
}

// fillCard tells what one player did, round by round, and how his tie-breaks
// came about.
func fillCard(p lang.Printer, t *tournament.Tournament, e tournament.Entry, table arbiter.Table, view *tournamentview.CardView) {
	view.Player = entryRefOf(t, e)
	view.Player.URL = ""
	if !e.IsGuest() {
		view.Player.URL = playerURL(player.Handle(e.Name))
	}
	add := func(name, value string) {
		if value != "" {
			view.Facts = append(view.Facts, fact(name, value))
		}
	}
	names := namesByNumber(t)
	for _, l := range table.Lines {
		if l.Entry.ID != e.ID {
			continue
		}
		add(p.T("tournament.rank"), itoa(l.Rank))
		add(p.T("tournament.score"), scoreText(p, l.Score))
		for i, value := range l.Values {
			view.Breaks = append(view.Breaks, tournamentview.CardBreak{
				Code: table.Codes[i].String(), Name: codeName(p, table.Codes[i]), Value: valueText(p, value),
				Why: workedOut(p, t, table.Codes[i], l.Why[i], names),
			})
		}
	}
	add(p.T("tournament.number"), numberText(e.Number))
	add(p.T("tournament.rating"), numberText(e.Rating))
	add(p.T("tournament.club"), e.Club)
	if e.Status == tournament.Withdrawn {
		add(p.T("tournament.state"), p.T("tournament.withdrawn"))
	}
	for _, r := range t.Rounds {
		line := tournamentview.CardLine{Round: itoa(r.Number), RoundURL: roundURL(t.ID, r.Number), Ruled: ruledIn(t, e.ID, r.Number)}
		for _, b := range r.Pairings {
			seat := b.SeatOf(e.ID)
			if !seat.Valid() {
				continue
			}
			opponent, _ := t.Entry(b.EntryAt(seat.Other()))
			line.Opponent, line.Seat = entryRefOf(t, opponent), seatText(p, seat)
			if line.Result = signOf(b.Result.Outcome(seat)); line.Result == "" {
				line.Result = "–"
				if b.Match != "" {
					line.Result = p.T("tournament.to-match")
				}
			}
			if b.Match != "" {
				line.URL = matchURL(b.Match)
			}
			if b.Result.IsPlayed() {
				line.Points = p.Int(b.Result.Points[seat.Index()]) + " : " + p.Int(b.Result.Points[seat.Other().Index()])
			}
		}
		if line.Seat == "" {
			line.Kind = p.T("tournament.bye.zero")
			if r.Number < e.From {
				line.Kind = p.T("tournament.bye.not-yet")
			}
			for _, b := range r.Byes {
				if b.Entry == e.ID {
					line.Kind, line.Result = byeText(p, t, b.Kind), scoreText(p, t.Points.Of(b.Kind))
				}
			}
		}
		view.Rounds = append(view.Rounds, line)
	}
}
