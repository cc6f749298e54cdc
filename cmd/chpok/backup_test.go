package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store/storetest"
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
		status := app.Run(t.Context(), c.args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &out})
		if status != c.status || !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), "secret") {
			t.Errorf("%v: status %d, %s", c.args, status, out.String())
		}
	}
}

// TestTheWordsForPostgreSQLAreTrue runs the commands that backup and restore tell.
func TestTheWordsForPostgreSQLAreTrue(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"pg_dump", "pg_restore"} {
		if _, err := exec.LookPath(program); err != nil {
			storetest.Missing(t, program)
		}
	}
	at, file := "--database-url="+storetest.PostgresDSN(t), filepath.Join(t.TempDir(), "club's copy.dump")
	chpok := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if status := app.Run(t.Context(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &out}); status != want {
			t.Fatalf("%v: status %d, %s", args, status, out.String())
		}
		return strings.TrimSpace(out.String()[strings.LastIndex(strings.TrimSpace(out.String()), "\n")+1:])
	}
	shell := func(command string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), "/bin/sh", "-c", command).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	chpok(0, "player", "add", at, "ana")
	shell(chpok(2, "backup", at, file))
	chpok(0, "player", "add", at, "bob")
	shell(chpok(2, "restore", at, file))
	chpok(1, "player", "add", at, "ana") // is there
	chpok(0, "player", "add", at, "bob") // is not
}
