package lesson_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/lesson"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
)

func TestAdviceNamesWhatIsMostUrgent(t *testing.T) {
	t.Parallel()
	king, queen, rook, pawn := board.King, board.Queen, board.Rook, board.NoKind
	for _, x := range []struct {
		name, cfen string
		kind       lesson.AdviceKind
		piece      board.Kind
		at         string
		points     int
	}{
		{"a king that can be taken, before all else", "4k3/8/8/8/8/8/4Q3/q3K3 w - 0/0 0/0 0/0 1", lesson.TakeKing, king, "e8", 0},
		{"our king in reach, before the queen that is too", "7k/8/8/8/8/3b4/4Q3/r3K3 w - 0/0 0/0 0/0 1", lesson.SaveKing, king, "e1", 0},
		{"a king defended is still in reach of a rook", "4k3/8/8/8/8/8/3R4/r3K3 w - 0/0 0/0 0/0 1", lesson.SaveKing, king, "e1", 0},
		{"a queen that a bishop can take, though it is defended", "7k/8/8/8/8/5b2/4Q3/3K4 w - 0/0 0/0 0/0 1", lesson.SavePiece, queen, "e2", 0},
		{"two rooks that face each other: first our own", "7k/8/8/8/r7/8/8/R1K5 w - 0/0 0/0 0/0 1", lesson.SavePiece, rook, "a1", 0},
		{"a rook that faces a queen", "7k/8/1p6/q7/8/8/R7/2K5 w - 0/0 0/0 0/0 1", lesson.SavePiece, rook, "a2", 0},
		{"their rook that nobody defends", "7k/8/8/8/r7/8/2B5/K7 w - 0/0 0/0 0/0 1", lesson.SaveKing, king, "a1", 0},
		{"a bishop with the way to rank 5 open", "6rk/8/8/8/8/3B4/8/K7 w - 0/0 0/0 0/0 1", lesson.Score, pawn, "", 0},
		{"nothing near", "7k/8/8/8/8/8/8/K7 w - 0/0 0/0 0/0 1", lesson.Forward, pawn, "", 0},
	} {
		p, err := board.ParseCFEN(board.DefaultFeatures(), x.cfen)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		got := lesson.Advise(p)
		if got.Kind != x.kind || got.Piece != x.piece || x.at != "" && got.At.String() != x.at {
			t.Errorf("%s: %+v at %s, want %d about a %v on %s", x.name, got, got.At, x.kind, x.piece, x.at)
		}
	}
}

// follow plays what the advice says, and where it leaves a choice, at random.
func follow(p board.Position, lots *rand.Rand) board.Action {
	advice, us := lesson.Advise(p), p.Turn()
	return oneOf(p, lots, func(a board.Action, next board.Position, effect board.Effect) int {
		risk := lesson.Risk(next, us)
		switch advice.Kind {
		case lesson.TakeKing:
			return next.Points(us)
		case lesson.SaveKing, lesson.SavePiece:
			return -risk
		case lesson.TakePiece:
			if a.To() != advice.At {
				return -1000
			}
			return -risk
		case lesson.Score:
			return effect.RankPoints - 100*risk
		}
		return -100*risk + forward(a, us)
	})
}

// score plays what a coach that knew points alone said: take kings, else score, else go forward.
func score(p board.Position, lots *rand.Rand) board.Action {
	us := p.Turn()
	return oneOf(p, lots, func(a board.Action, next board.Position, effect board.Effect) int {
		return 100*(next.Points(us)-p.Points(us)) + forward(a, us)
	})
}

// forward is 1 for moves toward the other side.
func forward(a board.Action, us board.Color) int {
	if step := a.To().Rank() - a.From().Rank(); step > 0 == (us == board.White) && step != 0 {
		return 1
	}
	return 0
}

// oneOf is one of the best moves by a measure.
func oneOf(p board.Position, lots *rand.Rand, worth func(board.Action, board.Position, board.Effect) int) (best board.Action) {
	most, many := 0, 0
	for _, a := range p.Moves(nil) {
		next, effect := p.PlayUnchecked(a)
		switch w := worth(a, next, effect); {
		case many == 0 || w > most:
			best, most, many = a, w, 1
		case w == most:
			if many++; lots.IntN(many) == 0 {
				best = a
			}
		}
	}
	return best
}

// meet plays matches from the standard position against a bot, and returns the points of matches, 0 to 1 each.
func meet(t *testing.T, bot house.Bot, matches int, ours func(board.Position, *rand.Rand) board.Action) (points float64) {
	t.Helper()
	lots, e := rand.New(rand.NewPCG(1, uint64(bot.Level))), search.NewEngine(1)
	for i := range matches {
		p, err := board.Start(board.DefaultFeatures(), board.StandardRow(8))
		if err != nil {
			t.Fatal(err)
		}
		us, root := board.Color(i%2), search.Root{Position: p}
		e.Forget()
		white, over := 0, false
		for !over {
			var a board.Action
			if root.Position.Turn() == us {
				a = ours(root.Position, lots)
			} else if lines := e.Search(t.Context(), root, search.Limits{Nodes: bot.Nodes, Error: bot.Error, Seed: lots.Uint64() | 1}, nil); len(lines) > 0 {
				a = lines[0].Actions[0]
			}
			if a == 0 {
				break // nobody can move: counted as a draw here
			}
			root = root.Play(a)
			white, over = root.Over()
		}
		if us == board.Black {
			white = -white
		}
		points += float64(white+1) / 2
	}
	return points
}

// TestWhoFollowsTheCoachScoresMore measures what the advice is worth; with CHPOK_COACH=200 as docs/engine.md says.
func TestWhoFollowsTheCoachScoresMore(t *testing.T) {
	t.Parallel()
	matches := 30
	if n, err := strconv.Atoi(os.Getenv("CHPOK_COACH")); err == nil {
		matches = n
	}
	for _, name := range []player.Handle{"Pishak", "Kin"} {
		bot, ok := house.Named(name)
		if !ok {
			t.Fatalf("no bot %s", name)
		}
		coached, before := meet(t, bot, matches, follow), meet(t, bot, matches, score)
		t.Logf("%s, %d matches each: %.1f points by following the coach, %.1f by points alone", name, matches, coached, before)
		if coached <= before {
			t.Errorf("%s: %.1f by following the coach, %.1f by points alone", name, coached, before)
		}
	}
}
