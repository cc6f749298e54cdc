package lang_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
)

// forbidden are words that readers meet nowhere, by language: one thing has one
// name, players are they, spelling is American.
var forbidden = map[lang.Lang]*regexp.Regexp{
	lang.English: regexp.MustCompile(`(?i)\b(?:he|him|his|himself|she|her|hers|herself|envelopes?|bounds? of (?:the )?bidding|` +
		`organis\w*|colour\w*|favour\w*|honour\w*|behaviour\w*|centre[sd]?|recognis\w*|licence[sd]?|analyse[sd]?|judgement|` +
		`neighbour\w*|travell\w*|labelled|grey|whilst)\b`),
	lang.Ukrainian: regexp.MustCompile(`(?i)(?:[а-щьюяґєії]*спару[а-щьюяґєії]*|спаров[а-щьюяґєії]*|жеребк(?:а|и|у|ою|ування|уванню|уванням)(?:[^а-щьюяґєії’]|$)|` +
		`кругов[а-щьюяґєії]*|(?:^|[^а-щьюяґєії’])нік(?:у|и|а|ом)?(?:[^а-щьюяґєії’]|$)|біг короля|скасування ходу)`),
}

// allowed are texts in which such a word means something else.
var allowed = map[string]bool{}

func TestNobodyReadsAForbiddenWord(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		for key, forms := range texts(t, l) {
			for _, text := range forms {
				if word := forbidden[l].FindString(text); word != "" && !allowed[key] {
					t.Errorf("%s: %s says %q: %s", l, key, word, text)
				}
			}
		}
		files, err := filepath.Glob("../../web/words/texts/*." + string(l) + ".txt")
		if err != nil || len(files) == 0 {
			t.Fatalf("no long texts of %s: %v", l, err)
		}
		for _, name := range files {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(body), "\n") {
				if word := forbidden[l].FindString(line); word != "" {
					t.Errorf("%s:%d says %q", filepath.Base(name), i+1, word)
				}
			}
		}
	}
}

// The pattern itself, so that it forbids what it is meant to and nothing near it.
func TestWhatIsForbidden(t *testing.T) {
	t.Parallel()
	for l, words := range map[lang.Lang]map[string]bool{
		lang.English: {
			"the organiser": true, "the organizer": false, "his turn": true, "this turn": false, "bounds of bidding": true, "bidding limits": false,
			"match envelope": true, "favourite": true, "the theme": false, "analyze": false,
		},
		lang.Ukrainian: {
			"тур спаровано": true, "не спарується": true, "складання пар": false, "коловий": false, "круговий турнір": true,
			"дозволеної жеребки": true, "вирішує жереб": false, "жеребкуємо контроль часу": false, "ваш нік": true, "нікому": false, "псевдонім": false,
		},
	} {
		for text, want := range words {
			if got := forbidden[l].MatchString(text); got != want {
				t.Errorf("%s: %q is forbidden: %v", l, text, got)
			}
		}
	}
}
