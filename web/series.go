package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
)

func (s *Server) seriesRoutes() []route {
	return []route{
		{get, "/clubs/:id/series/new", s.newSeriesForm, signedIn},
		{post, "/clubs/:id/series", s.createSeries, signedIn},
		{get, "/clubs/:id/series/:series", s.seriesPage, anyone},
		{get, "/clubs/:id/series/:series/edit", s.editSeriesForm, signedIn},
		{post, "/clubs/:id/series/:series", s.editSeries, signedIn},
		{post, "/clubs/:id/series/:series/skip", s.skipDate, signedIn},
		{post, "/clubs/:id/series/:series/end", s.endSeries, signedIn},
	}
}

func seriesURL(of club.ID, id series.ID) string { return clubURL(of) + "/series/" + string(id) }

// How many dates pages show.
const (
	datesOnClub = 3
	datesAhead  = 8
	datesPast   = 20
)

// weekdays of a form, from Monday on.
var weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

func (s *Server) readSeries(c echo.Context) (x *series.Series, r club.Roster, err error) {
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if x, err = tx.Series(series.ID(c.Param("series"))); err != nil {
			return err
		}
		if string(x.Club) != c.Param("id") {
			return store.ErrNotFound
		}
		r, err = tx.Roster(x.Club)
		return err
	})
	return x, r, err
}

func (s *Server) seriesPage(c echo.Context) error {
	p, v := s.printer(c), viewer(c)
	x, r, err := s.readSeries(c)
	if err != nil {
		return err
	}
	mayRun := r.May(v, club.ActHold)
	card, err := seriesCard(p, x, s.now(), datesAhead)
	if err != nil {
		return err
	}
	view := tournamentview.SeriesView{Card: card, Club: templates.Link{Text: r.Name, URL: clubURL(r.ID)}, MayRun: mayRun && x.Ended.IsZero()}
	for i, d := range view.Card.Dates {
		view.Card.Dates[i].MaySkip = view.MayRun && d.StatusWord == "planned"
		view.Card.Dates[i].MayReturn = view.MayRun && d.StatusWord == "skipped" && series.Day(d.Day) > x.Through
	}
	view.Facts = []templates.TournamentFact{
		{Name: p.T("series.announced"), Value: p.Duration(x.Lead), Hint: p.T("series.lead-fact")},
		{Name: p.T("series.template"), Value: x.Template.Name},
	}
	if x.SelfStart {
		view.Facts = append(view.Facts, templates.TournamentFact{Name: p.T("series.start"), Value: p.T("series.start-fact")})
	}
	past := slices.Clone(x.Dates)
	slices.Reverse(past)
	shown := map[string]bool{}
	for _, d := range card.Dates {
		shown[d.Day] = true
	}
	for _, d := range past {
		if !shown[string(d.Day)] && len(view.Past) < datesPast {
			view.Past = append(view.Past, seriesDate(p, series.Coming{Occurrence: series.Occurrence{Day: d.Day}, Status: d.Status, Tournament: d.Tournament}))
		}
	}
	sh := s.shell(c, x.Name+" · "+r.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css"}
	return s.render(c, http.StatusOK, tournamentview.SeriesPage(sh, view))
}

// seriesCard is a series with its next n dates. Times are told in the zone of
// the series: 19:00 stays 19:00 for everybody who goes there.
func seriesCard(p lang.Printer, x *series.Series, now time.Time, n int) (templates.SeriesCard, error) {
	zone, err := arbiter.SeriesZone(x.Zone)
	if err != nil {
		return templates.SeriesCard{}, err
	}
	p.Zone = zone
	card := templates.SeriesCard{URL: seriesURL(x.Club, x.ID), Name: x.Name, Rule: ruleText(p, x)}
	if !x.Ended.IsZero() {
		card.Ended = p.Date(x.Ended)
	}
	for _, d := range x.Ahead(zone, now, n) {
		card.Dates = append(card.Dates, seriesDate(p, d))
	}
	return card, nil
}

// ruleText is when a series is held, in words.
func ruleText(p lang.Printer, x *series.Series) string {
	var days []string
	for _, d := range weekdays {
		if slices.Contains(x.Weekdays, d) {
			days = append(days, p.T("series.weekday."+itoa(int(d))))
		}
	}
	return p.N("series.rule", x.Every, "Days", strings.Join(days, ", "), "Time", fmt.Sprintf("%02d:%02d", x.Hour, x.Minute), "Zone", x.Zone)
}

func seriesDate(p lang.Printer, d series.Coming) templates.SeriesDate {
	out := templates.SeriesDate{Day: string(d.Day), StatusWord: d.Status.String(), Stamp: string(d.Day)}
	if d.At.IsZero() { // over: the day is enough
		day, _ := time.ParseInLocation(time.DateOnly, string(d.Day), p.Zone)
		out.When = p.Date(day)
	} else {
		out.When, out.Stamp = p.DateTime(d.At), p.Stamp(d.At)
	}
	if d.Status != series.Planned {
		out.Status = p.T("series.status." + d.Status.String())
	}
	if d.Tournament != "" {
		out.Event = tournamentURL(d.Tournament)
	}
	switch d.Clocks {
	case series.Forward:
		out.Clocks = p.T("series.clocks-forward")
	case series.Back:
		out.Clocks = p.T("series.clocks-back")
	}
	return out
}

func (s *Server) newSeriesForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	p := s.printer(c)
	v := url.Values{"every": {"1"}, "time": {"19:00"}, "zone": {p.Zone.String()}, "first": {string(series.DayOf(s.now(), p.Zone))}, "lead": {"72"}, "selfStart": {"on"}}
	return s.showSeriesForm(c, r.Club, "", v, nil)
}

func (s *Server) createSeries(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	v, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	settings, err := readSeriesForm(v)
	var id series.ID
	if err == nil {
		id, err = s.arbiter.CreateSeries(c.Request().Context(), viewer(c), r.ID, settings, tournament.ID(v.Get("template")))
	}
	if isRefusal(err) {
		return s.showSeriesForm(c, r.Club, "", v, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, seriesURL(r.ID, id), "flash.series-created")
}

func (s *Server) editSeriesForm(c echo.Context) error {
	x, r, err := s.readSeries(c)
	if err == nil && !r.May(viewer(c), club.ActHold) {
		err = club.ErrNotAllowed
	}
	if err != nil {
		return err
	}
	v := url.Values{
		"name": {x.Name}, "every": {itoa(x.Every)}, "time": {fmt.Sprintf("%02d:%02d", x.Hour, x.Minute)}, "zone": {x.Zone},
		"first": {string(x.First)}, "lead": {itoa(int(x.Lead / time.Hour))},
	}
	for _, d := range x.Weekdays {
		v.Add("weekdays", itoa(int(d)))
	}
	flag(v, "selfStart", x.SelfStart)
	return s.showSeriesForm(c, r.Club, x.ID, v, nil)
}

func (s *Server) editSeries(c echo.Context) error {
	x, r, err := s.readSeries(c)
	if err != nil {
		return err
	}
	v, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	settings, err := readSeriesForm(v)
	if err == nil {
		err = s.arbiter.ChangeSeries(c.Request().Context(), viewer(c), x.ID, settings, tournament.ID(v.Get("template")))
	}
	if isRefusal(err) && r.May(viewer(c), club.ActHold) {
		return s.showSeriesForm(c, r.Club, x.ID, v, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, seriesURL(r.ID, x.ID), "flash.saved")
}

// readSeriesForm is what was filled in; the errors of what cannot be read are joined.
func readSeriesForm(v url.Values) (series.Settings, error) {
	s := series.Settings{Name: strings.TrimSpace(shorten(v.Get("name"), 200)), Zone: shorten(strings.TrimSpace(v.Get("zone")), 40), SelfStart: v.Get("selfStart") != ""}
	for _, d := range v["weekdays"] {
		s.Weekdays = append(s.Weekdays, time.Weekday(atoiOr(d, -1)))
	}
	s.Every, s.First = atoiOr(v.Get("every"), 0), series.Day(shorten(v.Get("first"), 10))
	s.Lead = time.Duration(max(0, min(atoiOr(v.Get("lead"), 0), 10_000))) * time.Hour
	clock, err := time.Parse("15:04", v.Get("time"))
	if err != nil {
		s.Hour = -1 // named with the other faults
	} else {
		s.Hour, s.Minute = clock.Hour(), clock.Minute()
	}
	_, zoneErr := arbiter.SeriesZone(s.Zone)
	return s, errors.Join(s.Validate(), zoneErr)
}

func (s *Server) showSeriesForm(c echo.Context, of club.Club, id series.ID, v url.Values, refused error) error {
	p := s.printer(c)
	field := func(name, kind string, about ...error) templates.Field {
		f := templates.Field{Name: name, Label: p.T("series." + name), Value: shorten(v.Get(name), 200), Type: kind, Required: true, Autocomplete: "off", Error: s.formError(c, refused, about...)}
		if key := "series." + name + "-hint"; p.Has(key) {
			f.Hint = p.T(key)
		}
		return f
	}
	view := tournamentview.SeriesForm{
		Club: templates.Link{Text: of.Name, URL: clubURL(of.ID)}, Action: clubURL(of.ID) + "/series", Title: p.T("series.new"),
		Name: field("name", "", series.ErrName), Time: field("time", "time", series.ErrClock), Zone: field("zone", "", series.ErrZone),
		First: field("first", "date", series.ErrDay), Lead: field("lead", "number", series.ErrLead),
		WeekdaysError: s.formError(c, refused, series.ErrWeekdays), TemplateError: s.formError(c, refused, series.ErrTemplate, series.ErrClubMatch), SelfStart: v.Get("selfStart") != "",
	}
	view.Name.Max = series.MaxName
	if id != "" {
		view.Action, view.Title, view.End = seriesURL(of.ID, id), p.T("series.edit"), seriesURL(of.ID, id)+"/end"
		view.Templates = []templates.Choice{{Text: p.T("series.template-stays")}}
	}
	for _, d := range weekdays {
		view.Weekdays = append(view.Weekdays, templates.Choice{Value: itoa(int(d)), Text: p.T("series.weekday." + itoa(int(d))), Chosen: slices.Contains(v["weekdays"], itoa(int(d)))})
	}
	for n := 1; n <= series.MaxEvery; n++ {
		view.Every = append(view.Every, templates.Choice{Value: itoa(n), Text: p.N("series.weeks", n), Chosen: v.Get("every") == itoa(n)})
	}
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		lines, err := seriesTemplates(tx, of.ID)
		for _, l := range lines {
			view.Templates = append(view.Templates, templates.Choice{Value: string(l.ID), Text: l.Name, Chosen: v.Get("template") == string(l.ID)})
		}
		return err
	})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, view.Title+" · "+of.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css", "tournament.css"}
	return s.render(c, status, tournamentview.SeriesFormPage(sh, view))
}

// seriesTemplates are the tournaments of a club that a series can follow.
func seriesTemplates(tx *store.Tx, of club.ID) ([]store.TournamentLine, error) {
	lines, _, err := tx.Tournaments(store.TournamentQuery{Club: of, Limit: clubTournaments})
	return lines, err
}

func (s *Server) skipDate(c echo.Context) error {
	x, _, err := s.readSeries(c)
	if err != nil {
		return err
	}
	day, err := series.ParseDay(c.FormValue("day"))
	if err != nil {
		return err
	}
	if err := s.arbiter.SkipDate(c.Request().Context(), viewer(c), x.ID, day, c.FormValue("skip") != "no"); err != nil {
		return err
	}
	return s.redirect(c, seriesURL(x.Club, x.ID), "flash.saved")
}

func (s *Server) endSeries(c echo.Context) error {
	x, _, err := s.readSeries(c)
	if err != nil {
		return err
	}
	if err := s.arbiter.EndSeries(c.Request().Context(), viewer(c), x.ID); err != nil && !errors.Is(err, series.ErrEnded) { // a second click
		return err
	}
	return s.redirect(c, seriesURL(x.Club, x.ID), "flash.series-ended")
}
