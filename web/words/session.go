package words

import (
	"strings"

	"chpok.org/chpok/player"
)

// Shorten cuts a text from outside to most characters and drops invalid UTF-8 and NUL.
func Shorten(text string, most int) string {
	return player.Cut(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), ""), most)
}
