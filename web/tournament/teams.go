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
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
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
		page.Post("/tournaments/:id/teams/:entry/invitation", s.answerInvitation, page.SignedIn),
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
	clubs, err := s.teamClubs(c, isStaff)
	if err != nil {
		return err
	}
	if len(clubs) > 0 {
		view.Fields = append(view.Fields, templates.Field{Name: "clubId", Type: "select", Label: p.T("teams.club"), Hint: p.T("teams.club-hint"),
			Choices: clubs})
		view.Fields[0].Required = false
	}
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

// teamClubs offers the clubs of the site that a team may play for: those whose players the viewer names, and to staff all.
func (s pages) teamClubs(c echo.Context, isStaff bool) (list []templates.Choice, err error) {
	p, v := s.Printer(c), page.Viewer(c)
	var clubs []club.Club
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if isStaff {
			clubs, _, err = tx.Clubs()
			return err
		}
		memberships, err := tx.Memberships(v.ID)
		for _, m := range memberships {
			if !club.Allows(m.Role, club.ActLineUp) {
				continue
			}
			of, err := tx.Club(m.Club)
			if err != nil {
				return err
			}
			clubs = append(clubs, of)
		}
		return err
	})
	if err != nil || len(clubs) == 0 {
		return nil, err
	}
	slices.SortStableFunc(clubs, func(a, b club.Club) int { return p.Compare(a.Name, b.Name) })
	chosen := c.FormValue("clubId")
	list = []templates.Choice{{Text: p.T("teams.club-none"), Chosen: chosen == ""}}
	for _, x := range clubs {
		list = append(list, templates.Choice{Value: string(x.ID), Text: x.Name, Chosen: string(x.ID) == chosen})
	}
	return list, nil
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
			ClubID:   club.ID(words.Shorten(c.FormValue("clubId"), 40)),
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
	case tournament.Invited:
		flash = "flash.club-invited"
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

// answerInvitation accepts or declines that a club's team plays.
func (s pages) answerInvitation(c echo.Context) error {
	if err := s.AcceptFairPlayText(c); err != nil {
		return err
	}
	in, flash := c.FormValue("do") == "accept", "flash.invitation-declined"
	if in {
		flash = "flash.invitation-accepted"
	}
	return s.atTeam(c, flash, func(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID) error {
		return s.Arbiter.Entries.AnswerInvitation(ctx, by, id, team, in)
	})
}

// addMates adds members of its club to a team, or a list of players; the lines that are refused stay in the form.
func (s pages) addMates(c echo.Context) error {
	if handles := membersOf(c); len(handles) > 0 {
		return s.atTeam(c, "flash.saved", func(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID) error {
			return s.Arbiter.Entries.NameMembers(ctx, by, id, team, handles)
		})
	}
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

// membersOf returns the handles that a form names, in its order.
func membersOf(c echo.Context) (list []string) {
	values, err := c.FormParams()
	if err != nil {
		return nil
	}
	for _, text := range values["members"][:min(len(values["members"]), tournament.MaxTeamBoards+tournament.MaxTeamReserves)] {
		list = append(list, words.Shorten(text, 40))
	}
	return list
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
		by.Shown, _ = strconv.ParseInt(c.FormValue(rounds.LineUpSeen), 10, 64) // no number: of nothing that it knows
		return s.Arbiter.Rounds.HandIn(ctx, by, id, words.AtoiOr(c.FormValue("round"), 0), store.TeamLineUp{Team: team, Players: picked(c)})
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
	view, err := s.teamView(c, t, e)
	if err != nil {
		return err
	}
	who := map[player.ID]player.Player{}
	var named map[tournament.EntryID]store.TeamLineUp
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if round, err := t.LineUpFor(v, id); err == nil {
			if named, err = tx.TeamLineUps(t.ID, round); err != nil {
				return err
			}
		}
		who, err = tx.Players(append(slices.Clone(e.Captains), named[id].By)...)
		return err
	})
	if err != nil {
		return err
	}
	if view.Members, err = s.memberChoices(c, t, e); err != nil {
		return err
	}
	captains := make([]string, len(e.Captains))
	for i, id := range e.Captains {
		captains[i] = string(who[id].Handle)
	}
	if e.Status != tournament.Invited {
		view.Captains = &templates.Field{Name: "captains", Label: p.T("teams.captains-of"), Hint: p.T("teams.captains-of-hint", "Most", tournament.MaxCaptains),
			Value: strings.Join(captains, ", "), Max: 100, Autocomplete: "off"}
		if e.ClubID != "" {
			view.Captains.Hint += " " + p.T("teams.captains-of-club", "Club", e.Club)
		}
	}
	view.LineUp = lineUpView(p, v, t, e, named, who)
	var left *leftOver
	var unfit *entries.UnfitError
	switch {
	case refused == nil:
	case errors.As(refused, &unfit) && view.Members != nil:
		view.Members.Error = p.T("teams.error.unfit", "Player", unfit.Handle, "Why", unfitText(p, t, unfit.Err))
		for i, x := range view.Members.Players {
			view.Members.Players[i].Chosen = slices.Contains(membersOf(c), x.Value)
		}
	case errors.As(refused, &left) && view.Add != nil:
		view.Add.Value, view.Add.Error = strings.Join(left.lines, "\n"), why
	case c.Request().URL.Path == words.TeamURL(t.ID, id)+"/captains" && view.Captains != nil:
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
func (s pages) teamView(c echo.Context, t *tournament.Tournament, e tournament.Entry) (tournamentview.TeamView, error) {
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
	case tournament.Invited:
		text, isOpen, err := s.invitation(c, t, e)
		if err != nil {
			return view, err
		}
		view.State, view.MayAnswer = text, isCaptain && isOpen
	case tournament.Refused:
		view.State = p.T("teams.state.out")
		if e.ClubID != "" && len(e.Captains) == 0 {
			view.State = p.T("teams.declined", "Club", e.Club)
		}
		isOver = true
	case tournament.Withdrawn:
		view.State = p.T("teams.state.out")
		isOver = true
	}
	if least := t.Teams.LeastPresent(); len(list) < least && !isOver && !e.IsPrivate() {
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
		case m.Status == tournament.Requested && !isOver && (isCaptain && t.Status < tournament.Running || t.May(v, tournament.ActAccept)):
			view.Requests = append(view.Requests, mateOf(p, t, m))
		case m.Status == tournament.Withdrawn:
			x := mateOf(p, t, m)
			x.MayReturn = t.MayReadmit(v, m.ID) == nil
			view.Out = append(view.Out, x)
		}
	}
	if t.Status == tournament.Registration && t.IsOpen(s.Now()) && len(list) < most && !isOver && !view.MayAnswer {
		view.Invite = s.Address(c, view.URL)
	}
	if t.May(v, tournament.ActEnter) && !isOver {
		view.Add = &templates.Field{Name: "list", Type: "textarea", Label: p.T("teams.add-list"), Hint: p.T("teams.add-list-hint"), Autocomplete: "off"}
	}
	if (isCaptain || t.May(v, tournament.ActWithdraw)) && !isOver && !view.MayAnswer {
		view.Leave = words.EntryURL(t.ID, e.ID) + "/withdraw"
		view.LeaveSure = p.T("entry.withdraw-sure", "Name", view.Name) + " " + words.LeavingText(p, t, e)
	}
	return view, nil
}

// invitation says to what a club is invited, by whom, until when it can answer and what follows, and reports whether it still can.
func (s pages) invitation(c echo.Context, t *tournament.Tournament, e tournament.Entry) (text string, isOpen bool, err error) {
	p, owners := s.Printer(c), slices.Sorted(slices.Values(t.CaseOf(tournament.ActEnter).Owners))
	owners = slices.Compact(owners) // one of the club may own the event as well
	who, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(owners...) })
	if err != nil {
		return "", false, err
	}
	var by []string
	for _, id := range owners {
		by = append(by, string(who[id].Handle))
	}
	if t.Club != "" {
		by = append([]string{t.Club}, by...)
	}
	lines := []string{p.T("teams.invited", "Club", e.Club, "Event", p.Event(t.Name), "By", strings.Join(by, ", "))}
	status, closed := t.Accepted(s.Now())
	switch at := t.StartsAt(); {
	case closed != nil:
		return lines[0] + " " + p.T("teams.invited.past"), false, nil
	case t.Status == tournament.Running:
		lines = append(lines, p.T("teams.invited.runs"))
	case at.After(s.Now()):
		lines = append(lines, p.T("teams.invited.until", "When", p.On(at)))
	default:
		lines = append(lines, p.T("teams.invited.until-start"))
	}
	if lines = append(lines, p.T("teams.invited.then."+status.String())); !t.IsCaptain(page.Viewer(c), e.ID) {
		lines = append(lines, p.T("teams.invited-wait", "Club", e.Club))
	}
	return strings.Join(lines, " "), true, nil
}

// unfitText says in the third person why somebody cannot play.
func unfitText(p lang.Printer, t *tournament.Tournament, err error) string {
	var unmet *fairplay.UnmetError
	var conditions *setting.Unmet
	switch {
	case errors.As(err, &unmet): // without the end of an exclusion
		return form.DemandTexts(p, unmet)
	case errors.As(err, &conditions):
		var list []string
		for _, line := range form.ConditionLines(p, t, nil, conditions.Failed) {
			list = append(list, line.Text)
		}
		return strings.Join(list, ", ")
	}
	return page.TextOf(p, err)
}

// memberChoices offers the members of a team's club who are not in the event, the best first, to those who may name them; nil: nobody
// can be.
func (s pages) memberChoices(c echo.Context, t *tournament.Tournament, e tournament.Entry) (*tournamentview.MembersView, error) {
	p, v := s.Printer(c), page.Viewer(c)
	isStaff := t.May(v, tournament.ActEnter)
	isLate := t.Status == tournament.Running && !isStaff || t.Status.IsOver()
	if e.ClubID == "" || isLate || e.IsPrivate() || e.Status == tournament.Withdrawn || len(t.Roster(e.ID)) >= t.Teams.Boards+t.Teams.Reserves {
		return nil, nil
	}
	view := &tournamentview.MembersView{}
	ratings := map[string]int{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		r, err := tx.Roster(e.ClubID)
		if err != nil {
			return err
		}
		view.Title = p.T("teams.members", "Club", r.Name)
		var ids []player.ID
		for _, m := range r.Members {
			if in, entered := t.EntryOf(m.Player); !entered || in.Status == tournament.Withdrawn && !t.HasSat(in.ID) {
				ids = append(ids, m.Player)
			}
		}
		who, err := tx.Players(ids...)
		if err != nil {
			return err
		}
		rated, err := tx.Ratings(ids...)
		for _, id := range ids {
			handle, rating := string(who[id].Handle), rated[id].Rating.Whole()
			ratings[handle] = rating
			view.Players = append(view.Players, tournamentview.LineUpPlayer{Choice: templates.Choice{Value: handle, Text: words.PlayerName(p, who[id])},
				Rating: words.NumberText(rating)})
		}
		return err
	})
	slices.SortStableFunc(view.Players, func(a, b tournamentview.LineUpPlayer) int {
		return cmp.Or(ratings[b.Value]-ratings[a.Value], p.Compare(a.Text, b.Text))
	})
	if len(view.Players) == 0 {
		return nil, err
	}
	return view, err
}

func mateOf(p lang.Printer, t *tournament.Tournament, e tournament.Entry) tournamentview.Mate {
	return tournamentview.Mate{ID: words.Itoa(int(e.ID)), Name: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID), Rating: words.NumberText(e.Rating)}
}

// lineUpView renders the form of a team's line-up; nil if the viewer can name none now. Its players are sealed: of those who may
// hand it in, only captains see them.
func lineUpView(p lang.Printer, v player.Viewer, t *tournament.Tournament, team tournament.Entry, named map[tournament.EntryID]store.TeamLineUp,
	who map[player.ID]player.Player) *tournamentview.LineUpView {
	round, err := t.LineUpFor(v, team.ID)
	if err != nil || len(t.Roster(team.ID)) == 0 {
		return nil
	}
	view := &tournamentview.LineUpView{Round: words.Itoa(round), Title: p.T("teams.line-up.round", "Round", round, "Team", words.EntryName(p, team)),
		SeenField: rounds.LineUpSeen, Seen: "1", State: p.N("teams.line-up.none", t.Teams.Boards),
		Rule: p.N("teams.line-up.rule", t.Teams.Boards), Few: p.N("teams.line-up.few", t.Teams.LeastPresent())}
	chosen := t.UsualLineUp(team.ID, round)
	if l, is := named[team.ID]; is {
		view.Seen = strconv.FormatInt(l.At.UnixMilli(), 10)
		view.State = p.T("teams.line-up.handed-in", "Time", p.When(l.At), "By", string(who[l.By].Handle))
		if t.IsCaptain(v, team.ID) {
			chosen = l.Players
		}
	}
	if t.IsAwaited(team.ID) {
		_, m := t.Rounds[round-1].MatchOf(team.ID)
		them, _ := t.Entry(m.TeamAt(m.SeatOf(team.ID).Other()))
		due, _ := t.BoardsDueAt()
		view.Title = p.T("teams.line-up.of", "Round", round, "Team", words.EntryName(p, team), "Opponent", words.EntryName(p, them))
		view.Due, view.DueAt = p.When(due), p.Stamp(due)
		other := "teams.line-up.they-wait"
		if _, is := named[them.ID]; is {
			other = "teams.line-up.they-have"
		}
		view.State += " " + p.T(other, "Team", words.EntryName(p, them))
	}
	for _, e := range t.Roster(team.ID) {
		x := tournamentview.LineUpPlayer{Choice: templates.Choice{Value: words.Itoa(int(e.ID)), Text: words.EntryName(p, e),
			Chosen: slices.Contains(chosen, e.ID)}, Rating: words.NumberText(e.Rating)}
		if slices.ContainsFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == round }) {
			x.Note = p.T("teams.away")
		}
		view.Players = append(view.Players, x)
	}
	return view
}

// clubsOf returns the clubs that a player is a member of.
func (s pages) clubsOf(c echo.Context, id player.ID) (list []club.ID, err error) {
	memberships, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]club.Membership, error) { return tx.Memberships(id) })
	for _, m := range memberships {
		list = append(list, m.Club)
	}
	return list, err
}

// fillTeams shows captains the way to their teams, and whoever is in none the way into one.
func (s pages) fillTeams(c echo.Context, t *tournament.Tournament, o *tournamentview.OwnEntry) error {
	p, v := s.Printer(c), page.Viewer(c)
	if t.Status.IsOver() {
		return nil
	}
	own := t.CaptainOf(v)
	var named map[tournament.EntryID]store.TeamLineUp
	if slices.ContainsFunc(own, func(e tournament.Entry) bool { return t.IsAwaited(e.ID) }) {
		var err error
		named, err = store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[tournament.EntryID]store.TeamLineUp, error) {
			return tx.TeamLineUps(t.ID, len(t.Rounds))
		})
		if err != nil {
			return err
		}
	}
	for _, e := range own {
		x := tournamentview.OwnTeam{Name: words.EntryName(p, e), URL: words.TeamURL(t.ID, e.ID)}
		if e.Status == tournament.Invited {
			var err error
			if x.Invited, x.MayAnswer, err = s.invitation(c, t, e); err != nil {
				return err
			}
		}
		if t.IsAwaited(e.ID) {
			due, _ := t.BoardsDueAt()
			x.Due = p.T("teams.line-up.until", "Time", p.When(due))
			if _, x.HandedIn = named[e.ID]; x.HandedIn {
				x.Due = p.T("teams.desk.handed-in", "Team", x.Name)
			}
		}
		o.Teams.Own = append(o.Teams.Own, x)
	}
	if e, entered := t.EntryOf(v.ID); entered && e.Status != tournament.Withdrawn {
		return nil
	}
	if _, err := t.EnteringTeam(v, s.Now()); err == nil && len(own) == 0 && !t.May(v, tournament.ActEnter) {
		o.Teams.EnterURL = words.TournamentURL(t.ID) + "/teams/new"
	}
	if t.Status != tournament.Registration || !t.IsOpen(s.Now()) {
		o.State = cmp.Or(o.State, registrationText(p, t, s.Now()))
		return nil
	}
	clubs, err := s.clubsOf(c, v.ID)
	if err != nil {
		return err
	}
	for _, e := range t.Sides() {
		isIn := e.Status == tournament.Active || e.Status == tournament.Waiting
		mayPlay := e.ClubID == "" || slices.Contains(clubs, e.ClubID)
		if id := words.Itoa(int(e.ID)); isIn && mayPlay && len(t.Roster(e.ID)) < t.Teams.Boards+t.Teams.Reserves {
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
