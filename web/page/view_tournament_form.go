package page

import (
	"net/url"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// EnvelopeForm returns the fields of an envelope with what is filled in.
func EnvelopeForm(p lang.Printer, v url.Values, problems []tournament.Problem) templates.EnvelopeForm {
	wrong := func(name string) string { return form.SpanProblem(p, problems, name) }
	e := templates.EnvelopeForm{
		Presets: templates.Field{Name: "presets", Label: p.T("tournament.envelope.presets"), Hint: p.T("tournament.envelope.presets-hint"),
			Value: v.Get("presets"), Error: wrong("presets"), Autocomplete: "off"},
		Default: templates.Field{Name: "default_limit", Label: p.T("tournament.envelope.default-limit"),
			Hint: p.T("tournament.envelope.default-limit-hint"), Type: "number", Value: v.Get("default_limit"), Error: wrong("default_limit")},
		Points: templates.Field{Name: "default_points", Label: p.T("tournament.envelope.default-points"),
			Hint: p.T("tournament.envelope.default-points-hint"), Value: v.Get("default_points"), Error: wrong("default_points"),
			Autocomplete: "off", Max: 60},
		AnyRow: v.Get("any_row") != "", Estimate: Estimate(p, v),
	}
	for _, b := range bidding.Bounds {
		label, low, high := "tournament.envelope."+b.Key, words.Itoa(b.Widest[0]), words.Itoa(b.Widest[1])
		hint := words.SpanText(p, b.Widest)
		if p.Has(label + "-hint") {
			hint = p.T(label + "-hint")
		}
		switch {
		case b.Number != nil:
			e.Numbers = append(e.Numbers, templates.Field{Name: b.Key, Label: p.T(label), Hint: hint, Type: "number", Value: v.Get(b.Key),
				Error: wrong(b.Key)})
		case b.Span != nil:
			e.Spans = append(e.Spans, templates.SpanField{Name: b.Key, Label: p.T(label), Hint: hint, Error: wrong(b.Key),
				Low: v.Get(b.Key + "_low"), High: v.Get(b.Key + "_high"), Min: low, Max: high})
		default:
			list := templates.ListField{Name: b.Key, Label: p.T(label), Error: wrong(b.Key)}
			for n := b.Widest[0]; n <= b.Widest[1]; n++ {
				list.Choices = append(list.Choices, templates.Choice{Value: words.Itoa(n), Text: words.Itoa(n),
					Chosen: slices.Contains(v[b.Key], words.Itoa(n))})
			}
			e.Lists = append(e.Lists, list)
		}
	}
	for _, key := range bidding.Switches {
		e.Switches = append(e.Switches, templates.Choice{Value: key, Text: p.T("match.feature." + key),
			Chosen: slices.Contains(v["switches"], key)})
	}
	return e
}

// Estimate returns how long a round can last with what is filled in.
func Estimate(p lang.Printer, v url.Values) templates.EstimateView {
	r := form.FormReader{Printer: p, Values: v}
	settings := tournament.DefaultSettings(tournament.RoundRobin)
	settings.Name = "–"
	settings.Envelope = r.Envelope()
	settings.Lateness = r.Duration("lateness")
	if len(r.Problems) == 0 {
		r.Problems = words.ProblemsOf(settings.Validate())
	}
	var view templates.EstimateView
	for _, problem := range form.ByInput(p, r.Problems) {
		view.Problems = append(view.Problems, form.ProblemText(p, problem))
	}
	if len(view.Problems) > 0 {
		return view
	}
	e := settings.Envelope
	view.Lines = []templates.TournamentFact{
		{Name: p.T("tournament.estimate.bidding"), Value: p.Length(e.WorstBidding())},
		{Name: p.T("tournament.estimate.board"), Value: p.Length(e.WorstBoard(match.DefaultStartDelay))},
		{Name: p.T("tournament.estimate.round"), Value: words.LengthText(p, settings.UsualRound(), settings.WorstRound()), Hint: p.T("tournament.estimate.hint")},
	}
	return view
}
