package web

import (
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// scheduleValues are what the form shows of who is awaited for how long.
func scheduleValues(p lang.Printer, v url.Values, s tournament.Settings) {
	v.Set("break", writeDuration(s.Break))
	v.Set("lateness", writeDuration(s.Lateness))
	v.Set("check_in", s.CheckIn.Scope.String())
	opens, closes := s.CheckIn.Opens, s.CheckIn.Closes
	if s.CheckIn.Scope == tournament.NoCheckIn {
		opens, closes = 15*time.Minute, time.Minute
	}
	v.Set("opens", writeDuration(opens))
	v.Set("closes", writeDuration(closes))
	v.Set("misses", itoa(s.CheckIn.Misses))
	flag(v, "on_claim", s.OnClaim)
	flag(v, "firm", s.Firm)
	flag(v, "honour", s.HonourNoShows)
	if !s.Until.IsZero() {
		v.Set("until", s.Until.In(p.Zone).Format(pickLayout))
	}
}

// schedule reads what scheduleValues shows.
func (r *formReader) schedule(p lang.Printer, s *tournament.Settings) {
	v := r.values
	s.Lateness = r.duration("lateness")
	if s.Pace == tournament.Auto {
		s.Break = r.duration("break")
	}
	scope, err := tournament.ParseCheckInScope(v.Get("check_in"))
	if err != nil {
		r.fault("checkIn", "missing", err.Error())
	}
	if scope != tournament.NoCheckIn {
		s.CheckIn = tournament.CheckIn{Scope: scope, Opens: r.duration("opens"), Closes: r.duration("closes")}
		if strings.TrimSpace(v.Get("misses")) != "" {
			s.CheckIn.Misses = r.number("misses")
		}
	}
	s.OnClaim, s.Firm, s.HonourNoShows = v.Get("on_claim") != "", v.Get("firm") != "", v.Get("honour") != ""
	if text := strings.TrimSpace(v.Get("until")); text != "" {
		t, err := time.ParseInLocation(timeLayout, strings.Replace(text, "T", " ", 1), p.Zone)
		if err != nil {
			r.fault("until", "form", "until is not like 2026-11-30 22:30")
		}
		s.Until = t.UTC()
	}
}

func (r *formReader) duration(name string) time.Duration {
	d, err := readDuration(r.values.Get(name))
	if err != nil {
		r.fault(name, "number", name+": minutes are needed, like 5 or 2:30")
	}
	return d
}

// scheduleForm is the part of the form about presence and time.
func scheduleForm(p lang.Printer, v url.Values, problems []tournament.Problem) tournamentview.ScheduleForm {
	field := func(name, label, hint string) templates.Field {
		return templates.Field{Name: name, Label: label, Hint: hint, Value: v.Get(name), Error: problemOf(p, problems, name), Autocomplete: "off", Max: 20}
	}
	f := tournamentview.ScheduleForm{
		CheckIn: options(p, "schedule.scope.", v.Get("check_in"), "none", "event", "round"),
		Opens:   field("opens", p.T("schedule.form.opens"), p.T("schedule.form.minutes")),
		Closes:  field("closes", p.T("schedule.form.closes"), p.T("schedule.form.minutes")),
		Misses:  field("misses", p.T("schedule.form.misses"), p.T("schedule.form.misses-hint")),
		Until:   field("until", p.T("schedule.form.until"), p.T("schedule.form.until-hint", "Zone", p.Zone.String())),
		OnClaim: v.Get("on_claim") != "", Firm: v.Get("firm") != "", Honour: v.Get("honour") != "",
		Error: problemOf(p, problems, "checkIn"), ClaimError: problemOf(p, problems, "onClaim"),
	}
	f.Until.Type = "datetime-local"
	return f
}
