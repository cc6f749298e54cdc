package club

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s evenings) seriesRoutes() []page.Route {
	return []page.Route{
		page.Get("/clubs/:id/series/new", s.newSeriesForm, page.SignedIn),
		page.Post("/clubs/:id/series", s.createSeries, page.SignedIn),
		page.Get("/clubs/:id/series/:series", s.seriesPage, page.Anyone),
		page.Get("/clubs/:id/series/:series/edit", s.editSeriesForm, page.SignedIn),
		page.Post("/clubs/:id/series/:series", s.editSeries, page.SignedIn),
		page.Post("/clubs/:id/series/:series/skip", s.skipDate, page.SignedIn),
		page.Post("/clubs/:id/series/:series/end", s.endSeries, page.SignedIn),
	}
}

func seriesURL(of club.ID, id series.ID) string { return words.ClubURL(of) + "/series/" + string(id) }

// Limits of the dates on pages.
const (
	datesOnClub = 3
	datesAhead  = 8
	datesPast   = 20
)

// weekdays in the order of forms.
var weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

func (s evenings) readSeries(c echo.Context) (x *series.Series, r club.Roster, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if x, err = tx.Series(series.ID(c.Param("series"))); err != nil {
			return err
		}
		if string(x.Club) != c.Param("id") {
			return store.ErrNotFound
		}
		r, err = tx.Roster(x.Club)
		return err
	})
	page.SetShown(c, r.Version)
	return x, r, err
}

func (s evenings) seriesPage(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	x, r, err := s.readSeries(c)
	if err != nil {
		return err
	}
	mayRun := r.May(v, club.ActHold)
	card, err := seriesCard(p, x, s.Now(), datesAhead)
	if err != nil {
		return err
	}
	view := clubview.SeriesView{Card: card, Club: templates.Link{Text: r.Name, URL: words.ClubURL(r.ID)}, MayRun: mayRun &&
		x.Ended.IsZero()}
	for i, d := range view.Card.Dates {
		view.Card.Dates[i].MaySkip = view.MayRun && d.StatusWord == "planned"
		view.Card.Dates[i].MayReturn = view.MayRun && d.StatusWord == "skipped" && series.Day(d.Day) > x.Through
	}
	view.Facts = []templates.TournamentFact{
		{Name: p.T("series.announced"), Value: p.Long(x.Lead), Hint: p.T("series.lead-fact")},
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
			view.Past = append(view.Past, seriesDate(p, series.Coming{Occurrence: series.Occurrence{Day: d.Day}, Status: d.Status,
				Tournament: d.Tournament}))
		}
	}
	sh := s.Shell(c, x.Name+" · "+r.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css"}
	return s.Render(c, http.StatusOK, clubview.SeriesPage(sh, view))
}

// seriesCard returns a series with its next n dates. Times are in the zone of the series, where people meet.
func seriesCard(p lang.Printer, x *series.Series, now time.Time, n int) (templates.SeriesCard, error) {
	zone, err := events.SeriesZone(x.Zone)
	if err != nil {
		return templates.SeriesCard{}, err
	}
	if p = p.At(zone); p.Reader == nil {
		p = p.Bare() // the rule names the zone
	}
	card := templates.SeriesCard{URL: seriesURL(x.Club, x.ID), Name: x.Name, Rule: ruleText(p, x)}
	if !x.Ended.IsZero() {
		card.Ended = p.Day(x.Ended)
	}
	for _, d := range x.Ahead(zone, now, n) {
		card.Dates = append(card.Dates, seriesDate(p, d))
	}
	return card, nil
}

// ruleText tells when a series takes place.
func ruleText(p lang.Printer, x *series.Series) string {
	var days []string
	for _, d := range weekdays {
		if slices.Contains(x.Weekdays, d) {
			days = append(days, p.T("series.weekday."+words.Itoa(int(d))))
		}
	}
	return p.N("series.rule", x.Every, "Days", strings.Join(days, ", "), "Time", fmt.Sprintf("%02d:%02d", x.Hour, x.Minute), "Zone", x.Zone)
}

func seriesDate(p lang.Printer, d series.Coming) templates.SeriesDate {
	out := templates.SeriesDate{Day: string(d.Day), StatusWord: d.Status.String(), Stamp: string(d.Day)}
	if d.At.IsZero() { // a past date
		day, _ := civil.ReadDay(string(d.Day), p.Zone)
		out.When = p.Day(day)
	} else {
		out.When, out.Stamp = p.When(d.At), p.Stamp(d.At)
	}
	if d.Status != series.Planned {
		out.Status = p.T("series.status." + d.Status.String())
	}
	if d.Tournament != "" {
		out.Event = words.TournamentURL(d.Tournament)
	}
	switch d.Clocks {
	case civil.Forward:
		out.Clocks = p.T("series.clocks-forward")
	case civil.Back:
		out.Clocks = p.T("series.clocks-back")
	}
	return out
}

func (s evenings) newSeriesForm(c echo.Context) error {
	r, err := pages(s).rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	v := url.Values{"every": {"1"}, "time": {"19:00"}, "zone": {p.Zone.String()}, "first": {string(series.DayOf(s.Now(), p.Zone))},
		"lead": {"72"}, "selfStart": {"on"}}
	return s.showSeriesForm(c, r.Club, "", v, nil)
}

func (s evenings) createSeries(c echo.Context) error {
	r, err := pages(s).rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	v, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	settings, err := readSeriesForm(v)
	var id series.ID
	if err == nil {
		id, err = s.Arbiter.Events.CreateSeries(c.Request().Context(), page.Viewer(c), r.ID, settings, tournament.ID(v.Get("template")))
	}
	again := func(c echo.Context, refused error) error { return s.showSeriesForm(c, r.Club, "", v, refused) }
	return s.Answer(c, err, again, seriesURL(r.ID, id), "flash.series-created")
}

// heldSeries returns the series of the address; club.ErrNotAllowed if the viewer may not run it.
func (s evenings) heldSeries(c echo.Context) (*series.Series, club.Roster, error) {
	x, r, err := s.readSeries(c)
	if err == nil && !r.May(page.Viewer(c), club.ActHold) {
		err = club.ErrNotAllowed
	}
	return x, r, err
}

func (s evenings) editSeriesForm(c echo.Context) error {
	x, r, err := s.heldSeries(c)
	if err != nil {
		return err
	}
	v := url.Values{
		"name": {x.Name}, "every": {words.Itoa(x.Every)}, "time": {fmt.Sprintf("%02d:%02d", x.Hour, x.Minute)}, "zone": {x.Zone},
		"first": {string(x.First)}, "lead": {words.Itoa(int(x.Lead / time.Hour))},
	}
	for _, d := range x.Weekdays {
		v.Add("weekdays", words.Itoa(int(d)))
	}
	form.Flag(v, "selfStart", x.SelfStart)
	return s.showSeriesForm(c, r.Club, x.ID, v, nil)
}

func (s evenings) editSeries(c echo.Context) error {
	x, r, err := s.heldSeries(c)
	if err != nil {
		return err
	}
	v, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	settings, err := readSeriesForm(v)
	if err == nil {
		err = s.Arbiter.Events.ChangeSeries(c.Request().Context(), page.Viewer(c), x.ID, settings, tournament.ID(v.Get("template")))
	}
	again := func(c echo.Context, refused error) error { return s.showSeriesForm(c, r.Club, x.ID, v, refused) }
	return s.Answer(c, err, again, seriesURL(r.ID, x.ID), "flash.saved")
}

// readSeriesForm reads the form of a series and joins all errors.
func readSeriesForm(v url.Values) (series.Settings, error) {
	s := series.Settings{Name: strings.TrimSpace(words.Shorten(v.Get("name"), 200)),
		Zone: words.Shorten(strings.TrimSpace(v.Get("zone")), 40), SelfStart: v.Get("selfStart") != ""}
	for _, d := range v["weekdays"] {
		s.Weekdays = append(s.Weekdays, time.Weekday(words.AtoiOr(d, -1)))
	}
	s.Every, s.First = words.AtoiOr(v.Get("every"), 0), series.Day(words.Shorten(v.Get("first"), 10))
	s.Lead = time.Duration(max(0, min(words.AtoiOr(v.Get("lead"), 0), 10_000))) * time.Hour
	clock, err := time.Parse("15:04", v.Get("time"))
	if err != nil {
		s.Hour = -1 // Validate reports it
	} else {
		s.Hour, s.Minute = clock.Hour(), clock.Minute()
	}
	_, zoneErr := events.SeriesZone(s.Zone)
	return s, errors.Join(s.Validate(), zoneErr)
}

func (s evenings) showSeriesForm(c echo.Context, of club.Club, id series.ID, v url.Values, refused error) error {
	p := s.Printer(c)
	field := func(name, kind string, about ...error) templates.Field {
		f := templates.Field{Name: name, Label: p.T("series." + name), Value: words.Shorten(v.Get(name), 200), Type: kind, Required: true,
			Autocomplete: "off", Error: s.FormError(c, refused, about...)}
		if key := "series." + name + "-hint"; p.Has(key) {
			f.Hint = p.T(key)
		}
		return f
	}
	view := clubview.SeriesForm{
		Club: templates.Link{Text: of.Name, URL: words.ClubURL(of.ID)}, Action: words.ClubURL(of.ID) + "/series", Title: p.T("series.new"),
		Name: field("name", "", series.ErrName), Time: field("time", "time", series.ErrClock), Zone: field("zone", "", series.ErrZone),
		First: field("first", "date", series.ErrDay), Lead: field("lead", "number", series.ErrLead),
		WeekdaysError: s.FormError(c, refused, series.ErrWeekdays),
		TemplateError: s.FormError(c, refused, series.ErrTemplate), SelfStart: v.Get("selfStart") != "",
	}
	view.Name.Max, view.Zone.IsZone = series.MaxName, true
	if id != "" {
		view.Action, view.Title, view.End = seriesURL(of.ID, id), p.T("series.edit"), seriesURL(of.ID, id)+"/end"
		view.Templates = []templates.Choice{{Text: p.T("series.template-stays")}}
	}
	for _, d := range weekdays {
		view.Weekdays = append(view.Weekdays, templates.Choice{Value: words.Itoa(int(d)), Text: p.T("series.weekday." + words.Itoa(int(d))),
			Chosen: slices.Contains(v["weekdays"], words.Itoa(int(d)))})
	}
	for n := 1; n <= series.MaxEvery; n++ {
		view.Every = append(view.Every, templates.Choice{Value: words.Itoa(n), Text: p.N("series.weeks", n),
			Chosen: v.Get("every") == words.Itoa(n)})
	}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		lines, err := seriesTemplates(tx, page.Viewer(c), of.ID)
		for _, l := range lines {
			view.Templates = append(view.Templates, templates.Choice{Value: string(l.ID), Text: l.Name, Chosen: v.Get("template") == string(l.ID)})
		}
		return err
	})
	if err != nil {
		return err
	}
	sh := s.Shell(c, view.Title+" · "+of.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css", "tournament.css"}
	return s.Render(c, page.StatusOf(refused), clubview.SeriesFormPage(sh, view))
}

// seriesTemplates returns the tournaments of a club, with the viewer's drafts, that can be the template of a series.
func seriesTemplates(tx *store.Tx, v player.Viewer, of club.ID) ([]store.TournamentLine, error) {
	lines, _, err := tx.Tournaments(store.TournamentQuery{Club: of, Drafts: v.ID, Whole: true, Limit: clubTournaments})
	return lines, err
}

func (s evenings) skipDate(c echo.Context) error {
	x, _, err := s.readSeries(c)
	if err != nil {
		return err
	}
	day, err := series.ParseDay(c.FormValue("day"))
	if err != nil {
		return err
	}
	if err := s.Arbiter.Events.SkipDate(c.Request().Context(), page.Viewer(c), x.ID, day, c.FormValue("skip") != "no"); err != nil {
		return err
	}
	return s.Redirect(c, seriesURL(x.Club, x.ID), "flash.saved")
}

func (s evenings) endSeries(c echo.Context) error {
	x, _, err := s.readSeries(c)
	if err != nil {
		return err
	}
	// ErrEnded comes from a second click.
	if err := s.Arbiter.Events.EndSeries(c.Request().Context(), page.Viewer(c), x.ID); err != nil && !errors.Is(err, series.ErrEnded) {
		return err
	}
	return s.Redirect(c, seriesURL(x.Club, x.ID), "flash.series-ended")
}
