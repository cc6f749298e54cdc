package board_test

import (
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/engine/board"
)

func features(t testing.TB, json string) board.Features {
	t.Helper()
	f, err := board.ParseFeatures([]byte(json))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func position(t testing.TB, json, cfen string) board.Position {
	t.Helper()
	p, err := board.ParseCFEN(features(t, json), cfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func action(t testing.TB, text string) board.Action {
	t.Helper()
	a, err := board.ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestActionsLeadWhereTheRulesSay(t *testing.T) {
	t.Parallel()
	const over = "over: "
	for name, c := range map[string]struct{ features, before, action, after string }{
		"a double step passes over a square": {
			`{}`, "k7/8/8/8/8/8/4P3/K7 w - 1/1 0/0 0/0 1", "e2e4",
			"k7/8/8/8/4P3/8/8/K7 b e3 1/1 0/0 0/0 1"},
		"a double step without en passant passes over nothing": {
			`{"noEnPassant":true}`, "k7/8/8/8/8/8/4P3/K7 w - 1/1 0/0 0/0 1", "e2e4",
			"k7/8/8/8/4P3/8/8/K7 b - 1/1 0/0 0/0 1"},
		"en passant ends on relative rank 6": {
			`{}`, "k7/8/8/8/4Pp2/8/8/K7 b e3 1/1 0/0 0/0 1", "f4e3",
			"k7/8/8/8/8/4p3/8/K7 w - 1/1 0/0 0/2 2"},
		"a pawn on relative rank 5 scores 1": {
			`{}`, "k7/8/8/8/4P3/8/8/K7 w - 1/1 0/0 0/0 1", "e4e5",
			"k7/8/8/4P3/8/8/8/K7 b - 1/1 0/0 1/0 1"},
		"a promoting pawn scores rank 8 and counts as a pawn": {
			`{"movePoints":{"P":2,"Q":9}}`, "8/4P3/8/8/8/8/8/K6k w - 1/1 0/0 0/0 1", "e7e8q",
			"4Q3/8/8/8/8/8/8/K6k b - 1/1 0/0 6/0 1"},
		"a promotion to king does not run": {
			`{"kingsRun":true}`, "8/4P3/8/8/8/8/8/K6k w - 1/1 0/0 0/0 1", "e7e8k",
			"4K3/8/8/8/8/8/8/K6k b - 1/1 0/0 4/0 1"},
		"neighbours swap": {
			`{"movePoints":{"K":3,"R":5}}`, "k7/8/8/8/8/8/8/3KR3 w - 1/1 0/0 0/0 1", "Od1e1",
			"k7/8/8/8/8/8/8/3RK3 b - 0/1 0/0 3/0 1"},
		"one square between king and rook": {
			`{}`, "k7/8/8/8/8/8/8/3K1R2 w - 1/1 0/0 0/0 1", "Od1f1",
			"k7/8/8/8/8/8/8/4RK2 b - 0/1 0/0 0/0 1"},
		"a far rook goes next to the king": {
			`{}`, "r5k1/8/8/8/8/8/8/K7 b - 1/1 0/0 0/0 1", "Og8a8",
			"4kr2/8/8/8/8/8/8/K7 w - 1/0 0/0 0/0 2"},
		"a birth scores nothing": {
			`{"newbornPawns":true,"movePoints":{"P":9}}`, "k7/8/8/8/8/8/8/K7 b - 1/1 1/1 0/0 3", "P@c7",
			"k7/2p5/8/8/8/8/8/K7 w - 1/1 1/0 0/0 4"},
		"a skip only passes the turn": {
			`{"skipMoves":true,"movePoints":{"K":9}}`, "k7/8/8/8/4P3/8/8/K7 b e3 1/1 0/0 5/6 3", "--",
			"k7/8/8/8/4P3/8/8/K7 w - 1/1 0/0 5/6 4"},
		"a removed king is the opponent's": {
			`{"removeOwn":true}`, "k7/8/8/8/8/8/8/KK6 w - 1/1 0/0 0/0 1", "-b1",
			"k7/8/8/8/8/8/8/K7 b - 1/1 0/0 0/1000 1"},
		"the last king removed ends the game": {
			`{"removeOwn":true}`, "k7/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "-a1",
			over + "k7/8/8/8/8/8/8/8 b - 1/1 0/0 0/1000 1 kings-captured"},
		"one of two kings taken": {
			`{}`, "kk6/8/8/8/8/8/8/KR6 w - 1/1 0/0 0/0 1", "b1b8",
			"kR6/8/8/8/8/8/8/K7 b - 1/1 0/0 1004/0 1"},
		"the last king taken": {
			`{}`, "1k6/8/8/8/8/8/8/KR6 w - 1/1 0/0 0/0 1", "b1b8",
			over + "1R6/8/8/8/8/8/8/K7 b - 1/1 0/0 1004/0 1 kings-captured"},
		"a fierce king takes its like for nothing": {
			`{"fierceKings":true}`, "k7/8/8/8/8/8/8/KK6 w - 1/1 0/0 0/0 1", "a1b1",
			"k7/8/8/8/8/8/8/1K6 b - 1/1 0/0 0/0 1"},
		"the hill counts every king": {
			`{"kingOfTheHill":true}`, "k6k/8/8/8/3K4/8/8/8 w - 1/1 0/0 0/0 1", "d4e5",
			over + "k6k/8/8/4K3/8/8/8/8 b - 1/1 0/0 2001/0 1 king-of-the-hill"},
		"a king taken on the hill is not counted twice": {
			`{"kingOfTheHill":true}`, "8/8/8/4k3/3K4/8/8/8 w - 1/1 0/0 0/0 1", "d4e5",
			over + "8/8/8/4K3/8/8/8/8 b - 1/1 0/0 1001/0 1 king-of-the-hill"},
		"Black's hill of a board of odd width is one square": {
			`{"kingOfTheHill":true,"width":7}`, "7/7/7/2k4/7/7/7/K6 b - 1/1 0/0 0/0 1", "c5d4",
			over + "7/7/7/7/3k3/7/7/K6 w - 1/1 0/0 0/1001 2 king-of-the-hill"},
		"beside the hill nothing happens": {
			`{"kingOfTheHill":true,"width":7}`, "7/7/7/2k4/7/7/7/K6 b - 1/1 0/0 0/0 1", "c5c4",
			"7/7/7/7/2k4/7/7/K6 w - 1/1 0/0 0/1 2"},
		"one's own centre is no hill": {
			`{"kingOfTheHill":true}`, "7k/8/8/8/8/4K3/8/8 w - 1/1 0/0 0/0 1", "e3e4",
			"7k/8/8/8/4K3/8/8/8 b - 1/1 0/0 0/0 1"},
		"the run": {
			`{"kingsRun":true,"movePoints":{"K":2}}`, "k7/6K1/8/8/8/8/8/8 w - 1/1 0/0 0/0 1", "g7h8",
			over + "k6K/8/8/8/8/8/8/8 b - 1/1 0/0 1006/0 1 kings-run"},
		"a corner bishop steps to its neighbour": {
			`{"cornerBishops":true}`, "B6k/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "a8b8",
			"1B5k/8/8/8/8/8/8/K7 b - 1/1 0/0 4/0 1"},
		"a pawn back on relative rank 6 scores 2": {
			`{"pawnsBack":true}`, "7k/4P3/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "e7e6",
			"7k/8/4P3/8/8/8/8/K7 b - 1/1 0/0 2/0 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, _, err := position(t, c.features, c.before).Play(action(t, c.action))
			if err != nil {
				t.Fatal(err)
			}
			got := after.CFEN()
			if after.IsOver() {
				got = over + got + " " + after.End().String()
				if list := after.Moves(nil); len(list) > 0 {
					t.Errorf("the game is over, but there is %s", list[0])
				}
			}
			if got != c.after {
				t.Errorf("%s, expected %s", got, c.after)
			}
		})
	}
}

func TestActionsTheRulesRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ features, cfen, actions string }{
		"a pawn on relative rank 1 steps one":       {`{}`, "k7/8/8/8/8/8/8/K3P3 w - 1/1 0/0 0/0 1", "e1e3"},
		"a double step over a piece":                {`{}`, "k7/8/8/8/8/4n3/4P3/K7 w - 1/1 0/0 0/0 1", "e2e3 e2e4"},
		"en passant one move late":                  {`{}`, "k7/8/8/8/4Pp2/8/8/K7 b - 1/1 0/0 0/0 1", "f4e3"},
		"a promotion to king where it is ruled out": {`{"noKingPromotion":true}`, "8/4P3/8/8/8/8/8/K6k w - 1/1 0/0 0/0 1", "e7e8k e7e8"},
		"a promotion to pawn or before the end":     {`{}`, "8/4P3/P7/8/8/8/8/K6k w - 1/1 0/0 0/0 1", "e7e8 a6a7q"},
		"castling without a castling left":          {`{}`, "k7/8/8/8/8/8/8/3KR3 w - 0/1 0/0 0/0 1", "Od1e1"},
		"castling through a piece or with another":  {`{}`, "k7/8/8/8/8/8/8/R1NK1Q1R w - 1/1 0/0 0/0 1", "Od1a1 Od1h1 Od1f1 Oh1d1"},
		"castling off the home row":                 {`{}`, "k7/8/8/8/8/8/3KR3/8 w - 1/1 0/0 0/0 1", "Od2e2"},
		"a king on its own piece":                   {`{}`, "k7/8/8/8/8/8/8/KR6 w - 1/1 0/0 0/0 1", "a1b1"},
		"a bishop off the corner stepping aside":    {`{"cornerBishops":true}`, "k7/8/8/8/8/8/8/KB6 w - 1/1 0/0 0/0 1", "b1c1 b1b2"},
		"a corner bishop on its own piece":          {`{"cornerBishops":true}`, "k7/8/8/8/8/8/P7/BK6 w - 1/1 0/0 0/0 1", "a1a2 a1b1"},
		"a bishop in a corner of a plain game":      {`{}`, "k7/8/8/8/8/8/8/B3K3 w - 1/1 0/0 0/0 1", "a1a2 a1b1"},
		"a queen leaping in a plain game":           {`{}`, "k7/8/8/8/8/8/8/Q3K3 w - 1/1 0/0 0/0 1", "a1b3"},
		"a pawn back in a plain game":               {`{}`, "k7/8/8/8/4P3/8/8/4K3 w - 1/1 0/0 0/0 1", "e4e3"},
		"a second birth":                            {`{"newbornPawns":true}`, "k7/8/8/8/8/8/8/4K3 w - 1/1 0/1 0/0 1", "P@a2"},
		"a birth beyond relative rank 2":            {`{"newbornPawns":true}`, "k7/8/8/8/8/8/8/4K3 w - 1/1 1/1 0/0 1", "P@a3 P@e1"},
		"removing and skipping in a plain game":     {`{}`, "k7/8/8/8/8/8/8/4K3 w - 1/1 0/0 0/0 1", "-e1 --"},
		"removing what is not one's own":            {`{"removeOwn":true}`, "k7/8/8/8/8/8/8/4K3 w - 1/1 0/0 0/0 1", "-a8 -b2"},
		"the opponent's piece":                      {`{}`, "k7/8/8/8/8/8/8/4K3 w - 1/1 0/0 0/0 1", "a8a7"},
		"a step off the board":                      {`{"width":6}`, "k5/6/6/6/6/6/6/5K w - 1/1 0/0 0/0 1", "f1g1 f1g2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := position(t, c.features, c.cfen)
			for text := range strings.FieldsSeq(c.actions) {
				if next, _, err := p.Play(action(t, text)); err == nil || next != p {
					t.Errorf("%s was accepted: %s", text, next)
				}
			}
		})
	}
}

func TestActionTextsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "e2", "e2e", "e2e9", "e0e2", "k1k2", "e7e8Q", "e7e8p", "e7e8x", "Oe1", "oe1h1", "Oe1h1q", "p@c2", "N@c2", "P@k2",
		"P@", "-", "---", "-k1", "-c2q", "undo", "resign", "E2E4", " e2e4", "e2e4 ", "e2-e4", "é2e4",
	} {
		if a, err := board.ParseAction(text); err == nil {
			t.Errorf("%q was read as %s", text, a)
		}
	}
}

func TestStartPosition(t *testing.T) {
	t.Parallel()
	for row, want := range map[board.Row]string{
		"RNQKNR":     "rnqknr/pppppp/6/6/6/6/PPPPPP/RNQKNR w - 2/2 1/1 0/0 1",
		"RNBDQKDBNR": "rnbdqkdbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBDQKDBNR w - 2/2 1/1 0/0 1",
		"KPPPPPPPD":  "kpppppppd/ppppppppp/9/9/9/9/PPPPPPPPP/KPPPPPPPD w - 2/2 1/1 0/0 1",
	} {
		f := board.DefaultFeatures()
		f.Width, f.Castlings, f.NewbornPawns = len(row), 2, true
		p, err := board.Start(f, row)
		if err != nil || p.CFEN() != want {
			t.Errorf("%s starts as %s (%v), expected %s", row, p, err, want)
		}
	}
}

func TestImpossiblePositionsNameEveryFault(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		features, cfen string
		want           []string // one for each fault, in order
	}{
		"no fields":                    {`{}`, "", []string{"7 fields"}},
		"two spaces":                   {`{}`, "k7/8/8/8/8/8/8/K7  w - 1/1 0/0 0/0 1", []string{"7 fields"}},
		"seven ranks":                  {`{}`, "k7/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", []string{"7 ranks"}},
		"another width":                {`{}`, "k8/9/9/9/9/9/9/K8 w - 1/1 0/0 0/0 1", []string{"9 files"}},
		"ranks too short and too long": {`{}`, "k6/8/8/8/8/8/8/K8 w - 1/1 0/0 0/0 1", []string{"rank 8 has 7", "rank 1 has 9"}},
		"no piece, no run":             {`{}`, "kx6/08/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", []string{"'x'", "run of 08", "rank 7"}},
		"an empty run too long":        {`{}`, "k7/11/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", []string{"run of 11", "rank 7"}},
		"no kings":                     {`{}`, "8/8/8/8/8/8/8/8 w - 1/1 0/0 0/0 1", []string{"white has no king", "black has no king"}},
		"pawns beyond their last rank": {`{}`, "kP6/8/8/8/8/8/8/K6p w - 1/1 0/0 0/0 1", []string{"h1", "b8"}},
		"everything else": {`{}`, "k7/8/8/8/8/8/8/K7 x z9 2/-1 1/0 a/3 0",
			[]string{"white castlings", "white newborn", "move number", `"x"`, `"z9"`, `"-1"`, `"a"`}},
		"another width and more": {`{}`, "P8/9/9/9/9/9/9/K7p w e6 1/1 0/0 0/0 1",
			[]string{"rank 8: a white pawn", "rank 1: a black pawn", "black has no king", "e6", "9 files"}},
		"another width alone, with en passant":  {`{}`, "k8/9/9/4p4/9/9/9/K8 w e6 1/1 0/0 0/0 1", []string{"9 files"}},
		"seven ranks without a king":            {`{}`, "k7/8/8/8/8/8/8 w - 1/1 0/0 0/0 1", []string{"white has no king", "7 ranks"}},
		"a short rank, en passant in doubt":     {`{}`, "k7/8/8/4p2/8/8/8/K7 w e6 1/1 0/0 0/0 1", []string{"rank 5 has 7"}},
		"a short rank, en passant beyond doubt": {`{}`, "k7/8/8/4p2/8/8/8/K7 w e4 1/1 0/0 0/0 1", []string{"e4", "rank 5 has 7"}},
		"nothing behind en passant":             {`{}`, "k7/8/8/8/8/8/8/K7 b e3 1/1 0/0 0/0 1", []string{"e3"}},
		"en passant for the wrong side":         {`{}`, "k7/8/8/8/4P3/8/8/K7 w e3 1/1 0/0 0/0 1", []string{"e3"}},
		"en passant over a piece":               {`{}`, "k7/8/8/8/4P3/4N3/8/K7 b e3 1/1 0/0 0/0 1", []string{"e3"}},
		"en passant from an occupied":           {`{}`, "k7/8/8/8/4P3/8/4N3/K7 b e3 1/1 0/0 0/0 1", []string{"e3"}},
		"en passant on a far rank":              {`{}`, "k7/8/8/8/4P3/8/8/K7 b e4 1/1 0/0 0/0 1", []string{"e4"}},
		"en passant on a1":                      {`{}`, "k7/8/8/8/4P3/8/8/K7 b a1 1/1 0/0 0/0 1", []string{"a1"}},
		"en passant that is ruled out":          {`{"noEnPassant":true}`, "k7/8/8/8/4P3/8/8/K7 b e3 1/1 0/0 0/0 1", []string{"e3"}},
		"numbers with signs and zeros":          {`{}`, "k7/8/8/8/8/8/8/K7 w - +1/01 0/0 0 1", []string{`"+1"`, `"01"`, "points"}},
		"a number too large for a board":        {`{}`, "k7/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 99999999999", []string{"move number"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := board.ParseCFEN(features(t, c.features), c.cfen)
			setup, ok := err.(*board.SetupError)
			if !ok {
				t.Fatalf("error %v", err)
			}
			if len(setup.Problems) != len(c.want) {
				t.Fatalf("%d problems: %q", len(setup.Problems), setup.Problems)
			}
			for i, want := range c.want {
				if !strings.Contains(setup.Problems[i].String(), want) {
					t.Errorf("%q does not mention %q", setup.Problems[i], want)
				}
			}
		})
	}
}

func TestSetupsThatNoTextCanHold(t *testing.T) {
	t.Parallel()
	s := board.Setup{Turn: 7, FullMove: 1, Features: board.DefaultFeatures()}
	s.Pieces[board.Sq(0, 0)] = board.NewPiece(board.White, board.King)
	s.Pieces[board.Sq(0, 7)] = board.NewPiece(board.Black, board.King)
	s.Pieces[board.Sq(8, 3)] = board.NewPiece(board.Black, board.Queen)
	s.Pieces[board.Sq(4, 4)] = 8
	_, err := board.New(s)
	for _, want := range []string{"i4 is off the board", "e5", "side to move"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not mention %q", err, want)
		}
	}
	s.Features.Width, s.Features.Undos = 11, 6
	if _, err := board.New(s); err == nil || err.Error() != "width is 6…10, not 11; undos is 0…5, not 6" {
		t.Errorf("error %v", err)
	}
}

func TestDivideSumsUpToPerft(t *testing.T) {
	t.Parallel()
	p, err := board.Start(board.DefaultFeatures(), board.StandardRow(8))
	if err != nil {
		t.Fatal(err)
	}
	var sum uint64
	var names []string
	for _, c := range board.Divide(p, 3) {
		sum += c.Nodes
		names = append(names, c.Action.String())
	}
	// The published count of orthodox chess, from which the rules differ later.
	if sum != board.Perft(p, 3) || sum != 8902 || len(names) != 20 || !slices.Contains(names, "g1f3") {
		t.Errorf("%d leaves below %v", sum, names)
	}
	if board.Perft(p, 0) != 1 || board.Divide(p, 0) != nil {
		t.Error("depth 0 is the position itself")
	}
}
