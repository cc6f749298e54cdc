package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
)

// reviewCmd says how somebody's moves look beside those of an engine.
type reviewCmd struct {
	Player        string   `required:"" placeholder:"HANDLE" help:"Whose moves, by the handle in the records."`
	Rating        int      `required:"" help:"Their rating before the matches."`
	Calibration   string   `placeholder:"FILE" help:"How people beyond doubt choose, as the lab or a site has written it. Without it no p is told."`
	Before        []string `placeholder:"RECORD" help:"Record of a match of theirs before those, from which it is learned how strong they are; for each of them in order. From seven with twenty choices on it is their own past that they are compared with, otherwise their rating."`
	EngineVersion int      `placeholder:"N" help:"Fail unless the engine of this program is of that version."`
	Nodes         int      `default:"20000" help:"Positions that the engine looks at for each move."`
	Files         []string `arg:"" name:"record" help:"Records of their matches, in order."`
}

// Run prints the dossier as JSON. The same records, engine and calibration print the same bytes. Status 2: a record or
// calibration cannot be read, or is of another engine.
func (c reviewCmd) Run(ctx context.Context, std cli.IO) error {
	if c.EngineVersion != 0 && c.EngineVersion != search.Version {
		return cli.Fail(2, "this program has version %d of the engine, not %d", search.Version, c.EngineVersion)
	}
	var k screening.Calibration
	if c.Calibration != "" {
		text, err := readText(c.Calibration, std.In)
		if err != nil {
			return err
		}
		if k, err = screening.ReadCalibration(text); err != nil {
			return cli.Fail(2, "%s: %w", c.Calibration, err)
		}
	}
	d := review.Dossier{Player: c.Player, Rating: c.Rating, Engine: search.Version, Nodes: c.Nodes}
	e := search.NewEngine(review.LookTable)
	var past []review.Looked
	for i, file := range slices.Concat(c.Before, c.Files) {
		record, err := readRecord(file, std.In)
		if err != nil {
			return err
		}
		fmt.Fprintf(std.Err, "%d of %d: %s\n", i+1, len(c.Before)+len(c.Files), file)
		looked, err := d.Look(ctx, e, record)
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			return cli.Fail(2, "%s: %w", file, err)
		}
		if i < len(c.Before) {
			past = append(past, looked)
		} else {
			d.Add(looked)
		}
	}
	d.Weigh(k, past...)
	return d.Write(std.Out)
}
