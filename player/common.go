package player

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

// commonWords is what published lists of stolen passwords are made of, most of
// all: words, names, teams and rows of keys, put together for this site from what
// is commonly known of those lists. With digits, signs and letters written as
// digits around and in them they cover the most used passwords of 8 characters
// and more.
//
//go:embed common_words.txt
var commonWords string

var common = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(commonWords) {
		words[word] = true
	}
	return words
}()

// rows are keys and signs in the order in which lazy fingers find them.
var rows = []string{
	"01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiopü", "azertyuiop", "qsdfghjklm", "abcdefghijklmnopqrstuvwxyz",
	"1qaz2wsx3edc4rfv5tgb6yhn7ujm", "q1w2e3r4t5y6u7i8o9p0", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujm", "147258369", "!@#$%^&*()",
	"йцукенгшщзхї", "йцукенгшщзхъ", "фівапролджє", "фывапролджэ", "ячсмитьбю", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}

// written undoes what people write for letters.
var written = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// isCommon tells a password that is tried first by whoever guesses: a common word
// with signs around it, twice, or in digits for letters; a row of keys; a date;
// few characters again and again.
func isCommon(password string) bool {
	s := strings.ToLower(password)
	core := strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if core == "" {
		return len(s) <= 12 // digits and signs: dates, telephones, rows
	}
	for _, word := range []string{s, core, written.Replace(s), written.Replace(core),
		strings.TrimRight(written.Replace(strings.TrimRight(s, "0123456789!.?*#_-")), "0123456789")} {
		if common[word] || common[unit(word)] || isRow(word) {
			return true
		}
	}
	return len([]rune(unit(s))) <= 3 || isRow(core) && len(s)-len(core) <= 4
}

// unit is the least text that, repeated, makes a whole one.
func unit(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// isRow tells a run along one of the rows, either way, or a few runs after each other.
func isRow(s string) bool {
	runes := []rune(s)
	for at := 0; at < len(runes); {
		n := longestRun(runes[at:])
		if n < 3 {
			return false
		}
		at += n
	}
	return len(runes) > 0
}

func longestRun(s []rune) (longest int) {
	for _, row := range rows {
		forward := []rune(row)
		backward := slices.Clone(forward)
		slices.Reverse(backward)
		for _, keys := range [][]rune{forward, backward} {
			for from := range keys {
				n := 0
				for n < len(s) && from+n < len(keys) && s[n] == keys[from+n] {
					n++
				}
				longest = max(longest, n)
			}
		}
	}
	return longest
}
