package main

import (
	"bytes"
	"fmt"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/notation"
)

// drawsCmd checks the random draws of a finished match (rules, decision D8) or of a
// tournament.
type drawsCmd struct {
	File string `arg:"" optional:"" help:"The exported record of a match, or a tournament's exported log (JSON lines); without it standard input is read."`
}

func (c *drawsCmd) Run(std cli.IO) error {
	raw, err := readText(c.File, std.In)
	if err != nil {
		return err
	}
	if first, _, _ := bytes.Cut(bytes.TrimSpace(raw), []byte("\n")); bytes.HasPrefix(first, []byte(`{"seq":1,`)) {
		return drawsOfLog(std, raw)
	}
	record, err := notation.ParseRecord(raw)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	check, err := notation.CheckDraws(record)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	fmt.Fprintf(std.Out, "commitment: %s\n", holds(check.CommitmentHolds))
	for i, d := range check.Draws {
		outcome := d.Time.String()
		if d.Target == bidding.White {
			outcome = record.First.Of(d.White)
		}
		fmt.Fprintf(std.Out, "draw %d, %s %s: %s\n", i+1, d.Target, outcome, holds(check.Holds[i]))
	}
	if check.HasOdds {
		fmt.Fprintf(std.Out, "sealed bids: %s\n", holds(check.OddsHold))
	}
	if !check.AllHold() {
		return cli.Fail(1, "the draws are not those of the published commitment")
	}
	return nil
}

// drawsOfLog checks the draws of a tournament.
func drawsOfLog(std cli.IO, raw []byte) error {
	deeds, _, err := tables.ReadLog(bytes.NewReader(raw))
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	list, err := tables.CheckDraws(deeds)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	bad := 0
	for _, d := range list {
		fmt.Fprintln(std.Out, drawText(d))
		if !d.IsRight() {
			bad++
		}
	}
	fmt.Fprintf(std.Out, "%d draws, %d do not hold\n", len(list), bad)
	if bad > 0 {
		return cli.Fail(1, "what was drawn is not what was promised")
	}
	return nil
}

// drawText says whether one draw of a log holds.
func drawText(d tables.DrawCheck) string {
	kept := "nothing was promised"
	if d.IsPromised {
		kept = "promise " + holds(d.IsKept)
	}
	return fmt.Sprintf("number %d, draw of %s: %s; %s", d.Seq, d.What, holds(d.Holds), kept)
}

func holds(ok bool) string {
	if ok {
		return "holds"
	}
	return "DOES NOT HOLD"
}
