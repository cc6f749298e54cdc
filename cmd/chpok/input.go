package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/trf"
)

// readInput reads a file, or in if file is "" or "-".
func readInput(file string, in io.Reader) ([]byte, error) {
	if file == "" || file == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(file)
}

// readText is readInput for a text in whatever encoding.
func readText(file string, in io.Reader) ([]byte, error) {
	raw, err := readInput(file, in)
	if err != nil {
		return nil, cli.Fail(2, "%w", err)
	}
	return asText(file, raw)
}

var errWorkbook = errors.New("this is a workbook or an archive: save it as text")

// asText is readText for what has been read. No command reads lists, so a workbook is no
// text here. What is none ends the command with status 2.
func asText(file string, raw []byte) ([]byte, error) {
	text, encoding, err := intake.Read(raw)
	if encoding == intake.Workbook {
		err = errWorkbook
	}
	if err != nil {
		return nil, cli.Fail(2, "%s: %w", inputName(file), err)
	}
	return []byte(text), nil
}

// readRecord reads the record of a match from a file or from in.
func readRecord(file string, in io.Reader) (notation.Record, error) {
	raw, err := readText(file, in)
	if err != nil {
		return notation.Record{}, err
	}
	return notation.ParseRecord(raw)
}

// isJSON reports whether raw looks like a JSON object.
func isJSON(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) }

// readReport reads a report of players or teams from a file or standard input and prints its
// warnings; an unreadable one ends the command with status 2.
func readReport(file string, std cli.IO) (*trf.Report, error) {
	raw, err := readText(file, std.In)
	if err != nil {
		return nil, err
	}
	return parseReport(file, raw, std)
}

// parseReport is readReport for text already read.
func parseReport(file string, raw []byte, std cli.IO) (*trf.Report, error) {
	report, err := trf.ReadAny(string(raw))
	if err != nil {
		return nil, cli.Fail(2, "%s:\n%w", inputName(file), err)
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(std.Err, "chpok: warning: %s\n", w)
	}
	return report, nil
}

// inputName names the input in messages.
func inputName(file string) string {
	if file == "" || file == "-" {
		return "standard input"
	}
	return file
}
