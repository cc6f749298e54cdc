package player

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsLine tells what people may write on one line: valid UTF-8 without control
// characters, which neither reports nor databases take.
func IsLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// IsText tells what people may write in paragraphs: as IsLine, with line breaks
// and tabs.
func IsText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) })
}
