package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/store"
)

type serveCmd struct{ site.Config }

// options of the sites served; tests of the program set them.
var options site.Options

// Run serves until the process is told to stop.
func (c serveCmd) Run(ctx context.Context, std cli.IO) error {
	if err := c.Check(); err != nil {
		return cli.Fail(2, "the configuration does not fit:\n%w", err)
	}
	return site.Run(ctx, c.Config, options, std.Out, std.Err)
}

// databaseFlag is embedded by every other command that uses the database.
type databaseFlag struct{ site.Database }

// open opens the database; a malformed address ends the command with status 2.
func (d databaseFlag) open(ctx context.Context) (*store.Store, error) {
	return d.openWith(ctx, store.Options{})
}

func (d databaseFlag) openWith(ctx context.Context, o store.Options) (*store.Store, error) {
	if err := d.Check(); err != nil {
		return nil, cli.Fail(2, "%w", err)
	}
	o.BackupDir, o.Logger = d.BackupDir, slog.New(slog.NewTextHandler(os.Stderr, nil))
	return store.Open(ctx, d.URL, o)
}

// write opens the database for one transaction.
func (d databaseFlag) write(ctx context.Context, f func(*store.Tx) error) error {
	s, err := d.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(s.Write(ctx, f), s.Close())
}
