package live

import (
	"testing"

	"chpok.org/chpok/engine/match"
)

// A stream that is renewed is nobody leaving; who stays away is told of once, and again when they are back.
func TestWhoComesAndGoesIsTold(t *testing.T) {
	t.Parallel()
	r := &Runner{presence: presence{here: map[seen]int{}, gone: map[seen]int{}, moved: map[seen]struct{}{}}}
	beats := func(n int) (told []int) {
		for i := range n {
			if _, ok := r.presence.told()[match.ID("m")]; ok {
				told = append(told, i)
			}
		}
		return told
	}
	leave := r.See("m", "ana")
	if told := beats(2); len(told) != 1 || told[0] != 0 {
		t.Errorf("come: told at beats %v, want the first", told)
	}
	leave()
	leave = r.See("m", "ana")
	if told := beats(8); told != nil {
		t.Errorf("renewed: told at beats %v, want never", told)
	}
	leave()
	if told := beats(8); len(told) != 1 || told[0] != goneBeats {
		t.Errorf("gone: told at beats %v, want %d", told, goneBeats)
	}
	r.See("m", "ana")
	if told := beats(2); len(told) != 1 || told[0] != 0 {
		t.Errorf("back: told at beats %v, want the first", told)
	}
}
