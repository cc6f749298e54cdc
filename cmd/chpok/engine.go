package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
)

type engineCmd struct{}

// Run serves the engine's text protocol (docs/engine.md) until the end of input.
func (c *engineCmd) Run(ctx context.Context, std cli.IO) error {
	return duel.Serve(ctx, std.In, std.Out)
}

type matchCmd struct {
	A        string        `arg:"" help:"The first program with its arguments, as one word in quotes, say \"chpok engine\"."`
	B        string        `arg:"" help:"The second program; one that speaks UCI gets a variants file."`
	Pairs    int           `default:"50" help:"How many pairs of games, each from one opening with the colors exchanged."`
	CPU      time.Duration `name:"cpu" placeholder:"20ms" help:"Processor time for each action, calibrated into positions for each program."`
	Nodes    []int         `placeholder:"A,B" help:"Positions for each action instead: one number for both, or one each."`
	Features string        `placeholder:"JSON" default:"{\"castlings\":0}" help:"The features (rules, section 7), as a record has them."`
	Row      string        `placeholder:"ROW" help:"The home row; the standard row of the width without it."`
	Opening  int           `default:"4" help:"Plies played by lot first."`
	Seed     uint64        `default:"1" help:"Seed of the openings."`
	SPRT     []float64     `placeholder:"ELO0,ELO1" help:"Stop once a sequential test of these differences is decided."`
	Games    bool          `help:"Print every game: its score, end and actions."`
	SetA     []string      `placeholder:"NAME=VALUE" help:"Options of the first program, such as Hash=16 or Error=200."`
	SetB     []string      `placeholder:"NAME=VALUE" help:"Options of the second."`
}

// Run plays the match and prints games, score with its error, ends of games, and
// processor time per action.
func (c *matchCmd) Run(ctx context.Context, std cli.IO) error {
	f, err := bidding.ParseFeatures([]byte(c.Features))
	if err != nil {
		return cli.Fail(2, "%v", err)
	}
	config := duel.Config{Features: f, Row: board.Row(c.Row), Opening: c.Opening, Pairs: c.Pairs, Seed: c.Seed}
	switch {
	case len(c.SPRT) == 2:
		config.SPRT = &duel.SPRT{Elo0: c.SPRT[0], Elo1: c.SPRT[1]}
	case len(c.SPRT) != 0:
		return cli.Fail(2, "--sprt wants two differences, such as 0,10")
	}
	var programs [2]*duel.Program
	options := [2][]string{c.SetA, c.SetB}
	for i, command := range []string{c.A, c.B} {
		if programs[i], err = duel.Launch(ctx, command, options[i]...); err != nil {
			return err
		}
		defer programs[i].Close()
	}
	if err := c.limit(ctx, programs, &config, std); err != nil {
		return err
	}
	var before [2]time.Duration
	for i, p := range programs {
		before[i], _ = p.CPU()
	}
	var actions [2]int
	t, err := duel.Match(ctx, programs, config, func(g duel.Game, t duel.Tally) {
		for i := range g.Actions {
			actions[(g.White+i)%2]++
		}
		if c.Games {
			fmt.Fprintf(std.Out, "white %s score %d end %s", "AB"[g.White:g.White+1], g.Score, g.End)
			for _, a := range g.Actions {
				fmt.Fprintf(std.Out, " %v", a)
			}
			fmt.Fprintln(std.Out)
		}
		if t.Games()%20 == 0 {
			share, margin := t.Score()
			fmt.Fprintf(std.Err, "%d games: %.1f %% ± %.1f\n", t.Games(), 100*share, 100*margin)
		}
	})
	if err != nil {
		return err
	}
	c.print(std, t, config)
	for i, p := range programs {
		if after, err := p.CPU(); err == nil && actions[i] > 0 {
			fmt.Fprintf(std.Out, "%s: %.1f ms of processor time an action, %d positions\n",
				p.Name, float64((after-before[i]).Microseconds())/1000/float64(actions[i]), config.Nodes[i])
		}
	}
	return nil
}

// limit sets how much each program may think.
func (c *matchCmd) limit(ctx context.Context, programs [2]*duel.Program, config *duel.Config, std cli.IO) error {
	switch {
	case c.CPU > 0:
		for i, p := range programs {
			n, err := duel.Calibrate(ctx, p, *config, c.CPU)
			if err != nil {
				return err
			}
			config.Nodes[i] = n
			fmt.Fprintf(std.Err, "%s: %d positions in %v\n", p.Name, n, c.CPU)
		}
	case len(c.Nodes) == 1:
		config.Nodes = [2]int{c.Nodes[0], c.Nodes[0]}
	case len(c.Nodes) == 2:
		config.Nodes = [2]int{c.Nodes[0], c.Nodes[1]}
	default:
		return cli.Fail(2, "give --cpu, or --nodes")
	}
	return nil
}

func (c *matchCmd) print(std cli.IO, t duel.Tally, config duel.Config) {
	share, margin := t.Score()
	fmt.Fprintf(std.Out, "games %d: won %d, drawn %d, lost %d\n", t.Games(), t.Won, t.Drawn, t.Lost)
	fmt.Fprintf(std.Out, "score %.1f %% ± %.1f (95 %%), Elo %+.0f\n", 100*share, 100*margin, duel.Elo(share))
	var ends []string
	for _, end := range slices.Sorted(maps.Keys(t.Ends)) {
		e := t.Ends[end]
		ends = append(ends, fmt.Sprintf("%s %d-%d-%d", end, e[0], e[1], e[2]))
	}
	fmt.Fprintf(std.Out, "ends (won-drawn-lost): %s\n", strings.Join(ends, ", "))
	if config.SPRT != nil {
		fmt.Fprintf(std.Out, "sequential test of %.0f against %.0f: %+.2f, %s\n", config.SPRT.Elo0, config.SPRT.Elo1,
			config.SPRT.Ratio(t), [...]string{"the lower", "open", "the higher"}[config.SPRT.Decide(t)+1])
	}
}
