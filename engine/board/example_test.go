package board_test

import (
	"fmt"

	"chpok.org/chpok/engine/board"
)

func Example() {
	features, _ := board.ParseFeatures([]byte(`{"width":9,"kingOfTheHill":true}`))
	p, _ := board.Start(features, "RNBQKDBNR")
	for _, text := range []string{"e2e4", "e7e5"} {
		a, _ := board.ParseAction(text)
		p, _, _ = p.Play(a)
	}
	fmt.Println(p)
	fmt.Println(len(p.Moves(nil)), "actions,", p.Points(board.White), "points")
	// Output:
	// rnbqkdbnr/pppp1pppp/9/4p4/4P4/9/PPPP1PPPP/RNBQKDBNR w e6 1/1 0/0 0/0 2
	// 28 actions, 0 points
}

func ExampleNew() {
	s := board.Setup{Features: board.DefaultFeatures(), FullMove: 1}
	s.Pieces[board.Sq(4, 0)] = board.NewPiece(board.White, board.King)
	s.Pieces[board.Sq(0, 7)] = board.NewPiece(board.White, board.Pawn)
	_, err := board.New(s)
	fmt.Println(err)
	// Output: a8: a white pawn cannot stand there; black has no king
}

func ExampleAction() {
	for _, text := range []string{"e7e8d", "Oe1h1", "P@c2", "-c2", "--"} {
		a, _ := board.ParseAction(text)
		fmt.Println(a, a.Kind() == board.Move, a.From(), a.To(), a.Promotion() == board.Dragon)
	}
	// Output:
	// e7e8d true e7 e8 true
	// Oe1h1 false e1 h1 false
	// P@c2 false c2 c2 false
	// -c2 false c2 c2 false
	// -- false a1 a1 false
}
