package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store"
)

type backupCmd struct {
	databaseFlag
	File  string `arg:"" type:"path" help:"The copy."`
	Force bool   `help:"Replace the file if it is there."`
}

// Run copies the database, which may be in use.
func (c backupCmd) Run(ctx context.Context, std cli.IO) error {
	path, err := c.sqliteFile(func(dsn string) string {
		return "pg_dump --format=custom --file=" + quoted(c.File) + " --dbname=" + quoted(dsn)
	})
	if err != nil {
		return err
	}
	err = store.Backup(ctx, path, c.File, c.Force)
	switch {
	case errors.Is(err, store.ErrFileExists):
		return cli.Fail(1, "%w; --force replaces it", err)
	case errors.Is(err, store.ErrSameFile):
		return cli.Fail(2, "%w", err)
	case errors.Is(err, os.ErrNotExist):
		return cli.Fail(2, "there is no database %s", path)
	case err != nil:
		return err
	}
	fmt.Fprintf(std.Out, "%s is a checked copy of %s\n", c.File, path)
	return nil
}

type restoreCmd struct {
	databaseFlag
	File string `arg:"" type:"path" help:"The copy."`
}

// Run replaces the database by a copy; the server has to be stopped.
func (c restoreCmd) Run(ctx context.Context, std cli.IO) error {
	path, err := c.sqliteFile(func(dsn string) string {
		return "pg_restore --clean --if-exists --no-owner --single-transaction --dbname=" + quoted(dsn) + " " + quoted(c.File)
	})
	if err != nil {
		return err
	}
	kept, err := store.Restore(ctx, path, c.File, time.Now())
	switch {
	case errors.Is(err, os.ErrNotExist) && kept == "":
		return cli.Fail(2, "there is no copy %s", c.File)
	case err != nil && kept != "":
		return fmt.Errorf("%w; what was there is kept as %s", err, kept)
	case err != nil:
		return err
	}
	fmt.Fprintf(std.Out, "%s is the database %s again\n", c.File, path)
	if kept != "" {
		fmt.Fprintf(std.Out, "what was there is kept as %s\n", kept)
	}
	return nil
}

// sqliteFile returns the path of an SQLite database. For PostgreSQL it fails with the
// command of PostgreSQL's own tool, without the password.
func (d databaseFlag) sqliteFile(command func(dsn string) string) (string, error) {
	if err := d.Check(); err != nil {
		return "", cli.Fail(2, "%w", err)
	}
	if path, ok := strings.CutPrefix(d.URL, "sqlite:"); ok {
		return path, nil
	}
	bare, err := store.WithoutPassword(d.URL)
	if err != nil {
		return "", cli.Fail(2, "%w", err)
	}
	return "", cli.Fail(2, "PostgreSQL has programs of its own for this; with the server stopped for a restore, "+
		"and the password in PGPASSWORD or ~/.pgpass:\n%s",
		command(bare))
}

// quoted quotes a word for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
