package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/puzzle"
)

// puzzlesCmd finds the puzzles that every site has.
type puzzlesCmd struct {
	Each  int    `default:"14" help:"How many of each theme."`
	Games int    `default:"400" help:"How many games to play at most."`
	Seed  uint64 `default:"1" help:"Seed of the games."`
}

// Run plays the games and prints engine/puzzle/house.json.
func (c *puzzlesCmd) Run(ctx context.Context, std cli.IO) error {
	list, err := puzzle.Invent(ctx, c.Each, c.Games, c.Seed)
	if err != nil {
		return err
	}
	return writeTerms(std.Out, list)
}

// writeTerms prints JSON with a line for each object that begins with features.
func writeTerms(out io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, strings.ReplaceAll(string(text), `{"features"`, "\n"+`{"features"`))
	return err
}
