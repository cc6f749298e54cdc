package teamswiss_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
)

// BenchmarkSwiss pairs every round of an event of nine rounds on four boards; the growth from size to
// size is the measure of docs/pairing.md.
func BenchmarkSwiss(b *testing.B) {
	for _, kind := range []struct {
		name  string
		rules tournament.TeamRules
	}{
		{"match points, type A", tournament.TeamRules{}},
		{"match points, type B", tournament.TeamRules{Preferences: tournament.TypeB}},
		{"game points, type B", tournament.TeamRules{Preferences: tournament.TypeB, ByGames: true}},
	} {
		for _, n := range []int{60, 200, 1000} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(uint64(n), 7))
				e := event{teams: n, rounds: 9, boards: 4, draws: 0.3, forfeits: 0.01, absent: 0.01, rules: kind.rules}
				var fields []tournament.Field
				f, err := e.play(rng, func(f tournament.Field) (tournament.RoundPairing, error) {
					return teamswiss.Swiss{}.Pair(f)
				})
				if err != nil || f.Played < f.Rounds {
					b.Fatal(f.Played, err)
				}
				for k := range f.Played {
					before, _ := swiss.Before(f, k)
					fields = append(fields, before)
				}
				for k, f := range fields {
					b.Run(fmt.Sprintf("round %d", k+1), func(b *testing.B) {
						for b.Loop() {
							if _, err := (teamswiss.Swiss{}).Pair(f); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			})
		}
	}
}
