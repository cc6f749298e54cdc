package desk

import (
	"net/url"

	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// scheduleForm is the part of the form about presence and time.
func scheduleForm(p lang.Printer, v url.Values, problems []tournament.Problem) deskview.ScheduleForm {
	field := func(name, label, hint string) templates.Field {
		return templates.Field{Name: name, Label: label, Hint: hint, Value: v.Get(name), Error: form.ProblemOf(p, problems, name),
			Autocomplete: "off", Max: 20}
	}
	f := deskview.ScheduleForm{
		CheckIn: words.Options(p, "schedule.scope.", v.Get("check_in"), "none", "event", "round"),
		Opens:   field("opens", p.T("schedule.form.opens"), p.T("schedule.form.minutes")),
		Closes:  field("closes", p.T("schedule.form.closes"), p.T("schedule.form.minutes")),
		Misses:  field("misses", p.T("schedule.form.misses"), p.T("schedule.form.misses-hint")),
		Until:   field("until", p.T("schedule.form.until"), p.T("schedule.form.until-hint", "Zone", p.Zone.String())),
		OnClaim: v.Get("on_claim") != "", Firm: v.Get("firm") != "", Honour: v.Get("honour") != "",
		Error: form.ProblemOf(p, problems, "checkIn"), ClaimError: form.ProblemOf(p, problems, "onClaim"),
	}
	f.Until.Type = "datetime-local"
	return f
}
