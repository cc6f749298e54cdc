package words

import (
	"strings"

	"chpok.org/chpok/rating"
	"chpok.org/chpok/templates/lang"
)

// HandicapTable returns the table of handicaps in one line.
func HandicapTable(p lang.Printer) string {
	var parts []string
	for _, row := range rating.HandicapTable()[1:] {
		parts = append(parts, p.T("rating.handicap.row", "From", row.From, "Chips", row.Chips))
	}
	return strings.Join(parts, ", ") + "."
}
