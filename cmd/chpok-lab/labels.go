package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"chpok.org/chpok/cmd/chpok-lab/selfplay"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player/house"
)

// labelsCmd asks a teacher, a far longer search, about the moves that analysis calls
// mistakes and blunders.
type labelsCmd struct {
	Matches int    `default:"40" help:"How many games between bots of every level, on terms by lot."`
	Longest int    `default:"100" help:"Plies of a game at most."`
	Times   int    `default:"20" help:"How many times the positions of a first look the teacher looks at; 0 asks no teacher."`
	Seed    uint64 `default:"1" help:"Seed of the games."`
}

// agreement counts labels by what the teacher says of them.
type agreement struct{ same, hard, soft int }

func (t *agreement) add(label, teacher analysis.Grade) {
	switch {
	case label < analysis.Mistake:
	case label == teacher:
		t.same++
	case label > teacher:
		t.hard++
	default:
		t.soft++
	}
}

func (t agreement) String() string {
	return fmt.Sprintf("%d mistakes and blunders: %d the same, %d too hard, %d too soft", t.same+t.hard+t.soft, t.same, t.hard, t.soft)
}

// Run analyzes the games and prints how many labels the teacher shares: those a first look
// alone would give, and those that are given.
func (c *labelsCmd) Run(ctx context.Context, std cli.IO) error {
	lots := rand.New(rand.NewPCG(c.Seed, 0x1abe1))
	e, teacher := search.NewEngine(analyst.TableBits), search.NewEngine(20)
	var first, both agreement
	for m := range c.Matches {
		roots, played, err := c.play(ctx, lots)
		if err != nil {
			return err
		}
		var r analysis.Report
		e.Forget()
		for more := true; more; {
			if more, err = r.Look(ctx, e, roots, played, analyst.Nodes); err != nil {
				return err
			}
		}
		for i, a := range played {
			by := roots[i].Position.Turn()
			alone := analysis.GradeOf(analysis.Loss(r.Points[i], r.Points[i+1], a, by))
			if alone < analysis.Mistake || c.Times == 0 { // two looks are never harder than one
				continue
			}
			var knows analysis.Report
			for more := true; more; {
				teacher.Forget()
				if more, err = knows.Look(ctx, teacher, roots[i:i+2], nil, analysis.Nodes{First: c.Times * analyst.Nodes.First}); err != nil {
					return err
				}
			}
			truth := analysis.GradeOf(analysis.Loss(knows.Points[0], knows.Points[1], a, by))
			label, _ := r.Grade(i, a, by)
			first.add(alone, truth)
			both.add(label, truth)
		}
		fmt.Fprintf(std.Err, "game %d: %d plies, %d second looks; both looks so far, %v\n", m+1, len(played), len(r.Second), both)
	}
	fmt.Fprintf(std.Out, "a first look alone, %v\nboth looks, %v\n", first, both)
	return nil
}

// play lets two bots of neighboring levels play a game; it may break off.
func (c *labelsCmd) play(ctx context.Context, lots *rand.Rand) (roots []search.Root, played []board.Action, err error) {
	f, row := selfplay.AnyTerms(lots)
	p, err := board.Start(f, row)
	if err != nil {
		return nil, nil, err
	}
	e := search.NewEngine(15)
	level := lots.IntN(house.Levels - 1)
	root := search.RootAt(p, [3]int{})
	roots = append(roots, root)
	for ply := range c.Longest {
		if _, over := root.Over(); over {
			break
		}
		b := house.Bots()[level+(ply+level)%2]
		e.Forget()
		lines := e.Search(ctx, root, search.Limits{Nodes: b.Nodes, Seed: lots.Uint64() | 1, Error: b.Error}, nil)
		if err := ctx.Err(); err != nil || len(lines) == 0 {
			return roots, played, err
		}
		root = root.Play(lines[0].Actions[0])
		roots, played = append(roots, root), append(played, lines[0].Actions[0])
	}
	return roots, played, nil
}
