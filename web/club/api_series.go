package club

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) seriesOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /clubs/{id}/series", page.Everyone, s.allSeries, "The series of a club", "What repeats itself, with its dates."),
		page.Op("POST /clubs/{id}/series", player.ScopeOrganize, s.createSeries, "Repeat a tournament",
			"On the days named, each date as a tournament with the settings of event, announced lead before. The first may be announced at once.").
			Creates(),
		page.Op("GET /clubs/{id}/series/{series}", page.Everyone, s.oneSeries, "One series of a club", "Its dates, with their tournaments."),
		page.Op("PATCH /clubs/{id}/series/{series}", player.ScopeOrganize, s.changeSeries, "Change a series",
			"What is named; the rest stays, and so do the dates that are announced."),
		page.Op("PUT /clubs/{id}/series/{series}/dates/{day}", player.ScopeOrganize, s.skipDate, "Skip a date of a series, or plan it again",
			"Before it is announced."),
		page.Act("DELETE /clubs/{id}/series/{series}", player.ScopeOrganize, s.endSeries, "End a series", "What is announced stays."),
	}
}

// dayWords are the names of the days of the week.
var dayWords = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

type (
	seriesPath struct {
		clubPath
		Series series.ID `path:"series" doc:"the series" example:"5q3h7wzt1c8m"`
	}
	// seriesUsual are the settings of a series that have usual values.
	seriesUsual struct {
		Every     *int         `json:"every" doc:"how many weeks apart; usually 1" example:"1" min:"1" max:"4"`
		Zone      string       `json:"zone,omitempty" doc:"time zone of its days and time; usually the site’s" example:"Europe/Kyiv"`
		First     string       `json:"first,omitempty" doc:"the first day that may be one; usually today" example:"2027-01-15"`
		Lead      *form.Millis `json:"lead" doc:"how long before its time a date is announced; usually three days" example:"259200000"`
		SelfStart *bool        `json:"selfStart" doc:"each tournament starts by itself at its time; usually true" example:"true"`
	}
	newSeriesIn struct {
		clubPath
		Name     string        `json:"name" doc:"3 to 80 characters; the date follows it" example:"Friday chpok"`
		Weekdays []string      `json:"weekdays" doc:"on which days" enum:"mon,tue,wed,thu,fri,sat,sun" example:"[\"fri\"]"`
		Time     string        `json:"time" doc:"of the day" example:"19:00"`
		Event    tournament.ID `json:"event" doc:"a tournament of the club, whose settings each date has"`
		seriesUsual
	}
	changeSeriesIn struct {
		seriesPath
		Name     string        `json:"name,omitempty" doc:"3 to 80 characters; the date follows it" example:"Friday chpok"`
		Weekdays []string      `json:"weekdays,omitempty" doc:"on which days" enum:"mon,tue,wed,thu,fri,sat,sun" example:"[\"fri\"]"`
		Time     string        `json:"time,omitempty" doc:"of the day" example:"19:00"`
		Event    tournament.ID `json:"event,omitempty" doc:"a tournament of the club, whose settings each date has from now on"`
		seriesUsual
	}
	datePath struct {
		seriesPath
		Day string `path:"day" doc:"the date" example:"2027-01-15"`
	}
	skipDateIn struct {
		datePath
		Skip bool `json:"skip" doc:"false plans it again"`
	}
	apiDate struct {
		Day        series.Day     `json:"day" doc:"in the zone of the series" example:"2027-01-15"`
		At         *time.Time     `json:"at" doc:"when it begins; null: it is past"`
		Status     string         `json:"status" doc:"what has become of it" enum:"planned,announced,skipped,missed" example:"announced"`
		Tournament *tournament.ID `json:"tournament" doc:"null: none yet"`
	}
	apiSeries struct {
		ID        series.ID   `json:"id" doc:"address of the series" example:"5q3h7wzt1c8m"`
		Name      string      `json:"name" doc:"its name" example:"Friday chpok"`
		Weekdays  []string    `json:"weekdays" doc:"on which days" enum:"mon,tue,wed,thu,fri,sat,sun" example:"[\"fri\"]"`
		Time      string      `json:"time" doc:"of the day" example:"19:00"`
		Every     int         `json:"every" doc:"how many weeks apart" example:"1"`
		Zone      string      `json:"zone" doc:"time zone of its days and time" example:"Europe/Kyiv"`
		First     series.Day  `json:"first" doc:"the first day that may be one" example:"2027-01-15"`
		Lead      form.Millis `json:"lead" doc:"how long before its time a date is announced" example:"259200000"`
		SelfStart bool        `json:"selfStart" doc:"each tournament starts by itself at its time"`
		Event     string      `json:"event" doc:"name of the tournament whose settings each date has" example:"Friday cup"`
		Ended     *time.Time  `json:"ended" doc:"when it ended; null: it goes on"`
		Dates     []apiDate   `json:"dates" doc:"past ones and the next eight, by day"`
	}
	apiSeriesList struct {
		Series []apiSeries `json:"series" doc:"the oldest first"`
	}
)

func (s api) allSeries(c echo.Context, in clubPath) (out apiSeriesList, err error) {
	var list []*series.Series
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if _, err = tx.Club(in.ID); err != nil {
			return err
		}
		list, err = tx.ClubSeries(in.ID)
		return err
	})
	if err != nil {
		return out, err
	}
	out.Series = []apiSeries{}
	for _, x := range list {
		shown, err := seriesShown(x, s.Now())
		if err != nil {
			return out, err
		}
		out.Series = append(out.Series, shown)
	}
	return out, nil
}

func (s api) oneSeries(c echo.Context, _ seriesPath) (apiSeries, error) {
	x, _, err := evenings(s).readSeries(c)
	if err != nil {
		return apiSeries{}, err
	}
	return seriesShown(x, s.Now())
}

func seriesShown(x *series.Series, now time.Time) (apiSeries, error) {
	zone, err := events.SeriesZone(x.Zone)
	if err != nil {
		return apiSeries{}, err
	}
	out := apiSeries{ID: x.ID, Name: x.Name, Weekdays: []string{}, Time: fmt.Sprintf("%02d:%02d", x.Hour, x.Minute), Every: x.Every,
		Zone: x.Zone, First: x.First, Lead: form.MillisOf(x.Lead), SelfStart: x.SelfStart, Event: x.Template.Name,
		Ended: page.Optional(x.Ended), Dates: []apiDate{}}
	for _, d := range weekdays {
		if slices.Contains(x.Weekdays, d) {
			out.Weekdays = append(out.Weekdays, dayWords[d])
		}
	}
	ahead := x.Ahead(zone, now, datesAhead)
	for _, d := range x.Dates {
		if !slices.ContainsFunc(ahead, func(a series.Coming) bool { return a.Day == d.Day }) {
			out.Dates = append(out.Dates, apiDate{d.Day, nil, d.Status.String(), page.Optional(d.Tournament)})
		}
	}
	for _, d := range ahead {
		out.Dates = append(out.Dates, apiDate{d.Day, &d.At, d.Status.String(), page.Optional(d.Tournament)})
	}
	slices.SortFunc(out.Dates, func(a, b apiDate) int { return cmp.Compare(a.Day, b.Day) })
	return out, nil
}

// fill changes what is named of the settings of a series.
func (in seriesUsual) fill(x *series.Settings, name, clock string, days []string) error {
	x.Name, x.Zone, x.First = cmp.Or(name, x.Name), cmp.Or(in.Zone, x.Zone), cmp.Or(series.Day(in.First), x.First)
	if in.Every != nil {
		x.Every = *in.Every
	}
	if in.Lead != nil {
		x.Lead = in.Lead.Duration()
	}
	if in.SelfStart != nil {
		x.SelfStart = *in.SelfStart
	}
	if len(days) > 0 {
		x.Weekdays = nil
	}
	for _, day := range days {
		x.Weekdays = append(x.Weekdays, time.Weekday(slices.Index(dayWords, day)))
	}
	if clock == "" {
		return nil
	}
	at, err := time.Parse("15:04", clock)
	x.Hour, x.Minute = at.Hour(), at.Minute()
	if err != nil {
		return series.ErrClock
	}
	return nil
}

func (s api) createSeries(c echo.Context, in newSeriesIn) (out apiSeries, err error) {
	x := series.Settings{Zone: cmp.Or(in.Zone, s.Zone().String()), Lead: 72 * time.Hour, SelfStart: true}
	x.Every = 1
	zone, zoneErr := events.SeriesZone(x.Zone)
	if zoneErr == nil {
		x.First = series.DayOf(s.Now(), zone)
	}
	if err := errors.Join(in.fill(&x, in.Name, in.Time, in.Weekdays), zoneErr); err != nil {
		return out, err
	}
	ctx := c.Request().Context()
	id, err := s.Arbiter.Events.CreateSeries(ctx, page.Viewer(c), in.ID, x, in.Event)
	if err != nil {
		return out, err
	}
	return s.seriesNow(ctx, id)
}

// seriesNow returns a series as it is after a change.
func (s api) seriesNow(ctx context.Context, id series.ID) (apiSeries, error) {
	x, err := store.Get(ctx, s.Store, func(tx *store.Tx) (*series.Series, error) { return tx.Series(id) })
	if err != nil {
		return apiSeries{}, err
	}
	return seriesShown(x, s.Now())
}

func (s api) changeSeries(c echo.Context, in changeSeriesIn) (out apiSeries, err error) {
	x, _, err := evenings(s).heldSeries(c)
	if err != nil {
		return out, err
	}
	if err := in.fill(&x.Settings, in.Name, in.Time, in.Weekdays); err != nil {
		return out, err
	}
	ctx := c.Request().Context()
	if err := s.Arbiter.Events.ChangeSeries(ctx, page.Viewer(c), x.ID, x.Settings, in.Event); err != nil {
		return out, err
	}
	return s.seriesNow(ctx, x.ID)
}

func (s api) skipDate(c echo.Context, in skipDateIn) (out apiSeries, err error) {
	x, _, err := evenings(s).readSeries(c)
	if err != nil {
		return out, err
	}
	day, err := series.ParseDay(in.Day)
	if err != nil {
		return out, err
	}
	ctx := c.Request().Context()
	if err := s.Arbiter.Events.SkipDate(ctx, page.Viewer(c), x.ID, day, in.Skip); err != nil {
		return out, err
	}
	return s.seriesNow(ctx, x.ID)
}

func (s api) endSeries(ctx context.Context, by player.Viewer, in seriesPath) error {
	x, err := store.Get(ctx, s.Store, func(tx *store.Tx) (*series.Series, error) { return tx.Series(in.Series) })
	if err == nil && x.Club != in.ID {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.Arbiter.Events.EndSeries(ctx, by, x.ID)
}
