package main

import (
	"bufio"

	"chpok.org/chpok/engine/notation"
)

type replayCmd struct {
	Legal bool   `help:"List the legal actions of every state on the board."`
	File  string `arg:"" optional:"" help:"The record; without it standard input is read."`
}

func (c *replayCmd) Run(std stdio) error {
	record, err := readRecord(c.File, std.in)
	if err != nil {
		return fail(2, "%s: %w", inputName(c.File), err)
	}
	out := bufio.NewWriterSize(std.out, 64<<10)
	if err := notation.Replay(out, record, c.Legal); err != nil {
		return err
	}
	return out.Flush()
}
