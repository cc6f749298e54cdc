package main

import (
	"context"
	"fmt"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/live"
	"chpok.org/chpok/rating"
)

type ratingsCmd struct {
	Recompute ratingsRecomputeCmd `cmd:"" help:"Recompute all ratings from the results, always with the same numbers. An interrupted run continues where it stopped."`
}

type ratingsRecomputeCmd struct {
	databaseFlag
	Bids bool `help:"Recompute the bidding profiles of players as well, from the logs of all matches."`
}

func (c ratingsRecomputeCmd) Run(ctx context.Context, std cli.IO) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	runner, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		return err
	}
	defer runner.Close()
	show := func(p rating.Pool, done, all int64) {
		name := p.Name
		if name == "" {
			name = string(p.ID)
		}
		fmt.Fprintf(std.Err, "%s: %d of %d events, %d %%\n", name, done, all, 100*done/all)
	}
	a := arbiter.New(s, runner, arbiter.Config{}, nil)
	if err := a.Ratings.Recompute(ctx, show); err != nil {
		return err
	}
	if c.Bids {
		if err := a.Ratings.ReadDoneAnew(ctx); err != nil {
			return err
		}
		fmt.Fprintln(std.Out, "the bidding profiles follow as soon as a node serves")
	}
	fmt.Fprintln(std.Out, "all ratings are made anew")
	return nil
}
