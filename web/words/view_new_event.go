package words

import (
	"strings"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/tiebreak"
)

// TiebreakName names a tie-break, "Buchholz −1" for BH/C1; one without a name keeps its code.
func TiebreakName(p lang.Printer, code string) string {
	c, err := tiebreak.Parse(code)
	if err != nil {
		c, err = tiebreak.ParseForTeams(code)
	}
	if err != nil || !p.Has("tournament.code."+c.Kind.Code) {
		return code
	}
	name := p.T("tournament.code." + c.Kind.Code)
	switch c.Of {
	case tiebreak.MatchPoints:
		name += ", " + p.T("teams.mp")
	case tiebreak.GamePoints:
		name += ", " + p.T("teams.gp")
	}
	switch _, modifiers, _ := strings.Cut(c.String(), "/"); modifiers {
	case "":
	case "C" + Itoa(c.Low):
		name += " −" + Itoa(c.Low)
	default:
		name += " (" + modifiers + ")"
	}
	return name
}

// TiebreakHead names a tie-break over its column: shortly, where its name tells all its steps.
func TiebreakHead(p lang.Printer, code string) string {
	if key := "tournament.head." + code; p.Has(key) {
		return p.T(key)
	}
	return TiebreakName(p, code)
}

// TiebreakNames names tie-breaks in their order.
func TiebreakNames(p lang.Printer, codes []string) string {
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = TiebreakName(p, code)
	}
	return strings.Join(names, ", ")
}

// TiebreakRows offers a selection for each tie-break of players or teams in its order, and an empty one for another.
func TiebreakRows(p lang.Printer, codes []string, teams bool) (rows [][]templates.Choice) {
	offered := tiebreak.Offered()
	if teams {
		offered = tiebreak.OfferedToTeams()
	}
	for i := range len(codes) + 1 {
		code := ""
		if i < len(codes) {
			code = codes[i]
		}
		row := []templates.Choice{{Value: "", Text: p.T("event.no-tiebreak"), Chosen: code == ""}}
		known := code == ""
		for _, o := range offered {
			row = append(row, templates.Choice{Value: o, Text: TiebreakName(p, o), Chosen: o == code})
			known = known || o == code
		}
		if !known {
			row = append(row, templates.Choice{Value: code, Text: TiebreakName(p, code), Chosen: true})
		}
		rows = append(rows, row)
	}
	return rows
}
