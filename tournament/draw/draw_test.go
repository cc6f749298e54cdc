package draw_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/tournament/draw"
)

// numbers converts groups of places to numbers from 1.
func numbers(groups [][]int) string {
	list := make([][]int, len(groups))
	for k, group := range groups {
		for _, i := range group {
			list[k] = append(list[k], i+1)
		}
	}
	return fmt.Sprint(list)
}

// Sixteen players in four groups.
func TestEverySecondRowRunsBackwards(t *testing.T) {
	t.Parallel()
	if got, want := numbers(draw.Snake(16, 4)), "[[1 8 9 16] [2 7 10 15] [3 6 11 14] [4 5 12 13]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := numbers(draw.Snake(10, 3)), "[[1 6 7] [2 5 8] [3 4 9 10]]"; got != want {
		t.Errorf("ten: %s, want %s", got, want)
	}
}

// Three groups, with two club mates in different pots. Of the six draws of the second pot,
// four keep them apart, and these are equally likely; drawing ball by ball would make two
// of them twice as likely.
func TestEveryLegalDrawIsAsLikely(t *testing.T) {
	t.Parallel()
	const draws = 8000
	clubs := []string{"Lviv", "", "", "Lviv", "", ""} // pots 1 2 3 and 4 5 6: 1 and 4 are mates
	seen, rejected := map[string]int{}, 0
	random := rand.New(rand.NewChaCha8([32]byte{7}))
	for range draws {
		d := draw.Pots(clubs, 3, random.IntN)
		if d.Beyond != 0 {
			t.Fatalf("club mates in one group: %v", d)
		}
		slices.SortFunc(d.Groups, func(a, b []int) int { return a[0] - b[0] })
		seen[fmt.Sprint(d.Groups)]++
		rejected += d.Rejected
	}
	chi := 0.0
	for _, n := range seen {
		chi += float64((n-draws/4)*(n-draws/4)) / (draws / 4)
	}
	if len(seen) != 4 || chi > 16.3 { // three degrees of freedom, one in a thousand
		t.Errorf("%v: chi-square %.1f", seen, chi)
	}
	if rejected < draws/3 || rejected > 2*draws/3 { // every third draw, so half a draw before each
		t.Errorf("%d rejected of %d", rejected, draws)
	}
}

// Seven club mates in two groups split four and three, whatever is drawn.
func TestAClubHasItsPartOfEveryGroup(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewChaCha8([32]byte{8}))
	all := slices.Repeat([]string{"Kyiv"}, 7)
	if d := draw.Pots(all, 2, random.IntN); d.Beyond != 0 || len(d.Groups[0])+len(d.Groups[1]) != 7 {
		t.Errorf("%+v", d)
	}
}

// Each group gets one place of each pot, sizes differ by at most one, and nobody is missing.
func TestEveryGroupHasOneOfEachPot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.IntRange(2, draw.MostGroups).Draw(t, "groups")
		n := rapid.IntRange(draw.LeastGroup*groups, 64).Draw(t, "players")
		if !draw.Fits(n, groups) || draw.Fits(draw.LeastGroup*groups-1, groups) {
			t.Fatal("the bounds are others")
		}
		clubs := make([]string, n)
		for i := range clubs {
			clubs[i] = rapid.SampledFrom([]string{"", "", "Kyiv", "Lviv", "Odesa"}).Draw(t, "club")
		}
		random := rand.New(rand.NewChaCha8([32]byte{byte(n)}))
		for _, list := range [][][]int{draw.Snake(n, groups), draw.Pots(clubs, groups, random.IntN).Groups} {
			seen := map[int]bool{}
			for _, group := range list {
				if len(group) != n/groups && len(group) != n/groups+1 {
					t.Fatalf("a group of %d in %v", len(group), list)
				}
				for row, i := range group {
					if i/groups != row || seen[i] {
						t.Fatalf("place %d in row %d of %v", i, row, list)
					}
					seen[i] = true
				}
			}
			if len(seen) != n {
				t.Fatalf("%d of %d in %v", len(seen), n, list)
			}
		}
	})
}

// pairs yields places that meet, or parts of a list.
func pairs(list ...[2]int) func(func(int, int) bool) {
	return func(yield func(int, int) bool) {
		for _, p := range list {
			if !yield(p[0], p[1]) {
				return
			}
		}
	}
}

// Four players in two matches, two of them club mates: 8 of the 24 orders let the mates
// meet, and the other 16 are equally likely.
func TestEveryLegalOrderIsAsLikely(t *testing.T) {
	t.Parallel()
	const draws = 8000
	seen := map[string]int{}
	random := rand.New(rand.NewChaCha8([32]byte{9}))
	for range draws {
		d := draw.Order(4, pairs([2]int{0, 4}), pairs([2]int{0, 3}, [2]int{1, 2}), func(a, b int) bool { return a+b == 1 }, random.IntN)
		if d.Together != 0 {
			t.Fatalf("club mates meet: %v", d)
		}
		seen[fmt.Sprint(d.Order)]++
	}
	chi := 0.0
	for _, n := range seen {
		chi += float64((n-draws/16)*(n-draws/16)) / (draws / 16)
	}
	if len(seen) != 16 || chi > 37.7 { // fifteen degrees of freedom, one in a thousand
		t.Errorf("%d orders, chi-square %.1f: %v", len(seen), chi, seen)
	}
}

// With two clubs of 32, lots alone never keep all mates apart, but swaps do. With three
// mates in two matches, one pair always meets. Places given by rating stay.
func TestWhatLotsCannotKeepApartIsExchanged(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewChaCha8([32]byte{10}))
	var meet [][2]int
	for i := range 32 {
		meet = append(meet, [2]int{i, 63 - i})
	}
	d := draw.Order(64, pairs([2]int{2, 64}), pairs(meet...), func(a, b int) bool { return a%2 == b%2 }, random.IntN)
	if d.Together != 0 || d.Rejected != 10_000 || d.Order[0] != 0 || d.Order[1] != 1 {
		t.Errorf("%d meet after %d draws, the first two are %v", d.Together, d.Rejected, d.Order[:2])
	}
	d = draw.Order(4, pairs([2]int{0, 4}), pairs([2]int{0, 3}, [2]int{1, 2}), func(a, b int) bool { return a > 0 && b > 0 }, random.IntN)
	if d.Together != 1 {
		t.Errorf("three of one club: %d pairs meet", d.Together)
	}
}
