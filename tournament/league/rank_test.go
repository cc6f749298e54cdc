package league_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chpok.org/chpok/tournament/league"
)

var chess = []league.Worth{{10, 0}, {5, 5}, {0, 10}}

// A 2, B 1, C 1, D 0, left A-B and C-D (formats.md 5).
func TestPossibleRanksOfFour(t *testing.T) {
	got := league.PossibleRanks([]league.Standing{{20}, {10}, {10}, {0}}, []league.Game{{0, 1}, {2, 3}}, chess)
	if want := []league.Ranks{{1, 3}, {1, 4}, {1, 4}, {2, 4}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestADecidedTableHasNoRanksButTies(t *testing.T) {
	got := league.PossibleRanks([]league.Standing{{20}, {10}, {10}, {0}}, nil, chess)
	if want := []league.Ranks{{1, 1}, {2, 3}, {2, 3}, {4, 4}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Random divisions are played to their end: the answers hold the final place, and every result narrows them.
func TestPossibleRanksAreSoundAndOnlyNarrow(t *testing.T) {
	for seed := range uint64(60) {
		chance := rand.New(rand.NewPCG(seed, 8))
		n := 3 + chance.IntN(5)
		now := make([]league.Standing, n)
		var left []league.Game
		for a := range n {
			for b := range a {
				left = append(left, league.Game{b, a})
			}
		}
		chance.Shuffle(len(left), func(i, k int) { left[i], left[k] = left[k], left[i] })
		var told [][]league.Ranks
		for {
			told = append(told, league.PossibleRanks(now, left, chess))
			if len(left) == 0 {
				break
			}
			w := chess[chance.IntN(len(chess))]
			now[left[0][0]].Points += w[0]
			now[left[0][1]].Points += w[1]
			left = left[1:]
		}
		for i := range now {
			for k := 1; k < len(told); k++ {
				if told[k][i].Best < told[k-1][i].Best || told[k][i].Worst > told[k-1][i].Worst {
					t.Fatalf("seed %d: of %d, %v became %v", seed, i, told[k-1][i], told[k][i])
				}
			}
		}
	}
}

// Counting by clusters gives what counting everything at once gives.
func TestClustersChangeNothing(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 9))
		n := 2 + chance.IntN(7)
		now := make([]league.Standing, n)
		for i := range now {
			now[i].Points = 5 * chance.IntN(6)
		}
		var left []league.Game
		for range chance.IntN(7) {
			if a, b := chance.IntN(n), chance.IntN(n); a != b {
				left = append(left, league.Game{a, b})
			}
		}
		want := make([]league.Ranks, n)
		for i := range want {
			want[i] = league.Ranks{Best: n, Worst: 1}
		}
		all := 1
		for range left {
			all *= 3
		}
		for code := range all {
			points := make([]int, n)
			for i := range points {
				points[i] = now[i].Points
			}
			for _, g := range left {
				w := chess[code%3]
				code /= 3
				points[g[0]] += w[0]
				points[g[1]] += w[1]
			}
			for i := range points {
				above, below := 0, 0
				for _, q := range points {
					if q > points[i] {
						above++
					}
					if q < points[i] {
						below++
					}
				}
				want[i].Best, want[i].Worst = min(want[i].Best, 1+above), max(want[i].Worst, n-below)
			}
		}
		if got := league.PossibleRanks(now, left, chess); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v left of %v: %v, want %v", seed, left, now, got, want)
		}
	}
}

func BenchmarkPossibleRanks(b *testing.B) {
	now := make([]league.Standing, 15)
	for name, left := range map[string][]league.Game{
		"the last round of 15": {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}},
		"8 that hang together": {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}},
		"three rounds of 15":   threeRounds(),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				league.PossibleRanks(now, left, chess)
			}
		})
	}
}

func threeRounds() (left []league.Game) {
	for r := range 3 {
		for i := range 7 {
			left = append(left, league.Game{2 * i, (2*i + 1 + 2*r) % 14})
		}
	}
	return left
}
