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
			a, ok := search.Bot{Nodes: nodes}.Best(context.Background(), p)
			if !ok {
				t.Fatalf("%s: no action", cfen)
			}
			next, _ := p.PlayUnchecked(a)
			for _, answer := range next.Moves(nil) {
				if _, e := next.PlayUnchecked(answer); e.End == board.KingsCaptured {
					t.Errorf("%s: %v at %d positions lets %v take the king", cfen, a, nodes, answer)
				}
			}
		}
	}
}
