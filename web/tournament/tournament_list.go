package tournament

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// tournamentTabs are the lists of tournaments by status.
var tournamentTabs = []struct {
	word     string
	statuses []tournament.Status
}{
	{"all", nil},
	{"running", []tournament.Status{tournament.Running}},
	{"registration", []tournament.Status{tournament.Registration}},
	{"finished", []tournament.Status{tournament.Finished, tournament.Finalized}},
}

// Limits: tournaments in a month, tournaments checked for being open to the viewer, and clubs in the filter.
const (
	mostOfMonth = 400
	mostAsked   = 400
	mostClubs   = 60
)

// filterNames are the query parameters that narrow the list.
var filterNames = []string{"q", "format", "club", "open", "near"}

// tournamentFilter is what the address asks for.
type tournamentFilter struct {
	store.TournamentQuery
	which      string
	open, near bool
	month      time.Time // of the calendar; zero: the list
}

func (s pages) tournamentFilter(c echo.Context) tournamentFilter {
	p, v := s.Printer(c), page.Viewer(c)
	f := tournamentFilter{which: words.Shorten(c.QueryParam("status"), 20)}
	f.TournamentQuery = store.TournamentQuery{
		Search: words.Shorten(c.QueryParam("q"), 60), Club: club.ID(words.Shorten(c.QueryParam("club"), 40)), Drafts: v.ID,
		AllDrafts: v.MayOperate(), Whole: true,
		Limit: page.Size, Offset: (page.Number(c) - 1) * page.Size,
	}
	f.Format, _ = tournament.ParseFormat(c.QueryParam("format")) // any other word: any format
	f.open, f.near = v.HasAccount() && c.QueryParam("open") != "", v.HasAccount() && c.QueryParam("near") != ""
	for _, tab := range tournamentTabs {
		if tab.word == f.which {
			f.Statuses = tab.statuses
		}
	}
	if f.which == "mine" && v.IsSignedIn() {
		f.Player = v.ID
	}
	if f.open {
		f.Statuses, f.Limit, f.Offset = []tournament.Status{tournament.Registration}, mostAsked, 0
	}
	if c.QueryParam("view") == "calendar" {
		var err error
		if f.month, err = civil.ReadDay(c.QueryParam("month")+"-01", p.Zone); err != nil {
			y, m, _ := s.Now().In(p.Zone).Date()
			f.month = time.Date(y, m, 1, 0, 0, 0, 0, p.Zone)
		}
		f.month = f.month.In(p.Zone)
		f.From, f.To, f.Limit, f.Offset = f.month, f.month.AddDate(0, 1, 0), mostOfMonth, 0
	}
	return f
}

// here returns the address of the list with some query parameters changed; an empty value removes one.
func here(c echo.Context, pairs ...string) string {
	q := c.Request().URL.Query()
	q.Del("page")
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Del(pairs[i])
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	for name, values := range q {
		if len(values) == 1 && values[0] == "" {
			q.Del(name)
		}
	}
	if len(q) == 0 {
		return c.Request().URL.Path
	}
	return c.Request().URL.Path + "?" + q.Encode()
}

func (s pages) tournaments(c echo.Context) error {
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	f := s.tournamentFilter(c)
	view := tournamentview.TournamentsView{MayCreate: s.MayHold(c) == nil,
		Filters: tournamentview.TournamentFilters{Search: f.Search, Mine: v.HasAccount(), Open: f.open, Near: f.near}}
	var lines []store.TournamentLine
	var total int
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if view.Filters.Clubs, err = clubChoices(tx, p, f.Club); err != nil {
			return err
		}
		lines, total, err = listTournaments(tx, v, &f, now)
		return err
	})
	if err != nil {
		return err
	}
	fillTournamentTabs(c, p, v, f, &view)
	switch {
	case !f.month.IsZero():
		view.Month = monthView(c, p, f.month, lines, now)
	case f.open:
		total = len(lines)
		from := min((page.Number(c)-1)*page.Size, total)
		lines = lines[from:min(from+page.Size, total)]
	}
	for _, l := range lines {
		view.Lines = append(view.Lines, words.TournamentLine(p, l, now))
	}
	view.Paging = page.Paging(c, total)
	sh := s.Shell(c, p.T("core.nav.tournaments"))
	sh.Section, sh.Styles = "tournaments", []string{"tournament.css"}
	return s.Render(c, http.StatusOK, tournamentview.TournamentsPage(sh, view))
}

// listTournaments returns the tournaments that pass the filter.
func listTournaments(tx *store.Tx, v player.Viewer, f *tournamentFilter, now time.Time) ([]store.TournamentLine, int, error) {
	var me tournament.Candidate
	if f.open || f.near {
		list, err := entries.Candidates(tx, now, v.Player)
		if err != nil {
			return nil, 0, err
		}
		me = list[0]
	}
	if f.near {
		f.TournamentQuery.Near = me.Rating
	}
	lines, total, err := tx.Tournaments(f.TournamentQuery)
	if err != nil || !f.open {
		return lines, total, err
	}
	lines = slices.DeleteFunc(lines, func(l store.TournamentLine) bool { return !l.Event.OpenTo(me, l.Entries, now) })
	return lines, len(lines), nil
}

func clubChoices(tx *store.Tx, p lang.Printer, chosen club.ID) ([]templates.Choice, error) {
	list := []templates.Choice{{Text: p.T("list.any-club")}}
	clubs, err := tx.HostingClubs(mostClubs)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(clubs, func(a, b club.Club) int { return p.Compare(a.Name, b.Name) })
	for _, x := range clubs {
		list = append(list, templates.Choice{Value: string(x.ID), Text: x.Name, Chosen: x.ID == chosen})
	}
	return list, nil
}

func fillTournamentTabs(c echo.Context, p lang.Printer, v player.Viewer, f tournamentFilter, view *tournamentview.TournamentsView) {
	tab := func(word, status string) {
		view.Tabs = append(view.Tabs, templates.TabLink{Text: p.T("tournament.tab." + word), URL: here(c, "status", status),
			Current: f.which == status})
	}
	for i, t := range tournamentTabs {
		if i == 0 {
			tab(t.word, "")
		} else {
			tab(t.word, t.word)
		}
	}
	if v.IsSignedIn() {
		tab("mine", "mine")
	}
	view.Views = []templates.TabLink{
		{Text: p.T("list.as-list"), URL: here(c, "view", "", "month", ""), Current: f.month.IsZero()},
		{Text: p.T("list.as-calendar"), URL: here(c, "view", "calendar"), Current: !f.month.IsZero()},
	}
	filters := &view.Filters
	filters.Formats = []templates.Choice{{Text: p.T("list.any-format")}}
	for _, format := range tournament.Formats() {
		filters.Formats = append(filters.Formats, templates.Choice{Value: format.String(), Text: p.T("tournament.format." + format.String()),
			Chosen: format == f.Format})
	}
	for _, name := range []string{"status", "view", "month"} {
		if value := c.QueryParam(name); value != "" {
			filters.Kept = append(filters.Kept, templates.Choice{Text: name, Value: words.Shorten(value, 20)})
		}
	}
	fillFiltersOn(c, p, f, filters)
}

// fillFiltersOn lists the active filters, with links that remove one or all.
func fillFiltersOn(c echo.Context, p lang.Printer, f tournamentFilter, filters *tournamentview.TournamentFilters) {
	chosen := func(list []templates.Choice) string {
		for _, o := range list[1:] {
			if o.Chosen {
				return o.Text
			}
		}
		return ""
	}
	said := map[string]string{"format": chosen(filters.Formats), "club": chosen(filters.Clubs)}
	if f.Search != "" {
		said["q"] = p.T("list.searched", "Words", f.Search)
	}
	if f.open {
		said["open"] = p.T("list.open")
	}
	if f.near {
		said["near"] = p.T("list.near")
	}
	var nothing []string
	for _, name := range filterNames {
		nothing = append(nothing, name, "")
		if said[name] != "" {
			filters.On = append(filters.On, templates.TabLink{Text: said[name], URL: here(c, name, "")})
		}
	}
	if cleared := here(c, nothing...); cleared != here(c) {
		filters.Clear = cleared
	}
}

// monthView renders a month in weeks from Monday to Sunday.
func monthView(c echo.Context, p lang.Printer, month time.Time, lines []store.TournamentLine, now time.Time) *tournamentview.MonthView {
	at := func(m time.Time) string { return here(c, "view", "calendar", "month", m.Format("2006-01")) }
	m := &tournamentview.MonthView{
		Title:   p.T("list.month", "Month", p.T("list.month."+words.Itoa(int(month.Month()))), "Year", month.Year()),
		Earlier: at(month.AddDate(0, -1, 0)), Later: at(month.AddDate(0, 1, 0)), Empty: len(lines) == 0,
	}
	for i := range 7 {
		m.Days = append(m.Days, p.T("list.day."+words.Itoa((i+1)%7)))
	}
	byDay := map[int][]tournamentview.MonthEvent{}
	for _, l := range lines {
		d := l.StartsAt.In(p.Zone).Day()
		byDay[d] = append(byDay[d], tournamentview.MonthEvent{Time: p.Clock(l.StartsAt), Name: p.Event(l.Name), URL: words.TournamentURL(l.ID),
			StatusWord: l.Status.String()})
	}
	first := month.AddDate(0, 0, -(int(month.Weekday())+6)%7)
	for day := first; day.Before(month.AddDate(0, 1, 0)); day = day.AddDate(0, 0, 7) {
		week := make([]tournamentview.MonthDay, 7)
		for i := range week {
			if d := day.AddDate(0, 0, i); d.Month() == month.Month() {
				week[i] = tournamentview.MonthDay{
					Number: words.Itoa(d.Day()), Stamp: d.Format(time.DateOnly), Events: byDay[d.Day()],
					IsToday: d.Format(time.DateOnly) == now.In(p.Zone).Format(time.DateOnly),
				}
			}
		}
		m.Weeks = append(m.Weeks, week)
	}
	return m
}
