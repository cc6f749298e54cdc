package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestBackupAndRestoreByTheCommandLine: both databases; of PostgreSQL the words are
// true and no password is among them.
func TestBackupAndRestoreByTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at, copied := "--database-url=sqlite:"+filepath.Join(dir, "chpok.db"), filepath.Join(dir, "copy.db")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"backup", at, copied}, 2, "there is no database"},
		{[]string{"player", "add", at, "ana"}, 0, "added"},
		{[]string{"backup", at, copied}, 0, "is a checked copy of"},
		{[]string{"backup", at, copied}, 1, "--force replaces it"},
		{[]string{"restore", at, filepath.Join(dir, "none.db")}, 2, "there is no copy"},
		{[]string{"restore", at, copied}, 0, "what was there is kept as"},
		{[]string{"player", "add", at, "ana"}, 1, "is taken"},
		{[]string{"backup", "--database-url=postgres://chpok:secret@db:5433/club?sslmode=require", copied}, 2,
			"pg_dump --format=custom --file='" + copied + "' --dbname='postgres://chpok@db:5433/club?sslmode=require'"},
		{[]string{"restore", "--database-url=postgres://db/club?password=secret&user=chpok", copied}, 2,
			"--single-transaction --dbname='postgres://db/club?user=chpok' '" + copied + "'"},
	} {
		var out bytes.Buffer
		status := run(t.Context(), c.args, stdio{strings.NewReader(""), &out, &out})
		if status != c.status || !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), "secret") {
			t.Errorf("%v: status %d, %s", c.args, status, out.String())
		}
	}
}
