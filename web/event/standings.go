package event

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/tiebreak"
	"chpok.org/chpok/web/words"
)

// Caption names a table and the round after which it stands.
func Caption(p lang.Printer, t *tournament.Tournament, name string) string {
	switch {
	case !t.Format.InRounds():
		return name
	case len(t.Rounds) > 0 && !t.RoundIsOver():
		return p.T("tournament.table-during", "Table", name, "Round", len(t.Rounds))
	case len(t.Rounds) > 0:
		return p.T("tournament.table-after", "Table", name, "Round", len(t.Rounds))
	}
	return name
}

// StandingsBody renders the standings; changes are the ratings by player.
func StandingsBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table format.Table,
	changes map[player.ID]store.RatingChange) eventview.StandingsBody {
	b := eventview.StandingsBody{Caption: Caption(p, t, p.T("tournament.tab.standings")), Rated: len(changes) > 0,
		Unscored: t.Format.HasBracket(), OwnCodes: !t.Format.InRounds() || len(table.Codes) == 0}
	if until, is := t.ProvisionalUntil(); is && !until.IsZero() {
		b.Note = p.T("tournament.provisional-until", "Date", p.When(until))
	} else if is {
		b.Note = p.T("tournament.provisional")
	}
	for _, code := range table.Codes {
		b.Codes = append(b.Codes, words.Fact(words.TiebreakName(p, code.String()), code.String()))
	}
	switch {
	case !t.Format.InRounds():
		b.Codes = arenaCodes(p)
	case len(table.Codes) == 0:
		for _, name := range table.Columns {
			b.Codes = append(b.Codes, words.Fact(p.T(t.Format.String()+".column."+name), p.T(t.Format.String()+".column."+name+".what")))
		}
	}
	form, acted := Form(t), map[tournament.EntryID]string{}
	for _, n := range t.Interests {
		l := words.InterestLine(p, t, n)
		b.Acts, acted[n.Entry] = append(b.Acts, l), cmp.Or(acted[n.Entry], l.ID)
	}
	for _, l := range table.Lines {
		line := eventview.StandingLine{
			Form: form[l.Entry.ID], Rank: words.Itoa(l.Rank),
			Player: words.StandingRef(t, l.Entry), Score: words.TotalText(p, t, l.Score), IsMe: v.Is(l.Entry.Player),
			IsOut: l.Entry.Status == tournament.Withdrawn, Ruled: words.FirstRuled(t, l.Entry.ID), Act: acted[l.Entry.ID],
		}
		for _, value := range l.Values {
			line.Values = append(line.Values, words.ValueText(p, value))
		}
		switch {
		case !t.Format.InRounds():
			arenaLine(p, t, l, &line)
		case len(table.Codes) == 0:
			for i, figure := range l.Figures {
				if figure == "" {
					figure, b.Note = "–", p.T(t.Format.String()+".column."+table.Columns[i]+".none")
				} else if x, err := strconv.ParseFloat(figure, 64); err == nil {
					figure = words.ScoreText(p, tournament.Score(math.Round(10*x)))
				}
				line.Values = append(line.Values, figure)
			}
		}
		if change, rated := changes[l.Entry.Player]; rated && change.Before != 0 {
			d := change.After.Whole() - change.Before.Whole()
			line.Change, line.Up, line.Down = p.Signed(d), d > 0, d < 0
		} else if rated && change.Reason == rating.Earned {
			line.Change = change.After.String()
		}
		b.Lines = append(b.Lines, line)
	}
	dropLevel(&b, table)
	for _, e := range table.Annulled {
		b.Out = append(b.Out, p.T("tournament.annulled", "Name", words.EntryName(p, e)))
	}
	return b
}

// dropLevel takes the columns of direct encounters away that tell nobody apart: it is 1 for whoever met no equal.
func dropLevel(b *eventview.StandingsBody, table format.Table) {
	for i, code := range slices.Backward(table.Codes) {
		tells := func(l eventview.StandingLine) bool { return l.Values[i] != b.Lines[0].Values[i] }
		if !strings.HasPrefix(code.String(), "DE") || slices.ContainsFunc(b.Lines, tells) {
			continue
		}
		b.Codes = slices.Delete(b.Codes, i, i+1)
		for n := range b.Lines {
			b.Lines[n].Values = slices.Delete(b.Lines[n].Values, i, i+1)
		}
	}
}

// Form returns the results of each entry as the letters of FormLetter, a round each; nil where places do not come
// from rounds or there are too many.
func Form(t *tournament.Tournament) map[tournament.EntryID]string {
	if !t.Format.InRounds() || t.Format.HasBracket() || len(t.Rounds) > mostForm {
		return nil
	}
	form := map[tournament.EntryID]string{}
	for n, r := range t.Rounds {
		put := func(id tournament.EntryID, o tournament.Outcome) {
			form[id] += strings.Repeat("a", n-len(form[id])) + FormLetter(o)
		}
		for _, b := range r.Pairings {
			put(b.First, b.Result.Outcome(match.First))
			put(b.Second, b.Result.Outcome(match.Second))
		}
		for _, b := range r.Byes {
			put(b.Entry, b.Kind)
		}
	}
	return form
}

// mostForm is how many rounds fit beside a name.
const mostForm = 9

// FormLetter returns the letter for an outcome, which the style sheet colors: w(on), d(rawn), l(ost), a(bsent), o(pen).
func FormLetter(o tournament.Outcome) string {
	var c eventview.CrossCell
	mark(&c, o)
	switch {
	case c.Won:
		return "w"
	case c.Drawn:
		return "d"
	case c.Lost:
		return "l"
	case o == tournament.ZeroBye:
		return "a"
	}
	return "o"
}

// NamesByNumber returns the names of the entries by number, in the reader's language.
func NamesByNumber(p lang.Printer, t *tournament.Tournament) map[int]string {
	names := make(map[int]string, len(t.Entries))
	for _, e := range t.Entries {
		names[e.Number] = words.EntryName(p, e)
	}
	return names
}

// WorkedOut shows how a tie-break of a player adds up, a line for each term.
func WorkedOut(p lang.Printer, t *tournament.Tournament, code tiebreak.Code, why tiebreak.Explanation, names map[int]string) []string {
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
		line := who + ": " + words.ValueText(p, term.Worth)
		if term.Round > 0 {
			line = p.T("tournament.why.round", "Round", term.Round) + " " + line
		}
		if term.Basis.Defined && term.Points.Defined && term.Basis != term.Worth {
			line += " (" + words.ValueText(p, term.Points) + " × " + words.ValueText(p, term.Basis) + ")"
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

// SignOf renders an outcome as in crosstables.
func SignOf(o tournament.Outcome) string {
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

func mark(cell *eventview.CrossCell, o tournament.Outcome) {
	switch o {
	case tournament.Win, tournament.WinUnrated, tournament.ForfeitWin, tournament.FullBye, tournament.PairingBye:
		cell.Won = true
	case tournament.Draw, tournament.DrawUnrated, tournament.HalfBye:
		cell.Drawn = true
	case tournament.Loss, tournament.LossUnrated, tournament.ForfeitLoss:
		cell.Lost = true
	}
}

// CrossBody renders all against all, in the order of the standings.
func CrossBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table format.Table) eventview.CrosstableBody {
	b := eventview.CrosstableBody{Caption: Caption(p, t, p.T("tournament.tab.crosstable")), Legend: p.T("tournament.cross-legend")}
	meetings := t.Crosstable()
	type row struct {
		entry tournament.Entry
		rank  string
		score string
	}
	var rows []row
	for _, l := range table.Lines {
		rows = append(rows, row{l.Entry, words.Itoa(l.Rank), words.TotalText(p, t, l.Score)})
	}
	for _, e := range table.Annulled {
		rows = append(rows, row{e, "", "–"})
	}
	for i, r := range rows {
		b.Columns = append(b.Columns, words.Fact(words.Itoa(i+1), words.EntryName(p, r.entry)))
	}
	for i, r := range rows {
		line := eventview.CrossLine{Rank: r.rank, Player: words.StandingRef(t, r.entry), Score: r.score, IsMe: v.Is(r.entry.Player),
			IsOut: r.entry.Status == tournament.Withdrawn}
		for j, other := range rows {
			cell := eventview.CrossCell{Self: i == j}
			for _, m := range meetings[r.entry.ID][other.entry.ID] {
				sign := SignOf(m.Result.Outcome(m.Seat))
				if sign == "" {
					sign = "·"
				}
				cell.Text += sign
				mark(&cell, m.Result.Outcome(m.Seat))
				list := p.T("tournament.cell", "Round", m.Round, "Seat", words.SeatText(p, m.Seat), "Name", words.EntryName(p, other.entry))
				if cell.Words != "" {
					list = cell.Words + "; " + list
				}
				cell.Words = list
				if m.Match != "" {
					cell.URL = words.MatchURL(m.Match)
				}
				if cell.Ruled == "" {
					cell.Ruled = words.RuledIn(t, r.entry.ID, m.Round)
				}
			}
			line.Cells = append(line.Cells, cell)
		}
		b.Lines = append(b.Lines, line)
	}
	return b
}

// WallBody renders a tournament by rounds: the opponent's place, the seat and the result.
func WallBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table format.Table) eventview.CrosstableBody {
	b := eventview.CrosstableBody{Caption: Caption(p, t, p.T("tournament.tab.crosstable")), Legend: p.T("tournament.wall-legend")}
	for n := range t.Rounds {
		b.Columns = append(b.Columns, words.Fact(words.Itoa(n+1), p.T("tournament.round-n", "Round", n+1)))
	}
	place, names := map[int]int{}, NamesByNumber(p, t)
	for i, l := range table.Lines {
		place[l.Number] = i + 1
	}
	matches := map[tournament.EntryID]map[int]match.ID{}
	for n, pair := range t.Rounds.AllBoards() {
		for _, id := range []tournament.EntryID{pair.First, pair.Second} {
			if matches[id] == nil {
				matches[id] = map[int]match.ID{}
			}
			matches[id][n] = pair.Match
		}
	}
	byNumber := map[int]tournament.FieldPlayer{}
	for _, x := range t.Field().Players {
		byNumber[x.Number] = x
	}
	for i, l := range table.Lines {
		line := eventview.CrossLine{Rank: words.Itoa(i + 1), Player: words.StandingRef(t, l.Entry), Score: words.TotalText(p, t, l.Score),
			IsMe: v.Is(l.Entry.Player), IsOut: l.Entry.Status == tournament.Withdrawn}
		for n, cell := range byNumber[l.Number].Rounds {
			out := WallCell(p, t, cell, n+1, place[cell.Opponent], names[cell.Opponent])
			if id := matches[l.Entry.ID][n+1]; id != "" && cell.Opponent > 0 {
				out.URL = words.MatchURL(id)
			}
			out.Ruled = words.RuledIn(t, l.Entry.ID, n+1)
			line.Cells = append(line.Cells, out)
		}
		b.Lines = append(b.Lines, line)
	}
	return b
}

// WallCell renders a player's round: the opponent as the table counts them, the seat and the result.
func WallCell(p lang.Printer, t *tournament.Tournament, r tournament.RoundResult, round, opponent int,
	name string) eventview.CrossCell {
	cell := eventview.CrossCell{Text: byeSign(p, r.Outcome)}
	if r.Opponent > 0 {
		cell.Text = words.Itoa(opponent) + p.T("tournament.seat-letter."+r.Seat.String()) + SignOf(r.Outcome)
		cell.Words = p.T("tournament.cell", "Round", round, "Seat", words.SeatText(p, r.Seat), "Name", name)
	} else if r.Outcome.IsBye() {
		cell.Words = words.ByeText(p, t, r.Outcome)
	}
	mark(&cell, r.Outcome)
	return cell
}

// byeSign renders a round without an opponent.
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
