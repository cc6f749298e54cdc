package form

import (
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
	} else if b.Fixture != nil {
		l.URL = words.FixtureURL(t.ID, round, b.Board)
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

// EnvelopeSchema describes the bounds to programs.
func EnvelopeSchema() Schema {
	all := Schema{}
	for _, b := range bidding.Bounds {
		number := Schema{"type": "integer", "minimum": b.Widest[0], "maximum": b.Widest[1]}
		switch {
		case b.Number != nil:
			all[b.Key] = number
		case b.Span != nil:
			all[b.Key] = Schema{"type": "array", "items": number, "minItems": 2, "maxItems": 2}
		default:
			all[b.Key] = Schema{"type": "array", "items": number}
		}
	}
	return all
}
