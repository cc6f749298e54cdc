package tournament

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) daysRoutes() []page.Route {
	return []page.Route{page.Get("/tournaments/:id/days", s.days, page.SignedIn)}
}

func (s api) daysOperations() []*page.Operation {
	return []*page.Operation{page.Op("GET /tournaments/{id}/days", player.ScopeRead, s.days, "Who cannot play when",
		"By player and round. Arbiters see everybody, captains their team, players themselves and those with whom they arrange a match.")}
}

// window is a round with the moments between which its matches can start.
type window struct {
	round    int
	from, to time.Time
}

// windowsOf returns the rounds that are not over, as far as their time is known.
func windowsOf(t *tournament.Tournament, now time.Time) (list []window) {
	for n := 1; n <= t.Settings.Rounds; n++ {
		if from, to, known := t.WindowOf(n); known && !to.Before(now) {
			list = append(list, window{n, from, to})
		}
	}
	return list
}

// whoseDays returns the entries whose days the viewer may see, in their order.
func whoseDays(t *tournament.Tournament, v player.Viewer) (list []tournament.Entry) {
	others := map[tournament.EntryID]bool{}
	if me, plays := t.EntryOf(v.ID); plays {
		others[me.ID] = true
		for _, x := range t.FixturesOf(me.ID) {
			others[x.EntryAt(x.SeatOf(me.ID).Other())] = true
		}
	}
	all := t.May(v, tournament.ActExtend)
	for _, e := range t.Players() {
		if e.Player != "" && e.Status == tournament.Active && (all || others[e.ID] || e.Team != 0 && t.IsCaptain(v, e.Team)) {
			list = append(list, e)
		}
	}
	return list
}

// readDays returns the days off of entries.
func (s pages) readDays(c echo.Context, list []tournament.Entry) (days map[player.ID]fixture.DaysOff, err error) {
	var ids []player.ID
	for _, e := range list {
		ids = append(ids, e.Player)
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		days, err = s.Arbiter.DaysOff(tx, ids...)
		return err
	})
	return days, err
}

// days shows a grid of rounds and players.
func (s pages) days(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	list := whoseDays(t, v)
	days, err := s.readDays(c, list)
	if err != nil {
		return err
	}
	view := tournamentview.DaysView{Head: s.TournamentHead(c, t, "/days"), Apart: apart(p, t, days, now)}
	windows := windowsOf(t, now)
	for _, w := range windows {
		span := p.WeekDay(w.from)
		if p.Day(w.from) != p.Day(w.to) {
			span += " – " + p.WeekDay(w.to)
		}
		view.Rounds = append(view.Rounds, tournamentview.DaysRound{Title: words.RoundTitle(p, t, w.round), Days: span})
	}
	for _, e := range list {
		row := tournamentview.DaysRow{Player: templates.Link{Text: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID)}, IsMine: v.Is(e.Player)}
		if team, err := t.Entry(e.Team); e.Team != 0 && err == nil {
			row.Team = words.EntryName(p, team)
		}
		for _, w := range windows {
			row.Cells = append(row.Cells, daysCell(p, w, days[e.Player], now))
		}
		view.Rows = append(view.Rows, row)
	}
	sh := s.TournamentShell(c, t, p.T("days.grid"), "")
	sh.Styles = append(sh.Styles, "ladder.css")
	return s.Render(c, http.StatusOK, tournamentview.DaysPage(sh, view))
}

// daysCell is what is left of a window to somebody.
func daysCell(p lang.Printer, w window, off fixture.DaysOff, now time.Time) (cell tournamentview.DaysCell) {
	from := w.from
	if from.Before(now) && !w.to.Equal(w.from) {
		from = now
	}
	var names []string
	for at := range fixture.Evenings(from, w.to, p.Zone) {
		isOff := off.Has(at)
		cell.Days = append(cell.Days, isOff)
		if isOff {
			names = append(names, p.WeekDay(at))
		}
	}
	cell.All = len(names) == len(cell.Days)
	switch {
	case cell.All:
		cell.Text = p.T("days.cell-all")
	case len(names) > 0:
		cell.Text = p.T("days.cell-not", "Days", strings.Join(names, ", "))
	}
	return cell
}

// apart returns the boards that have no time and whose players, both known here, have no day left in common.
func apart(p lang.Printer, t *tournament.Tournament, days map[player.ID]fixture.DaysOff, now time.Time) (list []templates.Link) {
	for _, x := range t.FixturesOf(0) {
		if x.Fixture.Status != fixture.Arranging {
			continue
		}
		first, err1 := t.Entry(x.First)
		second, err2 := t.Entry(x.Second)
		a, knownA := days[first.Player]
		b, knownB := days[second.Player]
		if err1 == nil && err2 == nil && knownA && knownB && fixture.Meet(now, x.Fixture.PlayBy, a, b).IsZero() {
			list = append(list, templates.Link{URL: words.FixtureURL(t.ID, x.Round, x.Board), Text: words.RoundTitle(p, t, x.Round) + ": " +
				words.EntryName(p, first) + " – " + words.EntryName(p, second)})
		}
	}
	return list
}

type (
	apiRoundDays struct {
		Round int       `json:"round" doc:"the round" example:"2"`
		From  time.Time `json:"from" doc:"when its matches can first start"`
		To    time.Time `json:"to" doc:"the last possible start"`
	}
	apiPlayerDays struct {
		Player player.Handle `json:"player" doc:"who" example:"borys"`
		Zone   string        `json:"zone" doc:"by whose clocks the days are" example:"Europe/Kyiv"`
		Off    []string      `json:"off" doc:"days on which they cannot play, YYYY-MM-DD" example:"[\"2026-12-24\"]"`
	}
	apiEventDays struct {
		Rounds  []apiRoundDays  `json:"rounds" doc:"those that are not over and whose time is known"`
		Players []apiPlayerDays `json:"players" doc:"those whose days the caller may see, by number"`
	}
)

func (s api) days(c echo.Context, _ event.TournamentPath) (out apiEventDays, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	out = apiEventDays{Rounds: []apiRoundDays{}, Players: []apiPlayerDays{}}
	for _, w := range windowsOf(t, s.Now()) {
		out.Rounds = append(out.Rounds, apiRoundDays{w.round, w.from, w.to})
	}
	list := whoseDays(t, page.Viewer(c))
	days, err := pages(s).readDays(c, list)
	if err != nil {
		return out, err
	}
	var ids []player.ID
	for _, e := range list {
		ids = append(ids, e.Player)
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		who, err := tx.Players(ids...)
		for _, id := range ids {
			out.Players = append(out.Players, apiPlayerDays{who[id].Handle, days[id].Zone.String(), append([]string{}, days[id].Days...)})
		}
		return err
	})
	return out, err
}
