// Package fold normalizes names for search: case, accents and apostrophes do not count, ґ
// equals г, either alphabet finds the other, word by word.
package fold

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxWords is how many words of a name or a query count.
const MaxWords = 12

// letters replaces letters that people write in more than one way and that have no accent
// to drop.
var letters = strings.NewReplacer("ґ", "г", "ё", "е", "ß", "ss", "ł", "l", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ı", "i")

// apostrophes lists the characters written as one; Ukrainian words have them inside. On
// keyboards that have none, people type quotes or asterisks.
const apostrophes = "'’‘‛ʼʹˈʾʿ`´′ꞌ՚׳\u02bb\"“”*"

// stretch makes Arabic words longer, for the eye only.
const stretch = 'ـ'

// Words returns the distinct words of a name or a query in normalized form.
func Words(text string) []string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(apostrophes, r) || r == stretch || unicode.Is(unicode.Cf, r) { // Cf is invisible
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	text = letters.Replace(strings.ToLower(inOneScript(text)))
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

// Key is the identity of a name: two names with one key read the same, in whatever order,
// alphabet, spacing or look-alike letters they were typed.
func Key(name string) string {
	words := Words(name)
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Letters that look the same in both alphabets, pairwise.
var (
	alikeCyrillic = []rune("АВЕІКМНОРСТУХЈЅаеіорсухјѕї")
	alikeLatin    = []rune("ABEIKMHOPCTYXJSaeiopcyxjsï")
)

// Code is the identity of a code as it was typed, on whatever keyboard: case, spaces and hyphens do not count, and
// Cyrillic letters stand for those that they look like. Every code that people type on the site is compared by it.
func Code(typed string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if i := slices.Index(alikeCyrillic, r); i >= 0 {
			return alikeLatin[i]
		}
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
			return -1
		}
		return r
	}, strings.ToUpper(typed)))
}

// inOneScript writes words of mixed alphabets, which no eye can tell from others, in the
// one that their other letters are of.
func inOneScript(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = unmixed(word)
	}
	return strings.Join(words, " ")
}

func unmixed(word string) string {
	isCyrillic, isLatin, cyrillicOnly, latinOnly := false, false, false, false
	for _, r := range word {
		switch {
		case unicode.IsMark(r): // marks have scripts too, and go with letters of any
		case unicode.Is(unicode.Cyrillic, r):
			if _, known := Latin(unicode.ToLower(r), false); !known {
				return word // inLatin leaves it as it is, so the rest must not turn Cyrillic
			}
			isCyrillic = true
			cyrillicOnly = cyrillicOnly || !slices.Contains(alikeCyrillic, r)
		case unicode.Is(unicode.Latin, r):
			isLatin = true
			latinOnly = latinOnly || !slices.Contains(alikeLatin, r)
		}
	}
	from, to := alikeLatin, alikeCyrillic
	switch {
	case !isCyrillic || !isLatin || cyrillicOnly && latinOnly:
		return word
	case latinOnly:
		from, to = to, from
	}
	return strings.Map(func(r rune) rune {
		if i := slices.Index(from, r); i >= 0 {
			return to[i]
		}
		return r
	}, word)
}

// plain drops accents, and then replaces the letters that had one (ǿ is an ø). Cyrillic
// letters that inLatin knows, й and ї among them, are letters of their own.
func plain(word string) string {
	var b strings.Builder
	for _, r := range word {
		if _, known := latin[r]; known && unicode.Is(unicode.Cyrillic, r) {
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

// The official romanization of Ukrainian (resolution 55 of the Cabinet of Ministers,
// 2010), with a few letters of its neighbors. Some letters differ at the beginning of a
// word.
var (
	latin = map[rune]string{
		'а': "a", 'б': "b", 'в': "v", 'г': "h", 'ґ': "g", 'д': "d", 'е': "e", 'є': "ie", 'ж': "zh",
		'з': "z", 'и': "y", 'і': "i", 'ї': "i", 'й': "i", 'к': "k", 'л': "l", 'м': "m", 'н': "n",
		'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "kh", 'ц': "ts",
		'ч': "ch", 'ш': "sh", 'щ': "shch", 'ь': "", 'ю': "iu", 'я': "ia", 'ы': "y", 'э': "e", 'ё': "io",
		'ъ': "", 'ў': "u", 'ѕ': "dz", 'ј': "j", 'ł': "l", 'ø': "o", 'ß': "ss", 'đ': "d",
	}
	latinFirst = map[rune]string{'є': "ye", 'ї': "yi", 'й': "y", 'ю': "yu", 'я': "ya"}
)

// Latin romanizes a lower-case letter, at the beginning of a word or further on; known is
// false if it stays as it is.
func Latin(r rune, first bool) (text string, known bool) {
	if other, is := latinFirst[r]; is && first {
		return other, true
	}
	text, known = latin[r]
	return text, known
}

// inLatin romanizes a word as handles are, so that either alphabet finds people.
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

// Inside returns Words and all their suffixes of at least leastPart letters, so that a
// prefix search finds any part of a word: "ivan" finds ironivan.
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
