package roundrobin

import (
	"cmp"
	"fmt"
	"slices"
)

// varma holds the groups A–D of FIDE C.05, annex 2, for even numbers of players; odd
// numbers omit the highest one. With 12 players the published table lets 6 and 12 of
// group C meet in the last round, which is kept.
var varma = map[int][4][]int{
	10: {{3, 4, 8}, {5, 7, 9}, {1, 6}, {2, 10}},
	12: {{4, 5, 9, 10}, {1, 2, 7}, {6, 8, 12}, {3, 11}},
	14: {{4, 5, 6, 11, 12}, {1, 2, 8, 9}, {7, 10, 13}, {3, 14}},
	16: {{5, 6, 7, 12, 13, 14}, {1, 2, 3, 9, 10}, {8, 11, 15}, {4, 16}},
	18: {{5, 6, 7, 8, 14, 15, 16}, {1, 2, 3, 10, 11, 12}, {9, 13, 17}, {4, 18}},
	20: {{6, 7, 8, 9, 15, 16, 17, 18}, {1, 2, 3, 11, 12, 13, 14}, {5, 10, 19}, {4, 20}},
	22: {{6, 7, 8, 9, 10, 17, 18, 19, 20}, {1, 2, 3, 4, 12, 13, 14, 15}, {11, 16, 21}, {5, 22}},
	24: {{6, 7, 8, 9, 10, 11, 19, 20, 21, 22}, {1, 2, 3, 4, 13, 14, 15, 16, 17}, {12, 18, 23}, {5, 24}},
}

// Varma returns the four groups of table numbers for 9 to 24 players: players who draw
// from the same group do not meet in the last three rounds.
func Varma(players int) ([4][]int, error) {
	groups, known := varma[players+players%2]
	if !known {
		return groups, fmt.Errorf("restricted draw of %d players: the tables serve 9 to 24", players)
	}
	for i, g := range groups {
		groups[i] = slices.DeleteFunc(slices.Clone(g), func(n int) bool { return n > players })
	}
	return groups, nil
}

// Draw draws table numbers for clubs of the given sizes (9 to 24 players together) and
// returns the numbers of each. pick(n) draws one of n. As in the annex, the largest club
// draws first, from a group that holds all its players; without such a group it takes the
// fullest groups one after the other.
func Draw(clubs []int, pick func(n int) int) ([][]int, error) {
	players := 0
	for _, size := range clubs {
		if size < 0 {
			return nil, fmt.Errorf("restricted draw: a club of %d players", size)
		}
		players += size
	}
	groups, err := Varma(players)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(clubs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(clubs[b], clubs[a]) })
	drawn := make([][]int, len(clubs))
	for _, club := range order {
		for len(drawn[club]) < clubs[club] {
			g := chooseGroup(groups, clubs[club]-len(drawn[club]), pick)
			for len(groups[g]) > 0 && len(drawn[club]) < clubs[club] {
				i := pick(len(groups[g]))
				drawn[club] = append(drawn[club], groups[g][i])
				groups[g] = slices.Delete(groups[g], i, i+1)
			}
		}
	}
	return drawn, nil
}

// chooseGroup draws among the groups with room for all players, or returns the fullest.
func chooseGroup(groups [4][]int, players int, pick func(n int) int) int {
	var roomy []int
	fullest := 0
	for i, g := range groups {
		if len(g) >= players {
			roomy = append(roomy, i)
		}
		if len(g) > len(groups[fullest]) {
			fullest = i
		}
	}
	if len(roomy) == 0 {
		return fullest
	}
	return roomy[pick(len(roomy))]
}
