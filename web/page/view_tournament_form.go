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
	widest := bidding.DefaultEnvelope()
	e := templates.EnvelopeForm{
		Chips: templates.Field{Name: "chips", Label: p.T("tournament.envelope.chips"), Hint: p.T("tournament.envelope.chips-hint"),
			Type: "number", Value: v.Get("chips"), Error: wrong("chips")},
		Presets: templates.Field{Name: "presets", Label: p.T("tournament.envelope.presets"), Hint: p.T("tournament.envelope.presets-hint"),
			Value: v.Get("presets"), Error: wrong("presets"), Autocomplete: "off"},
		Default: templates.Field{Name: "default_limit", Label: p.T("tournament.envelope.default-limit"),
			Hint: p.T("tournament.envelope.default-limit-hint"), Type: "number", Value: v.Get("default_limit"), Error: wrong("default_limit")},
		Points: templates.Field{Name: "default_points", Label: p.T("tournament.envelope.default-points"),
			Hint: p.T("tournament.envelope.default-points-hint"), Value: v.Get("default_points"), Error: wrong("default_points"),
			Autocomplete: "off", Max: 60},
		WidthsError: wrong("widths"),
		AnyRow:      v.Get("any_row") != "", Estimate: Estimate(p, v),
	}
	for _, span := range form.EnvelopeSpans {
		b := *span.Field(&widest)
		e.Spans = append(e.Spans, templates.SpanField{
			Name: span.Name, Label: p.T("tournament.envelope." + span.Name), Low: v.Get(span.Name + "_low"), High: v.Get(span.Name + "_high"),
			Min: words.Itoa(b[0]), Max: words.Itoa(b[1]), Hint: p.Int(b[0]) + "–" + p.Int(b[1]), Error: wrong(span.Name),
		})
	}
	for w := 6; w <= 10; w++ {
		e.Widths = append(e.Widths, templates.Choice{Value: words.Itoa(w), Text: words.Itoa(w),
			Chosen: slices.Contains(v["widths"], words.Itoa(w))})
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
