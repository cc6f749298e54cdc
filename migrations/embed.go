// Package migrations embeds the schema: numbered SQL files, written once for both
// dialects. A line that ends in "-- sqlite" or "-- postgres" is for that dialect only.
//
// Until the first release the schema is one file, which is edited. From then on files
// never change; a change is a new number.
package migrations

import (
	"embed"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed *.sql
var files embed.FS

// For returns the files for one dialect, "sqlite" or "postgres".
func For(dialect string) fs.FS {
	other := " -- postgres"
	if dialect == "postgres" {
		other = " -- sqlite"
	}
	return translated{files, other}
}

// Newest is the number of the last migration: the schema that this program writes.
func Newest() int64 {
	newest := int64(0)
	entries, _ := files.ReadDir(".") // what is embedded can be read
	for _, e := range entries {
		digits, _, _ := strings.Cut(e.Name(), "_")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			newest = max(newest, n)
		}
	}
	return newest
}

// translated omits the lines that end in without.
type translated struct {
	fs.FS
	without string
}

// Open reads the whole file: they are small.
func (t translated) Open(name string) (fs.File, error) {
	f, err := t.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sql") {
		return f, err
	}
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for line := range strings.Lines(string(raw)) {
		if !strings.HasSuffix(strings.TrimRight(line, "\n"), t.without) {
			text.WriteString(line)
		}
	}
	return file{f, strings.NewReader(text.String())}, nil
}

type file struct {
	fs.File
	text io.Reader
}

func (f file) Read(p []byte) (int, error) { return f.text.Read(p) }
