package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
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

// checkpointEvery is how often a separate connection checks whether the log is long
// enough to be carried into the file; a writer that has to do it itself makes one move
// wait for many. Seldom and much: what was written twice meanwhile is carried once.
const (
	checkpointEvery = 250 * time.Millisecond
	enoughLog       = 4096 // pages
	littleLog       = 256  // the writers wait while this much is carried
	turnsOfLog      = 4    // attempts to come down to littleLog
)

// A long log is truncated as soon as nobody writes or reads in it; SQLite by itself would
// leave the file at its greatest length. While the log is in use its space is reused: a
// file that need not grow is quicker on the disk.
const (
	mostLog     = 8 << 20
	longestLog  = 64 << 20 // beyond this whoever restarts it truncates it
	cutPatience = 20       // ms for which truncating may hold up writers
)

func (s *Store) openSQLite(ctx context.Context, path string, o Options) error {
	s.dialect = dialectSQLite
	s.file, s.name, s.room = path, filepath.Base(path), leastRoom
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
		"_pragma=wal_autocheckpoint(20000)", "_pragma=journal_size_limit("+strconv.Itoa(longestLog)+")")
	if err != nil {
		return err
	}
	if err := s.migrate(ctx, write, "", o); err != nil {
		return err
	}
	// A page holds one while its answer is worked out: more pages at once than processors gain nothing.
	read, err := s.sqlitePool(ctx, path, cmp.Or(o.Connections, max(4, 2*runtime.GOMAXPROCS(0))), "_pragma=query_only(1)")
	if err != nil {
		return err
	}
	checkpoint, err := s.sqlitePool(ctx, path, 1, "_pragma=busy_timeout("+strconv.Itoa(cutPatience)+")")
	if err != nil {
		return err
	}
	if s.write, err = gorm.Open(&sqliteDialector{write}, s.config()); err != nil {
		return err
	}
	if s.read, err = gorm.Open(&sqliteDialector{read}, s.config()); err != nil {
		return err
	}
	if err := watchChanges(s.write); err != nil {
		return err
	}
	s.startCheckpoints(&wal{beside: checkpoint, writer: write, file: path + "-wal"})
	return s.prepare(ctx, write, read, 1)
}

func (s *Store) sqlitePool(ctx context.Context, path string, size int, extra ...string) (*sql.DB, error) {
	query := append([]string{
		"_pragma=journal_mode(WAL)", "_pragma=busy_timeout(10000)", "_pragma=foreign_keys(1)", "_time_format=sqlite",
	}, extra...)
	db, err := openKeeper("file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(query, "&"))
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, db.Close)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, db.PingContext(ctx)
}

// wal is SQLite's write-ahead log, beside the database file.
type wal struct {
	beside *sql.DB // a connection of its own
	writer *sql.DB // the only one that writes
	file   string
	pages  int // in it at the last look
}

func (s *Store) startCheckpoints(l *wal) {
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
				if err := l.carry(); err != nil {
					s.log.Warn("checkpoint failed", "err", err)
				}
			}
		}
	}()
	s.closers = append(s.closers, func() error { close(stop); <-done; return nil })
}

// carry moves the log into the file when it is long enough, so that it restarts, and
// truncates it when it is long and nobody writes.
func (l *wal) carry() error {
	before := l.pages
	waiting, err := l.checkpoint(l.beside, "NOOP")
	if err != nil {
		return err
	}
	if before == l.pages {
		return l.cut()
	}
	if waiting < enoughLog {
		return nil
	}
	for range turnsOfLog {
		if waiting, err = l.checkpoint(l.beside, "PASSIVE"); err != nil || waiting <= littleLog {
			break
		}
	}
	if err == nil && waiting <= littleLog { // else somebody reads an older state: next time
		_, err = l.checkpoint(l.writer, "PASSIVE") // the next writer restarts the log
	}
	return err
}

// cut truncates a long log.
func (l *wal) cut() error {
	if info, err := os.Stat(l.file); err != nil || info.Size() <= mostLog {
		return nil
	}
	if _, err := l.checkpoint(l.beside, "PASSIVE"); err != nil {
		return err
	}
	if _, err := l.checkpoint(l.beside, "TRUNCATE"); !isBusy(err) {
		return err
	}
	return nil // somebody reads: next time
}

// checkpoint runs a checkpoint and returns how many pages are still to be carried.
func (l *wal) checkpoint(db *sql.DB, how string) (waiting int, err error) {
	var busy, carried int
	err = db.QueryRow("PRAGMA wal_checkpoint("+how+")").Scan(&busy, &l.pages, &carried)
	return l.pages - carried, err
}

// sqliteDialector is what gorm needs to speak SQLite through any *sql.DB. The migrations
// own the schema, so there is no Migrator.
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
		n := -1 // SQLite has no OFFSET without LIMIT
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
