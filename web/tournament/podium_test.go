package tournament

import (
	"testing"

	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/tiebreak"
)

// Two may share the third place; of eight who share one, none is picked.
func TestThePodiumPicksNobodyOutOfASharedPlace(t *testing.T) {
	for _, x := range []struct {
		ranks []int
		want  int
	}{
		{[]int{1, 2, 3, 4}, 3}, {[]int{1, 2, 3, 3, 5}, 4}, {[]int{1, 1, 3, 4}, 3}, {[]int{1, 2, 3, 3, 3}, 2},
		{[]int{1, 1, 1, 1, 1, 1, 1, 1}, 0}, {[]int{1, 2, 2, 2, 2}, 1},
		{[]int{2, 2, 3, 3}, 4}, {[]int{2, 2, 2, 2, 2, 2, 2, 2}, 0}, // nobody is first
	} {
		var table []format.Standing
		for _, rank := range x.ranks {
			table = append(table, format.Standing{Standing: tiebreak.Standing{Rank: rank}})
		}
		got := 0
		for _, l := range table {
			if isOnPodium(table, l.Rank) {
				got++
			}
		}
		if got != x.want {
			t.Errorf("of %v %d are on the podium, want %d", x.ranks, got, x.want)
		}
	}
}
