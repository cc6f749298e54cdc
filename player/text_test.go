package player_test

import (
	"testing"

	"chpok.org/chpok/player"
)

func TestWhatStandsOnALineAndInParagraphs(t *testing.T) {
	for _, c := range []struct {
		text             string
		line, paragraphs bool
	}{
		{"", true, true}, {"Шпок — гра", true, true}, {"two\nlines", false, true}, {"a\r\nb\tc", false, true},
		{"nul\x00", false, false}, {"\x1b[31m", false, false}, {"del\x7f", false, false}, {"c1\u0085", false, false},
		{"in\u200bvisible", false, true}, {"\u202egnp.exe", false, true}, {"soft\u00adhyphen", false, true}, {"Hangul \u3164", false, true},
		{"family 👩\u200d👧 of two ❤\ufe0f", true, true}, {"joined\u200dletters", false, true}, {"a\u2066b\u2069", false, true}, {"varied a\ufe0f", false, true},
		{"broken \xff", false, false}, {"cut \xd0", false, false}, {"broken\n\xff", false, false},
	} {
		if player.IsLine(c.text) != c.line || player.IsText(c.text) != c.paragraphs {
			t.Errorf("%q: line %v, text %v", c.text, player.IsLine(c.text), player.IsText(c.text))
		}
	}
}

func TestALongTextIsCutBetweenLetters(t *testing.T) {
	for _, c := range []struct{ text, cut, excerpt string }{{"", "", ""}, {"Шпок", "Шпок", "Шпок"}, {"Шпоки", "Шпок", "Шпо…"}} {
		if cut, excerpt := player.Cut(c.text, 4), player.Excerpt(c.text, 4); cut != c.cut || excerpt != c.excerpt {
			t.Errorf("%q: %q, %q", c.text, cut, excerpt)
		}
	}
}
