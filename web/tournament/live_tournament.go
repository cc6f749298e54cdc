package tournament

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// topLines is how many of the standings a tournament's first page shows.
const topLines = 5

// wholeMatches is up to how many matches of teams that page shows with their boards while line-ups are awaited.
const wholeMatches = 6

func (s pages) tournament(c echo.Context) error { return s.showLive(c, http.StatusOK, nil) }

// showLive shows a tournament's first page; refuse, if not nil, adds why the last thing was refused, to the page or to
// Body.Own.
func (s pages) showLive(c echo.Context, status int, refuse func(*tournamentview.LiveView)) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	view := tournamentview.LiveView{Head: s.TournamentHead(c, t, ""), About: page.Paragraphs(t.About), Prizes: s.prizeFact(c, t),
		PrizesURL: words.PrizesURL(t.ID)}
	if view.Body, err = s.liveBody(c, t); err != nil {
		return err
	}
	card, err := s.fairPlayCard(c, t)
	if err != nil {
		return err
	}
	if len(card.Unmet) > 0 {
		view.Unmet = &card
	}
	if t.Status.IsOver() {
		if err := s.fillOver(c, t, &view); err != nil {
			return err
		}
	}
	sh := s.TournamentShell(c, t, "", "live")
	sh.Styles, sh.Scripts = append(sh.Styles, "board.css", "live.css", "calls.css"), append(sh.Scripts, "countdown.js", "live.js")
	if view.Live, err = s.rendered(c, &sh, t, "live", event.WithHead(view.Head, liveFragments(view.Body)...)); err != nil {
		return err
	}
	if refuse != nil { // the feed goes on from the page without the refusal, and so leaves it there
		refuse(&view)
		view.Live["own"] = tournamentview.OwnEntryFragment(view.Body.Own)
	}
	return s.Render(c, status, tournamentview.LivePage(sh, view))
}

// rendered returns the fragments of a page, and lets its feed begin with what it shows.
func (s pages) rendered(c echo.Context, sh *templates.Shell, t *tournament.Tournament, part string, fragments []page.Fragment) (
	templates.Fragments, error) {
	live, etag, err := page.Rendered(c.Request().Context(), s.Printer(c), fragments)
	if sh.Feed != "" {
		sh.Feed = words.TournamentFeedURL(t, part, etag)
	}
	return live, err
}

// liveBody renders what the feed of the first page updates.
func (s pages) liveBody(c echo.Context, t *tournament.Tournament) (b tournamentview.LiveBody, err error) {
	p, v := s.Printer(c), page.Viewer(c)
	if b.Own, err = s.ownEntry(c, t); err != nil {
		return b, err
	}
	if b.Arena, err = s.arenaBody(c, t); err != nil {
		return b, err
	}
	e, entered := t.EntryOf(v.ID)
	if t.Format.InRounds() && entered && e.Status == tournament.Active && !t.Status.IsOver() && !t.IsOut(e) {
		ready, err := s.readyBody(c, t)
		if err != nil {
			return b, err
		}
		isDue := func(x tournamentview.OwnTeam) bool { return x.Due != "" }
		for _, x := range b.Own.Teams.Own { // whoever plays and is a captain has one next step
			if isDue(x) {
				if ready.Until != "" && !x.HandedIn { // the countdown says it
					x.Due = ""
				}
				ready.LineUps = append(ready.LineUps, x)
			}
		}
		b.Own.Teams.Own, b.Ready = slices.DeleteFunc(b.Own.Teams.Own, isDue), &ready
	}
	if t.Status < tournament.Running {
		list := event.EntriesView(p, v, t)
		b.Entries, b.Clock = &list, event.BeforeFacts(p, t)
	} else {
		top, err := s.topView(c, t)
		if err != nil {
			return b, err
		}
		if lines := event.BattleLines(p, v, t); len(lines) > 0 {
			teams := tournamentview.TopView{Title: p.T("teams.teams"), URL: words.TournamentURL(t.ID) + "/standings", OfTeams: true,
				All: p.T("tournament.all-of", "N", p.Int(len(lines)))}
			for _, l := range lines[:min(len(lines), topLines)] {
				teams.Lines = append(teams.Lines, eventview.StandingLine{Rank: l.Rank, Score: l.Score, IsMe: l.IsMine,
					Player: templates.EntryRef{Name: l.Team.Text, URL: l.Team.URL}})
			}
			b.Tops = append(b.Tops, teams)
		}
		if top != nil {
			b.Tops = append(b.Tops, *top)
		}
	}
	if _, open := t.ArenaRound(); open {
		if b.Watch, err = s.runningBoards(c, t); err != nil {
			return b, err
		}
	} else {
		for _, r := range t.Rounds.Open() {
			round, cards, err := s.liveRound(c, t, r, "", "")
			if err != nil {
				return b, err
			}
			b.Rounds, b.Watch = append(b.Rounds, round), append(b.Watch, cards...)
		}
	}
	groups, err := s.groups(c, t)
	if err != nil {
		return b, err
	}
	if err := s.fillGroups(c, t, groups, &b); err != nil {
		return b, err
	}
	if t.Status.IsOver() && len(b.Watch) == 0 { // watchers have seen the end of delayed matches
		if b.Last, err = lastRound(c, s.Frame, t); err != nil {
			return b, err
		}
		if b.Last != nil {
			b.Rounds = nil
		}
	}
	if t.Status == tournament.Running && t.Stuck == "" && words.SeesBoards(v, t) && t.Format.InRounds() {
		forecast, err := s.Arbiter.Events.Forecast(c.Request().Context(), t)
		if err != nil {
			return b, err
		}
		b.Clock = event.ForecastFacts(p, t, forecast)
	}
	if b.Ready == nil || len(b.Ready.Waits) == 0 { // players are told with their own next step
		b.Waits, err = s.standstill(c, t)
	}
	return b, err
}

// topView renders the top of the standings; nil before the first round and during a knock-out, where all who are
// still in share the first place.
func (s pages) topView(c echo.Context, t *tournament.Tournament) (*tournamentview.TopView, error) {
	if t.Format.HasBracket() && !t.Status.IsOver() {
		return nil, nil
	}
	p, v := s.Printer(c), page.Viewer(c)
	table, err := format.Standings(t, -1)
	if err != nil || len(table.Lines) == 0 || len(t.Rounds) == 0 {
		return nil, err
	}
	top := &tournamentview.TopView{Title: p.T("tournament.tab.standings"), URL: words.TournamentURL(t.ID) + "/standings", All: p.T("tournament.all-of", "N", p.Int(len(table.Lines)))}
	lines := topLines
	if !t.Format.InRounds() || t.Status.IsOver() {
		lines *= 2 // no round is shown beside it
	}
	form, isMine := event.Form(t), words.IsMine(t, v)
	top.OfTeams = t.HasTeams()
	for i, l := range table.Lines {
		if mine := isMine(l.Entry); i < lines || mine {
			top.Lines = append(top.Lines, eventview.StandingLine{Form: form[l.Entry.ID], Rank: words.Itoa(l.Rank),
				Player: words.StandingRef(t, l.Entry), Score: words.TotalText(p, t, l.Score), IsMe: mine, Double: event.DoubleText(p, t, l)})
		}
	}
	return top, nil
}

// lastBoards is how many boards of its last round a finished tournament shows.
const lastBoards = 4

// fillOver fills in what a finished tournament starts with: the first three, and the viewer's result.
func (s pages) fillOver(c echo.Context, t *tournament.Tournament, view *tournamentview.LiveView) error {
	p, v, ctx := s.Printer(c), page.Viewer(c), c.Request().Context()
	table, err := format.Standings(t, -1)
	if err != nil {
		return err
	}
	allotted, err := tables.AllotPrizes(t)
	if err != nil {
		return err
	}
	won := map[tournament.EntryID]string{}
	for _, l := range allotted.Lines {
		won[l.Entry.ID] = words.MoneyText(p, l.Amount, t.Prizes.Currency)
	}
	changes, err := ratingChanges(ctx, s.Store, t)
	if err != nil {
		return err
	}
	of := p.N("tournament.of-rounds", len(t.Rounds))
	isMine := words.IsMine(t, v)
	for _, l := range table.Lines {
		first, other := words.ScoreHeads(p, t.Settings)
		switch {
		case t.Format.HasBracket():
			of = ""
		case t.HasTeams():
			of = words.ScoreText(p, l.Other) + " " + other.Name
		case !t.Format.InRounds():
			of = p.N("arena.matches-count", l.Sheet.Games)
		}
		place := tournamentview.PodiumPlace{
			Rank: words.Itoa(l.Rank), Player: words.StandingRef(t, l.Entry), Score: words.TotalText(p, t, l.Score), Of: of,
			IsMe: isMine(l.Entry), Prize: won[l.Entry.ID],
		}
		if isOnPodium(table.Lines, l.Rank) {
			view.Podium = append(view.Podium, place)
		}
		if place.IsMe {
			view.Mine = &tournamentview.OwnResult{PodiumPlace: place,
				Title: p.T("tournament.own-place", "Place", l.Rank, "Of", len(table.Lines))}
			if t.HasTeams() { // of two numbers beside each other, each says what it counts
				view.Mine.Score += " " + first.Name + ","
			}
			if x, rated := changes[l.Entry.Player]; rated && x.Before != 0 {
				view.Mine.Rating = p.T("tournament.own-rating", "Was", x.Before.Whole(), "Is", x.After.Whole(),
					"Change", p.Signed(x.After.Whole()-x.Before.Whole()))
			}
		}
	}
	return nil
}

// isOnPodium reports whether a place is one of the first three. Of more players than two who share
// the third, or than there is room for, nobody is shown rather than some.
func isOnPodium(table []format.Standing, rank int) bool {
	sharing := 0
	for _, l := range table {
		if l.Rank == rank {
			sharing++
		}
	}
	return rank <= 3 && rank+sharing <= 5
}

// lastRound renders boards of the last round of a finished tournament as they ended; nil if none was played on this
// site.
func lastRound(c echo.Context, s event.Frame, t *tournament.Tournament) (*tournamentview.LastRound, error) {
	n := len(t.Rounds)
	if n == 0 || !t.Format.InRounds() {
		return nil, nil
	}
	var last []tournament.Pairing
	for _, b := range t.Rounds[n-1].Pairings {
		if b.Match != "" && b.Result.IsPlayed() && len(last) < lastBoards {
			last = append(last, b)
		}
	}
	if len(last) == 0 {
		return nil, nil
	}
	p := s.Printer(c)
	boards, err := s.Cards(c.Request().Context(), p, t, n, last, nil, "last-")
	return &tournamentview.LastRound{Title: words.RoundTitle(p, t, n), URL: words.RoundURL(t.ID, n), Boards: boards}, err
}

// liveFragments returns the fragments of a tournament's first page.
func liveFragments(b tournamentview.LiveBody) []page.Fragment {
	pieces := []page.Fragment{
		{ID: "own", What: tournamentview.OwnEntryFragment(b.Own)},
		{ID: "arena", What: tournamentview.ArenaFragment(b.Arena)},
		{ID: "ready", What: tournamentview.ReadyFragment(b.Ready)},
		{ID: "live-round", What: tournamentview.LiveRoundsFragment(b.Rounds)},
		{ID: "top", What: tournamentview.TopFragment(b.Tops)},
		{ID: "clock", What: tournamentview.ClockFragment(b.Clock)},
		{ID: "waits", What: tournamentview.WaitsFragment(b.Waits)},
	}
	if b.Entries != nil {
		pieces = append(pieces, page.Fragment{ID: "entries", What: eventview.TournamentEntriesFragment(*b.Entries)})
	}
	return append(pieces, watchFragments(b.Watch)...)
}

func (s pages) fairPlayCard(c echo.Context, t *tournament.Tournament) (card templates.PolicyCard, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		card, err = s.TournamentCard(tx, s.Printer(c), page.Viewer(c), t)
		return err
	})
	return card, err
}

// info shows the settings, the fair-play policy and the documents of a tournament.
func (s pages) info(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p, v, at := s.Printer(c), page.Viewer(c), words.TournamentURL(t.ID)
	view := tournamentview.InfoView{
		Head: s.TournamentHead(c, t, "/info"), About: page.Paragraphs(t.About),
		Facts:  slices.Concat(event.EntryFacts(p, t, t.May(v, tournament.ActDesk)), event.SettingFacts(p, t)),
		Limits: words.EnvelopeFacts(p, t.MatchOptions().Envelope), Worst: p.T("tournament.round-length", "Length", words.LengthText(p, t.UsualRound(), t.WorstRound())),
		Schedule: s.schedule(p, t),
	}
	if view.FairPlay, err = s.fairPlayCard(c, t); err != nil {
		return err
	}
	if t.Status >= tournament.Running {
		view.Links = append(view.Links, templates.Link{Text: p.T("files.tab"), URL: at + "/files"})
	}
	if t.Status >= tournament.Registration {
		view.Links = append(view.Links, templates.Link{Text: p.T("chat.tab"), URL: at + "/chat"})
	}
	if !t.Prizes.IsZero() {
		view.Links = append(view.Links, templates.Link{Text: p.T("prize.title"), URL: words.PrizesURL(t.ID)})
	}
	if isDrawn(t) {
		view.Links = append(view.Links, drawLink(p, t))
	}
	view.Links = append(view.Links, templates.Link{Text: p.T("log.tab"), URL: at + "/log"})
	if t.May(v, tournament.ActDesk) && v.MayCreateTournament() {
		view.Clone = at
	}
	return s.Render(c, http.StatusOK, tournamentview.InfoPage(s.TournamentShell(c, t, p.T("tournament.tab.info"), "info"), view))
}
