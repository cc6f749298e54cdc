package account

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) daysRoutes() []page.Route {
	return []page.Route{
		page.Get("/days", s.days, page.SignedIn),
		page.Post("/days", s.saveDays, page.SignedIn),
	}
}

// What one page of days shows, and how many there are.
const (
	weeksShown = 8
	daysPages  = 6
	lastDay    = "9999-12-31" // after all others
)

// firstDay returns the first day of a page of days, from 0: a Monday, as if in UTC.
func (s pages) firstDay(p lang.Printer, number int) time.Time {
	y, m, d := s.Now().In(p.Zone).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	return today.AddDate(0, 0, -(int(today.Weekday())+6)%7+7*weeksShown*number)
}

// days shows the coming weeks, each day a box to tick, with the rounds in which the viewer arranges matches.
func (s pages) days(c echo.Context) error {
	p, v, number := s.Printer(c), page.Viewer(c), min(max(words.AtoiOr(c.QueryParam("page"), 0), 0), daysPages-1)
	first := s.firstDay(p, number)
	y, m, d := s.Now().In(p.Zone).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	plain := p.At(time.UTC)
	view := accountview.DaysView{From: first.Format(time.DateOnly), To: first.AddDate(0, 0, 7*weeksShown-1).Format(time.DateOnly)}
	if number == 0 {
		view.From = "" // what is over is forgotten
	}
	var off []string
	var notes map[string][]templates.Link
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, err := tx.DaysOff(v.ID)
		if err != nil {
			return err
		}
		off = list[v.ID]
		notes, err = s.ownWindows(tx, p, v.ID)
		return err
	})
	if err != nil {
		return err
	}
	for i := range 7 {
		view.Heads = append(view.Heads, p.T("core.weekday-short."+words.Itoa((i+1)%7)))
	}
	for w := range weeksShown {
		var week accountview.DaysWeek
		for i := range 7 {
			at := first.AddDate(0, 0, 7*w+i)
			if w+i == 0 || at.Day() == 1 {
				week.Month = p.T("list.month", "Month", p.T("list.month."+words.Itoa(int(at.Month()))), "Year", at.Year())
			}
			box := accountview.DayBox{Number: p.Int(at.Day()), Name: plain.WeekDay(at), IsToday: at.Equal(today)}
			if !at.Before(today) {
				box.Value = at.Format(time.DateOnly)
				box.IsOff = slices.Contains(off, box.Value)
			}
			week.Days = append(week.Days, box)
			week.Notes = append(week.Notes, notes[at.Format(time.DateOnly)]...)
		}
		view.Weeks = append(view.Weeks, week)
	}
	if number > 0 {
		view.Earlier = words.WithQuery("/days", "page", words.Itoa(number-1))
	}
	if number < daysPages-1 {
		view.Later = words.WithQuery("/days", "page", words.Itoa(number+1))
	}
	sh := s.Shell(c, p.T("days.title"))
	sh.Section, sh.Styles = "me", []string{"settings.css"}
	return s.Render(c, http.StatusOK, accountview.DaysPage(sh, view))
}

// ownWindows returns the rounds that are open or to come in which a player arranges matches, by the day on which each begins, or
// today.
func (s pages) ownWindows(tx *store.Tx, p lang.Printer, of player.ID) (map[string][]templates.Link, error) {
	lines, _, err := tx.Tournaments(store.TournamentQuery{Player: of, Limit: calendarTournaments})
	list := map[string][]templates.Link{}
	for _, line := range lines {
		if err != nil || line.Status != tournament.Running {
			continue
		}
		t, err := tx.Tournament(line.ID)
		if err != nil {
			return nil, err
		}
		for n := 1; n <= t.Settings.Rounds && t.Pace == tournament.Arranged; n++ {
			from, to, known := t.WindowOf(n)
			if !known || to.Before(s.Now()) {
				continue
			}
			if from.Before(s.Now()) {
				from = s.Now()
			}
			day := from.In(p.Zone).Format(time.DateOnly)
			list[day] = append(list[day], templates.Link{URL: words.TournamentURL(t.ID), Text: p.T("days.window",
				"Event", p.Event(t.Name), "Round", n, "From", p.WeekDay(from), "To", p.WeekDay(to))})
		}
	}
	return list, err
}

// saveDays keeps the days that are ticked among those that the form shows.
func (s pages) saveDays(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	if err := s.setDays(c.Request().Context(), page.Viewer(c).ID, form.Get("from"), form.Get("to"), form["off"]); err != nil {
		return err
	}
	return s.Redirect(c, "/days", "")
}

// setDays replaces a player's days off from one day to another; those before come with an empty first day.
func (s pages) setDays(ctx context.Context, of player.ID, from, to string, days []string) error {
	days, err := fixture.CleanDays(days, s.Now())
	if err != nil {
		return err
	}
	if slices.ContainsFunc(days, func(d string) bool { return d < from || d > to }) {
		return fixture.ErrDays
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetDaysOff(of, from, to, days) })
}
