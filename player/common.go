package player

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// commonWords are the words behind the most used passwords: words, names, teams and rows
// of keys, compiled for this site from what is commonly known about lists of stolen
// passwords. With digits and signs around them and digits for letters they cover the most
// used passwords of 8 characters and more.
//
//go:embed common_words.txt
var commonWords string

var common = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(commonWords) {
		words[word] = true
	}
	return words
})

// rows are rows of keys and signs, in the order that lazy fingers find them.
var rows = []string{
	"01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiopü", "azertyuiop", "qsdfghjklm", "abcdefghijklmnopqrstuvwxyz",
	"1qaz2wsx3edc4rfv5tgb6yhn7ujm", "q1w2e3r4t5y6u7i8o9p0", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujm", "147258369", "!@#$%^&*()",
	"йцукенгшщзхї", "йцукенгшщзхъ", "фівапролджє", "фывапролджэ", "ячсмитьбю", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}

// The same keys on two layouts: some words are typed on the other one, such as gfhjkm for пароль.
var (
	keysLatin    = []rune("qwertyuiop[]asdfghjkl;'zxcvbnm,.")
	keysCyrillic = []rune("йцукенгшщзхїфівапролджєячсмитьбю")
)

// written replaces the digits and signs that people write for letters.
var written = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// isCommon reports whether a password is among those that guessers try first: a common word
// with signs around it, beside another, with digits for letters, or on the other keyboard; a
// row of keys; a date; a few characters repeated.
func isCommon(password string) bool {
	s := strings.ToLower(password)
	return isGuessed(s) || isGuessed(onKeys(s, keysLatin, keysCyrillic)) || isGuessed(onKeys(s, keysCyrillic, keysLatin))
}

// onKeys is a text typed by the same keys on another layout.
func onKeys(s string, from, to []rune) string {
	return strings.Map(func(r rune) rune {
		if i := slices.Index(from, r); i >= 0 {
			return to[i]
		}
		return r
	}, s)
}

func isGuessed(s string) bool {
	core := letters(s)
	if len([]rune(core)) <= 3 {
		return len(s) <= 15 // digits and signs, with hardly a letter: dates, telephones, rows
	}
	for _, word := range []string{s, core, written.Replace(s), written.Replace(core),
		strings.TrimRight(written.Replace(strings.TrimRight(s, "0123456789!.?*#_-")), "0123456789")} {
		if isCommonWord(word) || isRow(word) {
			return true
		}
	}
	return distinct(s) <= 3 || isRow(core) && len(s)-len(core) <= 4 || isRow(everySecond(s, 0)) && isRow(everySecond(s, 1))
}

// isCommonWord reports whether a text is a common word, two of them, or one repeated.
func isCommonWord(s string) bool {
	for i := range s {
		if i > 0 && common()[s[:i]] && common()[s[i:]] {
			return true
		}
	}
	return common()[s] || common()[unit(s)]
}

// distinct counts the characters that a text is made of.
func distinct(s string) int {
	runes := []rune(s)
	slices.Sort(runes)
	return len(slices.Compact(runes))
}

// everySecond is every other character of a text.
func everySecond(s string, from int) string {
	var b strings.Builder
	for i, r := range []rune(s) {
		if i%2 == from {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// letters is a text without what stands around its letters.
func letters(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

// unit is the shortest text whose repetition makes the whole.
func unit(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// isRow reports whether a text consists of runs along the rows, either way.
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
