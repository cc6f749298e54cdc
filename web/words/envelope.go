package words

import (
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// EnvelopeFacts lists what may be bid.
func EnvelopeFacts(p lang.Printer, e bidding.Envelope) []templates.TournamentFact {
	var facts []templates.TournamentFact
	for _, b := range bidding.Bounds {
		fact := Fact(p.T("tournament.envelope."+b.Key), BoundText(p, b, e))
		if b.Feature == "moveLimit" {
			fact.Hint = p.T("tournament.envelope.default", "Value", p.Int(e.Defaults.MoveLimit))
		}
		facts = append(facts, fact)
	}
	rows := p.T("tournament.envelope.rows-any")
	switch {
	case e.AnyRow:
	case len(e.Rows) == 0:
		rows = p.T("tournament.envelope.rows-standard")
	default:
		rows = p.N("tournament.envelope.rows", len(e.Rows)+1)
	}
	facts = append(facts, Fact(p.T("tournament.envelope.presets"), PresetsText(e)), Fact(p.T("match.target.home-row"), rows))
	if len(e.Forbidden) > 0 {
		var names []string
		for _, key := range e.Forbidden {
			names = append(names, p.T("match.feature."+key))
		}
		facts = append(facts, Fact(p.T("tournament.envelope.forbidden"), strings.Join(names, ", ")))
	}
	return append(facts, ResistanceFact(p, e))
}

// ResistanceFact tells how much asking an ordinary chess engine gains on the terms of an envelope.
func ResistanceFact(p lang.Printer, e bidding.Envelope) templates.TournamentFact {
	measured := fairplay.MeasuredResistance()
	return Fact(p.T("tournament.envelope.resistance"),
		p.T("tournament.envelope.resistance-of", "R", p.Int(measured.Of(e.Defaults)), "Least", p.Int(measured.Least(e))))
}

// BoundText says what a bound allows: 15, 3–15 or 6, 8, 10.
func BoundText(p lang.Printer, b bidding.Bound, e bidding.Envelope) string {
	switch {
	case b.Number != nil:
		return p.Int(*b.Number(&e))
	case b.Span != nil:
		return SpanText(p, *b.Span(&e))
	}
	var texts []string
	for _, n := range *b.List(&e) {
		texts = append(texts, p.Int(n))
	}
	return strings.Join(texts, ", ")
}

// SpanText writes the least and the most, once if they are the same.
func SpanText(p lang.Printer, span [2]int) string {
	if span[0] == span[1] {
		return p.Int(span[0])
	}
	return p.Int(span[0]) + "–" + p.Int(span[1])
}

// PresetsText lists the time controls that are drawn from.
func PresetsText(e bidding.Envelope) string {
	list := make([]string, len(e.Presets))
	for i, t := range e.Presets {
		list[i] = t.String()
	}
	return strings.Join(list, ", ")
}
