package board_test

import (
	"testing"

	"chpok.org/chpok/engine/board"
)

// benchPositions are the starts and open middlegames of two widths; depths make
// 0.2 to 5 million leaves.
var benchPositions = []struct {
	name, features, cfen string
	depth                int
}{
	{"start8", `{}`, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - 1/1 0/0 0/0 1", 5},
	{"start10", `{"width":10}`, "rnbdqkdbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBDQKDBNR w - 1/1 0/0 0/0 1", 4},
	{"middle8", `{}`, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - 1/1 0/0 3/4 12", 4},
	{"middle10", `{"width":10,"skipMoves":true,"mightyQueens":true,"newbornPawns":true}`,
		"r1b1qkd1nr/p1pd2pppp/1p2p1n3/3pP2b2/3P2B3/2N2N1D2/PPP2PPPPP/R1BDQK3R w - 1/1 1/1 6/5 10", 3},
}

func BenchmarkMoves(b *testing.B) {
	for _, c := range benchPositions {
		b.Run(c.name, func(b *testing.B) {
			p := position(b, c.features, c.cfen)
			buf := make([]board.Action, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				buf = p.Moves(buf[:0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(buf)), "ns/action")
		})
	}
}

func BenchmarkPlay(b *testing.B) {
	p := position(b, benchPositions[2].features, benchPositions[2].cfen)
	list := p.Moves(nil)
	b.Run("checked", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, _, err := p.Play(list[i%len(list)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unchecked", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			p.PlayUnchecked(list[i%len(list)])
		}
	})
}

// BenchmarkPerft gives the time for each leaf with the last ply listed, with
// every leaf played, and of the mailbox of the tests, for a ratio that does not
// depend on the machine.
func BenchmarkPerft(b *testing.B) {
	for _, c := range benchPositions {
		p := position(b, c.features, c.cfen)
		m := newMailbox(p.Features(), p.CFEN())
		perLeaf := func(b *testing.B, count func() uint64) {
			b.ReportAllocs()
			var leaves uint64
			for b.Loop() {
				leaves = count()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(leaves), "ns/leaf")
		}
		b.Run(c.name+"/listed", func(b *testing.B) {
			perLeaf(b, func() uint64 { return board.Perft(p, c.depth) })
		})
		b.Run(c.name+"/played", func(b *testing.B) {
			room := make([]board.Action, 0, 256*c.depth)
			perLeaf(b, func() uint64 { return playedPerft(&p, room, c.depth-1) })
		})
		b.Run(c.name+"/mailbox", func(b *testing.B) {
			room := make([]mbAction, 0, 256*c.depth)
			perLeaf(b, func() uint64 { return m.perft(c.depth-1, room) })
		})
	}
}

// playedPerft plays the leaves too.
func playedPerft(p *board.Position, room []board.Action, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	list := p.Moves(room)
	nodes := uint64(0)
	var next board.Position
	var e board.Effect
	for _, a := range list {
		next = *p
		next.Advance(a, &e)
		nodes += playedPerft(&next, list[len(list):], depth-1)
	}
	return nodes
}
