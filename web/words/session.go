package words

import (
	"strings"
	"unicode/utf8"
)

// Shorten cuts a text that someone else wrote; broken encoding is dropped.
func Shorten(text string, most int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	if utf8.RuneCountInString(text) > most {
		return string([]rune(text)[:most])
	}
	return text
}
