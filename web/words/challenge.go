package words

import (
	"strings"

	"chpok.org/chpok/rating"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates/lang"
)

// ErrNoPlayer refuses a handle that nobody has.
var ErrNoPlayer = refusal.Invalid("challenge.error.no-player", "web: no such player")

// HandicapTable returns the table of handicaps in one line.
func HandicapTable(p lang.Printer) string {
	var parts []string
	for _, row := range rating.HandicapTable()[1:] {
		parts = append(parts, p.T("rating.handicap.row", "From", row.From, "Chips", row.Chips))
	}
	return strings.Join(parts, ", ") + "."
}
