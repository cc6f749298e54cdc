package form

import (
	"strings"

	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// BoardLine renders a board of a round; ref returns entries as the page shows them.
func BoardLine(p lang.Printer, v player.Viewer, t *tournament.Tournament, round int, b tournament.Pairing,
	ref func(tournament.EntryID) templates.EntryRef, h store.Head) templates.BoardLine {
	l := templates.BoardLine{Board: words.BoardLabel(t, round, b.Board), First: ref(b.First), Second: ref(b.Second)}
	for i, chips := range ratings.ExtraChips(t, b) {
		if chips > 0 {
			[]*templates.EntryRef{&l.First, &l.Second}[i].Chips = p.N("tournament.extra-chips", chips)
		}
	}
	l.Result, l.ResultWords = words.ResultText(p, b.Result.Kind)
	if t.IsRuled(b) {
		l.Ruled = words.RuledID(round, b.Board)
	}
	if b.Result.IsPlayed() && (b.Result.Points[0] != 0 || b.Result.Points[1] != 0) {
		l.Points = words.BoardPoints(p, b.Result.Points)
	}
	if b.Match != "" {
		l.URL, l.Level = words.MatchURL(b.Match), LevelShown(p, h)
	}
	if h.ID != "" && h.Status != match.Over && b.Result.IsPending() {
		phase := words.PhaseWord(h)
		l.Live, l.IsWaiting = p.T("player.match."+phase), phase == "waiting"
	}
	if !b.Result.IsPending() && t.May(v, tournament.ActCorrect) && t.Status != tournament.Finalized {
		l.CorrectURL = words.BoardURL(t.ID, round, b.Board)
	}
	return l
}

// EnvelopeFacts lists what may be bid.
func EnvelopeFacts(p lang.Printer, e bidding.Envelope) []templates.TournamentFact {
	span := func(b [2]int) string {
		text := p.Int(b[0])
		if b[0] != b[1] {
			text += "–" + p.Int(b[1])
		}
		return text
	}
	var widths []string
	for _, w := range e.Widths {
		widths = append(widths, p.Int(w))
	}
	facts := []templates.TournamentFact{
		words.Fact(p.T("tournament.envelope.chips"), p.Int(e.Chips)),
		words.Fact(p.T("tournament.envelope.minutes"), span(e.Minutes)),
		words.Fact(p.T("tournament.envelope.increment"), span(e.Increment)),
		words.Fact(p.T("tournament.envelope.presets"), presetsText(e)),
		words.Fact(p.T("tournament.envelope.widths"), strings.Join(widths, ", ")),
		{Name: p.T("tournament.envelope.moveLimit"), Value: span(e.MoveLimit),
			Hint: p.T("tournament.envelope.default", "Value", p.Int(e.Defaults.MoveLimit))},
		words.Fact(p.T("tournament.envelope.undos"), span(e.Undos)),
		words.Fact(p.T("tournament.envelope.castlings"), span(e.Castlings)),
	}
	rows := p.T("tournament.envelope.rows-any")
	if !e.AnyRow {
		rows = p.T("tournament.envelope.rows-standard")
	}
	facts = append(facts, words.Fact(p.T("match.target.home-row"), rows))
	if len(e.Forbidden) > 0 {
		var names []string
		for _, key := range e.Forbidden {
			names = append(names, p.T("match.feature."+key))
		}
		facts = append(facts, words.Fact(p.T("tournament.envelope.forbidden"), strings.Join(names, ", ")))
	}
	return facts
}
