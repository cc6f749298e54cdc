package fairplay_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
)

// stands returns a position with the pieces of a placement.
func stands(t interface{ Fatal(...any) }, width int, placement string) board.Position {
	f := board.DefaultFeatures()
	f.Width = width
	p, err := board.ParseCFEN(f, placement+" w - 0/0 0/0 0/0 9")
	if err != nil {
		t.Fatal(placement, err)
	}
	return p
}

func TestDistanceCountsSquares(t *testing.T) {
	t.Parallel()
	const from = "r1bqkb1r/ppppppp1/2n2n2/7p/P7/R1N2N2/1PPPPPPP/2BQKB1R"
	for _, test := range []struct {
		name  string
		width int
		asked string
		want  int
	}{
		{"itself", 8, from, 0},
		{"a pawn less", 8, "r1bqkb1r/1pppppp1/2n2n2/7p/P7/R1N2N2/1PPPPPPP/2BQKB1R", 1},
		{"a dragon for a bishop", 8, "r1bqkb1r/ppppppp1/2n2n2/7p/P7/R1N2N2/1PPPPPPP/2DQKB1R", 1},
		{"a rook moved", 8, "r1bqkb1r/ppppppp1/2n2n2/7p/P7/2N2N2/1PPPPPPP/R1BQKB1R", 2},
		{"a rook moved in the mirror of files", 8, "r1bkqb1r/1ppppppp/2n2n2/p7/7P/2N2N2/PPPPPPP1/R1BKQB1R", 2},
		{"a pawn less with colors swapped", 8, "2bqkb1r/2pppppp/r1n2n2/p7/7P/2N2N2/PPPPPPP1/R1BQKB1R", 1},
		{"an empty file more", 9, "r1bqkb1r1/ppppppp2/2n2n3/7p1/P8/R1N2N3/1PPPPPPP1/2BQKB1R1", 0},
		{"a file more at the other end, with two pawns", 9, "1r1bqkb1r/pppppppp1/3n2n2/8p/1P7/1R1N2N2/P1PPPPPPP/3BQKB1R", 2},
		{"an empty file in the middle", 9, "r1bq1kb1r/pppp1ppp1/2n3n2/8p/P8/R1N3N2/1PPP1PPPP/2BQ1KB1R", 0},
		{"all one file to the side", 8, "1r1bqkb1/1ppppppp/3n2n1/8/1P6/1R1N2N1/2PPPPPP/3BQKB1", 4},
		{"a file less", 7, "1bqkb1r/pppppp1/1n2n2/6p/7/1N2N2/PPPPPPP/1BQKB1R", 4},
		{"the start", 8, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 14},
	} {
		if got := fairplay.Distance(stands(t, 8, from), stands(t, test.width, test.asked)); got != test.want {
			t.Errorf("%s: %d squares, want %d", test.name, got, test.want)
		}
		if got := fairplay.Distance(stands(t, test.width, test.asked), stands(t, 8, from)); got != test.want {
			t.Errorf("%s, the other way: %d squares, want %d", test.name, got, test.want)
		}
	}
}

// Near the end of a game, all of it fits one rank farther up.
func TestDistanceCountsWhatDoesNotMoveWithTheRest(t *testing.T) {
	t.Parallel()
	const ten = "8/1k3r2/2p2p2/2P2P2/8/3R2n1/1K4N1/8"
	for _, test := range []struct {
		name, from, asked string
		want              int
	}{
		{"one up", ten, "1k3r2/2p2p2/2P2P2/8/3R2n1/1K4N1/8/8", 0},
		{"one down", ten, "8/8/1k3r2/2p2p2/2P2P2/8/3R2n1/1K4N1", 0},
		{"one up, a knight elsewhere", ten, "1k3r2/2p2p2/2P2P2/8/3R2n1/1K6/6N1/8", 2},
		{"one down in the mirror of files", ten, "8/8/2r3k1/2p2p2/2P2P2/8/1n2R3/1N4K1", 0},
		{"one up with colors swapped", ten, "1k4n1/3r2N1/8/2p2p2/2P2P2/1K3R2/8/8", 0},
		{"two down", "2k5/2p2r2/5P2/2RK4/8/6n1/8/8", "8/8/2k5/2p2r2/5P2/2RK4/8/6n1", 0},
		{"one up, where a knight has left the board", "2n5/1k3r2/2p2p2/8/8/3R4/1K4N1/8", "1k3r2/2p2p2/8/8/3R4/1K4N1/8/8", 1},
	} {
		if got := fairplay.Distance(stands(t, 8, test.from), stands(t, 8, test.asked)); got != test.want {
			t.Errorf("%s: %d squares, want %d", test.name, got, test.want)
		}
	}
}

// anything may stand on a changed square, or on that of a pawn only pawns.
const (
	anything  = ".NnBbRrQqDdPp"
	onlyPawns = ".Pp"
)

// edited changes what stands on n squares, to other letters of kinds: pieces vanish, change or
// appear. Kings stay, and no pawn
// stands at the ends of the board. pick chooses a number below another.
func edited(p board.Position, n int, kinds string, pick func(below int) int) string {
	rows := lettersOf(p)
	var squares [][2]int
	for rank, row := range rows {
		for file, letter := range row {
			mayHold := kinds == anything || 0 < rank && rank < board.Ranks-1 && strings.ContainsRune(kinds, rune(letter))
			if letter != 'K' && letter != 'k' && mayHold {
				squares = append(squares, [2]int{rank, file})
			}
		}
	}
	for range n {
		i := pick(len(squares))
		rank, file := squares[i][0], squares[i][1]
		squares = slices.Delete(squares, i, i+1)
		at := &rows[rank][file]
		letters := strings.Replace(kinds, string(*at), "", 1)
		if rank == 0 || rank == board.Ranks-1 {
			letters = strings.Trim(letters, "Pp")
		}
		if letters != "" {
			*at = letters[pick(len(letters))]
		}
	}
	return placement(rows)
}

// placement writes ranks of letters as in a CFEN.
func placement(rows [board.Ranks][]byte) string {
	var ranks []string
	for rank := board.Ranks - 1; rank >= 0; rank-- {
		text, empty := "", 0
		for _, letter := range append(rows[rank], 0) {
			if letter == '.' {
				empty++
				continue
			}
			if empty > 0 {
				text += fmt.Sprint(empty)
			}
			if empty = 0; letter != 0 {
				text += string(letter)
			}
		}
		ranks = append(ranks, text)
	}
	return strings.Join(ranks, "/")
}

// Whatever is changed on up to eight squares, a player of the match gets no answer.
func TestWhatDiffersOnFewSquaresIsNear(t *testing.T) {
	t.Parallel()
	g := game(t, "a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3")
	early := game(t, "a2a4", "h7h5", "b1c3", "b8c6", "g1f3")
	rapid.Check(t, func(draw *rapid.T) {
		positions := g.Positions()
		ago := rapid.IntRange(1, 3).Draw(draw, "how long ago")
		from := positions[len(positions)-ago]
		pick := func(below int) int { return rapid.IntRange(0, below-1).Draw(draw, "pick") }
		asked := stands(draw, 8, edited(from, pick(fairplay.NearBy+1), anything, pick))
		if keys := fairplay.NearOf(g, []board.Position{asked}); !slices.Contains(keys, fairplay.KeyOf(from)) {
			draw.Errorf("%s is not near, but %s are", asked.CFEN(), keys)
		}
		if keys := fairplay.NearOf(early, []board.Position{asked}); keys != nil {
			draw.Error("near before ply 6", keys)
		}
	})
}

// Positions of another match, from its eighth move on, are seldom near: of the positions of twelve
// random games, taken two by two at the same ply, less than one in twenty.
func TestOtherMatchesAreSeldomNear(t *testing.T) {
	t.Parallel()
	lots := rand.New(rand.NewPCG(7, 8))
	var games [][]board.Position
	for range 12 {
		p, err := board.Start(board.DefaultFeatures(), board.StandardRow(8))
		if err != nil {
			t.Fatal(err)
		}
		var list []board.Position
		for len(list) < 40 && !p.IsOver() {
			moves := p.Moves(nil)
			p, _ = p.PlayUnchecked(moves[lots.IntN(len(moves))])
			list = append(list, p)
		}
		games = append(games, list)
	}
	pairs, near := 0, 0
	for i, a := range games {
		for _, b := range games[:i] {
			for ply := 15; ply < min(len(a), len(b)); ply++ {
				if pairs++; fairplay.Distance(a[ply], b[ply]) <= fairplay.NearBy {
					near++
				}
			}
		}
	}
	if pairs < 500 || near*20 > pairs {
		t.Errorf("%d of %d are near", near, pairs)
	}
}

// BenchmarkNear is what a question costs a player of one match beside a game of 120 plies.
func BenchmarkNear(b *testing.B) {
	g := game(b, "a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3")
	asked := make([]board.Position, 120)
	for i := range asked {
		asked[i] = stands(b, 8, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") // 14 squares away
	}
	for b.Loop() {
		if fairplay.NearOf(g, asked) != nil {
			b.Fatal("near")
		}
	}
}

// BenchmarkHowFarABestMoveCarries measures what NearBy rests on (docs/inside.md): of positions of
// the engine's games, changed at random, how often the best move is as good in the real one, at
// most 0.05 of the point less than its best. It takes minutes:
//
//	go test ./fairplay -run - -bench HowFar -benchtime 1x
func BenchmarkHowFarABestMoveCarries(b *testing.B) {
	type way func(p board.Position, pick func(below int) int) (placement string, files []int)
	ways := map[string]way{
		"a file in":      func(p board.Position, pick func(int) int) (string, []int) { return refiled(p, -1, pick(p.Width()+1)) },
		"a file out":     func(p board.Position, pick func(int) int) (string, []int) { return refiled(p, pick(p.Width()), -1) },
		"one file aside": func(p board.Position, _ func(int) int) (string, []int) { return refiled(p, p.Width()-1, 0) },
	}
	for _, n := range []int{0, 1, 2, 3, 4, 6, 8, 10, 12, 16} {
		for of, kinds := range map[string]string{"squares": anything, "pawns": onlyPawns} {
			ways[fmt.Sprintf("%s %02d", of, n)] = func(p board.Position, pick func(int) int) (string, []int) {
				return edited(p, n, kinds, pick), nil
			}
		}
	}
	real := midgames(b, 25)
	engine := search.NewEngine(18)
	best := func(p board.Position, avoid ...board.Action) search.Line {
		engine.Forget()
		return engine.Search(b.Context(), search.RootAt(p, [3]int{}), search.Limits{Nodes: 20_000, Avoid: avoid}, nil)[0]
	}
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var asked, near, sound float64
				lots := rand.New(rand.NewPCG(3, 4))
				for _, p := range real {
					text, files := ways[name](p, lots.IntN)
					features := p.Features()
					if features.Width = p.Width(); files != nil {
						features.Width = len(files)
					}
					_, rest, _ := strings.Cut(p.CFEN(), " ")
					q, err := board.ParseCFEN(features, text+" "+rest)
					if err != nil || len(q.Moves(nil)) == 0 {
						continue
					}
					asked++
					if fairplay.Distance(p, q) <= fairplay.NearBy {
						near++
					}
					hint, ok := inReal(p, best(q).Actions[0], files)
					if !ok {
						continue
					}
					others := slices.DeleteFunc(p.Moves(nil), func(a board.Action) bool { return a == hint })
					if search.Expected(best(p, others...).Score) >= search.Expected(best(p).Score)-0.05 {
						sound++
					}
				}
				b.ReportMetric(asked, "asked")
				b.ReportMetric(100*near/asked, "%near")
				b.ReportMetric(100*sound/asked, "%sound")
			}
		})
	}
}

// BenchmarkOtherGamesAreNear measures how often a player would be refused for a position of some other game.
func BenchmarkOtherGamesAreNear(b *testing.B) {
	all := midgames(b, 25)
	for b.Loop() {
		pairs, near := map[int]float64{}, map[int]float64{}
		for i, p := range all {
			for _, q := range all[:i] {
				if ply := 2 * (p.FullMove() - 1); p.FullMove() == q.FullMove() {
					if pairs[ply]++; fairplay.Distance(p, q) <= fairplay.NearBy {
						near[ply]++
					}
				}
			}
		}
		for ply, n := range pairs {
			b.ReportMetric(100*near[ply]/n, fmt.Sprintf("%%near-at-ply-%d", ply))
		}
	}
}

// midgames are the positions after plies 14, 22 and 30 of games of a weak engine against itself.
func midgames(b *testing.B, games int) (list []board.Position) {
	engine := search.NewEngine(18)
	for seed := range games {
		p, err := board.Start(board.DefaultFeatures(), board.StandardRow(8))
		if err != nil {
			b.Fatal(err)
		}
		for ply := 1; ply <= 30; ply++ {
			engine.Forget()
			limits := search.Limits{Nodes: 2000, Error: 40, Seed: uint64(2*(100*seed+ply) + 1)}
			if p, _ = p.PlayUnchecked(engine.Search(b.Context(), search.RootAt(p, [3]int{}), limits, nil)[0].Actions[0]); p.IsOver() {
				break
			}
			if ply%8 == 6 && ply > 8 {
				list = append(list, p)
			}
		}
	}
	return list
}

// inReal is a hint as an action of the real position, false if it is none there. files are those
// of the real board by files of the one that was asked about, nil if they are the same.
func inReal(p board.Position, hint board.Action, files []int) (board.Action, bool) {
	if files != nil {
		from, to := files[hint.From().File()], files[hint.To().File()]
		if hint.Kind() != board.Move || from < 0 || to < 0 {
			return 0, false
		}
		hint = board.NewMove(board.Sq(from, hint.From().Rank()), board.Sq(to, hint.To().Rank()), hint.Promotion())
	}
	return hint, p.Legal(hint)
}

// lettersOf are the ranks of a position, a letter a square.
func lettersOf(p board.Position) (rows [board.Ranks][]byte) {
	for rank := range rows {
		for file := range p.Width() {
			letter := byte('.')
			if piece := p.At(board.Sq(file, rank)); !piece.IsEmpty() {
				letter = piece.String()[0]
			}
			rows[rank] = append(rows[rank], letter)
		}
	}
	return rows
}

// refiled takes one file out of a position and puts an empty one in; -1 is none.
func refiled(p board.Position, out, in int) (string, []int) {
	rows := lettersOf(p)
	files := make([]int, p.Width())
	for i := range files {
		files[i] = i
	}
	if out >= 0 {
		files = slices.Delete(files, out, out+1)
	}
	if in >= 0 {
		files = slices.Insert(files, in, -1)
	}
	for rank, row := range rows {
		rows[rank] = nil
		for _, file := range files {
			letter := byte('.')
			if file >= 0 {
				letter = row[file]
			}
			rows[rank] = append(rows[rank], letter)
		}
	}
	return placement(rows), files
}
