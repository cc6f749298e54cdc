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

// entryValues is what the form shows for rules of entry.
func entryValues(p lang.Printer, v url.Values, e tournament.EntryRules) {
	moment := func(name string, t time.Time) {
		if !t.IsZero() {
			v.Set(name, t.In(p.Zone).Format(pickLayout))
		}
	}
	moment("entry_opens", e.Opens)
	moment("entry_closes", e.Closes)
	v.Set("entry_code", e.Code)
	flag(v, "approval", e.Approval)
	for name, n := range map[string]int{
		"min_rating": e.Conditions.MinRating, "max_rating": e.Conditions.MaxRating, "min_games": e.Conditions.MinGames, "min_age": e.Conditions.MinAgeDays,
		"late_until": e.LateUntil, "bye_limit": e.ByeLimit, "half_byes": e.HalfByes, "half_until": e.HalfUntil,
	} {
		v.Set(name, numberText(n))
	}
	var list []string
	for _, h := range e.Conditions.List {
		list = append(list, string(h))
	}
	v.Set("entry_list", strings.Join(list, "\n"))
	if v.Set("late_bye", "none"); e.LateBye == tournament.HalfBye {
		v.Set("late_bye", "half")
	}
}

// entry reads the rules of entry; what is for a Swiss only is nothing elsewhere.
func (r *formReader) entry(p lang.Printer, format tournament.Format) tournament.EntryRules {
	optional := func(name string) int {
		if strings.TrimSpace(r.values.Get(name)) == "" {
			return 0
		}
		return r.number(name)
	}
	e := tournament.EntryRules{
		Opens: r.moment(p, "entry_opens"), Closes: r.moment(p, "entry_closes"),
		Code: strings.TrimSpace(shorten(r.values.Get("entry_code"), 100)), Approval: r.values.Get("approval") != "",
		Conditions: tournament.Conditions{
			MinRating: optional("min_rating"), MaxRating: optional("max_rating"), MinGames: optional("min_games"), MinAgeDays: optional("min_age"),
		},
	}
	var err error
	if e.Conditions.List, err = tournament.ParseHandles(r.values.Get("entry_list")); err != nil {
		r.fault("entry_list", "unsuitable", err.Error())
	}
	if format != tournament.Swiss {
		return e
	}
	e.LateUntil, e.ByeLimit, e.HalfByes, e.HalfUntil = optional("late_until"), optional("bye_limit"), optional("half_byes"), optional("half_until")
	if r.values.Get("late_bye") == "half" {
		e.LateBye = tournament.HalfBye
	}
	return e
}

// moment reads an optional point of time.
func (r *formReader) moment(p lang.Printer, name string) time.Time {
	text := strings.TrimSpace(r.values.Get(name))
	if text == "" {
		return time.Time{}
	}
	t, err := time.ParseInLocation(timeLayout, strings.Replace(text, "T", " ", 1), p.Zone)
	if err != nil {
		r.fault(name, "form", name+": not like 2026-11-30 18:00")
		return time.Time{}
	}
	return t.UTC()
}

// entryForm is the part of the form about entries.
func entryForm(p lang.Printer, v url.Values, field func(name, label string) templates.Field, number func(name, label, hint string) templates.Field) tournamentview.EntryForm {
	f := tournamentview.EntryForm{
		Capacity: number("capacity", p.T("tournament.form.capacity"), p.T("tournament.form.capacity-hint")),
		Opens:    field("entry_opens", p.T("wizard.opens")), Closes: field("entry_closes", p.T("wizard.closes")),
		Code: field("entry_code", p.T("wizard.code")), Approval: v.Get("approval") != "", MembersOnly: v.Get("membersOnly") != "",
		MinRating: number("min_rating", p.T("wizard.min-rating"), p.T("wizard.rating-hint")),
		MaxRating: number("max_rating", p.T("wizard.max-rating"), p.T("wizard.rating-hint")),
		MinGames:  number("min_games", p.T("wizard.min-games"), ""), MinAge: number("min_age", p.T("wizard.min-age"), ""),
		List: v.Get("entry_list"), ListError: field("entry_list", "").Error,
		Late:      number("late_until", p.T("wizard.late-until"), p.T("wizard.late-hint")),
		ByeLimit:  number("bye_limit", p.T("wizard.bye-limit"), p.T("wizard.bye-limit-hint")),
		HalfByes:  number("half_byes", p.T("wizard.half-byes"), ""),
		HalfUntil: number("half_until", p.T("wizard.half-until"), p.T("wizard.half-until-hint")),
		LateByes:  options(p, "wizard.late-bye.", v.Get("late_bye"), "none", "half"),
	}
	f.Code.Hint, f.Code.Max = p.T("wizard.code-hint"), tournament.MaxCodeLength
	f.Opens.Type, f.Closes.Type = "datetime-local", "datetime-local"
	f.Opens.Hint = p.T("wizard.moment-hint", "Zone", p.Zone.String())
	return f
}
