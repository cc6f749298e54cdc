package swiss_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/trf"
)

// legal tells what is wrong with a pairing, without any code of the engine:
// everybody present exactly once, nobody twice against the same player, no
// second bye.
func legal(f tournament.Field, p tournament.RoundPairing) string {
	count := map[int]int{p.Bye: 1}
	met := map[tournament.Board]bool{}
	present := 0
	for _, x := range f.Players {
		if len(x.Rounds) <= f.Played || x.Rounds[f.Played].Outcome == tournament.NoRecord {
			present++
		}
		for k, c := range x.Rounds {
			if k < f.Played && c.Opponent != 0 && !c.Outcome.IsForfeit() {
				met[tournament.Board{First: x.Number, Second: c.Opponent}] = true
			}
			if k < f.Played && x.Number == p.Bye && c.Outcome == tournament.PairingBye {
				return "a second bye"
			}
		}
	}
	for _, b := range p.Boards {
		count[b.First]++
		count[b.Second]++
		if met[b] || met[tournament.Board{First: b.Second, Second: b.First}] {
			return "a second meeting"
		}
	}
	for n, k := range count {
		if n != 0 && k != 1 {
			return "somebody twice"
		}
	}
	delete(count, 0)
	if len(count) != present {
		return "not everybody present, or somebody absent"
	}
	return ""
}

func FuzzPairingOfAnyReportIsLegal(f *testing.F) {
	for _, pattern := range []string{"testdata/pairing/tiny-*.trf", "testdata/pairing/mixed-*.trf", "testdata/nopairing/*.trf"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			raw, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		report, err := trf.Read(string(raw))
		if err != nil {
			return
		}
		field := report.Field()
		if len(field.Players) > 100 {
			return
		}
		pairing, err := swiss.Dutch{}.Pair(field)
		if err != nil {
			return
		}
		if fault := legal(field, pairing); fault != "" {
			t.Fatalf("%s: %v", fault, pairing)
		}
		if _, err := swiss.Explain(field, pairing); err != nil {
			t.Fatal(err)
		}
	})
}

// Players who may not meet, each with a score of its own, float down together:
// the weights grow far beyond what ordinary fields need.
func TestManyScoresInOneBracketAreWeighed(t *testing.T) {
	t.Parallel()
	const n = 60
	field := tournament.Field{Rounds: 5, Points: tournament.StandardPoints()}
	var apart []int
	for i := range 2 * n {
		p := tournament.FieldPlayer{Number: i + 1}
		if i < n {
			p.Virtual = []tournament.Score{tournament.Score(n - i)}
			apart = append(apart, i+1)
		}
		field.Players = append(field.Players, p)
	}
	field.Forbidden = []tournament.Forbidden{{Numbers: apart}}
	pairing, err := swiss.Dutch{}.Pair(field)
	if err != nil {
		t.Fatal(err)
	}
	// The upper sixty stay apart, so everybody meets the next of the lower sixty.
	for _, b := range pairing.Boards {
		if max(b.First, b.Second) != min(b.First, b.Second)+n {
			t.Errorf("board %v", b)
		}
	}
}

func TestEveryGeneratedRoundIsLegal(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 9))
		field, err := swiss.Mixed(rng, 2, 60).Play(rng, swiss.Dutch{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range field.Played {
			before, pairing := swiss.Before(field, k)
			if fault := legal(before, pairing); fault != "" {
				t.Errorf("seed %d, round %d: %s", seed, k+1, fault)
			}
		}
	}
}
