package intake

import (
	"bytes"
	"encoding/csv"
	"strings"
	"unicode"
)

// CSV writes a table as spreadsheets read it.
func CSV(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\ufeff") // without the mark spreadsheets assume an old code page
	w := csv.NewWriter(&b)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, text := range row {
			safe[i] = safeCell(text)
		}
		if err := w.Write(safe); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// safeCell keeps spreadsheets from reading a text, or a part of it, as a formula. Where decimals have commas they take
// semicolons to separate cells, whatever our commas and quotes say.
func safeCell(text string) string {
	parts := strings.SplitAfter(text, ";")
	for i, part := range parts {
		if isFormula(strings.TrimLeft(part, `" `)) {
			parts[i] = "'" + part
		}
	}
	return strings.Join(parts, "")
}

// isFormula reports whether a cell would do something. Numbers and results such as +/- do not; signs as wide as Chinese letters do.
func isFormula(cell string) bool {
	mayAct := strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || r == '(' })
	return strings.IndexAny(cell, "=@\t\r\n＝＠") == 0 || strings.IndexAny(cell, "+-＋－") == 0 && mayAct
}
