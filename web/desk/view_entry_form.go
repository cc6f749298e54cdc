package desk

import (
	"net/url"

	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// entryForm is the part of the form about entries.
func entryForm(p lang.Printer, v url.Values, field func(name, label string) templates.Field,
	number func(name, label, hint string) templates.Field) deskview.EntryForm {
	f := deskview.EntryForm{
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
		LateByes:  words.Options(p, "wizard.late-bye.", v.Get("late_bye"), "none", "half"),
	}
	f.Code.Hint, f.Code.Max = p.T("wizard.code-hint"), tournament.MaxCodeLength
	f.Opens.Type, f.Closes.Type = "datetime-local", "datetime-local"
	f.Opens.Hint = p.T("wizard.moment-hint", "Zone", p.Zone.String())
	return f
}
