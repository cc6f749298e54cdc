package main

import (
	"bufio"
	"io"
	"os"

	"chpok.org/chpok/engine/notation"
)

type replayCmd struct {
	Legal bool   `help:"List the legal actions of every state on the board."`
	File  string `arg:"" optional:"" help:"The record; without it standard input is read."`
}

func (c *replayCmd) Run(std stdio) error {
	record, err := readRecord(c.File, std.in)
	if err != nil {
		return fail(2, "%w", err)
	}
	out := bufio.NewWriterSize(std.out, 64<<10)
	if err := notation.Replay(out, record, c.Legal); err != nil {
		return err
	}
	return out.Flush()
}

// readRecord reads a record from a file, or without one from in.
func readRecord(file string, in io.Reader) (notation.Record, error) {
	var raw []byte
	var err error
	if file == "" {
		raw, err = io.ReadAll(in)
	} else {
		raw, err = os.ReadFile(file)
	}
	if err != nil {
		return notation.Record{}, err
	}
	return notation.ParseRecord(raw)
}
