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

// safeCell keeps spreadsheets from reading a text as a formula. Numbers and results such as +/- are none.
func safeCell(text string) string {
	mayAct := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || r == '(' })
	if strings.IndexAny(text, "=@\t\r") == 0 || strings.IndexAny(text, "+-") == 0 && mayAct {
		return "'" + text
	}
	return text
}
