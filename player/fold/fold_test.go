package fold_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/player/fold"
)

func TestNamesAreTheSameInCaseAccentsAndApostrophes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"П’ятниця у «Ґанку»", []string{"piatnytsia", "u", "hanku"}},
		{"п'ятниця", []string{"piatnytsia"}},
		{"Пʼятниця", []string{"piatnytsia"}},
		{"П‛ятниця Пꞌятниця Пʹятниця П\"ятниця П*ятниця П՚ятниця", []string{"piatnytsia"}},
		{"محمـد Þór Ðorđe", []string{"محمد", "thor", "dorde"}},
		{"ЇЖАК Йосип", []string{"yizhak", "yosyp"}},
		{"и\u0306од", []string{"yod"}}, // й written as и with a breve
		{"Łódź Café-Crème", []string{"lodz", "cafe", "creme"}},
		{"cafe\u0301", []string{"cafe"}},
		{"Ǣgir Ǿrsted", []string{"aegir", "orsted"}},
		{"iron_ivan 2026", []string{"iron", "ivan", "2026"}},
		{"Дарина Ткач", []string{"daryna", "tkach"}}, // as in the handle DarynaTkach
		{"Згурський", []string{"zghurskyi"}},
		{"Friday friday", []string{"friday"}},
		{"  — ’ ", nil},
		{"", nil},
	} {
		if got := fold.Words(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestWordsAreFoundByTheirInside(t *testing.T) {
	t.Parallel()
	if got, want := fold.Inside("Ivan_XII"), []string{"ivan", "van", "xii"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFoldingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, w := range fold.Words(rapid.String().Draw(t, "text")) {
			if again := fold.Words(w); len(again) > 0 && again[0] != w && len(again) == 1 {
				t.Fatalf("%q folds to %q", w, again)
			}
		}
	})
}

// The letters of a code are Latin; a phone with a Ukrainian keyboard gives those that look the same. В looks like B, Н like H.
func TestACodeIsTheSameOnEveryKeyboard(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"ABC-23": "abc23", " а в с23 ": "abc23", "ABC–23": "abc23", "хук5": "xyk5", "НОМЕТ": "homet", "Жук": "жyk"} {
		if got := fold.Code(typed); got != want {
			t.Errorf("%q is %q, not %q", typed, got, want)
		}
	}
}
