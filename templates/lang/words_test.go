package lang_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
				if word := plain.Find(string(l), argument.ReplaceAllString(text, "")); word != "" {
					t.Errorf("%s: %s says %q: %s", l, key, word, text)
				}
			}
		}
		files, err := filepath.Glob(string(l) + "/*.txt")
		if err != nil || len(files) == 0 {
			t.Fatalf("no long texts of %s: %v", l, err)
		}
		for _, name := range files {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(body), "\n") {
				if word := plain.Find(string(l), line); word != "" {
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
			if got := plain.Find(string(l), text) != ""; got != want {
				t.Errorf("%s: %q is forbidden: %v", l, text, got)
			}
		}
	}
}

// aHe finds a past tense that makes a man of a player, of whom nobody knows: a Ukrainian verb of the past has a gender.
// After хто, хтось and ніхто it is grammar's.
var aHe = func() *regexp.Regexp {
	const verb = `(?:[а-щьюяґєії’]*(?:ав|ив|ув|яв|їв|йшов)(?:ся)?|міг|був)(?:[^а-щьюяґєії’]|$)`
	const between = `(?: (?:не|ще|вже|уже|сам|також|вчасно))*`
	return regexp.MustCompile(`(?i)(?:^(?:(?:не|ще|вже|уже) )*` + verb +
		`|(?:гравець|суперник|захисник|учасник|перший|другий|лівий|правий|переможець|\}\})` + between + ` ` + verb +
		`|[а-щьюяґєії’]*(?:вав|ив|ув|яв)(?:ся)? чи [а-щьюяґєії’]+ла(?:ся)?(?:[^а-щьюяґєії’]|$)|\((?:ла|лася|лась)\))`)
}()

func TestUkrainianTextsMakeNoManOfAPlayer(t *testing.T) {
	t.Parallel()
	ofThings := []string{"core.month-short.5", "season.line.lowered.bot", "desk.error.reviews", "desk.later-none", "desk.later-stays",
		"learn.claim.note.shrunk"}
	for key, forms := range texts(t, lang.Ukrainian) {
		for _, text := range forms {
			if found := aHe.FindString(text); found != "" && !slices.Contains(ofThings, key) {
				t.Errorf("%s says %q: %s", key, found, text)
			}
		}
	}
	for text, want := range map[string]bool{
		"знявся": true, "Гравець не з’явився вчасно.": true, "Виграв перший": true, "{{.Name}} вже спускався": true, "мав чи мала очки": true,
		"Не прийшов: {{.Name}}": true, "вихід із турніру": false, "хто не прийшов": false, "Гравець вибуває.": false, "Ще ніхто не відмітився": false,
	} {
		if got := aHe.MatchString(text); got != want {
			t.Errorf("%q makes a man of a player: %v", text, got)
		}
	}
}
