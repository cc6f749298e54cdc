package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"

	"chpok.org/chpok/migrations"
)

// upgradeLock is the key of PostgreSQL's advisory lock for whoever changes the schema.
const upgradeLock = 0x63_68_70_6f_6b // "chpok"

// migrate brings the schema up to date, after a copy of what is there. Each migration is
// one transaction together with its number, so whoever is killed meanwhile leaves the one
// schema or the other, and the next start goes on from there. Programs that start together
// wait for each other: on PostgreSQL by an advisory lock, on SQLite by the lock of the file
// while it is copied, and then by starting over when another was quicker.
func (s *Store) migrate(ctx context.Context, db *sql.DB, dsn string, o Options) error {
	files := o.migrations
	if files == nil {
		files = migrations.For(s.dialect)
	}
	dialect := goose.DialectSQLite3
	if s.dialect == dialectPostgres {
		dialect = goose.DialectPostgres
	}
	provider, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	schema, err := schemaOf(ctx, db, s.dialect)
	if err == nil && schema < newest {
		schema, err = s.upgrade(ctx, db, provider, upgrade{dsn: dsn, to: newest, options: o})
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if schema > newest {
		return s.newer(ctx, db, schema, newest, o)
	}
	if err := signSchema(ctx, db, schema); err != nil {
		return err
	}
	return makeSealKey(ctx, db)
}

// schemaOf is the number of the last migration that was done; 0: none. It changes nothing.
func schemaOf(ctx context.Context, db querier, dialect string) (schema int64, err error) {
	there := "SELECT COUNT(*) FROM sqlite_master WHERE name = 'goose_db_version'"
	if dialect == dialectPostgres {
		there = "SELECT COUNT(*) FROM pg_tables WHERE tablename = 'goose_db_version' AND schemaname = current_schema()"
	}
	tables := 0
	if err := db.QueryRowContext(ctx, there).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	return schema, db.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version").Scan(&schema)
}

// querier is a database, a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// upgrade is the way to a newer schema.
type upgrade struct {
	dsn     string
	from    int64
	to      int64
	options Options
}

// upgrade does the migrations that are missing, unless another program has done them
// meanwhile, and returns the schema there is then.
func (s *Store) upgrade(ctx context.Context, db *sql.DB, provider *goose.Provider, u upgrade) (int64, error) {
	attempts := 3
	if s.dialect == dialectPostgres {
		attempts = 1
		conn, err := db.Conn(ctx)
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", upgradeLock); err != nil {
			return 0, err
		}
		// Also after ctx has ended: the connection may go back to its pool.
		defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", upgradeLock)
		if u.from, err = schemaOf(ctx, conn, s.dialect); err != nil || u.from >= u.to {
			return u.from, err
		}
		if err := s.copyBefore(ctx, u); err != nil {
			return 0, err
		}
	} else {
		tx, err := db.BeginTx(ctx, nil) // immediate: nobody else writes
		if err != nil {
			return 0, err
		}
		if u.from, err = schemaOf(ctx, tx, s.dialect); err == nil && u.from < u.to {
			err = s.copyBefore(ctx, u)
		}
		if over := tx.Rollback(); err == nil {
			err = over
		}
		if err != nil || u.from >= u.to {
			return u.from, err
		}
	}
	for ; ; attempts-- {
		_, err := provider.Up(ctx)
		if err == nil {
			break
		}
		if attempts <= 1 {
			return 0, err
		}
	}
	if u.from > 0 {
		s.log.Info("the schema is up to date", "was", u.from, "is", u.to)
	}
	return schemaOf(ctx, db, s.dialect)
}

// settingSchema tells the last schema, and which program made it: "7 v1.2.0".
const settingSchema = "schema"

// signSchema notes that this program made the schema, unless that is known.
func signSchema(ctx context.Context, db *sql.DB, schema int64) error {
	number := strconv.FormatInt(schema, 10)
	_, err := db.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE "+
		"SET value = excluded.value WHERE settings.value NOT LIKE $3", settingSchema, number+" "+program(), number+" %")
	return err
}

// makerOf is the program that made a schema; empty: it is not known. A newer schema may
// keep this elsewhere.
func makerOf(ctx context.Context, db querier, schema int64) string {
	var noted string
	if db.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", settingSchema).Scan(&noted) != nil {
		return ""
	}
	number, maker, _ := strings.Cut(noted, " ")
	if number != strconv.FormatInt(schema, 10) {
		return ""
	}
	return maker
}

// program is the version of this program, as Go stamps it.
func program() string {
	build, _ := debug.ReadBuildInfo()
	if build == nil {
		return "(devel)"
	}
	return cmp.Or(build.Main.Version, "(devel)")
}

// newer says that a program older than the schema cannot use it, and what helps.
func (s *Store) newer(ctx context.Context, db *sql.DB, schema, newest int64, o Options) error {
	by := ""
	if maker := makerOf(ctx, db, schema); maker != "" {
		by = ", Chpok " + maker
	}
	back := "a copy from before it"
	file := s.copyName(o.BackupDir, newest)
	if _, err := os.Stat(file); err == nil {
		back = file
	}
	return fmt.Errorf("the database belongs to a newer program%s: schema %d, this one (%s) knows %d. Start that one or a later one; or "+
		"undo the upgrade by restoring %s, without what happened since", by, schema, program(), newest, back)
}
