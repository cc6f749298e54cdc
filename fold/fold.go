// Package fold decides which names are the same to somebody who searches: without
// case, accents and apostrophes, ґ as г, in either alphabet, word by word. It refuses
// to rank what is found.
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
		if word = inLatin(plain(word)); word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
		if len(words) == MaxWords {
			break
		}
	}
	return words
}

// plain drops accents from Latin letters, and then knows those that stood under one (ǿ
// is an ø). In Cyrillic й and ї are letters of their own.
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
	return letters.Replace(b.String())
}

// Latin letters for Ukrainian ones, by the Cabinet's resolution 55 of 2010, and for a
// few of its neighbors'. At the beginning of a word some are written otherwise.
var (
	latin = map[rune]string{
		'а': "a", 'б': "b", 'в': "v", 'г': "h", 'ґ': "g", 'д': "d", 'е': "e", 'є': "ie", 'ж': "zh",
		'з': "z", 'и': "y", 'і': "i", 'ї': "i", 'й': "i", 'к': "k", 'л': "l", 'м': "m", 'н': "n",
		'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "kh", 'ц': "ts",
		'ч': "ch", 'ш': "sh", 'щ': "shch", 'ь': "", 'ю': "iu", 'я': "ia", 'ы': "y", 'э': "e", 'ё': "io",
		'ъ': "", 'ў': "u", 'ł': "l", 'ø': "o", 'ß': "ss", 'đ': "d",
	}
	latinFirst = map[rune]string{'є': "ye", 'ї': "yi", 'й': "y", 'ю': "yu", 'я': "ya"}
)

// Latin is a small letter in Latin ones, at the beginning of a word or further on; not
// known: it has no other form.
func Latin(r rune, first bool) (text string, known bool) {
	if other, is := latinFirst[r]; is && first {
		return other, true
	}
	text, known = latin[r]
	return text, known
}

// inLatin is a word as a handle made of it would be written, so that people are found
// by either alphabet.
func inLatin(word string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(word, "зг", "zgh") {
		if text, known := Latin(r, b.Len() == 0); known {
			b.WriteString(text)
		} else {
			b.WriteRune(r)
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
