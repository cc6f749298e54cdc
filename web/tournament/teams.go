package tournament

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/roster"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) teamRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/teams/new", s.newTeam, page.SignedIn),
		page.Post("/tournaments/:id/teams", s.enterTeam, page.SignedIn),
		page.Post("/tournaments/:id/teams/join", s.joinTeam, page.SignedIn),
		page.Get("/tournaments/:id/teams/:entry", s.team, page.SignedIn),
		page.Post("/tournaments/:id/teams/:entry/players", s.addMates, page.SignedIn),
		page.Post("/tournaments/:id/teams/:entry/mates", s.changeMate, page.SignedIn),
		page.Post("/tournaments/:id/teams/:entry/captains", s.setCaptains, page.SignedIn),
		page.Post("/tournaments/:id/teams/:entry/line-up", s.handIn, page.SignedIn),
	}
}

func (s pages) newTeam(c echo.Context) error { return s.showNewTeam(c, nil) }

// showNewTeam shows the form that enters a team, again with why it was refused.
func (s pages) showNewTeam(c echo.Context, refused error) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	isStaff := t.May(v, tournament.ActEnter)
	if _, err := t.EnteringTeam(v, s.Now()); err != nil && refused == nil {
		return err
	}
	field := func(name, label string, most int) templates.Field {
		return templates.Field{Name: name, Label: p.T(label), Max: most, Autocomplete: "off", Value: words.Shorten(c.FormValue(name), 300)}
	}
	view := tournamentview.NewTeamView{Head: s.TournamentHead(c, t, ""), URL: words.TournamentURL(t.ID), Intro: p.T("teams.enter.captain"),
		MayPlay: !isStaff, Plays: refused == nil || c.FormValue("plays") != "",
		Fields: []templates.Field{field("name", "teams.name", tournament.MaxNameLength), field("club", "tournament.club", tournament.MaxNameLength)}}
	view.Fields[0].Required = true
	if _, in := t.EntryOf(v.ID); in {
		view.MayPlay, view.Plays = false, false
	}
	if isStaff {
		captains := field("captains", "teams.captains-of", 100)
		captains.Hint = p.T("teams.captains-of-hint", "Most", tournament.MaxCaptains)
		view.Intro, view.Fields = p.T("teams.enter.staff"), append(view.Fields, captains)
	} else if t.Settings.Entry.Code != "" {
		code := field("code", "entry.code", tournament.MaxCodeLength)
		code.Hint, code.Required = p.T("entry.code-hint"), true
		view.Fields = append(view.Fields, code)
	}
	status, why := page.RefusalStatus(p, refused)
	view.Problem = why
	return s.Render(c, status, tournamentview.NewTeamPage(s.TournamentShell(c, t, p.T("teams.enter"), ""), view))
}

func (s pages) enterTeam(c echo.Context) error {
	if err := s.AcceptFairPlayText(c); err != nil {
		return err
	}
	id, code := tournament.ID(c.Param("id")), words.Shorten(c.FormValue("code"), 100)
	err := s.MayTry(c, code)
	var e tournament.Entry
	if err == nil {
		e, err = s.Arbiter.Entries.EnterTeam(c.Request().Context(), page.Viewer(c), id, entries.TeamApplication{
			Name: words.Shorten(c.FormValue("name"), 300), Club: words.Shorten(c.FormValue("club"), 300),
			Captains: setting.SplitHandles(words.Shorten(c.FormValue("captains"), 300)), Code: code, Plays: c.FormValue("plays") != ""})
	}
	if _, isTold := page.InPlace(err, http.StatusNotFound); isTold {
		return s.showNewTeam(c, err)
	} else if err != nil {
		return err
	}
	flash := "flash.team-entered"
	switch e.Status {
	case tournament.Waiting:
		flash = "flash.team-waiting"
	case tournament.Requested:
		flash = "flash.entry-requested"
	}
	return s.Redirect(c, words.TeamURL(id, e.ID), flash)
}

// joinTeam asks to join a team for the viewer.
func (s pages) joinTeam(c echo.Context) error {
	if err := s.AcceptFairPlayText(c); err != nil {
		return err
	}
	id := tournament.ID(c.Param("id"))
	team, err := strconv.Atoi(c.FormValue("team"))
	if err != nil {
		return page.ErrBadRequest
	}
	e, err := s.Arbiter.Entries.JoinTeam(c.Request().Context(), page.Viewer(c), id, tournament.EntryID(team), entries.Application{}, tournament.Candidate{})
	if err != nil {
		return s.refuseOwn(c, err, func(o *tournamentview.OwnEntry, text string) { o.Refusal = text })
	}
	flash := "flash.tournament-entered"
	if e.Status == tournament.Requested {
		flash = "flash.team-asked"
	}
	return s.Redirect(c, words.TournamentURL(id), flash)
}

// atTeam runs f for the team of the address and shows its page, with why if it was refused.
func (s pages) atTeam(c echo.Context, flash string, f func(context.Context, player.Viewer, tournament.ID, tournament.EntryID) error) error {
	id, team, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	if err := f(c.Request().Context(), page.Viewer(c), id, team); err != nil {
		if _, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound); isTold {
			return s.showTeam(c, err)
		}
		return err
	}
	return s.Redirect(c, words.TeamURL(id, team), flash)
}

// addMates adds a list of players to a team; the lines that are refused stay in the form.
func (s pages) addMates(c echo.Context) error {
	if _, err := s.TournamentFor(c, tournament.ActEnter); err != nil {
		return err
	}
	return s.atTeam(c, "flash.saved", func(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID) error {
		text, err := intake.Clean(words.Shorten(c.FormValue("list"), words.MaxRoster))
		if err != nil {
			return err
		}
		plan, err := s.Arbiter.Entries.RegisterAll(ctx, by, id, entries.Listed{Lines: roster.Read(text), Team: team})
		if err != nil {
			return err
		}
		left := &leftOver{}
		for _, p := range plan {
			if p.Err != nil && !errors.Is(p.Err, tournament.ErrEntered) {
				left.lines = append(left.lines, p.Text)
				left.error = cmp.Or(left.error, p.Err)
			}
		}
		if left.error == nil {
			return nil
		}
		return left
	})
}

// leftOver is why a list did not enter everybody: the lines that stay, and the first reason.
type leftOver struct {
	error
	lines []string
}

func (l *leftOver) Unwrap() error { return l.error }

// changeMate accepts or refuses who asks to join, moves a player up, takes them out, or back in.
func (s pages) changeMate(c echo.Context) error {
	n, err := strconv.Atoi(c.FormValue("mate"))
	if err != nil {
		return page.ErrBadRequest
	}
	mate := tournament.EntryID(n)
	return s.atTeam(c, "", func(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID) error {
		switch do := c.FormValue("do"); do {
		case "accept", "refuse":
			return s.Arbiter.Entries.AcceptMate(ctx, by, id, mate, do == "accept")
		case "remove":
			return s.Arbiter.Entries.Withdraw(ctx, by, id, mate)
		case "back":
			return s.Arbiter.Entries.Readmit(ctx, by, id, mate)
		case "up":
			t, err := s.Arbiter.Tournament(ctx, id)
			if err != nil {
				return err
			}
			var order []tournament.EntryID
			for _, e := range t.Roster(team) {
				order = append(order, e.ID)
			}
			if i := slices.Index(order, mate); i > 0 {
				order[i-1], order[i] = order[i], order[i-1]
			}
			return s.Arbiter.Entries.OrderRoster(ctx, by, id, team, order)
		}
		return page.ErrBadRequest
	})
}

func (s pages) setCaptains(c echo.Context) error {
	return s.atTeam(c, "flash.saved", func(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID) error {
		return s.Arbiter.Entries.SetCaptains(ctx, by, id, team, setting.SplitHandles(words.Shorten(c.FormValue("captains"), 300)))
	})
}

// handIn hands in the line-up of a team; once both have, their boards open.
func (s pages) handIn(c echo.Context) error {
	return s.atTeam(c, "flash.line-up-handed-in", func(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID) error {
		t, err := s.Arbiter.Tournament(ctx, id)
		if err != nil {
			return err
		}
		by.Shown, _ = strconv.ParseInt(c.FormValue(rounds.LineUpSeen), 10, 64) // no number: of nothing that it knows
		return s.Arbiter.Rounds.HandIn(ctx, by, id, len(t.Rounds), store.TeamLineUp{Team: team, Players: picked(c)})
	})
}

// picked returns the players that a form of a line-up names, in the order of the roster.
func picked(c echo.Context) (list []tournament.EntryID) {
	values, err := c.FormParams()
	if err != nil {
		return nil
	}
	for _, text := range values["players"][:min(len(values["players"]), tournament.MaxTeamBoards+tournament.MaxTeamReserves)] {
		list = append(list, tournament.EntryID(words.AtoiOr(text, 0)))
	}
	return list
}

func (s pages) team(c echo.Context) error { return s.showTeam(c, nil) }

// showTeam shows the page on which a team is made up, with why the last thing was refused. Whoever has nothing to do there is led
// to the form by which players join it: captains share the address.
func (s pages) showTeam(c echo.Context, refused error) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	_, id, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	e, err := t.Entry(id)
	if err != nil || !t.IsTeam(e) {
		return store.ErrNotFound
	}
	p, v := s.Printer(c), page.Viewer(c)
	isStaff := t.May(v, tournament.ActEnter) || t.May(v, tournament.ActRepair)
	if !isStaff && !t.IsCaptain(v, id) {
		return c.Redirect(http.StatusSeeOther, words.WithQuery(words.TournamentURL(t.ID), "team", words.Itoa(int(id)))+"#own")
	}
	status, why := page.RefusalStatus(p, refused)
	view := s.teamView(c, t, e)
	who := map[player.ID]player.Player{}
	var named map[tournament.EntryID]store.TeamLineUp
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if len(t.Rounds) > 0 {
			if named, err = tx.TeamLineUps(t.ID, len(t.Rounds)); err != nil {
				return err
			}
		}
		who, err = tx.Players(append(slices.Clone(e.Captains), named[id].By)...)
		return err
	})
	if err != nil {
		return err
	}
	captains := make([]string, len(e.Captains))
	for i, id := range e.Captains {
		captains[i] = string(who[id].Handle)
	}
	view.Captains = templates.Field{Name: "captains", Label: p.T("teams.captains-of"), Hint: p.T("teams.captains-of-hint", "Most", tournament.MaxCaptains),
		Value: strings.Join(captains, ", "), Max: 100, Autocomplete: "off"}
	view.LineUp = lineUpView(p, v, t, e, named, who)
	var left *leftOver
	switch {
	case refused == nil:
	case errors.As(refused, &left) && view.Add != nil:
		view.Add.Value, view.Add.Error = strings.Join(left.lines, "\n"), why
	case c.Request().URL.Path == words.TeamURL(t.ID, id)+"/captains":
		view.Captains.Value, view.Captains.Error = words.Shorten(c.FormValue("captains"), 300), why
	case c.Request().URL.Path == words.TeamURL(t.ID, id)+"/line-up" && view.LineUp != nil:
		view.LineUp.Error, view.LineUp.Seen = why, c.FormValue(rounds.LineUpSeen)
		sent := picked(c)
		for i, x := range view.LineUp.Players {
			view.LineUp.Players[i].Chosen = slices.Contains(sent, tournament.EntryID(words.AtoiOr(x.Value, 0)))
		}
	default:
		view.Problem = why
	}
	sh := s.TournamentShell(c, t, view.Name, "")
	sh.Styles = append(sh.Styles, "desk.css")
	return s.Render(c, status, tournamentview.TeamPage(sh, view))
}

// teamView renders who is in a team and what the viewer may do about it.
func (s pages) teamView(c echo.Context, t *tournament.Tournament, e tournament.Entry) tournamentview.TeamView {
	p, v := s.Printer(c), page.Viewer(c)
	list, most, isOver := t.Roster(e.ID), t.Teams.Boards+t.Teams.Reserves, t.Status.IsOver()
	isCaptain := t.IsCaptain(v, e.ID)
	view := tournamentview.TeamView{Head: s.TournamentHead(c, t, ""), Name: words.EntryName(p, e), URL: words.TeamURL(t.ID, e.ID),
		Public: words.EntryURL(t.ID, e.ID), Size: p.T("teams.size", "N", len(list), "Most", most)}
	switch e.Status {
	case tournament.Waiting:
		view.State = p.T("teams.state.waiting", "Place", t.WaitingPlace(e.ID))
	case tournament.Requested:
		view.State = p.T("teams.state.requested")
	case tournament.Withdrawn, tournament.Refused:
		view.State = p.T("teams.state.out")
		isOver = true
	}
	if least := t.Teams.LeastPresent(); len(list) < least && !isOver {
		view.Few = p.T("teams.few", "Least", least)
	}
	mayOrder := (isCaptain || t.May(v, tournament.ActParticulars)) && t.Status < tournament.Running
	mayRemove := (isCaptain || t.May(v, tournament.ActWithdraw)) && !isOver
	for i, m := range list {
		x := mateOf(p, t, m)
		x.Place, x.IsReserve, x.MayUp = words.Itoa(i+1), i >= t.Teams.Boards, mayOrder && i > 0
		if mayRemove {
			x.RemoveSure = p.T("entry.withdraw-sure", "Name", x.Name)
		}
		view.Roster = append(view.Roster, x)
	}
	for _, m := range t.Entries {
		switch {
		case m.Team != e.ID:
		case m.Status == tournament.Requested && !isOver && (isCaptain || t.May(v, tournament.ActAccept)):
			view.Requests = append(view.Requests, mateOf(p, t, m))
		case m.Status == tournament.Withdrawn:
			x := mateOf(p, t, m)
			x.MayReturn = t.MayReadmit(v, m.ID) == nil
			view.Out = append(view.Out, x)
		}
	}
	if t.Status == tournament.Registration && t.IsOpen(s.Now()) && len(list) < most && !isOver {
		view.Invite = s.Address(c, view.URL)
	}
	if t.May(v, tournament.ActEnter) && !isOver {
		view.Add = &templates.Field{Name: "list", Type: "textarea", Label: p.T("teams.add-list"), Hint: p.T("teams.add-list-hint"), Autocomplete: "off"}
	}
	if (isCaptain || t.May(v, tournament.ActWithdraw)) && !isOver {
		view.Leave = words.EntryURL(t.ID, e.ID) + "/withdraw"
		view.LeaveSure = p.T("entry.withdraw-sure", "Name", view.Name) + " " + words.LeavingText(p, t, e)
	}
	return view
}

func mateOf(p lang.Printer, t *tournament.Tournament, e tournament.Entry) tournamentview.Mate {
	return tournamentview.Mate{ID: words.Itoa(int(e.ID)), Name: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID), Rating: words.NumberText(e.Rating)}
}

// lineUpView renders the form of a team's line-up; nil if none is awaited from the viewer. Its players are sealed: of those who may
// hand it in, only captains see them.
func lineUpView(p lang.Printer, v player.Viewer, t *tournament.Tournament, team tournament.Entry, named map[tournament.EntryID]store.TeamLineUp,
	who map[player.ID]player.Player) *tournamentview.LineUpView {
	if t.MayLineUp(v, team.ID) != nil {
		return nil
	}
	round := t.Rounds[len(t.Rounds)-1]
	_, m := round.MatchOf(team.ID)
	them, _ := t.Entry(m.TeamAt(m.SeatOf(team.ID).Other()))
	due, _ := t.BoardsDueAt()
	least := t.Teams.LeastPresent()
	view := &tournamentview.LineUpView{
		Title: p.T("teams.line-up.of", "Round", round.Number, "Team", words.EntryName(p, team), "Opponent", words.EntryName(p, them)),
		Due:   p.When(due), DueAt: p.Stamp(due), SeenField: rounds.LineUpSeen, Seen: "1", State: p.N("teams.line-up.none", t.Teams.Boards),
		Rule: p.N("teams.line-up.rule", t.Teams.Boards), Few: p.N("teams.line-up.few", least),
	}
	chosen := t.UsualLineUp(team.ID)
	if l, is := named[team.ID]; is {
		view.Seen = strconv.FormatInt(l.At.UnixMilli(), 10)
		view.State = p.T("teams.line-up.handed-in", "Time", p.Clock(l.At), "By", string(who[l.By].Handle))
		if t.IsCaptain(v, team.ID) {
			chosen = l.Players
		}
	}
	other := "teams.line-up.they-wait"
	if _, is := named[them.ID]; is {
		other = "teams.line-up.they-have"
	}
	view.State += " " + p.T(other, "Team", words.EntryName(p, them))
	for _, e := range t.Roster(team.ID) {
		x := tournamentview.LineUpPlayer{Choice: templates.Choice{Value: words.Itoa(int(e.ID)), Text: words.EntryName(p, e),
			Chosen: slices.Contains(chosen, e.ID)}, Rating: words.NumberText(e.Rating)}
		if slices.ContainsFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == round.Number }) {
			x.Note = p.T("teams.away")
		}
		view.Players = append(view.Players, x)
	}
	return view
}

// fillTeams shows captains the way to their teams, and whoever is in none the way into one.
func (s pages) fillTeams(c echo.Context, t *tournament.Tournament, o *tournamentview.OwnEntry) error {
	p, v := s.Printer(c), page.Viewer(c)
	own := t.CaptainOf(v)
	for _, e := range own {
		x := tournamentview.OwnTeam{Name: words.EntryName(p, e), URL: words.TeamURL(t.ID, e.ID)}
		if t.MayLineUp(v, e.ID) == nil {
			due, _ := t.BoardsDueAt()
			x.Due = p.T("teams.line-up.until", "Time", p.When(due))
		}
		o.Teams.Own = append(o.Teams.Own, x)
	}
	if e, entered := t.EntryOf(v.ID); entered && e.Status != tournament.Withdrawn || t.Status > tournament.Running {
		return nil
	}
	if _, err := t.EnteringTeam(v, s.Now()); err == nil && len(own) == 0 && !t.May(v, tournament.ActEnter) {
		o.Teams.EnterURL = words.TournamentURL(t.ID) + "/teams/new"
	}
	if t.Status != tournament.Registration || !t.IsOpen(s.Now()) {
		o.State = cmp.Or(o.State, registrationText(p, t, s.Now()))
		return nil
	}
	for _, e := range t.Sides() {
		isIn := e.Status == tournament.Active || e.Status == tournament.Waiting
		if id := words.Itoa(int(e.ID)); isIn && len(t.Roster(e.ID)) < t.Teams.Boards+t.Teams.Reserves {
			o.Teams.Join = append(o.Teams.Join, templates.Choice{Value: id, Text: words.EntryName(p, e), Chosen: id == c.QueryParam("team")})
		}
	}
	if o.Teams.EnterURL == "" && len(o.Teams.Join) == 0 {
		return nil
	}
	list, err := s.candidates(c.Request().Context(), v.Player)
	if err == nil {
		o.Conditions = form.ConditionLines(p, t, &list[0], t.Verdicts(list[0], s.Now()))
	}
	return err
}
