package main

import (
	"encoding/json"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/notation"
)

type recordCmd struct {
	JSON bool   `name:"json" help:"Write the JSON record instead of the text."`
	File string `arg:"" optional:"" help:"A match as a JSON record or as text; without it standard input is read."`
}

// Run converts a match to its other form: text for people, or with --json for programs.
// Status 2: neither.
func (c recordCmd) Run(std cli.IO) error {
	raw, err := readText(c.File, std.In)
	if err != nil {
		return err
	}
	parse := notation.ParseText
	if isJSON(raw) {
		parse = notation.ParseRecord
	}
	record, err := parse(raw)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	if c.JSON {
		enc := json.NewEncoder(std.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(record)
	}
	text, err := notation.Text(record)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	_, err = std.Out.Write(text)
	return err
}
