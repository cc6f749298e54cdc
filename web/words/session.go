package words

import (
	"strings"

	"chpok.org/chpok/player"
)

// Shorten cuts a text that someone else wrote; broken encoding is dropped.
func Shorten(text string, most int) string {
	return player.Cut(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), ""), most)
}
