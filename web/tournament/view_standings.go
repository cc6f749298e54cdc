package tournament

import (
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
		view.Next = nextTo(p, table, i)
		add(p.T("tournament.rank"), words.Itoa(l.Rank))
		add(p.T("tournament.score"), words.ScoreText(p, l.Score))
		for i, value := range l.Values {
			view.Breaks = append(view.Breaks, eventview.CardBreak{
				Code: table.Codes[i].String(), Name: words.TiebreakName(p, table.Codes[i].String()), Value: words.ValueText(p, value),
				Why: event.WorkedOut(p, t, table.Codes[i], l.Why[i], names),
			})
		}
	}
	add(p.T("tournament.number"), words.NumberText(e.Number))
	add(p.T("tournament.rating"), words.NumberText(e.Rating))
	add(p.T("tournament.club"), e.Club)
	if out := words.OutKey(e); out != "" {
		add(p.T("tournament.state"), p.T(out))
	}
	for _, r := range t.Rounds {
		line := eventview.CardLine{Round: words.Itoa(r.Number), RoundURL: words.RoundURL(t.ID, r.Number),
			Ruled: words.RuledIn(t, e.ID, r.Number)}
		for _, b := range r.Pairings {
			seat := b.SeatOf(e.ID)
			if !seat.Valid() {
				continue
			}
			opponent, _ := t.Entry(b.EntryAt(seat.Other()))
			line.Opponent, line.Seat = words.EntryRefOf(t, opponent), words.SeatText(p, seat)
			if line.Result = event.SignOf(b.Result.Outcome(seat)); line.Result == "" {
				line.Result = "–"
				if b.Match != "" {
					line.Result, line.Runs = p.T("tournament.to-match"), true
				}
			}
			if b.Match != "" {
				line.URL = words.MatchURL(b.Match)
			}
			if b.Result.IsPlayed() {
				line.Points = words.BoardPoints(p, [2]int{b.Result.Points[seat.Index()], b.Result.Points[seat.Other().Index()]})
			}
		}
		if line.Seat == "" {
			line.Kind = words.ByeText(p, t, tournament.ZeroBye)
			if r.Number < e.From {
				line.Kind = p.T("tournament.bye.not-yet")
			}
			for _, b := range r.Byes {
				if b.Entry == e.ID {
					line.Kind = words.ByeText(p, t, b.Kind)
					if !t.Format.HasOwnOrder() {
						line.Result = words.ScoreText(p, t.Points.Of(b.Kind))
					}
				}
			}
		}
		view.Rounds = append(view.Rounds, line)
	}
}

// nextTo says who ranks before and after a line of a table, and why.
func nextTo(p lang.Printer, table format.Table, at int) (list []string) {
	by := func(key string, other int) {
		if other < 0 || other >= len(table.Lines) {
			return
		}
		mine, theirs := table.Lines[at], table.Lines[other]
		say := func(by, my, their string) {
			list = append(list, p.T(key, "Name", words.EntryName(p, theirs.Entry), "By", by, "Mine", my, "Theirs", their))
		}
		if mine.Score != theirs.Score {
			say(p.T("tournament.score"), words.ScoreText(p, mine.Score), words.ScoreText(p, theirs.Score))
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
