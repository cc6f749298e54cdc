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

// labelsCmd asks a teacher, a far longer search, about the words that analysis says of moves.
type labelsCmd struct {
	Matches  int    `default:"40" help:"How many games between bots of every level, on terms by lot."`
	Longest  int    `default:"100" help:"Plies of a game at most."`
	Times    int    `default:"20" help:"How many times the positions of a first look the teacher looks at; 0 asks no teacher."`
	Teachers int    `default:"1" help:"How many teachers, each of a seed of its own, are asked about a mistake or blunder; with more than one, what they share of each other's words is told."`
	Slips    int    `default:"4" help:"Of moves that are slips at most to a first look, one in so many is asked about as well; 0 for none."`
	Unheard  int    `default:"80" help:"The same of moves of which nothing seems wrong."`
	Seed     uint64 `default:"1" help:"Seed of the games, and of the order in which the teacher looks."`
}

// grades are all that can be said of a move.
const grades = int(analysis.Blunder) + 1

// agreement counts moves by what is said of them, and by what the teacher says.
type agreement [grades][grades]int

func (t *agreement) add(label, teacher analysis.Grade) { t[label][teacher]++ }

// hard returns how many moves are called mistakes or blunders, and how many of them the teacher calls the same, the other
// hard word, and less.
func (t agreement) hard() (all, same, other, less int) {
	for _, label := range [...]analysis.Grade{analysis.Mistake, analysis.Blunder} {
		for teacher, n := range t[label] {
			switch grade := analysis.Grade(teacher); {
			case grade == label:
				same += n
			case grade >= analysis.Mistake:
				other += n
			default:
				less += n
			}
		}
	}
	return same + other + less, same, other, less
}

// missed returns how many moves of a milder label the teacher was asked about, and how many it calls mistakes or blunders.
func (t agreement) missed(label analysis.Grade) (all, hard int) {
	for teacher, n := range t[label] {
		all += n
		if analysis.Grade(teacher) >= analysis.Mistake {
			hard += n
		}
	}
	return all, hard
}

func (t agreement) String() string {
	all, same, other, less := t.hard()
	return fmt.Sprintf("%d mistakes and blunders: %d the same, %d the other of the two, %d less", all, same, other, less)
}

// asked is what analysis says of a move, how it came to be asked about, and what the teacher finds.
type asked struct {
	ply          int
	label, alone analysis.Grade
	loss, truth  float64
}

// Run analyzes the games and prints how many words the teacher shares: those a first look alone would say, and those that
// are said; and how many moves it would say more of.
func (c *labelsCmd) Run(ctx context.Context, std cli.IO) error {
	lots := rand.New(rand.NewPCG(c.Seed, 0x1abe1))
	e, teacher := search.NewEngine(analyst.TableBits), search.NewEngine(20)
	var first, said, unheard agreement
	var teachers pairs
	nodes := 0
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
		nodes += analyst.Nodes.First*len(r.Points) + analyst.Nodes.Second*(len(r.Second)+len(r.Better)) + analyst.Nodes.Third*len(r.Third)
		for i, a := range played {
			by := roots[i].Position.Turn()
			one := asked{ply: i + 1, alone: analysis.GradeOf(analysis.Loss(r.Points[i], r.Points[i+1], a, by))}
			one.label, one.loss = r.Grade(i, a, by)
			if !c.asks(one.alone, lots) {
				continue
			}
			if one.truth, err = c.truth(ctx, teacher, roots[i:i+2], a, 0); err != nil {
				return err
			}
			truth := analysis.GradeOf(one.truth)
			if one.label >= analysis.Mistake {
				if err := c.askOthers(ctx, teacher, roots[i:i+2], a, [2]analysis.Grade{one.label, truth}, &said, &teachers); err != nil {
					return err
				}
			}
			if one.alone == analysis.Sound {
				unheard.add(one.label, truth)
			} else {
				first.add(one.alone, truth)
				said.add(one.label, truth)
			}
			if one.label != truth && max(one.label, truth) >= analysis.Mistake {
				fmt.Fprintf(std.Err, "game %d, ply %d: %v (%.3f), to the teacher %v (%.3f)\n", m+1, one.ply, one.label, one.loss, truth, one.truth)
			}
		}
		fmt.Fprintf(std.Err, "game %d: %d plies, %d second looks, %d third; so far, %v; %.1f million positions a game\n",
			m+1, len(played), len(r.Second)+len(r.Better), len(r.Third), said, float64(nodes)/1e6/float64(m+1))
	}
	fmt.Fprintf(std.Out, "a first look alone, %v\nall looks, %v\n", first, said)
	for _, label := range [...]analysis.Grade{analysis.Slip, analysis.Sound} {
		all, hard := said.missed(label)
		fmt.Fprintf(std.Out, "%d moves that seemed worse were called %v: mistakes or blunders to the teacher %d\n", all, label, hard)
	}
	all, hard := unheard.missed(analysis.Sound)
	fmt.Fprintf(std.Out, "%d moves of which nothing seemed wrong: mistakes or blunders to the teacher %d\n", all, hard)
	if teachers.all > 0 {
		fmt.Fprintf(std.Out, "pairs of teachers asked about the same mistake or blunder: %d, the same to both %d\n", teachers.all, teachers.same)
	}
	fmt.Fprintf(std.Out, "%.1f million positions a game\n", float64(nodes)/1e6/float64(max(1, c.Matches)))
	return nil
}

// asks reports whether the teacher is asked about a move by what a first look says of it: always where that is hard, as
// later looks only say less.
func (c *labelsCmd) asks(alone analysis.Grade, lots *rand.Rand) bool {
	oneIn := 1
	switch alone {
	case analysis.Sound:
		oneIn = c.Unheard
	case analysis.Slip:
		oneIn = c.Slips
	}
	return c.Times > 0 && oneIn > 0 && lots.IntN(oneIn) == 0
}

// pairs counts pairs of teachers by what they say of the same move.
type pairs struct{ all, same int }

// askOthers asks the teachers after the first about an action, for which there are the word that is said and the first
// teacher's; it counts theirs beside the one that is said, and which two share a word.
func (c *labelsCmd) askOthers(
	ctx context.Context, teacher *search.Engine, beside []search.Root, a board.Action, known [2]analysis.Grade, said *agreement, in *pairs,
) error {
	words := []analysis.Grade{known[1]}
	for n := 1; n < c.Teachers; n++ {
		loss, err := c.truth(ctx, teacher, beside, a, n)
		if err != nil {
			return err
		}
		word := analysis.GradeOf(loss)
		said.add(known[0], word)
		for _, other := range words {
			in.all++
			if other == word {
				in.same++
			}
		}
		words = append(words, word)
	}
	return nil
}

// truth returns what the teacher with a number, from 0, says that an action gave away. Before each look it has seen nothing;
// its table is four times as large, and its seed makes it judge each position, and so order actions, a little differently.
func (c *labelsCmd) truth(ctx context.Context, teacher *search.Engine, beside []search.Root, a board.Action, n int) (loss float64, err error) {
	var points [2]analysis.Point
	for i, root := range beside {
		white, over := root.Over()
		points[i].White = float64(white+1) / 2
		if over {
			continue
		}
		teacher.Forget()
		lines := teacher.Search(ctx, root, search.Limits{Nodes: c.Times * analyst.Nodes.First, Seed: (c.Seed + 1000*uint64(n)) | 1}, nil)
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		share := 0.0 // without an action, the flag will fall (Rules D3)
		if len(lines) > 0 {
			share, points[i].Line = search.Expected(lines[0].Score), lines[0].Actions
		}
		points[i].White = share
		if root.Position.Turn() == board.Black {
			points[i].White = 1 - share
		}
	}
	return analysis.Loss(points[0], points[1], a, beside[0].Position.Turn()), nil
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
