package main

import (
	"bufio"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/notation"
)

type replayCmd struct {
	Legal bool   `help:"List the legal actions of every state on the board."`
	File  string `arg:"" optional:"" help:"The record; without it standard input is read."`
}

func (c *replayCmd) Run(std cli.IO) error {
	record, err := readRecord(c.File, std.In)
	if err != nil {
		return cli.Fail(2, "%s: %w", inputName(c.File), err)
	}
	out := bufio.NewWriterSize(std.Out, 64<<10)
	if err := notation.Replay(out, record, c.Legal); err != nil {
		return err
	}
	return out.Flush()
}
