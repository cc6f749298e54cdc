package intake

import "testing"

func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=HYPERLINK(1)": "'=HYPERLINK(1)", "+cmd|x": "'+cmd|x", "-a()": "'-a()", "@SUM(1)": "'@SUM(1)", "\tx": "'\tx",
		"+/-": "+/-", "-/-": "-/-", "-12": "-12", "Anna": "Anna", "": "", "1-0": "1-0",
	} {
		if got := safeCell(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
