package notation_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chpok.org/chpok/engine/notation"
)

// A handicap is a key of its own and survives every form of the record.
func TestAHandicapIsPartOfARecord(t *testing.T) {
	t.Parallel()
	const text = `{"chpok":1,"first":"B","chips":2,"claims":"automatic","extraChips":{"A":3},"actions":[{"by":"B","bid":{"target":"white","chips":2}}]}`
	r, err := notation.ParseRecord([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if written, err := json.Marshal(r); err != nil || string(written) != text {
		t.Errorf("%s, %v", written, err)
	}
	lines := replay(t, []byte(text), false)
	if !strings.Contains(lines[0], `"chips":{"A":5,"B":2}`) || !strings.Contains(lines[1], `"chips":{"A":5,"B":0}`) {
		t.Errorf("%s", lines)
	}
	asText, err := notation.Text(r)
	if err != nil {
		t.Fatal(err)
	}
	back, err := notation.ParseText(asText)
	if err != nil || back.Extra != r.Extra {
		t.Errorf("as text: %+v, %v", back, err)
	}
	for name, extra := range map[string]string{"both": `{"A":1,"B":1}`, "none": `{"A":0}`, "too many": `{"B":7}`, "a stranger": `{"C":1}`, "a number": `3`} {
		if _, err := notation.ParseRecord([]byte(strings.Replace(text, `{"A":3}`, extra, 1))); !errors.Is(err, notation.ErrNotRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
