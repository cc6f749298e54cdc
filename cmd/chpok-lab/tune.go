package main

import (
	"context"
	"fmt"

	"chpok.org/chpok/cmd/chpok-lab/selfplay"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/search"
)

// tuneCmd learns the weights of the engine's evaluation from its own games.
type tuneCmd struct {
	Play tunePlayCmd `cmd:"" help:"Play the engine against itself; a line for each game, with its calm positions."`
	Fit  tuneFitCmd  `cmd:"" help:"Learn from such lines (standard input): engine/search/weights.json."`
}

type tunePlayCmd struct {
	Games int    `default:"6000" help:"How many games to play."`
	Nodes int    `default:"400" help:"Positions for each move."`
	Seed  uint64 `default:"1" help:"Seed of the terms and openings."`
}

// Run plays the games.
func (c *tunePlayCmd) Run(ctx context.Context, std cli.IO) error {
	return selfplay.SampleGames(ctx, std.Out, c.Games, c.Nodes, c.Seed)
}

type tuneFitCmd struct {
	Steps int `default:"3" help:"How often to begin anew from what was found."`
}

// Run prints the weights; every eighth position is kept aside as a validation set.
func (c *tuneFitCmd) Run(std cli.IO) error {
	lessons, err := selfplay.ReadGames(std.In)
	if err != nil {
		return cli.Fail(2, "%v", err)
	}
	cut := len(lessons) * 7 / 8
	learnt, aside := search.NewTuner(lessons[:cut]), search.NewTuner(lessons[cut:])
	for step := range c.Steps + 1 {
		if step > 0 {
			learnt.Step()
		}
		aside.Take(learnt)
		fmt.Fprintf(std.Err, "step %d: missed by %.5f, %d others by %.5f\n", step, learnt.Miss(), len(lessons)-cut, aside.Miss())
	}
	text, err := learnt.Weights()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "%s\n", text)
	return err
}
