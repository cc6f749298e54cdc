// Package league serves the pages of leagues: what is happening, what is the viewer's, what they can press, and the
// past. It does not decide who plays where.
package league

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	leagueview "chpok.org/chpok/templates/league"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

type (
	pages struct{ *page.Site }
	api   struct{ *page.Site }
)

// Routes returns the pages of the section, /leagues.
func Routes(s *page.Site) []page.Route {
	p := pages{s}
	return []page.Route{
		page.Get("/leagues", p.list, page.Anyone),
		page.Get("/leagues/new", p.form, page.SignedIn),
		page.Post("/leagues", p.create, page.SignedIn),
		page.Get("/leagues/:id", p.league, page.Anyone),
		page.Get("/leagues/:id/seasons/:season", p.season, page.Anyone),
		page.Get("/leagues/:id/settings", p.settings, page.SignedIn),
		page.Post("/leagues/:id/settings", p.change, page.SignedIn),
		page.Post("/leagues/:id/enter", p.enter, page.SignedIn),
		page.Post("/leagues/:id/leave", p.leave, page.SignedIn),
		page.Post("/leagues/:id/stay", p.stay, page.SignedIn),
		page.Get("/leagues/:id/teams/new", p.team, page.SignedIn),
		page.Post("/leagues/:id/teams", p.saveTeam, page.SignedIn),
		page.Get("/leagues/:id/teams/:no", p.team, page.Anyone),
		page.Post("/leagues/:id/teams/:no", p.saveTeam, page.SignedIn),
		page.Post("/leagues/:id/teams/:no/decline", p.decline, page.SignedIn),
		page.Post("/leagues/:id/answer", p.answer, page.SignedIn),
		page.Post("/leagues/:id/propose", p.does((*leagues.Office).Propose), page.SignedIn),
		page.Post("/leagues/:id/shift", p.shift, page.SignedIn),
		page.Post("/leagues/:id/publish-later", p.publishLater, page.SignedIn),
		page.Post("/leagues/:id/publish", p.does((*leagues.Office).Publish), page.SignedIn),
		page.Post("/leagues/:id/begin", p.does((*leagues.Office).Begin), page.SignedIn),
		page.Post("/leagues/:id/freeze", p.does((*leagues.Office).Freeze), page.SignedIn),
		page.Post("/leagues/:id/play-offs", p.does((*leagues.Office).OpenPlayOffs), page.SignedIn),
		page.Post("/leagues/:id/archive", p.archive, page.SignedIn),
		page.Post("/leagues/:id/sanctions", p.warn, page.SignedIn),
		page.Post("/leagues/:id/sanctions/:no/appeal", p.appeal, page.SignedIn),
		page.Post("/leagues/:id/sanctions/:no/decide", p.decide, page.SignedIn),
	}
}

// list is the page of all leagues.
func (s pages) list(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	view := leagueview.ListView{Filter: page.Filter(c, p, p.T("league.search"))}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, total, err := tx.Leagues(store.LeagueQuery{Search: view.Filter.Search, Limit: page.Size, Offset: (page.Number(c) - 1) * page.Size})
		if err != nil {
			return err
		}
		view.Paging = page.Paging(c, total)
		for _, l := range list {
			x := l.Now()
			of, err := tx.Club(l.Club)
			if err != nil {
				return err
			}
			card := templates.ListCard{URL: words.LeagueURL(l.ID), Name: l.Settings.Name, Club: of.Name,
				Players: p.N("ladder.players-count", len(x.In)), State: p.T("league.state." + string(x.State))}
			if l.HasTeams() {
				card.Players = p.N("teams.count", len(x.In))
			}
			if me := l.Side(league.Member(v.ID)); x.DivisionOf(me) > 0 {
				card.Mine = p.T("league.division-n", "N", x.DivisionOf(me))
			} else if x.IsIn(me) {
				card.Mine = p.T("league.you-play")
			}
			view.Lines = append(view.Lines, card)
		}
		clubs, err := words.HeldClubs(tx, v)
		for _, of := range clubs {
			view.Starts = append(view.Starts, templates.Link{Text: of.Name, URL: words.WithQuery("/leagues/new", "club", string(of.ID))})
		}
		return err
	})
	if err != nil {
		return err
	}
	sh := s.Shell(c, p.T("core.nav.leagues"))
	sh.Section = "leagues"
	return s.Render(c, http.StatusOK, leagueview.ListPage(sh, view))
}

// do runs f for the league of the address and goes back to its page.
func (s pages) do(c echo.Context, f func(ctx context.Context, by player.Viewer, id league.ID) error) error {
	id := league.ID(c.Param("id"))
	if err := f(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.LeagueURL(id), "flash.saved")
}

// does is do for an act that needs nothing but the league.
func (s pages) does(f func(a *leagues.Office, ctx context.Context, by player.Viewer, id league.ID) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
			return f(s.Arbiter.Leagues, ctx, by, id)
		})
	}
}

func (s pages) enter(c echo.Context) error {
	id, handle := league.ID(c.Param("id")), c.FormValue("handle")
	err := s.entered(c, id, handle)
	if err == nil {
		return s.Redirect(c, words.LeagueURL(id), "flash.saved")
	}
	status, isTold := page.InPlace(err)
	if handle == "" || !isTold {
		return err
	}
	return s.show(c, status, func(view *leagueview.LeagueView) {
		if view.Desk != nil {
			view.Desk.Add.Value, view.Desk.Add.Error = handle, page.TextOf(s.Printer(c), err)
			view.Desk.MayAdd = true // to say why not
		}
	})
}

// entered enters somebody into the season, or late into a division.
func (s pages) entered(c echo.Context, id league.ID, handle string) error {
	if c.FormValue("division") == "" {
		return s.Arbiter.Leagues.Enter(c.Request().Context(), page.Viewer(c), id, cmp.Or(handle, whoOf(c)))
	}
	division, err := strconv.Atoi(c.FormValue("division"))
	if err != nil {
		return page.ErrBadRequest
	}
	return s.Arbiter.Leagues.EnterLate(c.Request().Context(), page.Viewer(c), id, handle, division)
}

// publishLater has the draft published at the time of the form; without one, by hand again.
func (s pages) publishLater(c echo.Context) error {
	id, text := league.ID(c.Param("id")), c.FormValue("at")
	var at time.Time
	if text != "" {
		var err error
		if at, err = civil.Read(text, s.Printer(c).Zone, nil, s.Now()); err != nil {
			return page.ErrBadRequest
		}
	}
	err := s.Arbiter.Leagues.PublishLater(c.Request().Context(), page.Viewer(c), id, at)
	if err == nil {
		return s.Redirect(c, words.LeagueURL(id), "flash.saved")
	}
	status, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound)
	if !isTold {
		return err
	}
	return s.show(c, status, func(view *leagueview.LeagueView) {
		if view.Desk != nil {
			view.Desk.Later.Value, view.Desk.Later.Error = text, page.TextOf(s.Printer(c), err)
		}
	})
}

func (s pages) leave(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.Leave(ctx, by, id, whoOf(c))
	})
}

func (s pages) stay(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.Stay(ctx, by, id, whoOf(c))
	})
}

func (s pages) answer(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		number, err := strconv.Atoi(c.FormValue("number"))
		if err != nil {
			return page.ErrBadRequest
		}
		return s.Arbiter.Leagues.Answer(ctx, by, id, whoOf(c), number, c.FormValue("accept") == "yes")
	})
}

func (s pages) shift(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		to, err := strconv.Atoi(c.FormValue("to"))
		if err != nil {
			return page.ErrBadRequest
		}
		return s.Arbiter.Leagues.Shift(ctx, by, id, c.FormValue("player"), to)
	})
}

func (s pages) archive(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		starts, err := civil.Read(c.FormValue("starts"), s.Printer(c).Zone, nil, s.Now())
		if err != nil {
			return page.ErrBadRequest
		}
		return s.Arbiter.Leagues.Archive(ctx, by, id, starts)
	})
}

func (s pages) warn(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.Warn(ctx, by, id, c.FormValue("warned"), c.FormValue("reason"))
	})
}

func sanctionOf(c echo.Context) league.SanctionID {
	n, _ := strconv.Atoi(c.Param("no")) // the rulebook refuses 0
	return league.SanctionID(n)
}

func (s pages) appeal(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.Appeal(ctx, by, id, sanctionOf(c), c.FormValue("text"))
	})
}

func (s pages) decide(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.DecideAppeal(ctx, by, id, sanctionOf(c), c.FormValue("lift") == "yes", c.FormValue("text"))
	})
}

// form is the form of a new league.
func (s pages) form(c echo.Context) error {
	return s.showNew(c, club.ID(c.QueryParam("club")), written{league.DefaultSettings(), s.Now().Add(7*24*time.Hour + time.Hour).Truncate(time.Hour), nil})
}

// written is what stands in the form of a league: settings, when the season starts, and why they were refused, if they were.
type written struct {
	set     league.Settings
	starts  time.Time
	refused error
}

func (s pages) showNew(c echo.Context, id club.ID, w written) error {
	p := s.Printer(c)
	view := leagueview.LeagueFormView{Title: p.T("league.new"), What: p.T("league.what"), Action: "/leagues", Club: string(id),
		Do: p.T("league.create"), Cancel: words.ClubURL(id)}
	view.Starts, view.None = p.T("league.form.starts"), p.T("league.form.like-none")
	return s.showForm(c, view, id, w)
}

// settings is the same form of a league that there is.
func (s pages) settings(c echo.Context) error {
	l, err := s.leagueOf(c)
	if err != nil {
		return err
	}
	return s.showSettings(c, l, written{l.Settings, l.Now().Starts, nil})
}

func (s pages) leagueOf(c echo.Context) (*league.League, error) {
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (*league.League, error) { return tx.League(league.ID(c.Param("id"))) })
}

func (s pages) showSettings(c echo.Context, l *league.League, w written) error {
	page.SetShown(c, page.ShownBefore(c, l.Version))
	p := s.Printer(c)
	url := words.LeagueURL(l.ID)
	view := leagueview.LeagueFormView{Title: p.T("league.settings"), What: p.T("league.settings-what"), Action: url + "/settings",
		Do: p.T("core.save"), Cancel: url}
	view.None = p.T("league.form.like-now")
	if l.Now().State == league.Open {
		view.Starts = p.T("league.form.this")
	}
	return s.showForm(c, view, l.Club, w)
}

// showForm completes and shows the form of a league of a club.
func (s pages) showForm(c echo.Context, view leagueview.LeagueFormView, of club.ID, w written) error {
	p, v, set := s.Printer(c), page.Viewer(c), w.set
	status, why := page.RefusalStatus(p, w.refused)
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if _, err := tx.Club(of); err != nil {
			return err
		}
		me, err := leagues.ActorOf(tx, v, of)
		if err != nil {
			return err
		}
		if !me.Directs {
			return league.ErrNotAllowed
		}
		lines, _, err := tx.Tournaments(store.TournamentQuery{Club: of, Whole: true, Limit: page.Size})
		view.Like = []templates.Choice{{Text: view.None}}
		for _, t := range lines {
			view.Like = append(view.Like, templates.Choice{Value: string(t.ID), Text: p.Event(t.Name), Chosen: c.FormValue("like") == string(t.ID)})
		}
		return err
	})
	if err != nil {
		return err
	}
	number := func(name string, value int) templates.Field {
		return templates.Field{Name: name, Type: "number", Label: p.T("league.form." + name), Value: words.Itoa(value), Required: true}
	}
	tick := func(name, label string, isOn bool) templates.Field {
		f := templates.Field{Name: name, Type: "checkbox", Label: p.T(label)}
		if isOn {
			f.Value = "on"
		}
		return f
	}
	movers := number("movers", set.Movers)
	movers.Hint = p.T("league.form.movers-hint")
	boards := number("boards", cmp.Or(set.Division.Teams.Boards, usualBoards))
	boards.Hint = p.T("league.form.boards-hint")
	days, letterDays := set.Division.Window, usualLetters
	if set.Division.Pace == tournament.Correspondence {
		days, letterDays = league.DefaultSettings().Division.Window, days
	}
	fields := []templates.Field{
		{Name: "name", Label: p.T("league.form.name"), Value: set.Name, Required: true, Max: 80},
		{Name: "about", Type: "textarea", Label: p.T("league.rules"), Value: set.About, Max: tournament.MaxAboutLength},
	}
	if view.Starts != "" {
		fields = append(fields, templates.Field{Name: "starts", Type: "datetime-local", Label: view.Starts,
			Value: civil.Pick(w.starts, p.Zone), Hint: p.T("core.in-zone", "Zone", p.Zone.String()), Required: true})
	}
	view.Parts = []leagueview.FormPart{
		{Fields: fields},
		{Legend: p.T("league.form.play"), Fields: []templates.Field{
			{Name: "play", Type: "radio", Choices: choices(p, "league.form.play-", playOf(set), playAsks)},
			number("days", int(days/day)), tick("drawUnmet", "tournament.form.draw-unmet", set.Division.DrawUnmet),
			number("moveDays", int(cmp.Or(set.Division.BidTime, usualMove)/day)), number("letterDays", int(letterDays/day)),
			boards, number("reserves", set.Division.Teams.Reserves)}},
		{Legend: p.T("league.form.meet"), Fields: []templates.Field{
			{Name: "meet", Type: "radio", Choices: choices(p, "league.form.meet-", meetOf(set), meetAsks)},
			number("rounds", cmp.Or(set.Division.Rounds, usualRounds))}},
		{Legend: p.T("league.form.sizes"), Fields: []templates.Field{
			number("usual", set.Usual), number("least", set.Least), number("most", set.Most), movers, tick("playOff", "league.form.playOff", set.PlayOff)}},
	}
	said := func(name, text string) bool {
		for _, part := range view.Parts {
			for i := range part.Fields {
				if part.Fields[i].Name == name {
					part.Fields[i].Error = text
					return true
				}
			}
		}
		return false
	}
	for name, of := range map[string]error{"name": league.ErrName, "about": league.ErrRules, "starts": league.ErrStarts, "usual": league.ErrSizes,
		"movers": league.ErrMovers, "playOff": league.ErrPlayOffs, "rounds": league.ErrRounds} {
		if errors.Is(w.refused, of) && said(name, why) {
			why = ""
		}
	}
	for _, fault := range words.ProblemsOf(w.refused) { // of the event that a division is
		field := fieldOf[fault.Field]
		if field == "days" && set.Division.Pace == tournament.Correspondence {
			field = "letterDays"
		}
		if text := form.ProblemText(p, fault); said(field, text) {
			why = ""
		} else {
			why = text
		}
	}
	view.Problem = why
	sh := s.Shell(c, view.Title)
	sh.Section, sh.Styles = "leagues", []string{"ladder.css"}
	return s.Render(c, status, leagueview.LeagueFormPage(sh, view))
}

// fieldOf is the field of the form for a setting of the event that a division is.
var fieldOf = map[string]string{"window": "days", "bidTime": "moveDays", "rounds": "rounds", "drawUnmet": "drawUnmet"}

// What the form offers for what a league does not have yet.
const (
	day          = 24 * time.Hour
	usualMove    = 3 * day
	usualLetters = 60 * day // a match of twenty moves each, answered at once as often as not
	usualBoards  = 4
	usualRounds  = 3 // what a division of the least usual size has opponents for
)

// How the matches of a league are played, and who meets whom, each with the fields that it asks for.
var (
	playAsks = []asked{{"times", "days drawUnmet"}, {"letters", "moveDays letterDays"}, {"teams", "days boards reserves"}}
	meetAsks = []asked{{"once", ""}, {"twice", ""}, {"swiss", "rounds"}}
)

// asked is an answer to a question, and the names of the fields that go with it.
type asked struct{ value, fields string }

// choices are the answers to a question, their texts keyed by their values.
func choices(p lang.Printer, texts, chosen string, list []asked) (all []templates.Choice) {
	for _, a := range list {
		all = append(all, templates.Choice{Value: a.value, Text: p.T(texts + a.value), Chosen: a.value == chosen, Asks: a.fields})
	}
	return all
}

func playOf(set league.Settings) string {
	switch {
	case set.Division.HasTeams():
		return "teams"
	case set.Division.Pace == tournament.Correspondence:
		return "letters"
	}
	return "times"
}

func meetOf(set league.Settings) string {
	switch {
	case set.Division.Rounds > 0:
		return "swiss"
	case set.Division.Double:
		return "twice"
	}
	return "once"
}

// formed reads the form into settings; starts is what it says of the start, zero without such a field.
func (s pages) formed(c echo.Context, set *league.Settings, before time.Time) (starts time.Time, err error) {
	set.Name, set.About = c.FormValue("name"), c.FormValue("about")
	var days, rounds, moveDays, letterDays, boards, reserves int
	for name, value := range map[string]*int{"usual": &set.Usual, "least": &set.Least, "most": &set.Most, "movers": &set.Movers, "days": &days,
		"rounds": &rounds, "moveDays": &moveDays, "letterDays": &letterDays, "boards": &boards, "reserves": &reserves} {
		if *value, err = strconv.Atoi(c.FormValue(name)); err != nil {
			return starts, page.ErrBadRequest
		}
	}
	play, meet := c.FormValue("play"), c.FormValue("meet")
	if play != "letters" {
		moveDays = 0
	} else {
		days, moveDays = letterDays, max(1, moveDays)
	}
	if play != "teams" {
		boards, reserves = 0, 0
	} else {
		boards = max(1, boards)
	}
	if meet != "swiss" {
		rounds = 0
	} else {
		rounds = max(1, rounds)
	}
	set.PlayOff, set.Division.Double, set.Division.DrawUnmet = c.FormValue("playOff") != "", meet == "twice", c.FormValue("drawUnmet") != ""
	set.Division.Window = time.Duration(days) * day
	set.Play(rounds, time.Duration(moveDays)*day)
	set.PlayIn(boards, reserves)
	if text := c.FormValue("starts"); text != "" {
		if starts, err = civil.Read(text, s.Printer(c).Zone, []time.Time{before}, s.Now()); err != nil {
			return starts, page.ErrBadRequest
		}
	}
	return starts, nil
}

func (s pages) create(c echo.Context) error {
	set, of := league.DefaultSettings(), club.ID(c.FormValue("club"))
	starts, err := s.formed(c, &set, time.Time{})
	if err != nil {
		return err
	}
	id, err := s.Arbiter.Leagues.Create(c.Request().Context(), page.Viewer(c), of, set, tournament.ID(c.FormValue("like")), starts)
	if _, isTold := page.InPlace(err, http.StatusNotFound, http.StatusForbidden); isTold {
		return s.showNew(c, of, written{set, starts, err})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.LeagueURL(id), "flash.saved")
}

func (s pages) change(c echo.Context) error {
	var w written
	err := s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.Change(ctx, by, id, tournament.ID(c.FormValue("like")), func(set *league.Settings, starts *time.Time) error {
			read, err := s.formed(c, set, *starts)
			if !read.IsZero() {
				*starts = read
			}
			w.set, w.starts = *set, *starts
			return err
		})
	})
	if _, isTold := page.InPlace(err, http.StatusBadRequest, http.StatusNotFound, http.StatusForbidden); !isTold {
		return err
	}
	l, readErr := s.leagueOf(c)
	if readErr != nil {
		return readErr
	}
	w.refused = err
	return s.showSettings(c, l, w)
}

// facts is a league with what its page shows of it.
type facts struct {
	league *league.League
	club   club.Club
	me     league.Actor
	who    map[player.ID]player.Player
	events map[tournament.ID]*tournament.Tournament
	log    []league.Event
}

// clocks returns the printer for what happens by the clocks of the divisions: they name their zone where the reader's show another time.
func (f facts) clocks(p lang.Printer) lang.Printer {
	return p.Of(civil.Zone(f.league.Settings.Division.Zone))
}

// mostLog limits the log on a league's page.
const mostLog = 50

func (s pages) read(c echo.Context, seasons ...int) (f facts, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if f.league, err = tx.League(league.ID(c.Param("id"))); err != nil {
			return err
		}
		l := f.league
		if f.club, err = tx.Club(l.Club); err != nil {
			return err
		}
		if f.me, err = leagues.ActorOf(tx, page.Viewer(c), l.Club); err != nil {
			return err
		}
		if f.log, err = tx.LeagueLog(l.ID, mostLog); err != nil {
			return err
		}
		shown := []*league.Season{l.Now()}
		for _, n := range seasons {
			if n < 1 || n > len(l.Seasons) {
				return store.ErrNotFound
			}
			shown = append(shown, &l.Seasons[n-1])
		}
		f.events = map[tournament.ID]*tournament.Tournament{}
		ids := map[player.ID]bool{}
		for _, x := range shown {
			for _, m := range x.In {
				ids[player.ID(m.Member)] = true
			}
			for _, a := range x.Bench.Alternates {
				ids[player.ID(a.Member)] = true
			}
			for _, t := range x.Tables {
				for _, r := range t {
					ids[player.ID(r.Member)] = true
				}
			}
			for _, d := range x.Divisions {
				if f.events[d.Tournament], err = tx.Tournament(d.Tournament); err != nil {
					return err
				}
			}
			for _, id := range x.Decided {
				if f.events[id], err = tx.Tournament(id); err != nil {
					return err
				}
			}
		}
		held := func(id tournament.ID) (*tournament.Tournament, error) { return f.events[id], nil }
		if err := leagues.KeepTeams(l, held); err != nil {
			return err
		}
		for _, x := range l.Sanctions {
			ids[player.ID(x.Member)] = true
		}
		for _, t := range l.Teams {
			for _, id := range peopleOf(t) {
				ids[id] = true
			}
		}
		for _, e := range f.log {
			ids[e.By], ids[player.ID(e.Member)] = true, true
		}
		delete(ids, "")
		var list []player.ID
		for id := range ids {
			list = append(list, id)
		}
		f.who, err = tx.Players(list...)
		return err
	})
	return f, err
}

func (f facts) name(m league.Member) string {
	if t := f.league.Team(m); t != nil {
		return t.Name
	}
	return string(f.who[player.ID(m)].Handle)
}

// link leads to somebody of the league: a player, or a team.
func (f facts) link(m league.Member) templates.Link {
	if m.IsTeam() {
		return templates.Link{Text: f.name(m), URL: teamURL(f.league.ID, m)}
	}
	return templates.Link{Text: f.name(m), URL: words.PlayerURL(f.who[player.ID(m)].Handle)}
}

func (s pages) league(c echo.Context) error {
	return s.show(c, http.StatusOK, func(*leagueview.LeagueView) {})
}

// show renders the page of a league, after a change of its view.
func (s pages) show(c echo.Context, status int, change func(*leagueview.LeagueView)) error {
	f, err := s.read(c)
	if err != nil {
		return err
	}
	view, err := s.view(c, f)
	if err != nil {
		return err
	}
	change(&view)
	page.SetShown(c, f.league.Version)
	sh := s.Shell(c, view.Name)
	sh.Section, sh.Styles = "leagues", []string{"ladder.css"}
	return s.Render(c, status, leagueview.LeaguePage(sh, view))
}

func (s pages) season(c echo.Context) error {
	n, err := strconv.Atoi(c.Param("season"))
	if err != nil {
		return store.ErrNotFound
	}
	f, err := s.read(c, n)
	if err != nil {
		return err
	}
	p, l := s.Printer(c), f.league
	x := &l.Seasons[n-1]
	view := leagueview.SeasonView{Title: p.T("league.season", "N", n), League: templates.Link{Text: l.Settings.Name, URL: words.LeagueURL(l.ID)},
		When: p.T("league.starts", "When", f.clocks(p).When(x.Starts))}
	who := whoText(p, f)
	moves := l.Movements(x)
	for i := range x.Divisions {
		card, err := s.divisionCard(c, f, x, i, moves)
		if err != nil {
			return err
		}
		card.Who = who
		view.Divisions = append(view.Divisions, card)
	}
	for _, o := range x.PlayOffs {
		view.PlayOffs = append(view.PlayOffs, p.T("league.play-off-won", "First", f.name(o.Stays), "Second", f.name(o.Rises), "Winner", f.name(o.Winner)))
	}
	sh := s.Shell(c, view.Title+" · "+l.Settings.Name)
	sh.Section, sh.Styles = "leagues", []string{"ladder.css"}
	return s.Render(c, http.StatusOK, leagueview.SeasonPage(sh, view))
}
