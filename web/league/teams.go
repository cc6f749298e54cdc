package league

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	leagueview "chpok.org/chpok/templates/league"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// teamURL returns the page of a team of a league.
func teamURL(id league.ID, m league.Member) string {
	return words.LeagueURL(id) + "/teams/" + strings.TrimPrefix(string(m), "#")
}

// teamOf reads the team of the address; empty: a new one.
func teamOf(c echo.Context) league.Member {
	if n := c.Param("no"); n != "" && n != "new" {
		return league.Member("#" + n)
	}
	return ""
}

// whoOf reads for which team of a form somebody acts; empty: for themselves.
func whoOf(c echo.Context) string { return c.FormValue("who") }

// team is the page of a team, or the form of a new one.
func (s pages) team(c echo.Context) error { return s.showTeam(c, nil, nil) }

func (s pages) saveTeam(c echo.Context) error {
	id, who := league.ID(c.Param("id")), teamOf(c)
	w := leagues.Team{Name: c.FormValue("name"), Club: club.ID(c.FormValue("club")), Captains: handlesIn(c.FormValue("captains")),
		Players: handlesIn(c.FormValue("players"))}
	saved, err := s.Arbiter.Leagues.SaveTeam(c.Request().Context(), page.Viewer(c), id, who, w)
	if _, isTold := page.InPlace(err, http.StatusNotFound, http.StatusForbidden); isTold {
		return s.showTeam(c, &w, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, teamURL(id, saved), "flash.saved")
}

// handlesIn reads handles as people write lists of them.
func handlesIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\n\r\t", r) })
}

func (s pages) decline(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id league.ID) error {
		return s.Arbiter.Leagues.Decline(ctx, by, id, teamOf(c))
	})
}

// showTeam shows a team, with the form for those who change it; what stood in the form and why it was refused, if it was.
func (s pages) showTeam(c echo.Context, w *leagues.Team, refused error) error {
	f, err := s.read(c)
	if err != nil {
		return err
	}
	p, v, l := s.Printer(c), page.Viewer(c), f.league
	page.SetShown(c, page.ShownBefore(c, l.Version))
	who := teamOf(c)
	t, x := l.Team(who), l.Now()
	isNew := who == ""
	switch {
	case t == nil && !isNew:
		return store.ErrNotFound
	case isNew && (!l.HasTeams() || x.State != league.Open && x.State != league.Placed):
		return league.ErrNotNow
	case isNew:
		t = &league.Team{}
	}
	view := leagueview.TeamView{Title: cmp.Or(t.Name, p.T("teams.enter")), URL: teamURL(l.ID, who), Do: p.T("core.save"), IsNew: isNew,
		League: templates.Link{Text: l.Settings.Name, URL: words.LeagueURL(l.ID)}}
	if isNew {
		view.URL, view.Do = words.LeagueURL(l.ID)+"/teams", p.T("teams.enter.do")
	} else {
		f.describe(p, v, t, &view)
		view.Offers = slices.DeleteFunc(offersOf(p, f, s.Now()), func(o leagueview.Offer) bool { return o.Who != string(who) })
	}
	if d := x.DivisionOf(who); d == 0 && (isNew || l.Speaks(f.me, who) || f.me.Directs) {
		status, why := page.RefusalStatus(p, refused)
		now := leagues.Team{Name: t.Name}
		for _, id := range t.Captains {
			now.Captains = append(now.Captains, string(f.who[id].Handle))
		}
		for _, m := range t.Players {
			now.Players = append(now.Players, string(f.who[m.Player].Handle))
		}
		if isNew && !f.me.Directs {
			now.Captains, now.Players = []string{string(v.Handle)}, []string{string(v.Handle)}
		}
		if w != nil {
			now = *w
		}
		if view.Fields, err = s.teamFields(c, f, isNew, now); err != nil {
			return err
		}
		view.Problem = why
		return s.renderTeam(c, status, view)
	}
	if refused != nil {
		return refused
	}
	return s.renderTeam(c, http.StatusOK, view)
}

func (s pages) renderTeam(c echo.Context, status int, view leagueview.TeamView) error {
	sh := s.Shell(c, view.Title)
	sh.Section, sh.Styles = "leagues", []string{"ladder.css"}
	return s.Render(c, status, leagueview.TeamPage(sh, view))
}

// teamFields are the fields of the form of a team.
func (s pages) teamFields(c echo.Context, f facts, isNew bool, now leagues.Team) ([]templates.Field, error) {
	p, of := s.Printer(c), f.league.Settings.Division.Teams
	fields := []templates.Field{{Name: "name", Label: p.T("teams.name"), Value: now.Name, Max: tournament.MaxNameLength, Required: true, Autocomplete: "off"}}
	if isNew && len(f.me.Names) > 0 {
		clubs := []templates.Choice{{Text: p.T("teams.club-none")}}
		err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
			for _, id := range f.me.Names {
				x, err := tx.Club(id)
				if err != nil {
					return err
				}
				clubs = append(clubs, templates.Choice{Value: string(id), Text: x.Name, Chosen: now.Club == id})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		fields[0].Required = false // without one it has the club's
		fields = append(fields, templates.Field{Name: "club", Type: "select", Label: p.T("teams.club"), Choices: clubs, Hint: p.T("league.team.club-hint")})
	}
	return append(fields,
		templates.Field{Name: "captains", Label: p.T("teams.captains-of"), Value: strings.Join(now.Captains, ", "), Max: 100, Autocomplete: "off", Required: true,
			Hint: p.T("league.team.captains-hint", "Most", tournament.MaxCaptains)},
		templates.Field{Name: "players", Type: "list", Label: p.T("league.team.players"), Value: strings.Join(now.Players, "\n"), Max: 1000,
			Hint: p.T("league.team.players-hint", "Boards", of.Boards, "Most", of.Boards+of.Reserves)}), nil
}

// describe adds who plays for a team, and where.
func (f facts) describe(p lang.Printer, v player.Viewer, t *league.Team, view *leagueview.TeamView) {
	l, who := f.league, t.Member()
	x := l.Now()
	d := x.DivisionOf(who)
	view.State = f.teamState(p, who)
	for _, id := range t.Captains {
		view.Captains = append(view.Captains, templates.Link{Text: string(f.who[id].Handle), URL: words.PlayerURL(f.who[id].Handle)})
	}
	if d == 0 {
		for _, m := range t.Players {
			h := f.who[m.Player].Handle
			view.Players = append(view.Players, templates.Link{Text: string(h), URL: words.PlayerURL(h)})
		}
		view.MayDecline = v.IsSignedIn() && l.TakesPart(who) && t.Has(v.ID)
		return
	}
	// In a division its players are those of its entry there.
	event := f.events[x.Divisions[d-1].Tournament]
	e, entered := x.Divisions[d-1].EntryOf(event, who)
	for _, m := range event.Roster(e.ID) {
		view.Players = append(view.Players, templates.Link{Text: words.EntryName(p, m), URL: words.EntryURL(event.ID, m.ID)})
	}
	if entered {
		view.Event = f.entryLink(p, event, e)
	}
}

// entryLink leads to a team in its division: its captains to where they order boards and hand in line-ups.
func (f facts) entryLink(p lang.Printer, t *tournament.Tournament, e tournament.Entry) templates.Link {
	if slices.Contains(e.Heads(), f.me.Player) && f.me.Player != "" {
		return templates.Link{Text: p.T("teams.players-line-up"), URL: words.TeamURL(t.ID, e.ID)}
	}
	return templates.Link{Text: p.Event(t.Name), URL: words.EntryURL(t.ID, e.ID)}
}

// teamState says how a team stands in the current season.
func (f facts) teamState(p lang.Printer, who league.Member) string {
	l := f.league
	x := l.Now()
	d := x.DivisionOf(who)
	switch {
	case d > 0:
		return p.T("league.team.in-division", "N", d)
	case x.IsIn(who):
		return p.T("league.team.in")
	case l.TakesPart(who):
		return p.T("league.team.waits")
	case l.Level(who) == league.Red:
		return p.T("league.team.sent-off")
	}
	return p.T("league.team.not-in")
}

// mineTeams adds the teams that the viewer acts or plays for, and what they can press for each.
func mineTeams(p lang.Printer, f facts, m *leagueview.Mine) {
	l, x := f.league, f.league.Now()
	isOpen := x.State == league.Open || x.State == league.Placed
	for i := range l.Teams {
		t := &l.Teams[i]
		who := t.Member()
		speaks, plays, takesPart := l.Speaks(f.me, who), l.Side(f.me.Member()) == who, l.TakesPart(who)
		if !plays && !(speaks && (isOpen || takesPart)) { // who plays takes part
			continue
		}
		line := leagueview.MineTeam{Name: t.Name, URL: teamURL(l.ID, who), Who: string(who), State: f.teamState(p, who)}
		d := x.DivisionOf(who)
		if d > 0 {
			event := f.events[x.Divisions[d-1].Tournament]
			if e, entered := x.Divisions[d-1].EntryOf(event, who); entered {
				line.Event = f.entryLink(p, event, e)
			}
		}
		line.MayDecline = plays && d == 0
		if speaks {
			line.MayChange = d == 0
			switch {
			case takesPart && isOpen:
				line.Leave = p.T("league.team.leave")
				if !x.IsIn(who) {
					line.Leave = p.T("league.wait-no-more")
				}
			case !takesPart && isOpen && l.Level(who) < league.Red:
				line.Enter = p.T("league.enter")
				if x.State == league.Placed {
					line.Enter = p.T("league.wait")
				}
			}
			for _, a := range x.Bench.Alternates {
				line.MayStay = line.MayStay || a.Member == who && !a.Asked.IsZero()
			}
		}
		m.Teams = append(m.Teams, line)
	}
	m.MayFound = isOpen && f.me.Player != ""
	switch {
	case f.me.Player == "":
		m.State = p.T("league.you.visitor")
	case len(m.Teams) == 0 && isOpen:
		m.State = p.T("league.team.none-mine")
	case len(m.Teams) == 0:
		m.State = p.T("league.you.not-in")
	}
}
