package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/tournament/trf"
)

// readInput is a file, or without one ("" or "-") what stands in in.
func readInput(file string, in io.Reader) ([]byte, error) {
	if file == "" || file == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(file)
}

// readRecord reads the record of a match from a file, or without one from in.
func readRecord(file string, in io.Reader) (notation.Record, error) {
	raw, err := readInput(file, in)
	if err != nil {
		return notation.Record{}, err
	}
	return notation.ParseRecord(raw)
}

// isJSON tells an object of JSON from other texts.
func isJSON(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) }

// readReport reads a report from a file, or without one from standard input, and
// tells its oddities; what cannot be read ends with status 2.
func readReport(file string, std stdio) (*trf.Report, error) {
	raw, err := readInput(file, std.in)
	if err != nil {
		return nil, fail(2, "%w", err)
	}
	return parseReport(file, raw, std)
}

// parseReport is readReport of what has been read already.
func parseReport(file string, raw []byte, std stdio) (*trf.Report, error) {
	report, err := trf.Read(bytes.NewReader(raw))
	if err != nil {
		return nil, fail(2, "%s:\n%w", inputName(file), err)
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(std.err, "chpok: warning: %s\n", w)
	}
	return report, nil
}

// inputName is what was read, as messages name it.
func inputName(file string) string {
	if file == "" || file == "-" {
		return "standard input"
	}
	return file
}
