package lang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/templates/lang/plain"
)

func TestNobodyReadsAForbiddenWord(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		for key, forms := range texts(t, l) {
			for _, text := range forms {
				if word := plain.Forbidden[string(l)].FindString(argument.ReplaceAllString(text, "")); word != "" {
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
				if word := plain.Forbidden[string(l)].FindString(line); word != "" {
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
			"match envelope": true, "favourite": true, "the theme": false, "analyze": false, "by e-mail": true, "by email": false, "what is demanded": true, "on demand": false,
		},
		lang.Ukrainian: {
			"тур спаровано": true, "не спарується": true, "складання пар": false, "коловий": false, "круговий турнір": true,
			"дозволеної жеребки": true, "вирішує жереб": false, "жеребкуємо контроль часу": false, "ваш нік": true, "нікому": false, "псевдонім": false, "перепарувати решту": true,
			"скласти пари заново": false, "ваш акаунт": true, "парус": false, "суддівська колегія": true, "команда": false,
		},
	} {
		for text, want := range words {
			if got := plain.Forbidden[string(l)].MatchString(text); got != want {
				t.Errorf("%s: %q is forbidden: %v", l, text, got)
			}
		}
	}
}
