package main

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/migrations"
)

// TestAProgramSaysWhichOneItIs, also one that was built without a repository, and the schema is that of the last migration.
func TestAProgramSaysWhichOneItIs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if code := app.Run(t.Context(), []string{"version"}, cli.IO{In: strings.NewReader(""), Out: &out, Err: &out}); code != 0 {
		t.Fatalf("status %d: %s", code, out.String())
	}
	said := regexp.MustCompile(`^chpok (?:v\S+|\(devel\))\ncommit (?:[0-9a-f]{40}|unknown)\ndate (?:\S+Z|unknown)\nschema (\d+)\nbuilt by go1\S+ for \w+/\w+\n$`).
		FindStringSubmatch(out.String())
	if said == nil {
		t.Fatalf("it says\n%s", out.String())
	}
	files, err := fs.Glob(migrations.For("sqlite"), "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("migrations: %v, %v", files, err)
	}
	last, _, _ := strings.Cut(files[len(files)-1], "_") // sorted by name
	if want, err := strconv.Atoi(last); err != nil || said[1] != strconv.Itoa(want) {
		t.Errorf("it says schema %s; the last migration is %s (%v)", said[1], last, err)
	}
}
