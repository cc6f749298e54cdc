package fairplay

import (
	"strings"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/fairplay"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
)

// resistanceTable returns what was measured of engines by terms, and how.
func resistanceTable(p lang.Printer) fairplayview.ResistanceTable {
	measured := fairplay.MeasuredResistance()
	view := fairplayview.ResistanceTable{
		What: p.T("fairplay.page.engines-what", "Games", p.Int(measured.Games), "Engine", measured.Engine, "Nodes", p.Int(measured.Nodes)),
	}
	for _, r := range measured.Rows {
		row := fairplayview.ResistanceRow{Terms: resistanceTerms(p, r.Features()), R: p.Int(r.R())}
		for _, s := range r.Scores {
			row.Shares = append(row.Shares, p.Decimal(s.Share, 2)+"\u00a0±\u00a0"+p.Decimal(s.Margin, 2))
		}
		view.Rows = append(view.Rows, row)
	}
	return view
}

// resistanceTerms says how features differ from the usual.
func resistanceTerms(p lang.Printer, f board.Features) string {
	var parts []string
	usual := board.DefaultFeatures()
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
	if len(parts) == 0 {
		return p.T("fairplay.page.default")
	}
	return strings.Join(parts, ", ")
}
