package search_test

import (
	"context"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// In each of these the bot of 0.3 left its last king to be taken: the search of
// captures had no bound, and depth 1 was never finished.
func TestBotNeverLeavesItsKingInSharpPositions(t *testing.T) {
	t.Parallel()
	for _, cfen := range []string{
		"r3kbnr/1pp2p2/2n1pqp1/p6p/Q1pP1P1P/P1N1P3/1P3PB1/R1B1K2R b - 0/0 0/0 0/4 11",
		"rn2kb1r/p5p1/1pp2p2/3p3p/3P1P2/PQP3Pb/1P3K1P/R1B1R3 b - 0/0 0/0 0/8 17",
		"r3kbnr/ppNqp1pp/2p1N3/3P1p2/4p1n1/P7/1PP2PPP/R1BQK2R b - 0/0 0/0 7/3 12",
		"r1bk1bn1/p2p1Qpr/1p6/1Np1p2p/1n2P3/3P3P/PPP2PP1/R1BK1BR1 b - 0/0 0/0 6/3 14",
	} {
		f := board.DefaultFeatures()
		f.Castlings = 0
		p, err := board.ParseCFEN(f, cfen)
		if err != nil {
			t.Fatal(err)
		}
		for _, nodes := range []int{2_000, 20_000} {
			lines := search.NewEngine(16).Search(context.Background(), search.Root{Position: p}, search.Limits{Nodes: nodes}, nil)
			if len(lines) == 0 {
				t.Fatalf("%s: no action", cfen)
			}
			a := lines[0].Actions[0]
			next, _ := p.PlayUnchecked(a)
			for _, answer := range next.Moves(nil) {
				if _, e := next.PlayUnchecked(answer); e.End == board.KingsCaptured {
					t.Errorf("%s: %v at %d positions lets %v take the king", cfen, a, nodes, answer)
				}
			}
		}
	}
}

// score is what the side to move can expect at depth 1.
func score(t *testing.T, cfen string) (int, string) {
	t.Helper()
	f := board.DefaultFeatures()
	f.Castlings = 0
	p, err := board.ParseCFEN(f, cfen)
	if err != nil {
		t.Fatal(err)
	}
	lines := search.NewEngine(14).Search(context.Background(), search.Root{Position: p}, search.Limits{Nodes: 20_000}, nil)
	return lines[0].Score, lines[0].Actions[0].String()
}

func TestAKingTakenDoesNotHideOtherPoints(t *testing.T) {
	t.Parallel()
	const placement = "r2k2k1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - 0/0 0/0 "
	more, _ := score(t, placement+"1040/0 30")
	less, _ := score(t, placement+"1000/0 30")
	if more < less+100 {
		t.Errorf("with forty points more: %d, without: %d", more, less)
	}
}

// The lead of a thousand points lasts until the queen has taken a king of ours.
func TestTheQueenIsNotGivenForTheFirstOfTwoKings(t *testing.T) {
	t.Parallel()
	expected, action := score(t, "r2k2k1/ppp2ppp/q7/8/8/8/PPPQ1PPP/R2K2K1 w - 0/0 0/0 0/0 12")
	if action == "d2d8" || expected < -100 {
		t.Errorf("%s promises %d", action, expected)
	}
}
