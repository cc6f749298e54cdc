package main

import (
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/notation"
)

// drawsCmd checks the random draws of a finished match (rules, decision D8).
type drawsCmd struct {
	File string `arg:"" optional:"" help:"The exported record; without it standard input is read."`
}

func (c *drawsCmd) Run(std stdio) error {
	record, err := readRecord(c.File, std.in)
	if err != nil {
		return fail(2, "%w", err)
	}
	check, err := notation.CheckDraws(record)
	if err != nil {
		return fail(2, "%w", err)
	}
	fmt.Fprintf(std.out, "commitment: %s\n", holds(check.CommitmentHolds))
	for i, d := range check.Draws {
		outcome := d.Time.String()
		if d.Target == bidding.White {
			outcome = record.First.Of(d.White)
		}
		fmt.Fprintf(std.out, "draw %d, %s %s: %s\n", i+1, d.Target, outcome, holds(check.Holds[i]))
	}
	if check.HasOdds {
		fmt.Fprintf(std.out, "sealed bids: %s\n", holds(check.OddsHold))
	}
	if !check.AllHold() {
		return fail(1, "the draws are not those of the published commitment")
	}
	return nil
}

func holds(ok bool) string {
	if ok {
		return "holds"
	}
	return "DOES NOT HOLD"
}
