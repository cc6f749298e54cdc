package notation_test

import (
	"testing"

	"chpok.org/chpok/engine/notation"
)

const shortHead = "[chpok 1]\n[first \"A\"]\n[chips 1]\n[claims \"automatic\"]\n\nA raises white with 1\nB raises time with 1 to 5+3\n"

// Two knights that could go to a square are told apart by file or, on one file, by rank. Captures
// and promotions are shown.
func TestShortNotationTellsApartWhatCouldComeThere(t *testing.T) {
	t.Parallel()
	for moves, want := range map[string]string{
		"1. g1f3 g8f6\n2. d2d4 d7d5\n3. b1d2\n": "1. Nf3 Nf6 2. d4 d5 3. Nbd2",
		"1. b1c3 g8f6\n2. g1f3 f6g8\n3. f3e5 g8f6\n4. e5d3 f6g8\n5. d3c5 g8f6\n6. c3e4 f6e4\n7. c5e4 d7d5\n8. e4c3 d5d4\n9. e2e3 d4e3\n10. a2a3 e3f2\n11. a3a4 f2e1q\n": "1. Nc3 Nf6 2. Nf3 Ng8 3. Ne5 Nf6 4. Nd3 Ng8 5. Nc5 Nf6 6. N3e4 Nxe4 7. Nxe4 d5 8. Nc3 d4 9. e3 dxe3 10. a3 exf2 11. a4 fxe1=Q",
	} {
		r, err := notation.ParseText([]byte(shortHead + moves))
		if err != nil {
			t.Fatal(err)
		}
		g, err := r.NewGame()
		for _, raw := range r.Actions {
			if err == nil {
				g, err = notation.Do(g, raw, r.First)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := notation.Short(g); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
