// Package migrations carries the schema: numbered SQL files per dialect, the
// same names in both. It refuses to know how they are run (store does that).
// A file is never edited after a release; a change is a new number.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// For is the folder of one dialect, "sqlite" or "postgres".
func For(dialect string) (fs.FS, error) { return fs.Sub(files, dialect) }
