package match

import (
	"slices"
	"testing"

	"chpok.org/chpok/engine/match"
)

// TestNoMatchMovesWhenAnotherEnds: the next one takes its place, and the
// featured one stays featured, however good another is.
func TestNoMatchMovesWhenAnotherEnds(t *testing.T) {
	t.Parallel()
	var ws walls
	all := tvFilter{"all", "any"}
	for _, c := range []struct {
		ids      []match.ID
		best     match.ID
		featured match.ID
		places   []match.ID
	}{
		{[]match.ID{"a", "b", "c", "d"}, "b", "b", []match.ID{"a", "c", "d"}},
		{[]match.ID{"e", "a", "b", "c", "d"}, "e", "b", []match.ID{"a", "c", "d", "e"}},
		{[]match.ID{"f", "e", "b", "c", "d"}, "e", "b", []match.ID{"f", "c", "d", "e"}}, // a is over
		{[]match.ID{"f", "e", "c", "d"}, "d", "d", []match.ID{"f", "c", "", "e"}},       // b is over, d comes to the front
		{[]match.ID{"g", "f", "e", "c", "d"}, "c", "d", []match.ID{"f", "c", "g", "e"}},
		{[]match.ID{"f", "d"}, "f", "d", []match.ID{"f"}},
		{nil, "", "", nil},
	} {
		if w := ws.seat(all, c.ids, c.best); w.featured != c.featured || !slices.Equal(w.places, c.places) {
			t.Errorf("of %v: %s, then %q; want %s, then %q", c.ids, w.featured, w.places, c.featured, c.places)
		}
	}
	if w := ws.seat(tvFilter{"board", "any"}, []match.ID{"x"}, "x"); w.featured != "x" || len(w.places) != 0 {
		t.Errorf("another page: %+v", w)
	}
}
