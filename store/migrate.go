package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"chpok.org/chpok/migrations"
)

// migrate brings the schema up to date. Nodes that start together wait for each other: on
// PostgreSQL through an advisory lock, on SQLite by starting over when another process
// was quicker.
func (s *Store) migrate(ctx context.Context, db *sql.DB) error {
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithSlog(s.log)}
	dialect, attempts := goose.DialectSQLite3, 3
	if s.dialect == dialectPostgres {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 120), lock.WithUnlockTimeout(1, 30))
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
		dialect, attempts = goose.DialectPostgres, 1
	}
	provider, err := goose.NewProvider(dialect, db, migrations.For(s.dialect), options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	for ; ; attempts-- {
		_, err = provider.Up(ctx)
		if err == nil {
			break
		}
		if attempts <= 1 {
			return fmt.Errorf("migrate: %w", err)
		}
	}
	current, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if current > newest {
		return fmt.Errorf("the database belongs to a newer program: schema %d, this one knows %d", current, newest)
	}
	return makeSealKey(ctx, db)
}
