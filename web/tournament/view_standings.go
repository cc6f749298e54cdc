package tournament

import (
	"cmp"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/words"
)

// fillCard fills in the results of a player, round by round, and how their tie-breaks add up.
func fillCard(p lang.Printer, t *tournament.Tournament, e tournament.Entry, table format.Table, view *eventview.CardView) {
	view.Player = words.EntryRefOf(t, e)
	view.Player.URL = ""
	add := func(name, value string) {
		if value != "" {
			view.Facts = append(view.Facts, words.Fact(name, value))
		}
	}
	view.URL = words.EntryURL(t.ID, e.ID)
	names := event.NamesByNumber(p, t)
	for i, l := range table.Lines {
		if l.Entry.ID != e.ID {
			continue
		}
		add(p.T("tournament.rank"), words.Itoa(l.Rank))
		score, other := words.ScoreHeads(p, t.Settings)
		add(cmp.Or(score.Value, score.Name), words.ScoreText(p, l.Score))
		view.Next = nextTo(p, table, i, cmp.Or(score.Value, score.Name))
		if t.HasTeams() {
			add(other.Value, words.ScoreText(p, l.Other))
		}
		for i, value := range l.Values {
			view.Breaks = append(view.Breaks, eventview.CardBreak{
				Code: table.Codes[i].String(), Name: words.TiebreakName(p, table.Codes[i].String()), Value: words.ValueText(p, value),
				Why: event.WorkedOut(p, l.Why[i], names),
			})
		}
	}
	add(p.T("tournament.number"), words.NumberText(e.Number))
	add(p.T("tournament.rating"), words.NumberText(e.Rating))
	add(p.T("tournament.club"), e.Club)
	if out := words.OutKey(e); out != "" {
		add(p.T("tournament.state"), p.T(out))
	}
	if t.IsTeam(e) {
		teamRounds(p, t, e, view)
		return
	}
	if e.Team != 0 {
		of, _ := t.Entry(e.Team) // it is in the tournament
		view.Team = templates.Link{Text: of.Name, URL: words.EntryURL(t.ID, of.ID)}
	}
	for _, r := range roundsOf(t, e) {
		view.Rounds = append(view.Rounds, cardLine(p, t, e, r))
	}
}

// roundsOf returns the rounds of a side: all, but of a knock-out none after the last match of a side that is out.
func roundsOf(t *tournament.Tournament, e tournament.Entry) []tournament.Round {
	rounds := t.Rounds
	if !t.IsOut(e) {
		return rounds
	}
	for len(rounds) > 0 && !plays(rounds[len(rounds)-1], e.ID) {
		rounds = rounds[:len(rounds)-1]
	}
	return rounds
}

// plays reports whether a side has a match in a round.
func plays(r tournament.Round, side tournament.EntryID) bool {
	n, _ := r.MatchOf(side)
	return n > 0 || slices.ContainsFunc(r.Pairings, func(b tournament.Pairing) bool { return b.SeatOf(side).Valid() })
}

// unpairedText says why a side without match and bye was not paired in a round. In a knock-out nobody is absent:
// they go on without a match, or wait for their next opponent.
func unpairedText(p lang.Printer, t *tournament.Tournament, e tournament.Entry, r tournament.Round) string {
	switch {
	case r.Number < e.From:
		return p.T("tournament.bye.not-yet")
	case t.Format.HasBracket():
		return p.T("bracket.no-match")
	}
	return words.ByeText(p, t, tournament.ZeroBye)
}

// cardLine renders a round of a player.
func cardLine(p lang.Printer, t *tournament.Tournament, e tournament.Entry, r tournament.Round) eventview.CardLine {
	line := eventview.CardLine{Round: words.Itoa(r.Number), RoundURL: words.RoundURL(t.ID, r.Number),
		Ruled: words.RuledIn(t, e.ID, r.Number)}
	for _, b := range r.Pairings {
		seat := b.SeatOf(e.ID)
		if !seat.Valid() {
			continue
		}
		opponent, _ := t.Entry(b.EntryAt(seat.Other()))
		line.Opponent, line.Seat = words.SeatRef(p, t, opponent), words.SeatText(p, seat)
		if line.Result = event.SignOf(b.Result.Outcome(seat)); line.Result == "" {
			line.Result = "–"
			if b.Match != "" {
				line.Result, line.Runs = p.T("tournament.to-match"), true
			}
		}
		if b.Match != "" {
			line.URL = words.MatchURL(b.Match)
		}
		if b.Result.IsPlayed() && (b.Match != "" || b.Result.Points != [2]int{}) { // a result by hand has none
			line.Points = words.BoardPoints(p, [2]int{b.Result.Points[seat.Index()], b.Result.Points[seat.Other().Index()]})
		}
	}
	switch {
	case line.Seat != "":
	case e.Team != 0:
		line.Kind = p.T("teams.not-playing")
	default:
		line.Kind = unpairedText(p, t, e, r)
		for _, b := range r.Byes {
			if b.Entry == e.ID {
				line.Kind = words.ByeText(p, t, b.Kind)
				if !t.Format.HasOwnOrder() {
					line.Result = words.ScoreText(p, t.Points.Of(b.Kind))
				}
			}
		}
	}
	return line
}

// teamRounds fills in the matches of a team: whom it met, the game points of both, and its match points.
func teamRounds(p lang.Printer, t *tournament.Tournament, e tournament.Entry, view *eventview.CardView) {
	view.Score, view.Points = words.Fact(p.T("teams.gp"), p.T("teams.game-points")), words.Fact(p.T("teams.mp"), p.T("teams.match-points"))
	points := t.Teams.MatchPoints()
	for _, r := range roundsOf(t, e) {
		line := eventview.CardLine{Round: words.Itoa(r.Number), RoundURL: words.RoundURL(t.ID, r.Number), Kind: unpairedText(p, t, e, r)}
		if n, m := r.MatchOf(e.ID); n > 0 {
			seat := m.SeatOf(e.ID)
			opponent, _ := t.Entry(m.TeamAt(seat.Other())) // it is in the tournament
			scores := t.ScoreOf(r, n)
			line.Kind, line.Opponent, line.Seat, line.URL = "", words.EntryRefOf(t, opponent), words.SeatText(p, seat), words.TeamMatchURL(t.ID, r.Number, n)
			line.Result = words.GamesText(p, scores[seat.Index()], scores[seat.Other().Index()])
			if o := scores[seat.Index()].Outcome; o == tournament.Unfinished {
				line.Runs = true
			} else {
				line.Points = words.ScoreText(p, points.Of(o))
			}
		}
		for _, b := range r.Byes {
			if b.Entry == e.ID {
				line.Kind, line.Points = words.ByeText(p, t, b.Kind), words.ScoreText(p, points.Of(b.Kind))
			}
		}
		view.Rounds = append(view.Rounds, line)
	}
}

// rosterOf renders the players of a team, captains by account.
func rosterOf(p lang.Printer, v player.Viewer, t *tournament.Tournament, team tournament.Entry, all []format.Scorer) (list []eventview.RosterLine) {
	line := func(e tournament.Entry, board int) eventview.RosterLine {
		return eventview.RosterLine{Board: words.Itoa(board), Player: words.StandingRef(t, e), IsMe: v.Is(e.Player),
			IsCaptain: e.Player != "" && slices.Contains(team.Captains, e.Player)}
	}
	if t.Status < tournament.Running { // nobody has a number
		for k, e := range t.Roster(team.ID) {
			list = append(list, line(e, k+1))
		}
		return list
	}
	for _, x := range all {
		if x.Team.ID == team.ID {
			l := line(x.Entry, x.Board)
			l.Points, l.Games, l.Performance = words.ScoreText(p, x.Points), words.Itoa(x.Games), words.ValueText(p, x.Performance)
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b eventview.RosterLine) int { return words.AtoiOr(a.Board, 0) - words.AtoiOr(b.Board, 0) })
	return list
}

// nextTo says who ranks before and after a line of a table, and why; score is what orders first.
func nextTo(p lang.Printer, table format.Table, at int, score string) (list []string) {
	by := func(key string, other int) {
		if other < 0 || other >= len(table.Lines) {
			return
		}
		mine, theirs := table.Lines[at], table.Lines[other]
		say := func(by, my, their string) {
			list = append(list, p.T(key, "Name", words.EntryName(p, theirs.Entry), "By", by, "Mine", my, "Theirs", their))
		}
		if mine.Score != theirs.Score {
			say(score, words.ScoreText(p, mine.Score), words.ScoreText(p, theirs.Score))
			return
		}
		for i, code := range table.Codes {
			if mine.Values[i] != theirs.Values[i] {
				say(words.TiebreakName(p, code.String()), words.ValueText(p, mine.Values[i]), words.ValueText(p, theirs.Values[i]))
				return
			}
		}
		list = append(list, p.T("tournament.why.level", "Name", words.EntryName(p, theirs.Entry)))
	}
	by("tournament.why.behind", at-1)
	by("tournament.why.ahead", at+1)
	return list
}
