package fairplay

import (
	"math"
	"slices"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/fairplay"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// resistanceTable returns what was measured of engines by terms, and how.
func resistanceTable(p lang.Printer) fairplayview.ResistanceTable {
	measured := fairplay.MeasuredResistance()
	view := fairplayview.ResistanceTable{
		What: p.T("fairplay.page.engines-what", "Games", words.SpanText(p, gamesOf(measured)), "Engine", measured.Engine, "Nodes", p.Int(measured.Nodes)),
	}
	for _, r := range append(slices.Clone(measured.Rows), measured.Bids...) {
		row := fairplayview.ResistanceRow{Terms: resistanceTerms(p, r), R: p.Int(r.R())}
		for _, s := range r.Scores {
			row.Shares = append(row.Shares, p.Decimal(s.Share, 2)+"\u00a0±\u00a0"+p.Decimal(s.Margin, 2))
		}
		for range len(measured.Rows[0].Scores) - len(r.Scores) { // not measured
			row.Shares = append(row.Shares, "–")
		}
		view.Rows = append(view.Rows, row)
	}
	return view
}

// gamesOf returns the fewest and the most games of a figure.
func gamesOf(t fairplay.ResistanceTable) (span [2]int) {
	span[0] = math.MaxInt
	for _, r := range append(slices.Clone(t.Rows), t.Bids...) {
		span = [2]int{min(span[0], r.Games), max(span[1], r.Games)}
	}
	return span
}

// resistanceTerms says how terms differ from the usual without castling.
func resistanceTerms(p lang.Printer, r fairplay.Resistance) string {
	if r.Bids != "" {
		return p.T("fairplay.page.bids", "Name", p.T("tournament.form.envelope."+r.Bids))
	}
	var parts []string
	f, usual := r.Features(), board.DefaultFeatures()
	if f.Width != usual.Width {
		parts = append(parts, p.T("fairplay.page.width", "N", f.Width))
	}
	if f.MoveLimit != usual.MoveLimit {
		parts = append(parts, p.T("fairplay.page.limit", "N", p.Int(f.MoveLimit)))
	}
	var points []string
	for k, n := range f.MovePoints {
		if n > 0 {
			points = append(points, board.Kind(k).String()+p.Int(n))
		}
	}
	if len(points) > 0 {
		parts = append(parts, strings.Join(points, " "))
	}
	if f.Castlings > 0 {
		parts = append(parts, p.T("fairplay.page.castling"))
	}
	if f.Undos > 0 {
		parts = append(parts, p.T("match.feature.undos")+" "+p.Int(f.Undos))
	}
	for _, key := range bidding.Switches {
		if bidding.SwitchOn(f, key) {
			parts = append(parts, p.T("match.feature."+key))
		}
	}
	if r.Row != "" {
		parts = append(parts, string(r.Row))
	}
	if len(parts) == 0 {
		return p.T("fairplay.page.default")
	}
	return strings.Join(parts, ", ")
}
