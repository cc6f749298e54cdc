package board_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/board"
)

// randomFeatures are any features of section 7.
func randomFeatures(r *rand.Rand) board.Features {
	f := board.DefaultFeatures()
	f.Width = 6 + r.IntN(5)
	f.Castlings = r.IntN(6)
	if r.IntN(2) == 0 {
		for k := board.Pawn; k <= board.Dragon; k++ {
			f.MovePoints[k] = r.IntN(10)
		}
	}
	for _, on := range []*bool{
		&f.KingOfTheHill, &f.KingsRun, &f.FierceKings, &f.MightyQueens, &f.CornerBishops, &f.PawnsBack,
		&f.NewbornPawns, &f.RemoveOwn, &f.SkipMoves, &f.NoKingPromotion, &f.NoEnPassant,
	} {
		*on = r.IntN(3) == 0
	}
	return f
}

func randomRow(r *rand.Rand, width int) board.Row {
	if r.IntN(3) == 0 {
		return board.StandardRow(width)
	}
	row := make([]byte, width)
	for i := range row {
		row[i] = "KQRBNDP"[r.IntN(7)]
	}
	row[r.IntN(width)] = 'K'
	return board.Row(row)
}

// randomSetup is a possible position with some pieces anywhere.
func randomSetup(r *rand.Rand) board.Setup {
	f := randomFeatures(r)
	s := board.Setup{Features: f, Turn: board.Color(r.IntN(2)), FullMove: 1 + r.IntN(40)}
	for c := range 2 {
		s.Castlings[c] = r.IntN(f.Castlings + 1)
		s.Points[c] = r.IntN(100)
		if f.NewbornPawns {
			s.Births[c] = r.IntN(2)
		}
	}
	somewhere := func() board.Square { return board.Sq(r.IntN(f.Width), r.IntN(board.Ranks)) }
	for range r.IntN(40) {
		at, piece := somewhere(), board.NewPiece(board.Color(r.IntN(2)), board.Pawn+board.Kind(r.IntN(7)))
		if piece.Kind() != board.Pawn || at.Rank() > 0 && at.Rank() < 7 {
			s.Pieces[at] = piece
		}
	}
	white := somewhere()
	black := somewhere()
	for black == white {
		black = somewhere()
	}
	s.Pieces[white] = board.NewPiece(board.White, board.King)
	s.Pieces[black] = board.NewPiece(board.Black, board.King)
	return s
}

// randomPosition is the start of a game or any other position.
func randomPosition(t testing.TB, r *rand.Rand) board.Position {
	var p board.Position
	var err error
	if r.IntN(2) == 0 {
		f := randomFeatures(r)
		p, err = board.Start(f, randomRow(r, f.Width))
	} else {
		p, err = board.New(randomSetup(r))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// seeded draws the seed of a walk, so that rapid can shrink and repeat it.
func seeded(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
}

// walk plays random actions to the end of the game or for so many plies.
func walk(p board.Position, r *rand.Rand, plies int, visit func(board.Position)) {
	var list []board.Action
	for range plies {
		visit(p)
		if list = p.Moves(list[:0]); len(list) == 0 {
			return
		}
		p, _ = p.PlayUnchecked(list[r.IntN(len(list))])
	}
	visit(p)
}

func texts(list []board.Action) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.String()
	}
	slices.Sort(out)
	return out
}

func TestActionsAndTheirResultsAgreeWithTheMailbox(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := seeded(rt)
		walk(randomPosition(t, r), r, 25, func(p board.Position) {
			if p.IsOver() {
				return
			}
			m := newMailbox(p.Features(), p.CFEN())
			children := map[string]*mailbox{}
			for _, a := range m.actions(nil) {
				children[a.String()] = m.after(a)
			}
			list := p.Moves(nil)
			if len(list) != len(children) {
				rt.Fatalf("%s %v: actions %v", p, p.Features(), texts(list))
			}
			for _, a := range list {
				next, effect := p.PlayUnchecked(a)
				want := children[a.String()]
				if want == nil {
					rt.Fatalf("%s %v: no action %s", p, p.Features(), a)
				}
				if next.CFEN() != want.cfen() || next.End().String() != want.end || effect.End != next.End() {
					rt.Fatalf("%s %v, %s: %s %q, mailbox %s %q", p, p.Features(), a, next, next.End(), want.cfen(), want.end)
				}
			}
		})
	})
}

// mirrored turns a position upside down with the colours exchanged, or the
// files round.
func mirrored(p board.Position, flip func(board.Square) board.Square, colours bool) board.Setup {
	swap := func(c board.Color) board.Color {
		if colours {
			return c.Other()
		}
		return c
	}
	s := board.Setup{Features: p.Features(), Turn: swap(p.Turn()), FullMove: p.FullMove()}
	if ep, ok := p.EnPassant(); ok {
		s.EnPassant = flip(ep)
	}
	for rank := range board.Ranks {
		for file := range p.Width() {
			sq := board.Sq(file, rank)
			if piece := p.At(sq); piece != 0 {
				s.Pieces[flip(sq)] = board.NewPiece(swap(piece.Color()), piece.Kind())
			}
		}
	}
	for c := board.White; c <= board.Black; c++ {
		s.Castlings[swap(c)] = p.CastlingsLeft(c)
		s.Births[swap(c)] = p.BirthsLeft(c)
		s.Points[swap(c)] = p.Points(c)
	}
	return s
}

func TestMirroredPositionsHaveMirroredActions(t *testing.T) {
	t.Parallel()
	for name, colours := range map[string]bool{"upside down": true, "left to right": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				r := seeded(rt)
				walk(randomPosition(t, r), r, 25, func(p board.Position) {
					if p.IsOver() {
						return
					}
					flip := func(s board.Square) board.Square { return board.Sq(s.File(), 7-s.Rank()) }
					if !colours {
						flip = func(s board.Square) board.Square { return board.Sq(p.Width()-1-s.File(), s.Rank()) }
					}
					image, err := board.New(mirrored(p, flip, colours))
					if err != nil {
						rt.Fatalf("%s: %v", p, err)
					}
					var want []board.Action
					for _, a := range p.Moves(nil) {
						switch a.Kind() {
						case board.Move:
							a = board.NewMove(flip(a.From()), flip(a.To()), a.Promotion())
						case board.Castling:
							a = board.NewCastling(flip(a.From()), flip(a.To()))
						case board.Birth:
							a = board.NewBirth(flip(a.To()))
						case board.Removal:
							a = board.NewRemoval(flip(a.To()))
						}
						want = append(want, a)
					}
					if got := texts(image.Moves(nil)); !slices.Equal(got, texts(want)) {
						rt.Fatalf("%s: %v\n%s: %v", p, texts(want), image, got)
					}
				})
			})
		})
	}
}

// consistent is empty, or what disagrees between what stands on the squares and
// where the pieces are.
func consistent(p board.Position) string {
	var kings [2]int
	for i := range board.Squares {
		s := board.Square(i)
		piece := p.At(s)
		if !piece.IsEmpty() && s.File() >= p.Width() {
			return s.String() + " is off the board"
		}
		for c := board.White; c <= board.Black; c++ {
			if p.Side(c).Has(s) != (!piece.IsEmpty() && piece.Color() == c) {
				return "side on " + s.String()
			}
			for k := board.Pawn; k <= board.Dragon; k++ {
				if p.Pieces(c, k).Has(s) != (piece == board.NewPiece(c, k)) {
					return piece.String() + " on " + s.String()
				}
			}
		}
		if piece.Kind() == board.King {
			kings[piece.Color()]++
		}
	}
	if kings != [2]int{p.Kings(board.White), p.Kings(board.Black)} {
		return "kings"
	}
	return ""
}

func TestMailboxEqualsBitboards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := seeded(rt)
		walk(randomPosition(t, r), r, 60, func(p board.Position) {
			if what := consistent(p); what != "" {
				rt.Fatalf("%s: %s", p, what)
			}
		})
	})
}

func TestPlayedPositionsReadBackAsTheyWere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := seeded(rt)
		walk(randomPosition(t, r), r, 60, func(p board.Position) {
			if p.IsOver() {
				return
			}
			back, err := board.ParseCFEN(p.Features(), p.CFEN())
			if err != nil || back != p || back.Key() != p.Key() {
				rt.Fatalf("%s reads back as %s: %v", p, back, err)
			}
		})
	})
}

// What the effect says is what the position shows.
func TestPointsAreTheSumOfTheEffects(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := seeded(rt)
		p := randomPosition(t, r)
		for range 60 {
			list := p.Moves(nil)
			if len(list) == 0 {
				return
			}
			a, us := list[r.IntN(len(list))], p.Turn()
			next, e := p.PlayUnchecked(a)
			mine, theirs := e.RankPoints+e.MovePoints+e.KingPoints, 0
			if a.Kind() == board.Removal {
				mine, theirs = 0, e.KingPoints
			}
			if next.Points(us) != p.Points(us)+mine || next.Points(us.Other()) != p.Points(us.Other())+theirs {
				rt.Fatalf("%s after %s: %s, effect %+v", p, a, next, e)
			}
			if !e.Captured.IsEmpty() && p.At(e.CapturedAt) != e.Captured {
				rt.Fatalf("%s after %s: %s did not stand on %s", p, a, e.Captured, e.CapturedAt)
			}
			p = next
		}
	})
}

func TestAttackedSquaresAreThoseThatCanBeCapturedOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := seeded(rt)
		walk(randomPosition(t, r), r, 25, func(p board.Position) {
			us := p.Turn()
			captures := map[board.Square]bool{}
			for _, a := range p.Moves(nil) {
				if a.Kind() == board.Move {
					captures[a.To()] = true
				}
			}
			for b := p.Side(us.Other()); !b.IsEmpty() && !p.IsOver(); b = b.Rest() {
				if s := b.First(); p.Attacked(s, us) != captures[s] {
					rt.Fatalf("%s %v: %s attacked %t", p, p.Features(), s, !captures[s])
				}
			}
		})
	})
}

// What search asks of a position in a hurry is what the slow way says.
func TestQuickQuestionsAgreeWithTheSlowWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := seeded(rt)
		p := randomPosition(t, r)
		us := p.Turn()
		moves := p.Moves(nil)
		for _, a := range moves {
			piece, _ := p.Look(a)
			if isPiece := a.Kind() == board.Move && piece.Kind() != board.Pawn; !p.IsOver() && p.Has(a) != isPiece {
				t.Errorf("%s: %v is possible, and Has says %v", p, a, p.Has(a))
			}
		}
		for range 100 {
			a := board.NewMove(board.Square(r.IntN(board.Squares)), board.Square(r.IntN(board.Squares)), board.NoKind)
			if p.Has(a) && !slices.Contains(moves, a) {
				t.Errorf("%s: %v is not possible", p, a)
			}
		}
		occupied := p.Side(board.White).Or(p.Side(board.Black))
		view := board.Survey{Open: p.Goals(us).Or(p.Side(us.Other())), Ring: p.Pieces(us.Other(), board.Pawn)}
		want := view
		for k := board.Knight; k <= board.Dragon; k++ {
			view.Mobility[k], view.Pressure[k] = 1<<(8*k), 1<<(8*k) // each type counts in a byte of its own
			for set := p.Pieces(us, k); !set.IsEmpty(); set = set.Rest() {
				seen := p.Reach(k, set.First(), occupied)
				near := seen.And(view.Ring).Count()
				want.All = want.All.Or(seen)
				want.Free += int64(seen.And(view.Open).Count()) << (8 * k)
				want.Near += int64(near) << (8 * k)
				want.Watchers += min(near, 1)
			}
		}
		p.Survey(us, &view)
		if view.All != want.All || view.Free != want.Free || view.Near != want.Near || view.Watchers != want.Watchers {
			t.Errorf("%s: the survey of %v is %+v, and piece by piece %+v", p, us, view, want)
		}
	})
}
