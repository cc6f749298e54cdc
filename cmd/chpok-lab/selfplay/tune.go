package selfplay

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// studied is a game of our engine against itself for the tuner to learn from: how it ended
// for White, 0 to 2, and calm positions from it.
type studied struct {
	Features  board.Features    `json:"features"`
	White     int               `json:"white"`
	Positions []studiedPosition `json:"positions"`
}

type studiedPosition struct {
	CFEN   string `json:"cfen"`
	Streak [3]int `json:"streak"`
	Score  int    `json:"score"` // as found by the search, for the side to move
}

// SampleGames plays our engine against itself and writes a line for each game: five in
// eight on the usual terms, the others on terms a bidder considers or on any at all.
func SampleGames(ctx context.Context, w io.Writer, games, nodes int, seed uint64) error {
	lots := rand.New(rand.NewPCG(seed, 2))
	e := search.NewEngine(14)
	out := json.NewEncoder(w)
	known := menu()
	for range games {
		g := studied{}
		row := board.Row("")
		switch lots.IntN(8) {
		case 0, 1:
			t := known[lots.IntN(len(known))]
			g.Features, row = t.features, t.row
		case 2:
			g.Features, row = AnyTerms(lots)
		default:
			g.Features = board.DefaultFeatures()
			g.Features.Castlings = lots.IntN(2)
			if lots.IntN(3) == 0 {
				g.Features.Width = board.MinWidth + lots.IntN(board.MaxWidth-board.MinWidth+1)
			}
			row = board.StandardRow(g.Features.Width)
		}
		p, err := board.Start(g.Features, row)
		if err != nil {
			return err
		}
		root := search.Root{Position: p}
		for range lots.IntN(7) {
			moves := root.Position.Moves(nil)
			if next := root.Play(moves[lots.IntN(len(moves))]); !next.Position.IsOver() && len(next.Position.Moves(nil)) > 0 {
				root = next
			}
		}
		g.White, err = playOut(ctx, e, root, nodes, lots, func(r search.Root, l search.Line) {
			if _, isDecided := l.IsDecided(); !isDecided && search.IsCalm(r, l.Actions[0]) {
				g.Positions = append(g.Positions, studiedPosition{r.Position.String(), r.Streak(), l.Score})
			}
		})
		if err != nil {
			return err
		}
		if err := out.Encode(g); err != nil {
			return err
		}
	}
	return nil
}

// ReadGames reads what SampleGames wrote, as lessons for the tuner. What the search found
// and how the game ended count for half each.
func ReadGames(r io.Reader) (list []search.Lesson, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var g studied
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			return list, err
		}
		for _, at := range g.Positions {
			p, err := board.ParseCFEN(g.Features, at.CFEN)
			if err != nil {
				return list, fmt.Errorf("%s: %w", at.CFEN, err)
			}
			share := search.Expected(at.Score)
			won := float64(g.White) / 2
			if p.Turn() == board.Black {
				won = 1 - won
			}
			list = append(list, search.Lesson{Root: search.RootAt(p, at.Streak), Share: (share + won) / 2})
		}
	}
	return list, lines.Err()
}
