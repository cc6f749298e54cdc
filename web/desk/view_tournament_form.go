package desk

import (
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// readTournamentForm reads the form over the settings base, and returns what is wrong with it.
func readTournamentForm(p lang.Printer, base tournament.Settings, v url.Values) (tournament.Settings, []tournament.Problem) {
	r := form.FormReader{Printer: p, Values: v, Stood: base.Moments()}
	s := r.ReadTournament(base)
	if len(r.Problems) == 0 {
		r.Problems = words.ProblemsOf(events.CheckSettings(s))
	}
	return s, r.Problems
}

// tournamentForm renders the form with its values and problems.
func (s organizer) tournamentForm(c echo.Context, v url.Values, problems []tournament.Problem) deskview.TournamentFormView {
	p := s.Printer(c)
	wrong := func(key string) string { return form.ProblemOf(p, problems, key) }
	view := deskview.TournamentFormView{
		Fields: form.Tournament.Inputs(p, v, wrong), HasClub: v.Get("clubId") != "", Times: form.RoundTimes(v),
		TiebreaksOf: v.Get("tiebreaks_of"), Tiebreaks: words.TiebreakRows(p, form.CodesOf(strings.Join(v["tiebreaks"], " ")), form.AsksTeams(v)),
		Handicaps: words.HandicapTable(p),
		Policy:    form.PolicyFields(p, fairplay.Preset(fairplay.Open), v, wrong("policy")),
		Envelope:  page.EnvelopeForm(p, v, problems),
	}
	for i, choice := range view.Fields["format"].Choices {
		if f, err := tournament.ParseFormat(choice.Value); err == nil {
			view.Fields["format"].Choices[i].Asks = form.Asks(f)
		}
	}
	for name, text := range map[string]func(chosen string) string{ // a value that the form does not offer is offered, too
		"numbering": func(chosen string) string { return p.T("tournament.numbering." + chosen) },
		"tie":       func(chosen string) string { return words.TieText(p, form.TieSteps(chosen)) },
		"team_tie":  func(chosen string) string { return words.TieText(p, form.TieSteps(chosen)) },
	} {
		f, chosen := view.Fields[name], v.Get(name)
		if isOffered := slices.ContainsFunc(f.Choices, func(x templates.Choice) bool { return x.Chosen }); chosen != "" && !isOffered {
			f.Choices = append(f.Choices, templates.Choice{Value: chosen, Text: text(chosen), Chosen: true})
			view.Fields[name] = f
		}
	}
	for _, name := range []string{"quick", "evening", "free", "short", "points", "sprint", "arena"} {
		view.Presets = append(view.Presets, templates.TabLink{Text: p.T("tournament.form.envelope." + name),
			URL: words.WithQuery("/tournaments/new", "envelope", name)})
	}
	for _, problem := range problems {
		anchor := form.FieldAnchor(problem.Field)
		switch pace, _ := tournament.ParsePace(v.Get("pace")); {
		case problem.Field == "window" && pace.HasWindow():
			anchor = "round_days"
		case problem.Field == "bidTime":
			anchor = "move_days"
		}
		view.Problems = append(view.Problems, templates.Link{Text: form.ProblemText(p, problem), URL: "#" + anchor})
	}
	return view
}
