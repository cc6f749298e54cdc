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
	"chpok.org/chpok/templates"
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
		Unscored: t.Format.HasBracket(), OwnCodes: !t.Format.InRounds() || len(table.Codes) == 0, OfTeams: t.HasTeams()}
	b.Score, b.Other = words.ScoreHeads(p, t.Settings)
	if until, is := t.ProvisionalUntil(); is && !until.IsZero() {
		b.Note = p.T("tournament.provisional-until", "Date", p.When(until))
	} else if is {
		b.Note = p.T("tournament.provisional")
	}
	for _, code := range table.Codes {
		b.Codes = append(b.Codes, words.Fact(words.TiebreakHead(p, code.String()), code.String()))
	}
	switch {
	case !t.Format.InRounds():
		b.Codes = arenaCodes(p)
	case len(table.Codes) == 0:
		for _, name := range table.Columns {
			b.Codes = append(b.Codes, words.Fact(p.T(t.Format.String()+".column."+name), p.T(t.Format.String()+".column."+name+".what")))
		}
	}
	b.Teams = BattleLines(p, v, t)
	form, acted, isMine := Form(t), map[tournament.EntryID]string{}, words.IsMine(t, v)
	for _, n := range t.Interests {
		l := words.InterestLine(p, t, n)
		b.Acts, acted[n.Entry] = append(b.Acts, l), cmp.Or(acted[n.Entry], l.ID)
	}
	for _, l := range table.Lines {
		line := eventview.StandingLine{
			Form: form[l.Entry.ID], Rank: words.Itoa(l.Rank),
			Player: words.StandingRef(t, l.Entry), Score: words.TotalText(p, t, l.Score), IsMe: isMine(l.Entry),
			IsOut: l.Entry.Status == tournament.Withdrawn, Ruled: words.FirstRuled(t, l.Entry.ID), Act: acted[l.Entry.ID],
		}
		if b.Other.Name != "" {
			line.Other = words.ScoreText(p, l.Other)
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
					figure = words.PointsText(p, t, tournament.Score(math.Round(10*x)))
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
	dropOther(&b, table)
	for _, e := range table.Annulled {
		b.Out = append(b.Out, p.T("tournament.annulled", "Name", words.EntryName(p, e)))
	}
	return b
}

// dropLevel takes the columns of direct encounters away that tell nobody apart: it is 1 for whoever met no equal.
func dropLevel(b *eventview.StandingsBody, table format.Table) {
	for i, code := range slices.Backward(table.Codes) {
		tells := func(l eventview.StandingLine) bool { return l.Values[i] != b.Lines[0].Values[i] }
		if !strings.HasPrefix(strings.TrimPrefix(code.String(), "E"), "DE") || slices.ContainsFunc(b.Lines, tells) {
			continue
		}
		dropColumn(b, i)
	}
}

// dropOther leaves the other score of teams one column: its own, or that of the first tie-break if that is it.
func dropOther(b *eventview.StandingsBody, table format.Table) {
	i := slices.IndexFunc(table.Codes, func(c tiebreak.Code) bool { return c.Kind.Code == "MPvGP" })
	at := slices.IndexFunc(b.Codes, func(c templates.TournamentFact) bool { return i >= 0 && c.Value == table.Codes[i].String() })
	switch {
	case at == 0:
		b.Codes[0].Name, b.Other = b.Other.Name, templates.TournamentFact{}
	case at > 0:
		dropColumn(b, at)
	}
}

func dropColumn(b *eventview.StandingsBody, i int) {
	b.Codes = slices.Delete(b.Codes, i, i+1)
	for n := range b.Lines {
		b.Lines[n].Values = slices.Delete(b.Lines[n].Values, i, i+1)
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
		if !t.HasTeams() {
			for _, b := range r.Pairings {
				put(b.First, b.Result.Outcome(match.First))
				put(b.Second, b.Result.Outcome(match.Second))
			}
		}
		for i, m := range r.Teams {
			scores := t.ScoreOf(r, i+1)
			put(m.First, scores[0].Outcome)
			put(m.Second, scores[1].Outcome)
		}
		for _, b := range r.Byes {
			put(b.Entry, worth(t, b.Kind))
		}
	}
	return form
}

// worth is the outcome that a bye counts as: of a team that of a drawn match (FIDE C.04.6, 1.4).
func worth(t *tournament.Tournament, o tournament.Outcome) tournament.Outcome {
	if t.HasTeams() && o == tournament.PairingBye {
		return tournament.HalfBye
	}
	return o
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
	for _, e := range t.Sides() {
		names[e.Number] = words.EntryName(p, e)
	}
	return names
}

// WorkedOut shows how a tie-break of a player or team adds up, a line for each term; names are by number.
func WorkedOut(p lang.Printer, why tiebreak.Explanation, names map[int]string) []string {
	var lines []string
	if why.By != "" { // a step of several
		lines = append(lines, p.T("tournament.why.by", "By", stepName(p, why.By)))
	}
	for _, term := range why.Terms {
		who := names[term.Opponent]
		switch {
		case term.Board > 0 && !term.Basis.Defined && why.By == "BBE":
			who = p.N("tournament.why.boards", term.Board)
		case term.Board > 0:
			who = p.T("tournament.why.board", "N", term.Board)
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
	if why.Plus.Defined {
		lines = append(lines, p.T("tournament.why.plus", "Value", words.ValueText(p, why.Plus)))
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
	for _, step := range why.Then {
		lines = append(lines, WorkedOut(p, step, names)...)
	}
	return lines
}

// stepName names what a step of an extended direct encounter compares.
func stepName(p lang.Printer, by string) string {
	switch by {
	case "MP":
		return p.T("teams.match-points")
	case "GP":
		return p.T("teams.game-points")
	}
	return words.TiebreakName(p, by)
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
	b := eventview.CrosstableBody{Caption: Caption(p, t, p.T("tournament.tab.crosstable")), Legend: p.T("tournament.cross-legend"),
		OfTeams: t.HasTeams()}
	met := playersMet(p, t)
	if t.HasTeams() {
		b.Legend, met = p.T("teams.cross-legend"), teamsMet(p, t)
	}
	b.Score, _ = words.ScoreHeads(p, t.Settings)
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
	isMine := words.IsMine(t, v)
	for i, r := range rows {
		line := eventview.CrossLine{Rank: r.rank, Player: words.StandingRef(t, r.entry), Score: r.score, IsMe: isMine(r.entry),
			IsOut: r.entry.Status == tournament.Withdrawn}
		for j, other := range rows {
			cell := eventview.CrossCell{Self: i == j}
			for _, m := range met[[2]tournament.EntryID{r.entry.ID, other.entry.ID}] {
				if cell.Words != "" {
					m.Words = cell.Words + "; " + m.Words
				}
				if t.HasTeams() && cell.Text != "" {
					m.Text = " " + m.Text
				}
				m.Text = cell.Text + m.Text
				m.Won, m.Drawn, m.Lost = m.Won || cell.Won, m.Drawn || cell.Drawn, m.Lost || cell.Lost
				m.URL, m.Ruled = cmp.Or(m.URL, cell.URL), cmp.Or(cell.Ruled, m.Ruled)
				cell = m
			}
			line.Cells = append(line.Cells, cell)
		}
		b.Lines = append(b.Lines, line)
	}
	return b
}

// cellsMet are the cells of those who met each other, by both, in the order of rounds.
type cellsMet map[[2]tournament.EntryID][]eventview.CrossCell

func playersMet(p lang.Printer, t *tournament.Tournament) cellsMet {
	met := cellsMet{}
	for id, opponents := range t.Crosstable() {
		for other, meetings := range opponents {
			e, _ := t.Entry(other) // they have met
			for _, m := range meetings {
				o := m.Result.Outcome(m.Seat)
				cell := eventview.CrossCell{Text: cmp.Or(SignOf(o), "·"), Ruled: words.RuledIn(t, id, m.Round),
					Words: p.T("tournament.cell", "Round", m.Round, "Seat", words.SeatText(p, m.Seat), "Name", words.EntryName(p, e))}
				if m.Match != "" {
					cell.URL = words.MatchURL(m.Match)
				}
				mark(&cell, o)
				met[[2]tournament.EntryID{id, other}] = append(met[[2]tournament.EntryID{id, other}], cell)
			}
		}
	}
	return met
}

// teamsMet is playersMet of teams: a cell is the game points of the row's team in the match.
func teamsMet(p lang.Printer, t *tournament.Tournament) cellsMet {
	met := cellsMet{}
	for _, r := range t.Rounds {
		for i, m := range r.Teams {
			scores := t.ScoreOf(r, i+1)
			for _, s := range match.Seats {
				id, other := m.TeamAt(s), m.TeamAt(s.Other())
				e, _ := t.Entry(other) // they have met
				cell := eventview.CrossCell{Text: gamesSign(p, scores[s.Index()]), URL: words.TeamMatchURL(t.ID, r.Number, i+1),
					Words: p.T("tournament.cell", "Round", r.Number, "Seat", words.SeatText(p, s), "Name", words.EntryName(p, e))}
				mark(&cell, scores[s.Index()].Outcome)
				met[[2]tournament.EntryID{id, other}] = append(met[[2]tournament.EntryID{id, other}], cell)
			}
		}
	}
	return met
}

// gamesSign renders the game points of a team's match; a dot before the match is over.
func gamesSign(p lang.Printer, s tournament.TeamScore) string {
	if s.Outcome == tournament.Unfinished {
		return "·"
	}
	return words.ScoreText(p, s.Games)
}

// WallBody renders a tournament by rounds: the opponent's place, the seat and the result.
func WallBody(p lang.Printer, v player.Viewer, t *tournament.Tournament, table format.Table) eventview.CrosstableBody {
	b := eventview.CrosstableBody{Caption: Caption(p, t, p.T("tournament.tab.crosstable")), Legend: p.T("tournament.wall-legend"),
		OfTeams: t.HasTeams()}
	if t.HasTeams() {
		b.Legend = p.T("teams.wall-legend")
	}
	b.Score, _ = words.ScoreHeads(p, t.Settings)
	for n := range t.Rounds {
		b.Columns = append(b.Columns, words.Fact(words.Itoa(n+1), p.T("tournament.round-n", "Round", n+1)))
	}
	place := map[int]int{}
	for i, l := range table.Lines {
		place[l.Number] = i + 1
	}
	cells, isMine := WallCells(p, t, func(number int) int { return place[number] }), words.IsMine(t, v)
	for i, l := range table.Lines {
		b.Lines = append(b.Lines, eventview.CrossLine{Rank: words.Itoa(i + 1), Player: words.StandingRef(t, l.Entry),
			Score: words.TotalText(p, t, l.Score), IsMe: isMine(l.Entry), IsOut: l.Entry.Status == tournament.Withdrawn,
			Cells: cells[l.Number]})
	}
	return b
}

// WallCells renders every round of each number: the opponent as called, the seat, the result and where to see more.
func WallCells(p lang.Printer, t *tournament.Tournament, called func(number int) int) map[int][]eventview.CrossCell {
	type at struct{ number, round int }
	f, names, urls, all := t.Field(), NamesByNumber(p, t), map[at]string{}, map[int][]eventview.CrossCell{}
	number := func(id tournament.EntryID) int { e, _ := t.Entry(id); return e.Number }
	for n, pair := range t.Rounds.AllBoards() {
		for _, id := range []tournament.EntryID{pair.First, pair.Second} {
			if pair.Match != "" && !t.HasTeams() {
				urls[at{number(id), n}] = words.MatchURL(pair.Match)
			}
		}
	}
	for _, r := range t.Rounds {
		for i, m := range r.Teams {
			urls[at{number(m.First), r.Number}] = words.TeamMatchURL(t.ID, r.Number, i+1)
			urls[at{number(m.Second), r.Number}] = words.TeamMatchURL(t.ID, r.Number, i+1)
		}
	}
	ids := map[int]tournament.EntryID{}
	for _, e := range t.Sides() {
		ids[e.Number] = e.ID
	}
	for _, x := range f.Players {
		for n, r := range x.Rounds {
			cell := eventview.CrossCell{Ruled: words.RuledIn(t, ids[x.Number], n+1)}
			switch {
			case r.Opponent > 0 && f.Teams != nil:
				cell.Text = words.Itoa(called(r.Opponent)) + p.T("tournament.seat-letter."+r.Seat.String()) + " " +
					gamesSign(p, tournament.TeamScore{TeamMatch: f.Teams.Matches[x.Number][n], Outcome: r.Outcome})
			case r.Opponent > 0:
				cell.Text = words.Itoa(called(r.Opponent)) + p.T("tournament.seat-letter."+r.Seat.String()) + SignOf(r.Outcome)
			case f.Teams != nil && r.Outcome.IsBye():
				cell.Text = "+" + words.ScoreText(p, f.Teams.Matches[x.Number][n].Games)
			default:
				cell.Text = byeSign(r.Outcome)
			}
			if r.Opponent > 0 {
				cell.URL = urls[at{x.Number, n + 1}]
				cell.Words = p.T("tournament.cell", "Round", n+1, "Seat", words.SeatText(p, r.Seat), "Name", names[r.Opponent])
			} else if r.Outcome.IsBye() {
				cell.Words = words.ByeText(p, t, r.Outcome)
			}
			mark(&cell, worth(t, r.Outcome))
			all[x.Number] = append(all[x.Number], cell)
		}
	}
	return all
}

// byeSign renders a round without an opponent.
func byeSign(o tournament.Outcome) string {
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
