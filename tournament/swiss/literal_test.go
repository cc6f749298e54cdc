package swiss_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/swiss/literal"
)

// compare pairs with two engines and tells where they differ.
func compare(f tournament.Field, a, b tournament.Pairer) (tournament.RoundPairing, error) {
	x, errX := a.Pair(f)
	y, errY := b.Pair(f)
	if errors.Is(errX, tournament.ErrNoPairing) && errors.Is(errY, tournament.ErrNoPairing) {
		return x, errX
	}
	if errX != nil || errY != nil {
		return x, fmt.Errorf("errors %v, %v", errX, errY)
	}
	p, q := lines(x), lines(y)
	slices.Sort(p)
	slices.Sort(q)
	if !slices.Equal(p, q) {
		return x, fmt.Errorf("round %d: %s, the other engine %s", f.Played+1, strings.Join(p, ", "), strings.Join(q, ", "))
	}
	return x, nil
}

// twin is a pairer that fails when its two engines differ.
type twin struct{ a, b tournament.Pairer }

func (t twin) Pair(f tournament.Field) (tournament.RoundPairing, error) { return compare(f, t.a, t.b) }

func playTwins(t *testing.T, seed uint64, smallest, largest int, other tournament.Pairer) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	g := swiss.Mixed(rng, smallest, largest)
	if f, err := g.Play(rng, twin{swiss.Dutch{}, other}); err != nil {
		t.Errorf("seed %d, %d players: %v\n%s", seed, g.Players, err, crosstable(f))
	}
}

// crosstable prints a field for a failing test.
func crosstable(f tournament.Field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rounds %d opening %v points %v forbidden %v\n", f.Rounds, f.Opening, f.Points, f.Forbidden)
	for _, p := range f.Players {
		fmt.Fprintf(&b, "%d v%v", p.Number, p.Virtual)
		for _, r := range p.Rounds {
			fmt.Fprintf(&b, "  %d%.1s%c", r.Opponent, r.Seat, " 1=0WDL+-FHZU*"[r.Outcome])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The engine agrees with the text read literally, in every round of random
// tournaments small enough to try every candidate.
func TestPairsAsTheTextReads(t *testing.T) {
	t.Parallel()
	n := uint64(1500)
	if testing.Short() {
		n = 200
	}
	for seed := range n {
		playTwins(t, seed, 2, 8, literal.Pairer{})
	}
	for seed := range n / 30 {
		playTwins(t, seed, 9, 10, literal.Pairer{})
	}
}

func FuzzPairsAsTheTextReads(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { playTwins(t, seed, 2, 9, literal.Pairer{}) })
}

func FuzzWindowPairsAsTheWholeField(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { playTwins(t, seed, 4, 60, swiss.Dutch{Whole: true}) })
}

// Looking at two score groups at a time gives what looking at all of them gives.
func TestWindowPairsAsTheWholeField(t *testing.T) {
	t.Parallel()
	n := uint64(150)
	if testing.Short() {
		n = 20
	}
	for seed := range n {
		playTwins(t, seed, 4, 40, swiss.Dutch{Whole: true})
	}
	for seed := range n / 15 {
		playTwins(t, seed, 60, 140, swiss.Dutch{Whole: true})
	}
}
