package league

import (
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	leagueview "chpok.org/chpok/templates/league"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) view(c echo.Context, f facts) (leagueview.LeagueView, error) {
	p, v, l := s.Printer(c), page.Viewer(c), f.league
	x := l.Now()
	view := leagueview.LeagueView{Name: l.Settings.Name, URL: words.LeagueURL(l.ID), State: p.T("league.state." + string(x.State)),
		IsRunning: x.State == league.Running,
		Title:     p.T("league.season", "N", x.Number),
		Club:      templates.Link{Text: f.club.Name, URL: words.ClubURL(f.club.ID)}, About: page.Paragraphs(l.Settings.About),
		IsVisitor: !v.IsSignedIn()}
	if x.State == league.Open || x.State == league.Placed {
		view.Title += " · " + p.T("league.starts", "When", f.clocks(p).When(x.Starts))
	}
	window := "league.fact.window"
	if l.Settings.Division.Pace == tournament.Correspondence {
		window = "league.fact.window-all"
	}
	view.Facts = []templates.TournamentFact{
		words.Fact(p.T("league.fact.plays"), playsText(p, l.Settings.Division)),
		words.Fact(p.T("league.fact.size"), p.T("league.fact.size-is", "Usual", l.Settings.Usual, "Least", l.Settings.Least, "Most", l.Settings.Most)),
		words.Fact(p.T("league.fact.movers"), moversText(p, l.Settings.Rule)),
		words.Fact(p.T(window), p.Long(l.Settings.Division.Window)),
	}
	if of := l.Settings.Division.Teams; l.HasTeams() {
		view.Facts[3] = words.Fact(p.T("league.fact.rounds"), p.N("league.fact.rounds-are", int(l.Settings.Division.Window/(24*time.Hour)), "First", f.clocks(p).When(x.Starts)))
		view.Facts = append(view.Facts, words.Fact(p.T("teams.teams"), p.T("league.fact.teams-are", "Boards", of.Boards, "Reserves", of.Reserves)))
	}
	if l.HasTeams() {
		mineTeams(p, f, &view.Mine)
		view.Mine.Offers = offersOf(p, f, s.Now())
	} else {
		mineOf(p, f, &view, s.Now())
	}
	view.Mine.TakesPart = l.TakesPart(f.me.Member()) || len(view.Mine.Teams) > 0
	view.Who = whoText(p, f)
	for i := range x.Divisions {
		card, err := s.divisionCard(c, f, x, i, nil)
		if err != nil {
			return view, err
		}
		card.Who = view.Who
		view.Divisions = append(view.Divisions, card)
	}
	if x.Draft != nil && f.me.Directs {
		view.Draft, view.Warnings = draftOf(p, f, x.Draft.Divisions), warningsOf(p, f, l.Warnings())
	}
	if x.State == league.Closing {
		view.Moves = movesOf(p, f, x)
	}
	if x.State == league.Open {
		for _, m := range x.In {
			view.In = append(view.In, f.link(m.Member))
		}
	}
	for _, a := range x.Bench.Alternates {
		view.Alternates = append(view.Alternates, f.link(a.Member))
	}
	for _, y := range l.Sanctions {
		if isMine := l.Speaks(f.me, y.Member); isMine || f.me.Directs {
			line := leagueview.SanctionLine{Number: words.Itoa(int(y.ID)), Player: f.name(y.Member), Reason: y.Reason, When: p.Day(y.At),
				Level:  p.T("league.level." + words.Itoa(int(league.LevelOf(y.Member, y.Season, l.Sanctions[:y.ID])))),
				Appeal: y.Appeal, MayAppeal: isMine && y.Appeal == "", MayDecide: f.me.Directs && !isMine && y.IsOpen()}
			if !y.Decided.IsZero() {
				line.Decision = p.T("league.upheld", "Text", y.Decision)
				if y.Lifted {
					line.Decision = p.T("league.lifted", "Text", y.Decision)
				}
			}
			view.Sanctions = append(view.Sanctions, line)
		}
	}
	for i := len(l.Seasons) - 2; i >= 0; i-- {
		n := l.Seasons[i].Number
		view.Seasons = append(view.Seasons, templates.Link{Text: p.T("league.season", "N", n), URL: words.LeagueURL(l.ID) + "/seasons/" + words.Itoa(n)})
	}
	if f.me.Directs {
		view.Desk = deskOf(p, f, s.Now())
		for _, e := range f.log {
			view.Log = append(view.Log, leagueview.LogLine{When: p.When(e.At), Stamp: p.Stamp(e.At),
				Text: p.T("league.log."+e.Kind, "Player", f.name(e.Member), "By", f.who[e.By].Handle, "Season", e.Season)})
		}
	}
	return view, nil
}

// playsText says who meets whom in a division, and when.
func playsText(p lang.Printer, d tournament.Settings) string {
	text := p.T("league.fact.all")
	switch {
	case d.Rounds > 0:
		text = p.T("league.fact.swiss", "Rounds", p.N("tournament.rounds-count", d.Rounds))
	case d.Double:
		text = p.T("league.fact.all-twice")
	}
	switch {
	case d.Pace == tournament.Correspondence:
		return text + "; " + p.T("league.fact.letters", "Time", p.Length(d.BidTime))
	case d.HasTeams():
		return text // its rounds have their evenings
	}
	return text + "; " + p.T("league.fact.arranged")
}

func moversText(p lang.Printer, r league.Rule) string {
	text := p.T("league.fact.sixth")
	if r.Movers > 0 {
		text = p.Int(r.Movers)
	}
	if r.PlayOff {
		text += "; " + p.T("league.fact.play-off")
	}
	return text
}

// mineOf adds what the league is to the viewer.
func mineOf(p lang.Printer, f facts, view *leagueview.LeagueView, now time.Time) {
	l, me := f.league, f.me.Member()
	x, m := l.Now(), &view.Mine
	waits := slices.IndexFunc(x.Bench.Alternates, func(a league.Alternate) bool { return a.Member == me })
	d := x.DivisionOf(me)
	switch {
	case me == "":
		m.State = p.T("league.you.visitor")
	case waits >= 0:
		m.State, m.MayLeave, m.Leave = p.T("league.you.wait"), true, p.T("league.wait-no-more")
		m.MayStay = !x.Bench.Alternates[waits].Asked.IsZero()
	case d > 0:
		m.State = p.T("league.you.in-division", "N", d)
		m.MayLeave, m.Leave = x.State == league.Placed, p.T("league.leave")
		t := f.events[x.Divisions[d-1].Tournament]
		m.Event = templates.Link{Text: p.Event(t.Name), URL: words.TournamentURL(t.ID)}
		if e, entered := t.EntryOf(f.me.Player); entered {
			for _, y := range t.FixturesOf(e.ID) {
				other, _ := t.Entry(y.EntryAt(y.SeatOf(e.ID).Other()))
				m.Fixtures = append(m.Fixtures, templates.Link{URL: words.FixtureURL(t.ID, y.Round, y.Board),
					Text: p.T("fixture.arrange", "Player", words.EntryName(p, other)) + " · " + p.T("place.until", "When", f.clocks(p).When(y.Fixture.PlayBy))})
			}
		}
		m.Fixtures = append(m.Fixtures, lettersOf(p, t, f.me.Player)...)
	case x.IsIn(me):
		m.State, m.MayLeave, m.Leave = p.T("league.you.in"), x.State == league.Open, p.T("league.leave")
	case l.Level(me) == league.Red:
		m.State = p.T("league.you.out")
	case x.State == league.Open:
		m.State, m.MayEnter = p.T("league.you.may"), true
	default:
		m.State, m.MayWait = p.T("league.you.not-in"), x.State == league.Placed
	}
	m.HasDays = (m.Leave != "" || m.Event.URL != "") && l.Settings.Division.Pace == tournament.Arranged
	m.Offers = offersOf(p, f, now)
}

// offersOf returns the places that are offered to the viewer, or to teams that they act for.
func offersOf(p lang.Printer, f facts, now time.Time) (list []leagueview.Offer) {
	for _, y := range f.league.Now().Bench.Vacancies {
		for _, o := range y.Offers {
			if !y.IsOpen() || o.Answer != league.Unanswered || !f.league.Speaks(f.me, o.Member) {
				continue
			}
			offer := leagueview.Offer{Number: words.Itoa(y.Number), Text: p.T("league.offer", "N", y.Division, "When", f.clocks(p).When(y.Starts)),
				Until: p.T("league.offer.all")}
			if o.Member.IsTeam() {
				offer.Who, offer.Text = string(o.Member), f.name(o.Member)+": "+offer.Text
			}
			if until := y.AloneUntil(o.Member); until.After(now) {
				offer.Until = p.T("league.offer.until", "Until", f.clocks(p).When(until))
			}
			list = append(list, offer)
		}
	}
	return list
}

// whoText is what those who play are called.
func whoText(p lang.Printer, f facts) string {
	if f.league.HasTeams() {
		return p.T("teams.team")
	}
	return p.T("league.player")
}

// lettersOf are somebody's matches by correspondence that go on.
func lettersOf(p lang.Printer, t *tournament.Tournament, of player.ID) (list []templates.Link) {
	e, entered := t.EntryOf(of)
	for _, x := range t.Rounds.Pending() {
		if seat := x.SeatOf(e.ID); entered && t.Pace == tournament.Correspondence && seat.Valid() && x.Match != "" {
			list = append(list, templates.Link{URL: words.MatchURL(x.Match),
				Text: p.T("league.letter", "Player", words.NameOf(p, t, x.EntryAt(seat.Other())))})
		}
	}
	return list
}

// divisionCard is a division with its table: ranks that are still possible while it is played, movements once it is over.
func (s pages) divisionCard(c echo.Context, f facts, x *league.Season, i int, moves map[league.Member]league.Way) (leagueview.DivisionCard, error) {
	p, t := s.Printer(c), f.events[x.Divisions[i].Tournament]
	card := leagueview.DivisionCard{Title: p.T("league.division-n", "N", i+1), URL: words.TournamentURL(t.ID),
		State: p.T("home.status." + t.Status.String())}
	isMine := words.IsMine(t, page.Viewer(c))
	if t.Status < tournament.Running {
		for _, e := range t.Sides() {
			if e.Status == tournament.Active {
				card.Rows = append(card.Rows, leagueview.Row{Player: templates.Link{Text: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID)},
					IsMine: isMine(e)})
			}
		}
		return card, nil
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return card, err
	}
	possible := leagues.Ranks(t)
	if !slices.ContainsFunc(t.Rounds, func(r tournament.Round) bool {
		return slices.ContainsFunc(r.Pairings, func(b tournament.Pairing) bool { return !b.Result.IsPending() })
	}) {
		possible = nil // everything is
	}
	for _, line := range table.Lines {
		row := leagueview.Row{Rank: words.Itoa(line.Rank), Points: words.ScoreText(p, line.Score),
			Player: templates.Link{Text: words.StandingName(p, line.Entry), URL: words.EntryURL(t.ID, line.Entry.ID)},
			IsMine: isMine(line.Entry)}
		if r, known := possible[line.Entry.ID]; known {
			row.Possible = words.Itoa(r.Best)
			if r.Worst > r.Best {
				row.Possible += "–" + words.Itoa(r.Worst)
			}
		}
		if way := moves[x.Divisions[i].MemberOf(line.Entry)]; way != "" && way != league.Stayed {
			row.Move = p.T("league.way." + string(way))
		}
		card.Rows = append(card.Rows, row)
	}
	return card, nil
}

func draftOf(p lang.Printer, f facts, list [][]league.Place) (out []leagueview.DraftDivision) {
	for i, places := range list {
		d := leagueview.DraftDivision{Title: p.T("league.division-n", "N", i+1)}
		for _, x := range places {
			d.Lines = append(d.Lines, leagueview.DraftLine{Player: f.name(x.Member), Way: wayText(p, x.Member, x.Way)})
		}
		out = append(out, d)
	}
	return out
}

// wayText says why somebody plays in a division.
func wayText(p lang.Printer, m league.Member, w league.Way) string {
	if m.IsTeam() && w == league.Newcomer {
		return p.T("league.way.new-team")
	}
	return p.T("league.way." + string(w))
}

func warningsOf(p lang.Printer, f facts, all []league.Warning) (list []string) {
	for _, w := range all {
		list = append(list, p.T("league.warning."+string(w.Kind), "N", w.Division, "Size", w.Size, "Player", f.name(w.Member)))
	}
	return list
}

// movesOf are the movements that follow from frozen tables, as far as play-offs are decided.
func movesOf(p lang.Printer, f facts, x *league.Season) (out []leagueview.DraftDivision) {
	moves := f.league.Movements(x)
	for i, t := range x.Tables {
		d := leagueview.DraftDivision{Title: p.T("league.division-n", "N", i+1)}
		for _, r := range t {
			way := p.T("league.way." + string(moves[r.Member]))
			if slices.ContainsFunc(x.PlayOffs, func(o league.PlayOff) bool { return o.Winner == "" && (o.Stays == r.Member || o.Rises == r.Member) }) {
				way = p.T("league.way.play-off")
			}
			d.Lines = append(d.Lines, leagueview.DraftLine{Player: f.name(r.Member), Way: way})
		}
		out = append(out, d)
	}
	return out
}

// placeText says who is asked about a free place, or why nobody is.
func placeText(p lang.Printer, f facts, v league.Vacancy) string {
	bench := f.league.Now().Bench
	var names []string
	for _, m := range v.Asked() {
		names = append(names, f.name(m))
	}
	switch {
	case len(names) > 0:
		return p.T("league.missing.place", "N", v.Division, "Names", strings.Join(names, ", "))
	case bench.IsStuck(v):
		return p.T("league.missing.place-nobody", "N", v.Division)
	}
	return p.T("league.missing.place-soon", "N", v.Division, "When", f.clocks(p).When(v.Starts.Add(-league.SearchFrom)))
}

// deskOf is the organizer's next step, and what is missing for it.
func deskOf(p lang.Printer, f facts, now time.Time) *leagueview.Desk {
	x := f.league.Now()
	d := &leagueview.Desk{Starts: templates.Field{Name: "starts", Type: "datetime-local", Label: p.T("league.form.next"),
		Hint: p.T("core.in-zone", "Zone", p.Zone.String()), Required: true}, Add: templates.Field{Name: "handle", Label: p.T("league.player"), Max: 21,
		Required: true, Autocomplete: "off"}}
	d.MayAdd = (x.State == league.Open || x.State == league.Placed) && !f.league.HasTeams()
	for _, m := range x.In {
		choice := templates.Choice{Value: f.name(m.Member), Text: f.name(m.Member)}
		if m.Member.IsTeam() {
			choice.Value = string(m.Member)
		}
		d.Shifts = append(d.Shifts, choice)
		if !f.league.Speaks(f.me, m.Member) {
			d.Players = append(d.Players, choice)
		}
	}
	for _, t := range f.league.TeamsIn() {
		for _, m := range t.Players {
			if h := string(f.who[m.Player].Handle); m.Player != f.me.Player {
				d.Players = append(d.Players, templates.Choice{Value: h, Text: h + " · " + t.Name})
			}
		}
	}
	switch x.State {
	case league.Open:
		draftStep(p, f, d)
	case league.Placed:
		d.Begin = true
		for _, y := range x.Bench.Vacancies {
			if y.IsOpen() {
				lacks(d, placeText(p, f, y), "")
			}
		}
	case league.Running:
		d.Freeze = true
		for i, y := range x.Divisions {
			divisionStep(p, d, i+1, f.events[y.Tournament], now)
		}
	case league.Closing:
		d.PlayOffs = len(x.PlayOffs) > 0 && len(x.Decided) == 0
		d.Archive = !d.PlayOffs
		for i, id := range x.Decided {
			t := f.events[id]
			d.PlayOffEvents = append(d.PlayOffEvents, templates.Link{Text: p.Event(t.Name), URL: words.TournamentURL(id)})
			if !stage.IsDecided(t) {
				d.Archive = false
				lacks(d, p.T("league.missing.play-off", "N", x.PlayOffs[i].Upper), words.DeskURL(id))
			}
		}
	}
	return d
}

// lacks adds to what is missing for the next step.
func lacks(d *leagueview.Desk, text, url string) {
	d.Missing = append(d.Missing, templates.Link{Text: text, URL: url})
}

// draftStep is the step of a season that is open: divisions are drafted and published, now or later.
func draftStep(p lang.Printer, f facts, d *leagueview.Desk) {
	x, at := f.league.Now(), f.clocks(p)
	d.Propose, d.Publish = true, x.Draft != nil
	d.Later = templates.Field{Name: "at", Type: "datetime-local", Label: p.T("league.form.publish-at"),
		Hint: p.T("core.in-zone", "Zone", p.Zone.String()), Required: true}
	if !x.PublishAt.IsZero() {
		d.PublishAt = p.T("league.publish-at", "When", at.When(x.PublishAt))
		if x.Draft == nil {
			d.PublishAt = p.T("league.publish-at-none", "When", at.When(x.PublishAt))
		}
		d.Later.Value = civil.Pick(x.PublishAt, p.Zone)
	}
	if len(x.In) < league.LeastSize {
		lacks(d, p.T("league.error.nobody"), "")
	}
	if x.Draft != nil {
		for i := range x.Draft.Divisions {
			d.Targets = append(d.Targets, templates.Choice{Value: words.Itoa(i + 1), Text: p.T("league.division-n", "N", i+1)})
		}
	}
}

// divisionStep adds to the step of a running season what its nth division waits for.
func divisionStep(p lang.Printer, d *leagueview.Desk, n int, t *tournament.Tournament, now time.Time) {
	if leagues.IsEmptied(t) {
		lacks(d, p.T("league.missing.players", "N", n), words.DeskURL(t.ID))
		return
	}
	if t.BeforeStart() == nil {
		d.Begin, d.Freeze = true, false
		lacks(d, p.T("league.missing.start", "N", n), words.DeskURL(t.ID))
		return
	}
	if t.Status == tournament.Running && t.Format.PairsByScore() && !t.HasTeams() && len(t.Rounds) < t.Settings.Rounds {
		d.MayAdd = true
		d.Late = append(d.Late, templates.Choice{Value: words.Itoa(n), Text: p.T("league.division-n", "N", n)})
	}
	unproposed := 0
	for _, b := range t.FixturesOf(0) {
		if b.Fixture.Status == fixture.Disputed {
			lacks(d, p.T("league.missing.dispute", "N", n, "First", words.NameOf(p, t, b.First), "Second", words.NameOf(p, t, b.Second),
				"When", p.Of(civil.Zone(t.Zone)).When(b.Fixture.Due)), words.FixtureURL(t.ID, b.Round, b.Board))
		}
		if b.Fixture.Status == fixture.Arranging && !b.Fixture.IsProposed(now) {
			unproposed++
		}
	}
	if !t.Status.IsOver() {
		d.Freeze = false
		open := 0
		for range t.Rounds.Pending() {
			open++
		}
		if unproposed > 0 {
			lacks(d, p.N("league.missing.unproposed", unproposed, "Division", n), words.TournamentURL(t.ID)+"/days")
		}
		if t.Stuck != "" || t.Draft != nil || t.IsHeld() || t.Timetable.IsPaused() {
			lacks(d, p.T("league.missing.stands", "N", n), words.DeskURL(t.ID))
		}
		if at, due := t.NextRoundAt(); len(t.Rounds) == 0 && due { // the first evening of teams
			lacks(d, p.T("league.missing.first", "N", n, "When", p.Of(civil.Zone(t.Zone)).When(at)), words.DeskURL(t.ID))
		} else if len(t.Rounds) > 0 {
			lacks(d, p.T("league.missing.results", "N", n, "Open", open, "Rounds", len(t.Rounds), "Of", t.Settings.Rounds), words.DeskURL(t.ID))
		}
	}
}
