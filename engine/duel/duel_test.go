package duel_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
)

// TestMain lets the test binary be a program that plays: our engine.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve-engine" {
		if err := duel.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serve(t *testing.T, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := duel.Serve(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// On this row a last king is often taken within the opening.
func TestAnOpeningThatEndsTheGameIsDrawnAgain(t *testing.T) {
	t.Parallel()
	f := board.DefaultFeatures()
	f.Castlings, f.MoveLimit, f.KingOfTheHill = 0, 10, true
	_, err := duel.Match(t.Context(), [2]*duel.Program{launch(t), launch(t)}, duel.Config{
		Features: f, Row: "BKRRQBBB", Opening: 18, Pairs: 400, Nodes: [2]int{1, 1}, Seed: 701,
	}, func(g duel.Game, _ duel.Tally) {
		if len(g.Actions) <= 18 {
			t.Errorf("the game was over after its opening: %v", g.Actions)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheEngineAnswersItsProtocol(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"it names itself", []string{"uci"}, "id name Chpok"},
		{"it is ready", []string{"isready"}, "readyok"},
		{
			"a rook takes the last king",
			[]string{"setoption name Features value {\"castlings\":0}", "position cfen 4k3/8/8/8/8/8/8/K3R3 w - 0/0 0/0 0/0 1", "go depth 2"},
			"bestmove e1e8",
		},
		{
			"moves lead to the position",
			[]string{"position row RNBQKBNR moves e2e4 d7d5 e4d5", "go depth 3"},
			"bestmove d8d5",
		},
		{
			"without an action there is none",
			[]string{"position cfen k7/8/8/8/8/p7/P7/8 w - 0/0 0/0 0/0 1", "go depth 1"},
			"info string",
		},
		{"an impossible move is named", []string{"position startpos moves e2e5"}, "info string e2e5 is not possible"},
		{"an unknown option is named", []string{"setoption name Taste value 3"}, `info string no option "Taste"`},
		{"several lines", []string{"setoption name MultiPV value 3", "position startpos", "go depth 2"}, "multipv 3"},
		{"an end of the game is told in moves", []string{"position cfen 4k3/8/8/8/8/8/8/K3R3 w - 0/0 0/0 0/0 1", "go depth 2"}, "mate 1"},
		{"a position can say how near a claim is: whatever Black plays, White's lead has held for twenty moves",
			[]string{"position cfen k7/8/8/8/8/8/8/K7 b - 0/0 0/0 9/0 25 streak 9 19 5", "go depth 2"}, "mate -1"},
		{"moves go on from there",
			[]string{"position cfen k7/8/8/8/8/8/8/K7 w - 0/0 0/0 9/0 25 streak 9 19 5 moves a1b1", "go depth 2"}, "mate -1"},
		{"without it nothing is near", []string{"position cfen k7/8/8/8/8/8/8/K7 b - 0/0 0/0 9/0 25", "go depth 2"}, "score cp"},
		{"a streak is never negative",
			[]string{"position cfen k7/8/8/8/8/8/8/K7 b - 0/0 0/0 9/0 25 streak 9 -1 5", "go depth 1"}, "info string streak is"},
		{"a streak has three numbers", []string{"position cfen k7/8/8/8/8/8/8/K7 b - 0/0 0/0 9/0 25 streak 9", "go depth 1"}, "three numbers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if out := serve(t, c.lines...); !strings.Contains(out, c.want) {
				t.Errorf("no %q in\n%s", c.want, out)
			}
		})
	}
}

func launch(t *testing.T) *duel.Program {
	t.Helper()
	p, err := duel.Launch(t.Context(), os.Args[0]+" serve-engine")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// Every game of a match is possible by the rules, ends for a reason that is one,
// and is counted once; the colors are exchanged within each pair.
func TestTwoProgramsPlayAMatch(t *testing.T) {
	t.Parallel()
	f := board.DefaultFeatures()
	f.MoveLimit, f.Castlings = 12, 0
	whites, games := map[int]int{}, 0
	tally, err := duel.Match(t.Context(), [2]*duel.Program{launch(t), launch(t)}, duel.Config{
		Features: f, Opening: 3, Pairs: 2, Nodes: [2]int{60, 20}, Seed: 4,
	}, func(g duel.Game, _ duel.Tally) {
		whites[g.White]++
		games++
		p := g.Start
		for _, a := range g.Actions {
			var err error
			if p, _, err = p.Play(a); err != nil {
				t.Errorf("%v: %v", p, err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if games != 4 || tally.Games() != 4 || whites[0] != 2 || whites[1] != 2 {
		t.Errorf("%d games, counted %d, first program White in %d", games, tally.Games(), whites[0])
	}
	ends := 0
	for _, e := range tally.Ends {
		ends += e[0] + e[1] + e[2]
	}
	if ends != 4 {
		t.Errorf("the reasons are of %d games: %v", ends, tally.Ends)
	}
}

// Worked by hand: 3 pairs of 2, 2 and 1 points are 5 of 6; their variance is
// (0.5² · 1/3) · 2/3 = 1/18.
func TestScoreOfPairs(t *testing.T) {
	t.Parallel()
	tally := duel.Tally{Won: 5, Lost: 1, Pairs: [5]int{2: 1, 4: 2}}
	share, margin := tally.Score()
	if math.Abs(share-5.0/6) > 1e-9 || math.Abs(margin-1.96*math.Sqrt(1.0/18/3)) > 1e-9 {
		t.Errorf("%.6f ± %.6f", share, margin)
	}
	if got := duel.Elo(0.75); math.Abs(got-190.848) > 0.01 {
		t.Errorf("three of four points are %.3f", got)
	}
}

func TestSequentialTestDecides(t *testing.T) {
	t.Parallel()
	s := duel.SPRT{Elo0: 0, Elo1: 20}
	for want, pairs := range map[int][5]int{
		1:  {10, 0, 60, 0, 330},
		-1: {330, 0, 60, 0, 10},
		0:  {1, 0, 2, 0, 1},
	} {
		if got := s.Decide(duel.Tally{Pairs: pairs}); got != want {
			t.Errorf("%v: %d, not %d (ratio %.2f)", pairs, got, want, s.Ratio(duel.Tally{Pairs: pairs}))
		}
	}
}
