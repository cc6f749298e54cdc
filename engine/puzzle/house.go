package puzzle

import (
	"context"
	_ "embed"
	"encoding/json"
	"math/rand/v2"
	"sync"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

//go:embed house.json
var houseFile []byte

// House returns the puzzles that every site has. Invent found them.
var House = sync.OnceValue(func() (list []Puzzle) {
	if err := json.Unmarshal(houseFile, &list); err != nil {
		panic("puzzle: house.json: " + err.Error()) // it is embedded
	}
	return list
})

// Parameters of the games that Invent plays.
const (
	longestGame = 120  // plies
	played      = 1500 // nodes to choose a move
	judged      = 6000 // nodes to evaluate a position
	faultyBid   = 0.15 // how far bidders misjudge terms
)

// Invent lets the engine play a number of games against itself, with random terms and errors, and
// returns up to each puzzles of each theme. The context ends it early.
func Invent(ctx context.Context, each, games int, seed uint64) (list []Puzzle, err error) {
	e := search.NewEngine(16)
	lots := rand.New(rand.NewPCG(seed, 0))
	counts := map[Theme]int{}
	for range games {
		g, err := play(ctx, e, lots)
		if err != nil {
			return list, err
		}
		found, err := Mine(ctx, e, g)
		if err != nil {
			return list, err
		}
		if p, ok := Raise(ctx, bidding.DefaultEnvelope(), [2]int{}, bid(ctx, lots)); ok {
			found = append(found, p)
		}
		for _, p := range found {
			if counts[p.Theme] < each {
				counts[p.Theme]++
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// bid returns the bids of two players who misjudge terms, until a draw is due.
func bid(ctx context.Context, lots *rand.Rand) (list []bidding.Bid) {
	e := bidding.DefaultEnvelope()
	seeds, s := [2]uint64{lots.Uint64() | 1, lots.Uint64() | 1}, bidding.Start(e.Chips, e.Defaults)
	for {
		by, ok := s.Turn()
		if _, pending := s.Pending(); !ok || pending {
			return list
		}
		b, err := search.BestBid(ctx, s, e, by, search.Taste{Seed: seeds[by.Index()], Whim: faultyBid})
		if err == nil {
			s, err = s.Place(by, b)
		}
		if err != nil {
			return list
		}
		list = append(list, b)
	}
}

// play plays a game on random terms.
func play(ctx context.Context, e *search.Engine, lots *rand.Rand) (g Game, err error) {
	width := board.MinWidth + lots.IntN(board.MaxWidth-board.MinWidth+1)
	f, row := board.DefaultFeatures(), board.StandardRow(width)
	f.Width = width
	if lots.IntN(2) == 0 {
		all := search.Twists(f, width)
		f = all[lots.IntN(len(all))]
	}
	if lots.IntN(4) == 0 {
		all := search.Armies(width)
		row = all[lots.IntN(len(all))]
	}
	p, err := board.Start(f, row)
	if err != nil {
		return g, err
	}
	root, faults := search.RootAt(p, [3]int{}), 50+lots.IntN(250)
	for range longestGame {
		g.Roots = append(g.Roots, root)
		if white, over := root.Over(); over {
			g.White = append(g.White, float64(white+1)/2)
			break
		}
		e.Forget()
		lines := e.Search(ctx, root, search.Limits{Nodes: judged}, nil)
		if ctx.Err() != nil || len(lines) == 0 {
			return g, ctx.Err()
		}
		share := search.Expected(lines[0].Score)
		if root.Position.Turn() == board.Black {
			share = 1 - share
		}
		g.White = append(g.White, share)
		e.Forget()
		limits := search.Limits{Nodes: played, Seed: lots.Uint64() | 1, Error: faults}
		a := e.Search(ctx, root, limits, nil)[0].Actions[0]
		g.Moves = append(g.Moves, a)
		root = root.Play(a)
	}
	return g, ctx.Err()
}
