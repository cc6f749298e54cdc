// Command chpok-lab holds what developers of Chpok measure and teach with: load, growth and
// years of events, and what the engine learns from games against itself.
package main

import (
	"context"

	"chpok.org/chpok/cmd/chpok-lab/load"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/ops/site"
)

// commands lists every command and flag.
type commands struct {
	Load load.Command `cmd:"" help:"Measure a server under watchers and moves (docs/operations.md)."`
	Year yearCmd      `cmd:"" help:"Hold events of a format on a site whose node is killed again and again, and check every log against its table."`

	Puzzles    puzzlesCmd    `cmd:"" help:"Find the puzzles of every site in games of the engine against itself (docs/engine.md)."`
	Tune       tuneCmd       `cmd:"" help:"Learn the weights of the engine's evaluation from games against itself (docs/engine.md)."`
	Terms      termsCmd      `cmd:"" help:"Find out what terms are worth to the engine's bidding (docs/engine.md)."`
	Labels     labelsCmd     `cmd:"" help:"Ask a far longer search what it thinks of the labels that analysis gives to moves (docs/engine.md)."`
	Moments    momentsCmd    `cmd:"" help:"Ask a teacher about the moments that are said to have decided matches."`
	Evidence   evidenceCmd   `cmd:"" help:"Try what is said of people's choices on people whose help is known (docs/evidence.md)."`
	Resistance resistanceCmd `cmd:"" help:"Measure how much an engine gains somebody who asks it, by the terms (docs/evidence.md)."`
	House      houseCmd      `cmd:"" help:"Print the house in figures, beside those of earlier commits (docs/house.md)."`

	Pieces piecesCmd `cmd:"" help:"Draw the pieces of the site's sprite for pictures: web/picture/pieces.png."`

	Serve serveCmd `cmd:"" hidden:"" help:"Serve the site, to be measured."`
}

var app = cli.Program{Name: "chpok-lab", About: "Measures Chpok and teaches its engine.", Commands: func() any { return &commands{} }}

func main() { app.Main() }

// serveCmd is what chpok serve is.
type serveCmd struct{ site.Config }

// Run serves until the process is told to stop.
func (c serveCmd) Run(ctx context.Context, std cli.IO) error {
	if err := c.Check(); err != nil {
		return cli.Fail(2, "the configuration does not fit:\n%w", err)
	}
	return site.Run(ctx, c.Config, site.Options{}, std.Out, std.Err)
}
