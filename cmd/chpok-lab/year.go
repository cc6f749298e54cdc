package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"chpok.org/chpok/cmd/chpok-lab/year"
	"chpok.org/chpok/cmd/internal/cli"
)

// yearCmd holds events on nodes that are killed; with an errand it is such a node.
type yearCmd struct {
	Format   string `required:"" enum:"round-robin,swiss,knock-out,stages,groups,arena,keizer" help:"${enum}."`
	Count    int    `default:"1" help:"Number of events."`
	Seed     uint64 `default:"1" help:"Seed of the events and of the kills."`
	Kills    int    `default:"25" help:"How many nodes are killed in one event at most."`
	Database string `name:"database-url" help:"An empty database. Default: a temporary SQLite file." placeholder:"URL"`
	Errand   string `hidden:"" help:"The rest of a year, as JSON, for a node of it."`
}

// Run holds the events. Status 1: a log and its table differ.
func (c *yearCmd) Run(ctx context.Context, std cli.IO) error {
	if c.Errand != "" {
		var e year.Errand
		if err := json.Unmarshal([]byte(c.Errand), &e); err != nil {
			return cli.Fail(2, "%w", err)
		}
		return year.Run(ctx, std.Out, e)
	}
	if c.Count < 1 {
		return cli.Fail(2, "at least one event")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	e := year.Errand{Database: c.Database, Format: c.Format, Seed: c.Seed, Last: c.Count, Kills: c.Kills}
	differences, err := year.Hold(ctx, std.Out, e, func(e year.Errand) *exec.Cmd {
		errand, err := json.Marshal(e)
		if err != nil {
			panic(err) // strings and numbers only
		}
		return exec.Command(self, "year", "--format", e.Format, "--errand", string(errand))
	})
	if err != nil {
		return err
	}
	for _, d := range differences {
		fmt.Fprintln(std.Out, d)
	}
	fmt.Fprintf(std.Out, "discrepancies  %d\n", len(differences))
	if len(differences) > 0 {
		return cli.Exit(1)
	}
	return nil
}
