package roundrobin_test

import (
	"fmt"
	"strings"
	"testing"

	"chpok.org/chpok/tournament/roundrobin"
)

// The table for four boards of formats.md 4.2, as boards stand by the first side.
func TestScheveningenOfFour(t *testing.T) {
	rounds, err := roundrobin.Scheveningen(4)
	if err != nil {
		t.Fatal(err)
	}
	name := func(n int) string { return fmt.Sprintf("%c%d", "AB"[(n-1)/4], (n-1)%4+1) }
	var got []string
	for _, r := range rounds {
		var boards []string
		for _, b := range r.Boards {
			boards = append(boards, name(b.First)+"-"+name(b.Second))
		}
		got = append(got, strings.Join(boards, " "))
	}
	want := `A1-B1 A2-B2 B3-A3 B4-A4
B2-A1 B1-A2 A3-B4 A4-B3
A1-B3 A2-B4 B1-A3 B2-A4
B4-A1 B3-A2 A3-B2 A4-B1`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

func TestEverybodyMeetsEverybodyAndSeatsAreAsEvenAsTold(t *testing.T) {
	for n := 2; n <= 16; n++ {
		rounds, err := roundrobin.Scheveningen(n)
		if err != nil || len(rounds) != n {
			t.Fatal(n, len(rounds), err)
		}
		met, firsts := map[[2]int]bool{}, make([]int, 2*n+1)
		even := func(what string, k, count, off int) { // twice the distance from half of n
			if d := 2*count - n; d < -off || d > off {
				t.Errorf("n = %d: %s %d is first in %d", n, what, k, count)
			}
		}
		for i, r := range rounds {
			sits, ours := map[int]bool{}, 0
			for _, b := range r.Boards {
				a, o := min(b.First, b.Second), max(b.First, b.Second)
				if a > n || o <= n || met[[2]int{a, o}] || sits[a] || sits[o] {
					t.Fatalf("n = %d, round %d: %v", n, i+1, b)
				}
				met[[2]int{a, o}], sits[a], sits[o] = true, true, true
				firsts[b.First]++
				if b.First <= n {
					ours++
				}
			}
			even("the first side in round", i+1, ours, n%2)
		}
		for p := 1; p <= 2*n; p++ {
			off := n % 2
			if n%4 == 2 && p > n {
				off = 2
			}
			even("player", p, firsts[p], off)
		}
	}
	for _, n := range []int{-1, 0, 1, 17} {
		if _, err := roundrobin.Scheveningen(n); err == nil {
			t.Errorf("a table for %d", n)
		}
	}
}
