package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

type pairCmd struct {
	Explain bool   `help:"Say for every board why it is so."`
	File    string `arg:"" optional:"" help:"The tournament report (TRF) with the rounds played; without it standard input is read."`
}

// Run writes the number of lines, then "white black" by board, a bye as
// "player 0". Status 2: unreadable report, 3: no legal pairing.
func (c *pairCmd) Run(ctx context.Context, std stdio) error {
	report, err := readReport(c.File, std.in)
	if err != nil {
		return fail(2, "%w", err)
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(std.err, "chpok: warning: %s\n", w)
	}
	field := report.Field()
	dutch := swiss.Dutch{Cancelled: func() bool { return ctx.Err() != nil }}
	if isTerminal(std.err) && len(field.Players) > 1000 {
		dutch.Progress = func(done, total int) { fmt.Fprintf(std.err, "\rpaired %d of %d players", done, total) }
		defer fmt.Fprintln(std.err)
	}
	round, err := dutch.Pair(field)
	switch {
	case errors.Is(err, tournament.ErrNoPairing):
		return fail(3, "round %d: %w", field.Played+1, err)
	case errors.Is(err, swiss.ErrCancelled):
		return fail(1, "%w", err)
	case err != nil:
		return fail(2, "%w", err)
	}
	out := bufio.NewWriter(std.out)
	writePairing(out, round)
	return out.Flush()
}

func writePairing(out io.Writer, round tournament.RoundPairing) {
	n := len(round.Boards)
	if round.Bye != 0 {
		n++
	}
	fmt.Fprintln(out, n)
	for _, b := range round.Boards {
		fmt.Fprintln(out, b.First, b.Second)
	}
	if round.Bye != 0 {
		fmt.Fprintln(out, round.Bye, 0)
	}
}

// isTerminal tells whether somebody watches what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
