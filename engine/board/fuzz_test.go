package board_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/engine/board"
)

func FuzzPlayableMovesAreLegal(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, uint32(0x101121))
	}
	f.Fuzz(func(t *testing.T, seed uint64, other uint32) {
		r := rand.New(rand.NewPCG(seed, 2))
		walk(randomPosition(t, r), r, 40, func(p board.Position) {
			list := p.Moves(nil)
			seen := map[board.Action]bool{}
			for _, a := range list {
				if seen[a] {
					t.Fatalf("%s: %s stands twice", p, a)
				}
				seen[a] = true
				text, err := board.ParseAction(a.String())
				if err != nil || text != a {
					t.Fatalf("%s reads back as %s: %v", a, text, err)
				}
				if next, _, err := p.Play(a); err != nil || next.Turn() == p.Turn() || consistent(next) != "" {
					t.Fatalf("%s: %s is listed, but %v %s", p, a, err, consistent(next))
				}
			}
			a := board.Action(other)
			next, _, err := p.Play(a)
			var illegal *board.IllegalError
			switch {
			case seen[a] != (err == nil):
				t.Fatalf("%s: %s is listed %t, error %v", p, a, seen[a], err)
			case err != nil && (!errors.As(err, &illegal) || next != p):
				t.Fatalf("%s: refusing %s gave %v and %s", p, a, err, next)
			}
		})
	})
}

func FuzzSetupNeverPanics(f *testing.F) {
	f.Add([]byte("\x2e\x00\x6e\x7e"), uint8(0), 8, 1)
	f.Fuzz(func(t *testing.T, pieces []byte, ep uint8, width, number int) {
		s := board.Setup{Features: board.DefaultFeatures(), EnPassant: board.Square(ep), FullMove: number}
		s.Features.Width = width
		for i, b := range pieces {
			switch {
			case i < board.Squares:
				s.Pieces[i] = board.Piece(b)
			case i == board.Squares:
				s.Turn = board.Color(b)
			case i < board.Squares+3:
				s.Castlings[i-board.Squares-1] = int(int8(b))
			case i < board.Squares+5:
				s.Births[i-board.Squares-3] = int(int8(b))
			case i < board.Squares+7:
				s.Points[i-board.Squares-5] = int(int8(b))
			case i == board.Squares+7:
				s.Features.NewbornPawns, s.Features.NoEnPassant = b&1 != 0, b&2 != 0
			}
		}
		p, err := board.New(s)
		if err != nil {
			var setup *board.SetupError
			if !errors.As(err, &setup) || len(setup.Problems) == 0 || p != (board.Position{}) {
				t.Fatalf("error %v with %s", err, p)
			}
			return
		}
		back, err := board.ParseCFEN(s.Features, p.CFEN())
		if err != nil || back != p || consistent(p) != "" {
			t.Fatalf("%s reads back as %s: %v %s", p, back, err, consistent(p))
		}
		for _, a := range p.Moves(nil) {
			if next, _ := p.PlayUnchecked(a); consistent(next) != "" {
				t.Fatalf("%s after %s: %s", p, a, consistent(next))
			}
		}
	})
}

func FuzzCFENRoundTrip(f *testing.F) {
	f.Add("{}", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - 1/1 0/0 0/0 1")
	f.Add(`{"width":10,"newbornPawns":true}`, "k9/10/10/4P5/10/10/10/K9 b e4 1/0 1/0 1000/0 7")
	f.Add(`{"width":6}`, "k5/6/6/6/6/6/6/K5 w - 0/0 0/0 0/0 1")
	f.Fuzz(func(t *testing.T, features, text string) {
		fs, err := board.ParseFeatures([]byte(features))
		if err != nil {
			return
		}
		p, err := board.ParseCFEN(fs, text)
		var setup *board.SetupError
		switch {
		case err == nil && p.CFEN() != text:
			t.Fatalf("%q was read as %q", text, p)
		case err != nil && (!errors.As(err, &setup) || len(setup.Problems) == 0):
			t.Fatalf("%q: error %v", text, err)
		}
	})
}

func FuzzFeaturesRoundTrip(f *testing.F) {
	f.Add(`{"width":9,"movePoints":{"D":2},"skipMoves":true}`)
	f.Add(`{"castlings":0,"noEnPassant":false}`)
	f.Fuzz(func(t *testing.T, text string) {
		fs, err := board.ParseFeatures([]byte(text))
		if err != nil {
			return
		}
		if err := fs.Validate(); err != nil {
			t.Fatalf("%q was read, but %v", text, err)
		}
		if back, err := board.ParseFeatures([]byte(fs.String())); err != nil || back != fs {
			t.Fatalf("%q reads back as %s: %v", text, back, err)
		}
	})
}

func FuzzActionTextRoundTrip(f *testing.F) {
	for _, text := range []string{"e2e4", "e7e8q", "Oe1h1", "P@c2", "-c2", "--"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := board.ParseAction(text); err == nil && a.String() != text {
			t.Fatalf("%q reads back as %q", text, a)
		}
	})
}

func FuzzFitGivesARowOfTheWidth(f *testing.F) {
	f.Add("KRQBNDP", 9)
	f.Add("RNBQKBNR", 6)
	f.Fuzz(func(t *testing.T, text string, width int) {
		row := board.Row(text)
		if len(row) < board.MinWidth || len(row) > board.MaxWidth || board.ValidateRow(row, len(row)) != nil ||
			width < board.MinWidth || width > board.MaxWidth {
			return
		}
		fitted := board.Fit(row, width)
		if err := board.ValidateRow(fitted, width); err != nil {
			t.Fatalf("%s at width %d: %v", row, width, err)
		}
		if len(row) == width && fitted != row {
			t.Fatalf("%s at its own width is %s", row, fitted)
		}
	})
}
