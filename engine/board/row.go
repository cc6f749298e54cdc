package board

import (
	"strings"
)

// Row is the pieces of a home row from file a on, in upper-case letters.
type Row string

var standardRows = [MaxWidth + 1]Row{
	6: "RNQKNR", 7: "RNBQKNR", 8: "RNBQKBNR", 9: "RNBQKDBNR", 10: "RNBDQKDBNR",
}

// StandardRow returns the standard row of a width, "" for a width no board has.
func StandardRow(width int) Row {
	if width < MinWidth || width > MaxWidth {
		return ""
	}
	return standardRows[width]
}

// IsStandard reports whether r is the standard row of any width (Rules D23).
func (r Row) IsStandard() bool { return r != "" && r == StandardRow(len(r)) }

// Fit returns the row in force at a width when r was bid (Rules D10, D23). A standard
// row becomes that width's standard row. Any other loses files at the high end, but
// never its last king, or gains pawns there. The width must be MinWidth…MaxWidth and the
// row must have a king.
func Fit(r Row, width int) Row {
	if r.IsStandard() {
		return StandardRow(width)
	}
	for len(r) > width {
		last := len(r) - 1
		if r[last] == 'K' && strings.Count(string(r), "K") == 1 {
			r = r[:last-1] + r[last:]
			continue
		}
		r = r[:last]
	}
	if short := width - len(r); short > 0 {
		r += Row(strings.Repeat("P", short))
	}
	return r
}

// ValidateRow returns nil if r may be bid at a width, else a *SetupError. It wants
// exactly one piece a file, each one of K Q R B N D P, and at least one king.
func ValidateRow(r Row, width int) error {
	if problems := rowProblems(r, width); len(problems) > 0 {
		return &SetupError{problems}
	}
	return nil
}

func rowProblems(r Row, width int) (problems []Problem) {
	for _, letter := range string(r) {
		if letter >= 0x80 || !isRowLetter(byte(letter)) {
			problems = append(problems, problem("row-letter", "row %q: %q is not one of K Q R B N D P", "Row", string(r), "Letter", letter))
		}
	}
	if n := len([]rune(string(r))); n != width {
		problems = append(problems, problem("row-length", "row %q has %d pieces, the board %d files", "Row", string(r), "N", n, "Width", width))
	}
	if !strings.Contains(string(r), "K") {
		problems = append(problems, problem("row-king", "row %q has no king", "Row", string(r)))
	}
	return problems
}

func isRowLetter(letter byte) bool {
	_, ok := ParseKind(letter)
	return ok
}
