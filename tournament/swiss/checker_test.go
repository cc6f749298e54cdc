package swiss_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// The rounds the cases were played with were paired by another program too
// (but for one case, whose history is made up).
func TestHistoryOfEveryCaseIsPairedAgain(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		if slices.Contains(v.Features, "approx_history") {
			continue
		}
		dir := "pairing"
		if v.Result != "pairing" {
			dir = "nopairing"
		}
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			differences, err := swiss.Checker{}.Check(readField(t, filepath.Join("testdata", dir, v.ID+".trf")))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range differences {
				t.Error(d)
			}
		})
	}
}

// swap exchanges the results of two boards' second players in round k: each
// now stands where the other stood.
func swap(f tournament.Field, k, a, b int) {
	cell := func(n int) *tournament.RoundResult { return &f.Players[n-1].Rounds[k] }
	x, y := *cell(a), *cell(b)
	*cell(a), *cell(b) = y, x
	cell(x.Opponent).Opponent, cell(y.Opponent).Opponent = b, a
}

func TestCheckerNamesTheRoundAndTheCriterion(t *testing.T) {
	t.Parallel()
	g := swiss.Generator{Players: 12, Rounds: 3, Lowest: 2000, Highest: 2001, Points: tournament.StandardPoints()}
	field, err := g.Play(rand.New(rand.NewPCG(5, 0)), swiss.Dutch{})
	if err != nil {
		t.Fatal(err)
	}
	// Round 1 is 1-7, 2-8, …: with 7 and 8 exchanged it is as good, only later in order.
	swap(field, 0, 7, 8)
	// In round 1 the same seats go to the same numbers, so the boards are all that differs.
	differences, err := swiss.Checker{}.Check(field)
	if err != nil {
		t.Fatal(err)
	}
	if len(differences) == 0 || differences[0].Round != 1 || differences[0].Criterion != "order" || differences[0].Better {
		t.Fatalf("differences %v", differences)
	}
	text := differences[0].String()
	for _, board := range []string{"round 1", "order", "1", "7"} {
		if !strings.Contains(text, board) {
			t.Errorf("%q does not name %q", text, board)
		}
	}
}

func TestCheckerSeesARematch(t *testing.T) {
	t.Parallel()
	g := swiss.Generator{Players: 8, Rounds: 2, Lowest: 2000, Highest: 2100, Points: tournament.StandardPoints()}
	field, err := g.Play(rand.New(rand.NewPCG(3, 0)), swiss.Dutch{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range field.Players {
		field.Players[i].Rounds[1] = field.Players[i].Rounds[0]
	}
	differences, err := swiss.Checker{}.Check(field)
	if err != nil || len(differences) != 1 || differences[0].Round != 2 || differences[0].Criterion != "C1" {
		t.Errorf("%v, %v", differences, err)
	}
}

func TestPairingDoesNotDependOnTheOrderOfPlayers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		field, err := swiss.Mixed(rng, 5, 40).Play(rng, swiss.Dutch{})
		if err != nil {
			t.Fatal(err)
		}
		before, _ := swiss.Before(field, field.Played-1)
		want, err := swiss.Dutch{}.Pair(before)
		if err != nil {
			t.Fatal(err)
		}
		rng.Shuffle(len(before.Players), func(i, j int) {
			before.Players[i], before.Players[j] = before.Players[j], before.Players[i]
		})
		got, err := swiss.Dutch{}.Pair(before)
		if err != nil || !slices.Equal(lines(got), lines(want)) {
			t.Errorf("seed %d: %v, %v, in another order %v", seed, err, want, got)
		}
	}
}

func TestPairingIsCancelled(t *testing.T) {
	t.Parallel()
	g := swiss.Generator{Players: 40, Rounds: 3, Lowest: 1500, Highest: 2100, Points: tournament.StandardPoints()}
	asked := 0
	dutch := swiss.Dutch{Cancelled: func() bool { asked++; return asked > 3 }}
	if _, err := g.Play(rand.New(rand.NewPCG(3, 0)), dutch); err != swiss.ErrCancelled {
		t.Errorf("error %v", err)
	}
}

func TestProgressEndsWithEverybody(t *testing.T) {
	t.Parallel()
	field := readField(t, "testdata/pairing/large-0026.trf")
	last, whole := 0, 0
	_, err := swiss.Dutch{Progress: func(done, total int) {
		if done < last {
			t.Errorf("%d after %d", done, last)
		}
		last, whole = done, total
	}}.Pair(field)
	if err != nil || last != whole || whole != 498 {
		t.Errorf("%d of %d, %v; 498 are present", last, whole, err)
	}
}
