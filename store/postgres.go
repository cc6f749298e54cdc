package store

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// postgresWriters is how many groups of appends may be on their way to the disk at once:
// while one waits for its flush, the next can be filled.
const postgresWriters = 3

func (s *Store) openPostgres(ctx context.Context, dsn string, o Options) error {
	s.dialect = dialectPostgres
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	s.name = config.Database
	db := stdlib.OpenDB(*config)
	s.closers = append(s.closers, db.Close)
	size := cmp.Or(o.Connections, 16)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.PingContext(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx, db, dsn, o); err != nil {
		return err
	}
	if err := countTables(ctx, db); err != nil {
		return err
	}
	// pgx keeps prepared statements per connection itself.
	if s.write, err = gorm.Open(postgresDialector{&postgres.Dialector{Config: &postgres.Config{Conn: db}}}, s.config()); err != nil {
		return err
	}
	if err := watchChanges(s.write); err != nil {
		return err
	}
	s.read = s.write
	return s.prepare(ctx, db, db, postgresWriters)
}

// countTables makes PostgreSQL analyze the tables that it never has. It does so by itself
// after some fifty changes, so never for tables that keep a few rows (rating lists,
// clubs): it takes them for tables of hundreds and reads everybody's ratings to find
// those of one player. Empty tables are left out: they will grow, and a larger estimate
// serves them better.
func countTables(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, `SELECT c.oid::regclass::text FROM pg_class c
		WHERE c.relkind = 'r' AND c.reltuples < 0 AND pg_relation_size(c.oid) > 0 AND c.relnamespace = current_schema()::regnamespace`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil || len(names) == 0 {
		return err
	}
	_, err = db.ExecContext(ctx, "ANALYZE "+strings.Join(names, ", "))
	return err
}

// postgresDialector is gorm's own with our translation of errors.
type postgresDialector struct{ *postgres.Dialector }

func (d postgresDialector) Translate(err error) error { return translate(err) }
