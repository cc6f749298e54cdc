package teamswiss_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/teamswiss/literal"
)

var tournaments = flag.Int("tournaments", 600, "how many random tournaments are paired a second time by trial of every candidate")

// same pairs with two engines and says where they differ.
func same(a, b tournament.Pairer, f tournament.Field) (tournament.RoundPairing, error) {
	x, errX := a.Pair(f)
	y, errY := b.Pair(f)
	switch {
	case errors.Is(errX, tournament.ErrNoPairing) && errors.Is(errY, tournament.ErrNoPairing):
		return x, errX
	case errX != nil || errY != nil:
		return x, fmt.Errorf("round %d: errors %v, %v", f.Played+1, errX, errY)
	}
	if p, q := lines(x), lines(y); !slices.Equal(p, q) {
		return x, fmt.Errorf("round %d: %v, the other engine %v", f.Played+1, p, q)
	}
	return x, nil
}

// twice plays one random tournament with every round paired by two engines, and counts rounds.
func twice(t *testing.T, seed uint64, smallest, largest int, other tournament.Pairer) (rounds int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 46))
	e := mixed(rng, smallest, largest)
	f, err := e.play(rng, func(f tournament.Field) (tournament.RoundPairing, error) {
		rounds++
		return same(teamswiss.Swiss{}, other, f)
	})
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, crosstable(f))
	}
	return rounds
}

// The engine agrees with the text read literally in every round of random tournaments small enough to
// try every candidate. A long run: go test ./tournament/teamswiss -run AsTheTextReads -tournaments 5000
func TestPairsAsTheTextReads(t *testing.T) {
	t.Parallel()
	var rounds atomic.Int64
	for seed := range uint64(*tournaments) {
		rounds.Add(int64(twice(t, seed, 2, 8, literal.Pairer{})))
		if seed%6 == 0 {
			rounds.Add(int64(twice(t, seed+1<<32, 9, 10, literal.Pairer{})))
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d rounds", rounds.Load())
}

// Every criterion decides some of the random rounds: without it the text reads otherwise there.
func TestRandomRoundsMeetEveryCriterion(t *testing.T) {
	t.Parallel()
	decided := map[string]int{}
	criteria := []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10"}
	rounds := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 46))
		e := mixed(rng, 6, 9)
		_, err := e.play(rng, func(f tournament.Field) (tournament.RoundPairing, error) {
			rounds++
			round, err := literal.Pairer{}.Pair(f)
			for _, c := range criteria {
				other, errOther := literal.Pairer{Without: c}.Pair(f)
				if errOther != nil != (err != nil) || !slices.Equal(lines(round), lines(other)) {
					decided[c]++
				}
			}
			return round, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range criteria {
		if decided[c] == 0 {
			t.Errorf("%s decides none of %d rounds", c, rounds)
		}
	}
	t.Logf("%d rounds, decided %v", rounds, decided)
}
