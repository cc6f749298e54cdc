package main

import (
	"context"
	"fmt"

	"chpok.org/chpok/tournament/swiss"
)

type checkCmd struct {
	File string `arg:"" optional:"" help:"The tournament report (TRF); without it standard input is read."`
}

// Run pairs every round of a report again. Status 1: some rounds differ.
func (c *checkCmd) Run(ctx context.Context, std stdio) error {
	report, err := readReport(c.File, std.in)
	if err != nil {
		return fail(2, "%w", err)
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(std.err, "chpok: warning: %s\n", w)
	}
	field := report.Field()
	checker := swiss.Checker{Pairer: swiss.Dutch{Cancelled: func() bool { return ctx.Err() != nil }}}
	if isTerminal(std.err) {
		checker.Progress = func(done, total int) { fmt.Fprintf(std.err, "\rround %d of %d", done, total) }
		defer fmt.Fprintln(std.err)
	}
	differences, err := checker.Check(field)
	if err != nil {
		return fail(2, "%w", err)
	}
	for _, d := range differences {
		fmt.Fprintln(std.out, d)
	}
	fmt.Fprintf(std.out, "%d rounds checked (%s), %d differ\n", field.Played, swiss.Version, len(differences))
	if len(differences) > 0 {
		return &exitError{code: 1}
	}
	return nil
}
