// Package fold decides which names are the same to somebody who searches: without
// case, accents and apostrophes, ґ as г, word by word. It refuses to rank what is found.
package fold

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxWords is how many words of a name or a question count.
const MaxWords = 12

// letters are those that people write in more than one way and that have no accent
// to drop.
var letters = strings.NewReplacer("ґ", "г", "ё", "е", "ß", "ss", "ł", "l", "ø", "o", "đ", "d", "æ", "ae", "œ", "oe", "ı", "i")

// apostrophes are every sign that is written for one; Ukrainian words have them inside.
const apostrophes = "'’‘ʼ`´′\u02bb"

// Words are the words of a name or a question as they are compared, each once.
func Words(text string) []string {
	text = letters.Replace(strings.ToLower(norm.NFKC.String(text)))
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(apostrophes, r) {
			return -1
		}
		return r
	}, text)
	var words []string
	for word := range strings.FieldsFuncSeq(text,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if word = plain(word); word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
		if len(words) == MaxWords {
			break
		}
	}
	return words
}

// plain drops accents from Latin letters. In Cyrillic й and ї are letters of their own.
func plain(word string) string {
	var b strings.Builder
	for _, r := range word {
		if unicode.Is(unicode.Cyrillic, r) {
			b.WriteRune(r)
			continue
		}
		for _, part := range norm.NFKD.String(string(r)) {
			if !unicode.IsMark(part) {
				b.WriteRune(part)
			}
		}
	}
	return b.String()
}

// leastPart is how many letters from the middle of a word find it.
const leastPart = 3

// Inside are Words and every end of them of three letters and more, so that what
// begins with a question has it anywhere inside: ironivan is found by "ivan".
func Inside(name string) []string {
	var parts []string
	for _, word := range Words(name) {
		parts = append(parts, word)
		runes := []rune(word)
		for i := 1; i+leastPart <= len(runes); i++ {
			parts = append(parts, string(runes[i:]))
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}
