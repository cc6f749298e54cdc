package tournament

import (
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/words"
)

// countdownPicture shows when the next round starts, or how far the open one is.
func countdownPicture(p lang.Printer, t *tournament.Tournament) tournamentview.ScreenPicture {
	pic := tournamentview.ScreenPicture{ID: "countdown", Title: p.Event(t.Name)}
	n := len(t.Rounds)
	next, due := t.NextRoundAt()
	closes, open := t.PairsUntil()
	lineUps, isAwaited := t.BoardsDueAt()
	switch {
	case open:
		pic.Title, pic.Until, pic.Words = p.T("arena.closes-in"), p.Stamp(closes), []string{p.T("arena.points")}
	case due && t.Pace == tournament.Rolling && n > 0:
		next := t.NextMatches()[0]
		pic.Title, pic.Until = words.MatchText(p, t, next.State), p.Stamp(next.At)
		pic.Words = []string{words.NameAt(p, t, next.First) + " – " + words.NameAt(p, t, next.Second()), p.On(next.At)}
	case due:
		pic.Title, pic.Until, pic.Words = p.T("screen.next", "Round", n+1), p.Stamp(next), []string{p.On(next)}
	case isAwaited && event.OpenBoards(t.Rounds...) == 0:
		pic.Title, pic.Until, pic.Words = words.RoundsTitle(p, t, t.Rounds.Open()), p.Stamp(lineUps), awaitedWords(p, t)
	case t.Status == tournament.Running && n > 0 && !t.RoundIsOver():
		pic.Title, pic.Say = words.RoundsTitle(p, t, t.Rounds.Open()), p.N("schedule.boards-to-go", event.OpenBoards(t.Rounds...))
	case t.Status == tournament.Running && n > 0:
		pic.Say, pic.Words = p.T("screen.soon", "Round", n+1), []string{p.T("screen.soon-over", "Round", n)}
	case t.Status.IsOver():
		pic.Say, pic.Words = p.T("screen.thanks"), []string{p.T("screen.over")}
	default:
		pic.Say = p.T("home.status." + t.Status.String())
	}
	return pic
}

// awaitedWords say until when line-ups are handed in; empty: none is awaited.
func awaitedWords(p lang.Printer, t *tournament.Tournament) []string {
	due, isAwaited := t.BoardsDueAt()
	if !isAwaited {
		return nil
	}
	return []string{p.T("teams.desk.awaited", "Time", p.When(due))}
}

func pairingsPicture(p lang.Printer, t *tournament.Tournament) tournamentview.ScreenPicture {
	rounds := t.Rounds.Open()
	pic := tournamentview.ScreenPicture{
		ID: "pairings", Title: words.RoundsTitle(p, t, rounds), Words: awaitedWords(p, t),
		Columns: []tournamentview.ScreenCell{{Text: p.T("tournament.board"), Number: true}, {Text: p.T("tournament.first")},
			{Text: p.T("tournament.result"), Look: "middle"}, {Text: p.T("tournament.second"), Look: "end"}},
	}
	name := func(id tournament.EntryID, o tournament.Outcome, look string) tournamentview.ScreenCell {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		switch event.FormLetter(o) {
		case "w":
			look += " won"
		case "l":
			look += " lost"
		}
		return tournamentview.ScreenCell{Text: words.SeatName(p, t, e), Look: look}
	}
	of := 0
	for round, b := range tournament.Rounds(rounds).AllBoards() {
		if b.TeamMatch != of {
			of = b.TeamMatch
			pic.Rows = append(pic.Rows, teamRow(p, t, t.Rounds[round-1], of))
		}
		result, _ := words.ResultText(p, b.Result.Kind)
		if result == "" {
			result = "–"
		}
		if t.IsRuled(*b) {
			result += " †"
		}
		pic.Rows = append(pic.Rows, []tournamentview.ScreenCell{{Text: words.BoardLabel(t, round, b.Board), Number: true},
			name(b.First, b.Result.Outcome(match.First), ""), {Text: result, Look: "middle"},
			name(b.Second, b.Result.Outcome(match.Second), "end")})
	}
	for _, n := range tournament.Rounds(rounds).Awaited() {
		pic.Rows = append(pic.Rows, teamRow(p, t, rounds[len(rounds)-1], n))
	}
	for _, b := range rounds[len(rounds)-1].Byes {
		e, _ := t.Entry(b.Entry) // as of a pairing
		pic.Rows = append(pic.Rows, []tournamentview.ScreenCell{{}, {Text: words.EntryName(p, e)}, {},
			{Text: words.ByeText(p, t, b.Kind), Look: "end lost"}})
	}
	return pic
}

// teamRow heads the boards of a match of teams; of one whose line-ups are awaited it stands alone.
func teamRow(p lang.Printer, t *tournament.Tournament, r tournament.Round, n int) []tournamentview.ScreenCell {
	m, scores, result := r.Teams[n-1], t.ScoreOf(r, n), "–"
	if !m.OpenedAt.IsZero() {
		result = words.GamesText(p, scores[0], scores[1])
	}
	first, _ := t.Entry(m.First) // they are in the tournament
	second, _ := t.Entry(m.Second)
	return []tournamentview.ScreenCell{{Text: words.Itoa(n), Number: true, Look: "team"}, {Text: first.Name, Look: "team"},
		{Text: result, Look: "middle team"}, {Text: second.Name, Look: "end team"}}
}

func namesPicture(p lang.Printer, t *tournament.Tournament) tournamentview.ScreenPicture {
	rounds := t.Rounds.Open()
	body := namesBody(p, t, rounds)
	pic := tournamentview.ScreenPicture{
		ID: "names", Title: p.T("screen.find"), Of: words.RoundsTitle(p, t, rounds), Beside: "3",
		Columns: []tournamentview.ScreenCell{{Text: p.T("tournament.player")}, {Text: p.T("tournament.board"), Number: true}},
	}
	for _, l := range body.Lines {
		at := tournamentview.ScreenCell{Text: l.Board, Number: true, Look: "won"}
		if l.Bye != "" {
			at.Text, at.Look = "–", "lost"
		}
		name := l.Player.Name
		if l.Player.House != "" {
			name = p.T(l.Player.House)
		}
		pic.Rows = append(pic.Rows, []tournamentview.ScreenCell{{Text: name}, at})
	}
	return pic
}

// roundsLine shows how far an event is, round by round.
func roundsLine(t *tournament.Tournament) (list []tournamentview.ScreenRound) {
	all := max(t.Settings.Rounds, len(t.Rounds))
	if !t.Format.InRounds() || all > mostRounds {
		return nil
	}
	for n := range all {
		r := tournamentview.ScreenRound{At: 1000 * n / all, Width: 1000*(n+1)/all - 1000*n/all - 6*min(1, all-1-n)}
		if n < len(t.Rounds) {
			boards := len(t.Rounds[n].Pairings) + t.Teams.Boards*len(t.Rounds[n:n+1].Awaited())
			r.Done = r.Width * (len(t.Rounds[n].Pairings) - event.OpenBoards(t.Rounds[n])) / max(1, boards)
		}
		list = append(list, r)
	}
	return list
}

// mostRounds is how many rounds a line can show.
const mostRounds = 15

// boxesOnScreen is how many boxes fit below each other on a screen.
const boxesOnScreen = 8

// bracketPictures shows each tree of a knock-out from the first round that fits a screen; while an earlier round
// is played, from that one on in parts.
func bracketPictures(p lang.Printer, t *tournament.Tournament) (list []tournamentview.ScreenPicture) {
	for i, tree := range bracketBody(p, t, 0).Trees {
		id := "bracket-" + words.Itoa(i+1)
		fits := slices.IndexFunc(tree.Rounds, func(r tournamentview.BracketRound) bool { return len(r.Boxes) <= boxesOnScreen })
		now := slices.IndexFunc(tree.Rounds, func(r tournamentview.BracketRound) bool { return r.IsNow })
		if fits < 0 || now < 0 || now >= fits {
			tree.Rounds = tree.Rounds[max(0, fits):]
			layOut(&tree)
			list = append(list, tournamentview.ScreenPicture{ID: id, Title: tree.Label, Tree: &tree})
			continue
		}
		for k, part := range partsOf(tree, now) {
			letter := string(rune('A' + k))
			list = append(list, tournamentview.ScreenPicture{ID: id + "-" + letter, Title: tree.Label + " " + letter, Tree: &part})
		}
	}
	return list
}

// partsOf divides a tree from a round on into parts that fit a screen.
func partsOf(tree tournamentview.BracketTree, from int) (list []tournamentview.BracketTree) {
	parts := (len(tree.Rounds[from].Boxes) + boxesOnScreen - 1) / boxesOnScreen
	for k := range parts {
		part := tournamentview.BracketTree{Title: tree.Title, Label: tree.Label, IsReseeded: tree.IsReseeded}
		for _, r := range tree.Rounds[from:] {
			n := len(r.Boxes)
			if n < parts {
				break
			}
			r.ID += "-" + words.Itoa(k+1)
			r.Boxes = slices.Clone(r.Boxes[n*k/parts : n*(k+1)/parts])
			part.Rounds = append(part.Rounds, r)
		}
		layOut(&part)
		list = append(list, part)
	}
	return list
}

// battlePicture shows the teams of a battle.
func battlePicture(p lang.Printer, t *tournament.Tournament) tournamentview.ScreenPicture {
	pic := tournamentview.ScreenPicture{
		ID: "battle", Title: event.Caption(p, t, p.T("teams.teams")),
		Columns: []tournamentview.ScreenCell{{Text: p.T("tournament.rank"), Number: true}, {Text: p.T("teams.team")},
			{Text: p.T("tournament.score"), Number: true}},
	}
	for _, l := range event.BattleLines(p, player.Viewer{}, t) {
		pic.Rows = append(pic.Rows, []tournamentview.ScreenCell{{Text: l.Rank, Number: true, Look: "lost"}, {Text: l.Team.Text},
			{Text: l.Score, Number: true, Look: "won"}})
	}
	return pic
}

func standingsPicture(p lang.Printer, t *tournament.Tournament, table format.Table) tournamentview.ScreenPicture {
	pic := tournamentview.ScreenPicture{
		ID: "standings", Title: event.Caption(p, t, p.T("tournament.tab.standings")),
		Columns: []tournamentview.ScreenCell{{Text: p.T("tournament.rank"), Number: true}, {Text: p.T("tournament.player")},
			{Text: p.T("tournament.score"), Number: true}},
	}
	if t.HasTeams() {
		score, other := words.ScoreHeads(p, t.Settings)
		pic.Columns[1].Text, pic.Columns[2].Text = p.T("teams.team"), score.Name
		pic.Columns = append(pic.Columns, tournamentview.ScreenCell{Text: other.Name, Number: true})
	}
	if len(table.Lines) > 10 {
		pic.Beside = "2"
	}
	form := event.Form(t)
	for _, l := range table.Lines {
		pic.Rows = append(pic.Rows, []tournamentview.ScreenCell{{Text: words.Itoa(l.Rank), Number: true, Look: "lost"},
			{Text: words.StandingName(p, l.Entry), Form: form[l.Entry.ID]}, {Text: words.TotalText(p, t, l.Score), Number: true, Look: "won"}})
		if n := len(pic.Rows) - 1; t.HasTeams() {
			pic.Rows[n] = append(pic.Rows[n], tournamentview.ScreenCell{Text: words.ScoreText(p, l.Other), Number: true})
		}
	}
	return pic
}
