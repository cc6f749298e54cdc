package fairplay

import (
	"strings"

	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
)

// resistanceRows returns the measured scores of engines by terms.
func resistanceRows(p lang.Printer) []fairplayview.ResistanceRow {
	points := "P1 N6 B5 R2 Q3 K4"
	share := func(of ...float64) string {
		texts := []string{"–"}
		for i, f := range of {
			texts = append(texts[:i], p.Decimal(f, 2))
		}
		return strings.Join(texts, " / ")
	}
	row := func(terms, club, chpok, chpokClub string) fairplayview.ResistanceRow {
		return fairplayview.ResistanceRow{Terms: terms, Club: club, Chpok: chpok, ChpokClub: chpokClub}
	}
	limit := func(n int) string { return p.T("fairplay.page.limit", "N", p.Int(n)) }
	usual := p.T("fairplay.page.default")
	return []fairplayview.ResistanceRow{
		row(usual, share(1.00), share(0.61), share()),
		row(usual+", "+points, share(1.00), share(0.73), share()),
		row(limit(20), share(0.81), share(0.15), share()),
		row(limit(20)+", N9", share(0.61), share(), share(0.86)),
		row(limit(20)+", "+points, share(0.29), share(0.04), share()),
		row(limit(10), share(0.32), share(), share(0.98)),
		row(limit(10)+", "+points, share(0.18), share(), share(0.91)),
		row(limit(10)+", P9 / K9", share(0.06, 0.02), share(), share(0.61, 0.83)),
	}
}
