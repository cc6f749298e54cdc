package form

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// ConditionLines is what a tournament asks of who enters. who is nil for a
// visitor, of whom nothing is known.
func ConditionLines(p lang.Printer, t *tournament.Tournament, who *tournament.Candidate,
	list []tournament.Verdict) []templates.ConditionLine {
	var lines []templates.ConditionLine
	for _, v := range list {
		l := templates.ConditionLine{Judged: who != nil, Passed: v.Passed}
		switch v.Kind {
		case tournament.ConditionMinRating, tournament.ConditionMaxRating:
			l.Text = p.T("entry.condition."+string(v.Kind), "Want", p.Int(v.Want))
			if l.Have = p.T("entry.have.rating", "Have", p.Int(v.Have)); v.Have == 0 {
				l.Have = p.T("entry.have.no-rating")
			}
		case tournament.ConditionGames:
			l.Text, l.Have = p.N("entry.condition.games", v.Want), p.N("entry.have.games", v.Have)
		case tournament.ConditionAge:
			l.Text, l.Have = p.N("entry.condition.age", v.Want), p.N("entry.have.age", v.Have)
		case tournament.ConditionClub:
			l.Text = p.T("entry.condition.club", "Club", t.Club)
		case tournament.ConditionList:
			l.Text = p.T("entry.condition.list")
		}
		if who == nil {
			l.Have = ""
		}
		lines = append(lines, l)
	}
	if policy := t.Policy.OrOpen(); policy.Level > fairplay.Open {
		l := templates.ConditionLine{Text: p.T("entry.condition.level", "Level", LevelText(p, policy.Level)), Judged: who != nil}
		if who != nil {
			var unmet *fairplay.UnmetError
			if l.Passed = !errors.As(t.Admits(who.Standing, true), &unmet); !l.Passed {
				l.Have = DemandTexts(p, unmet)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// DemandTexts is what somebody lacks for a level.
func DemandTexts(p lang.Printer, e *fairplay.UnmetError) string {
	list := make([]string, len(e.Demands))
	for i, d := range e.Demands {
		list[i] = p.T("fairplay.demand." + string(d))
	}
	text := p.T("entry.lacks", "What", strings.Join(list, "; "))
	if len(e.Ended) > 0 {
		text += ". " + endedTexts(p, e.Ended)
	}
	return text
}

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
	Flag(v, "approval", e.Approval)
	for name, n := range map[string]int{
		"min_rating": e.Conditions.MinRating, "max_rating": e.Conditions.MaxRating, "min_games": e.Conditions.MinGames,
		"min_age":    e.Conditions.MinAgeDays,
		"late_until": e.LateUntil, "bye_limit": e.ByeLimit, "half_byes": e.HalfByes, "half_until": e.HalfUntil,
	} {
		v.Set(name, words.NumberText(n))
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

// Entry reads the rules of entry; what is for a Swiss only is nothing elsewhere.
func (r *FormReader) Entry(p lang.Printer, format tournament.Format) tournament.EntryRules {
	optional := func(name string) int {
		if strings.TrimSpace(r.Values.Get(name)) == "" {
			return 0
		}
		return r.Number(name)
	}
	e := tournament.EntryRules{
		Opens: r.moment(p, "entry_opens"), Closes: r.moment(p, "entry_closes"),
		Code: strings.TrimSpace(words.Shorten(r.Values.Get("entry_code"), 100)), Approval: r.Values.Get("approval") != "",
		Conditions: tournament.Conditions{
			MinRating: optional("min_rating"), MaxRating: optional("max_rating"), MinGames: optional("min_games"), MinAgeDays: optional("min_age"),
		},
	}
	var err error
	if e.Conditions.List, err = tournament.ParseHandles(r.Values.Get("entry_list")); err != nil {
		r.Fault("entry_list", "unsuitable", err.Error())
	}
	if format != tournament.Swiss {
		return e
	}
	e.LateUntil, e.ByeLimit, e.HalfByes, e.HalfUntil = optional("late_until"), optional("bye_limit"), optional("half_byes"),
		optional("half_until")
	if r.Values.Get("late_bye") == "half" {
		e.LateBye = tournament.HalfBye
	}
	return e
}

// moment reads an optional point of time.
func (r *FormReader) moment(p lang.Printer, name string) time.Time {
	text := strings.TrimSpace(r.Values.Get(name))
	if text == "" {
		return time.Time{}
	}
	t, err := time.ParseInLocation(TimeLayout, strings.Replace(text, "T", " ", 1), p.Zone)
	if err != nil {
		r.Fault(name, "form", name+": not like 2026-11-30 18:00")
		return time.Time{}
	}
	return t.UTC()
}
