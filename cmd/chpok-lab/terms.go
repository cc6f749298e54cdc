package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"chpok.org/chpok/cmd/chpok-lab/selfplay"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/search"
)

// termsCmd measures what terms are worth, by which the engine bids.
type termsCmd struct {
	Play termsPlayCmd `cmd:"" help:"Play the engine against itself on many terms; a line for each game."`
	Fit  termsFitCmd  `cmd:"" help:"Learn from such lines (standard input) what White is worth: engine/search/worth.json."`
	Bid  termsBidCmd  `cmd:"" help:"Let the engine's bidding meet another, with the engine's play on both sides."`
	Dear termsDearCmd `cmd:"" help:"Play matches on from bids said to be dear, and from what is said to be better."`
}

type termsPlayCmd struct {
	Games int    `default:"20000" help:"How many games to play."`
	Nodes int    `default:"1000" help:"Positions for each move."`
	Seed  uint64 `default:"1" help:"Seed of the terms."`
}

// Run plays the games.
func (c *termsPlayCmd) Run(ctx context.Context, std cli.IO) error {
	return selfplay.SampleTerms(ctx, std.Out, c.Games, c.Nodes, c.Seed)
}

type termsFitCmd struct {
	Keep string `type:"existingfile" help:"A table to add the games to; its traits are kept."`
}

// Run prints the table.
func (c *termsFitCmd) Run(std cli.IO) error {
	samples, err := selfplay.ReadSamples(std.In)
	if err != nil {
		return cli.Fail(2, "%v", err)
	}
	table, err := c.table(samples)
	if err != nil {
		return cli.Fail(2, "%v", err)
	}
	return writeTerms(std.Out, table)
}

func (c *termsFitCmd) table(samples []selfplay.Sample) (w search.Worth, err error) {
	if c.Keep == "" {
		return selfplay.FitTerms(samples), nil
	}
	raw, err := os.ReadFile(c.Keep)
	if err == nil {
		err = json.Unmarshal(raw, &w)
	}
	return selfplay.AddTerms(w, samples), err
}

type termsBidCmd struct {
	Against string `arg:"" help:"How the other one bids: random, taste (as in 0.3), white, time, homeRow or features."`
	Pairs   int    `default:"200" help:"How many pairs of matches, the seats exchanged."`
	Nodes   int    `default:"1000" help:"Positions for each move on the board."`
	Seed    uint64 `default:"1" help:"Seed of the matches."`
}

// Run plays the matches and prints the score.
func (c *termsBidCmd) Run(ctx context.Context, std cli.IO) error {
	against, ok := selfplay.Bidders[c.Against]
	if !ok {
		return cli.Fail(2, "%q is none of %s", c.Against, strings.Join(slices.Sorted(maps.Keys(selfplay.Bidders)), ", "))
	}
	t, err := selfplay.BidMatch(ctx, against, bidding.DefaultEnvelope(), c.Pairs, c.Nodes, c.Seed)
	if err != nil {
		return err
	}
	share, margin := t.Score()
	fmt.Fprintf(std.Out, "against %s: %.1f %% ± %.1f of %d matches\n", c.Against, 100*share, 100*margin, t.Games())
	return nil
}

type termsDearCmd struct {
	Bids  int    `default:"1000" help:"How many dear bids; a match is played on from each and from the better one."`
	Nodes int    `default:"1000" help:"Positions for each move on the board."`
	Seed  uint64 `default:"1" help:"Seed of the biddings."`
}

// Run prints, by how much the bids are said to give away, what the better ones brought.
func (c *termsDearCmd) Run(ctx context.Context, std cli.IO) error {
	list, err := selfplay.DearBids(ctx, bidding.DefaultEnvelope(), c.Bids, c.Nodes, c.Seed)
	if err != nil {
		return err
	}
	for _, from := range []float64{analysis.DearFrom, 0.06, 0.12} {
		n, said, brought, margin := selfplay.Brought(list, from)
		fmt.Fprintf(std.Out, "%d bids said to give away %.0f %% or more, %.1f on average: the better ones brought %.1f %% ± %.1f\n",
			n, 100*from, 100*said, 100*brought, 100*margin)
	}
	return nil
}
