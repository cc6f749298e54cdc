// Package plain knows the words that readers of the site meet nowhere: one
// thing has one name, players are they, spelling is American. Tests hold the
// catalogues, the long texts and the rendered pages to it.
package plain

import "regexp"

// Find returns such a word of a text in a language, by its code; nobody has named those of other languages.
func Find(lang, text string) string {
	if words := forbidden[lang]; words != nil {
		return words.FindString(text)
	}
	return ""
}

var forbidden = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(?:he|him|his|himself|she|her|hers|herself|envelopes?|bounds? of (?:the )?bidding|` +
		`organis\w*|colour\w*|favour\w*|honour\w*|behaviour\w*|centre[sd]?|recognis\w*|memoris\w*|licence[sd]?|analyse[sd]?|judgement|` +
		`neighbour\w*|travell\w*|labelled|grey|whilst|lateness|hard end|steps back|demanded|there is no such page|` +
		`e-mail)\b`),
	"uk": regexp.MustCompile(`(?i)(?:[а-щьюяґєії]*спару[а-щьюяґєії]*|` +
		`спаров[а-щьюяґєії]*|перепар[а-щьюяґєії]*|(?:^|[^а-щьюяґєії’])парува[а-щьюяґєії]*|` +
		`жеребк(?:а|и|у|ою|ування|уванню|уванням)(?:[^а-щьюяґєії’]|$)|` +
		`кругов[а-щьюяґєії]*|(?:^|[^а-щьюяґєії’])нік(?:у|и|а|ом)?(?:[^а-щьюяґєії’]|$)|біг короля|скасування ходу|` +
		`чпок[а-щьюяґєії]*|конверт[а-щьюяґєії]*|апеляці[а-щьюяґєії]+|` +
		`акаунт[а-щьюяґєії]*|колегі[а-щьюяґєії]+|суддівськ[а-щьюяґєії]+|ключ(?:і|ів)? для програм)`),
}
