package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

type pairCmd struct {
	Explain bool   `help:"Say for every board why it is so."`
	File    string `arg:"" optional:"" help:"The tournament report (TRF) with the rounds played; without it standard input is read."`
}

// Run prints the number of lines, then "white black" by board, a bye as "player 0".
// Status 2: unreadable report; 3: no legal pairing.
func (c *pairCmd) Run(ctx context.Context, std cli.IO) error {
	report, err := readReport(c.File, std)
	if err != nil {
		return err
	}
	field := fieldOf(report)
	if field.System != "" {
		return cli.Fail(2, "no report holds what %s is paired by", field.System)
	}
	if field.RoundRobin {
		return c.pairByTables(field, std)
	}
	dutch := swiss.Dutch{Cancelled: func() bool { return ctx.Err() != nil }}
	if isTerminal(std.Err) && len(field.Players) > 1000 && report.Teams == nil {
		dutch.Progress = func(done, total int) { fmt.Fprintf(std.Err, "\rpaired %d of %d players", done, total) }
		defer fmt.Fprintln(std.Err)
	}
	pairer, explain := tournament.Pairer(dutch), swiss.Explain
	if report.Teams != nil {
		teams := teamSwiss(ctx)
		pairer, explain = teams, teams.Explain
	}
	round, err := pairer.Pair(field)
	switch {
	case errors.Is(err, tournament.ErrNoPairing):
		return cli.Fail(3, "round %d: %w", field.Played+1, err)
	case errors.Is(err, swiss.ErrCancelled):
		return cli.Fail(1, "%w", err)
	case err != nil:
		return cli.Fail(2, "%w", err)
	}
	out := bufio.NewWriter(std.Out)
	if !c.Explain {
		writePairing(out, round)
		return out.Flush()
	}
	list, err := explain(field, round)
	if err != nil {
		return err
	}
	writeExplanations(out, field, list)
	return out.Flush()
}

// pairByTables pairs a round robin, for which there is nothing to explain.
func (c *pairCmd) pairByTables(field tournament.Field, std cli.IO) error {
	if c.Explain {
		return cli.Fail(2, "a round robin is paired by the Berger tables: there is nothing to explain")
	}
	round, err := tables.Berger(field).Pair(field)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	out := bufio.NewWriter(std.Out)
	writePairing(out, round)
	return out.Flush()
}

// writeExplanations prints every board with its reasons, in English.
func writeExplanations(out io.Writer, field tournament.Field, list []swiss.Explanation) {
	names := map[int]string{}
	for _, p := range field.Players {
		names[p.Number] = strings.TrimSpace(fmt.Sprintf("%d %s", p.Number, p.Name))
	}
	english := lang.Printer{Lang: lang.English}
	for _, e := range list {
		if e.Second == 0 {
			fmt.Fprintf(out, "%s: bye\n", names[e.First])
		} else {
			fmt.Fprintf(out, "%s - %s\n", names[e.First], names[e.Second])
		}
		for _, r := range e.Reasons {
			fmt.Fprintf(out, "    %s\n", english.T(r.Key, "Player", names[r.Player], "Other", names[r.Other],
				"Score", decimal(r.Score), "OtherScore", decimal(r.OtherScore), "Round", r.Round))
		}
	}
}

// decimal formats a score without trailing zeros: 3, 2.5.
func decimal(s tournament.Score) string { return strconv.FormatFloat(float64(s)/10, 'f', -1, 64) }

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

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
