package intake

import "testing"

func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=HYPERLINK(1)": "'=HYPERLINK(1)", "+cmd|x": "'+cmd|x", "-a()": "'-a()", "@SUM(1)": "'@SUM(1)", "\tx": "'\tx",
		"+/-": "+/-", "-/-": "-/-", "-12": "-12", "Anna": "Anna", "": "", "1-0": "1-0",
		"Ivan;=A1": "Ivan;'=A1", `Ivan; "+A1";-B2`: `Ivan;' "+A1";'-B2`, "1-0; +/-;-2": "1-0; +/-;-2", "＝A1": "'＝A1", "Anna;＠B": "Anna;'＠B", "\n=1": "'\n=1",
	} {
		if got := safeCell(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
