package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
	_ "modernc.org/sqlite" // the driver "sqlite", pure Go
)

const (
	dialectSQLite   = "sqlite"
	dialectPostgres = "postgres"
)

// checkpointEvery is how often the log is carried into the file beside the
// writers; a writer that has to do it itself makes one move wait for many.
const checkpointEvery = time.Second

// A log that has grown is cut as soon as nobody reads in it; SQLite by itself would
// leave the file as long as it ever was.
const (
	mostLog     = 8 << 20
	cutPatience = 20 // ms for which a cut may hold up writers
)

func (s *Store) openSQLite(ctx context.Context, path string, o Options) error {
	s.dialect = dialectSQLite
	s.file, s.room = path, leastRoom
	if path == "" || strings.HasPrefix(path, ":") {
		return errors.New("sqlite: needs the path of a file")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	if err := newFile(path); err != nil {
		return err
	}
	synchronous := "FULL"
	if o.Fast {
		synchronous = "OFF"
	}
	write, err := s.sqlitePool(ctx, path, 1, "_txlock=immediate", "_pragma=synchronous("+synchronous+")",
		"_pragma=wal_autocheckpoint(20000)")
	if err != nil {
		return err
	}
	if err := s.migrate(ctx, write); err != nil {
		return err
	}
	readers := o.Connections
	if readers <= 0 {
		readers = 4
	}
	read, err := s.sqlitePool(ctx, path, readers, "_pragma=query_only(1)")
	if err != nil {
		return err
	}
	checkpoint, err := s.sqlitePool(ctx, path, 1, "_pragma=busy_timeout("+strconv.Itoa(cutPatience)+")")
	if err != nil {
		return err
	}
	if s.write, err = gorm.Open(&sqliteDialector{write}, s.config(true)); err != nil {
		return err
	}
	if s.read, err = gorm.Open(&sqliteDialector{read}, s.config(true)); err != nil {
		return err
	}
	if err := watchChanges(s.write); err != nil {
		return err
	}
	s.startCheckpoints(checkpoint, path+"-wal")
	return s.prepare(ctx, write, read, 1)
}

func (s *Store) sqlitePool(ctx context.Context, path string, size int, extra ...string) (*sql.DB, error) {
	query := append([]string{
		"_pragma=journal_mode(WAL)", "_pragma=busy_timeout(10000)", "_pragma=foreign_keys(1)", "_time_format=sqlite",
	}, extra...)
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+strings.Join(query, "&"))
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, db.Close)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, db.PingContext(ctx)
}

func (s *Store) startCheckpoints(db *sql.DB, log string) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(checkpointEvery)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				if err := checkpoint(db, log); err != nil {
					s.log.Warn("checkpoint failed", "err", err)
				}
			}
		}
	}()
	s.closers = append(s.closers, func() error { close(stop); <-done; return nil })
}

// checkpoint carries the log into the file, and cuts it if it is long.
func checkpoint(db *sql.DB, log string) error {
	if _, err := db.Exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return err
	}
	if info, err := os.Stat(log); err != nil || info.Size() <= mostLog {
		return nil
	}
	if _, err := db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); !isBusy(err) {
		return err
	}
	return nil // somebody reads: the next time
}

// sqliteDialector is what gorm needs to speak SQLite through any *sql.DB. The
// schema is the migrations' business, so there is no Migrator.
type sqliteDialector struct{ conn *sql.DB }

func (d *sqliteDialector) Name() string { return dialectSQLite }

func (d *sqliteDialector) Initialize(db *gorm.DB) error {
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{
		CreateClauses: []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"},
		UpdateClauses: []string{"UPDATE", "SET", "FROM", "WHERE", "RETURNING"},
		DeleteClauses: []string{"DELETE", "FROM", "WHERE", "RETURNING"},
	})
	db.ClauseBuilders["LIMIT"] = func(c clause.Clause, b clause.Builder) {
		limit, ok := c.Expression.(clause.Limit)
		if !ok {
			return
		}
		n := -1 // OFFSET alone is no SQLite
		if limit.Limit != nil {
			n = *limit.Limit
		}
		b.WriteString("LIMIT ")
		b.AddVar(b, n)
		if limit.Offset > 0 {
			b.WriteString(" OFFSET ")
			b.AddVar(b, limit.Offset)
		}
	}
	db.ClauseBuilders["FOR"] = func(clause.Clause, clause.Builder) {} // one writer: nothing to lock
	db.ConnPool = d.conn
	return nil
}

func (d *sqliteDialector) Migrator(*gorm.DB) gorm.Migrator { return nil }
func (d *sqliteDialector) DataTypeOf(*schema.Field) string { return "" }
func (d *sqliteDialector) Translate(err error) error       { return translate(err) }
func (d *sqliteDialector) SavePoint(tx *gorm.DB, name string) error {
	return tx.Exec("SAVEPOINT " + name).Error
}
func (d *sqliteDialector) RollbackTo(tx *gorm.DB, name string) error {
	return tx.Exec("ROLLBACK TO SAVEPOINT " + name).Error
}
func (d *sqliteDialector) DefaultValueOf(*schema.Field) clause.Expression {
	return clause.Expr{SQL: "NULL"}
}
func (d *sqliteDialector) BindVarTo(w clause.Writer, _ *gorm.Statement, _ any) { w.WriteByte('?') }
func (d *sqliteDialector) QuoteTo(w clause.Writer, name string) {
	w.WriteByte('"')
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '"':
			w.WriteString(`""`)
		case '.':
			w.WriteString(`"."`)
		default:
			w.WriteByte(name[i])
		}
	}
	w.WriteByte('"')
}
func (d *sqliteDialector) Explain(sql string, vars ...any) string {
	return logger.ExplainSQL(sql, nil, `'`, vars...)
}
