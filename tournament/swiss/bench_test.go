package swiss_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// BenchmarkDutch pairs every round of a tournament of nine rounds; the growth
// from size to size is the measure of docs/pairing.md.
func BenchmarkDutch(b *testing.B) {
	for _, n := range []int{200, 500, 1000, 2000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			fields := rounds(b, n, 9)
			for k := range fields {
				b.Run(fmt.Sprintf("round %d", k+1), func(b *testing.B) {
					for b.Loop() {
						if _, err := (swiss.Dutch{}).Pair(fields[k]); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// rounds is the field before each round of a generated tournament.
func rounds(b *testing.B, players, n int) []tournament.Field {
	b.Helper()
	rng := rand.New(rand.NewPCG(uint64(players), 7))
	g := swiss.Generator{
		Players: players, Rounds: n, Lowest: 1000, Highest: 2600,
		Draws: 0.3, Forfeits: 0.01, HalfByes: 0.01, Points: tournament.StandardPoints(),
	}
	f, err := g.Play(rng, swiss.Dutch{})
	if err != nil {
		b.Fatal(err)
	}
	list := make([]tournament.Field, n)
	for k := range n {
		list[k] = f
		list[k].Played = k
		list[k].Players = nil
		for _, p := range f.Players {
			c := p.Rounds[k]
			p.Rounds = append([]tournament.RoundResult(nil), p.Rounds[:k]...)
			if c.Outcome == tournament.HalfBye {
				p.Rounds = append(p.Rounds, c)
			}
			list[k].Players = append(list[k].Players, p)
		}
	}
	return list
}
