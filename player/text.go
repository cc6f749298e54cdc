package player

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tidy is a name as it is kept: letters with their accents composed, single plain spaces,
// and nothing invisible. So two ways to type one name, or to paste it, are one text.
func Tidy(s string) string {
	s = strings.Join(strings.Fields(norm.NFC.String(strings.ToValidUTF8(s, "\ufffd"))), " ")
	runes := []rune(s)
	if !hasUnseen(runes) {
		return s
	}
	kept := slices.Clone(runes)
	n := 0
	for i, r := range runes {
		if !isUnseen(runes, i) {
			kept[n] = r
			n++
		}
	}
	return strings.Join(strings.Fields(norm.NFC.String(string(kept[:n]))), " ")
}

// IsLine tells what people may write on one line: valid UTF-8 without control characters,
// which neither reports nor databases accept, without letters lost on the way (�), and
// without characters that are invisible or change the direction of writing, so that names that look the same are the same.
func IsLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) && !strings.ContainsRune(s, utf8.RuneError) &&
		!hasUnseen([]rune(s))
}

const joiner = '\u200d'

// unseen are zero-width characters that Unicode counts among letters, marks or symbols.
const unseen = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"

// hasUnseen reports whether any character isUnseen.
func hasUnseen(s []rune) bool {
	for i := range s {
		if isUnseen(s, i) {
			return true
		}
	}
	return false
}

// isUnseen finds invisible format, line and space characters; within emoji joiners and
// variation selectors are allowed.
func isUnseen(s []rune, i int) bool {
	pictured := func(i int) bool {
		return i >= 0 && i < len(s) && (unicode.In(s[i], unicode.So, unicode.Sk) || unicode.Is(unicode.Variation_Selector, s[i]))
	}
	switch r := s[i]; {
	case r == joiner && pictured(i-1) && pictured(i+1):
		return false
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp), strings.ContainsRune(unseen, r):
		return true
	default:
		return unicode.Is(unicode.Variation_Selector, r) && !pictured(i-1)
	}
}

// IsText tells what people may write in paragraphs: valid UTF-8 with no control
// characters but line breaks and tabs.
func IsText(s string) bool {
	return utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) })
}

// Cut is a text shortened to at most most characters.
func Cut(s string, most int) string {
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most])
	}
	return s
}

// Excerpt is a text of at most most characters, with … where it was cut.
func Excerpt(s string, most int) string {
	if utf8.RuneCountInString(s) > most {
		return Cut(s, most-1) + "…"
	}
	return s
}
