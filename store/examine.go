package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"chpok.org/chpok/migrations"
)

// Health is what Examine finds out about a database.
type Health struct {
	IsNew bool // it does not exist yet; the first start makes it
	// Of SQLite.
	Free   uint64 // bytes on its disk
	IsFull bool   // too few: writes are refused
	Log    int64  // bytes in the log beside the file
	Broken error  // why its contents cannot be trusted
	// Of PostgreSQL.
	Ahead            time.Duration // how far its clock is ahead of this machine's
	Open, Most       int           // connections
	LosesCommits     bool          // a power cut can lose acknowledged commits
	Version          string
	Schema, Newest   int64 // the last migration done, and the last this program knows
	LastBeat         time.Time
	Matches, Players int64
}

// Examine looks at a database without changing it, even while servers run on it. An error
// means it cannot be reached or read.
func Examine(ctx context.Context, dsn string) (h Health, err error) {
	var db *sql.DB
	path, isFile := strings.CutPrefix(dsn, "sqlite:")
	if isFile {
		h.examineFiles(path)
		if h.IsNew {
			return h, nil
		}
		h.Broken = sound(ctx, path)
		db, err = openFile(path, "mode=ro", "_pragma=busy_timeout(2000)")
	} else {
		config, perr := pgx.ParseConfig(dsn)
		if perr != nil {
			return h, fmt.Errorf("store: examine: %w", perr)
		}
		db = stdlib.OpenDB(*config)
		err = h.examinePostgres(ctx, db)
	}
	if db != nil {
		defer db.Close()
	}
	if err == nil {
		err = h.examineTables(ctx, db, isFile)
	}
	if err != nil {
		return h, wrap(err, "examine")
	}
	return h, nil
}

func (h *Health) examineFiles(path string) {
	_, err := os.Stat(path)
	h.IsNew = errors.Is(err, fs.ErrNotExist)
	at := path
	for h.IsNew && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		if _, err := os.Stat(at); err == nil {
			break
		}
	}
	free, known := freeBytes(at)
	h.Free, h.IsFull = free, known && free < leastRoom
	if log, err := os.Stat(path + "-wal"); err == nil {
		h.Log = log.Size()
	}
}

func (h *Health) examinePostgres(ctx context.Context, db *sql.DB) error {
	var theirs time.Time
	asked := time.Now()
	if err := db.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&theirs); err != nil {
		return err
	}
	answered := time.Now()
	h.Ahead = theirs.Sub(asked.Add(answered.Sub(asked) / 2))
	var fsync, commit string
	err := db.QueryRowContext(ctx, `SELECT current_setting('server_version'), current_setting('fsync'), current_setting('synchronous_commit'),
		current_setting('max_connections')::int, (SELECT COUNT(*) FROM pg_stat_activity)`).Scan(&h.Version, &fsync, &commit, &h.Most, &h.Open)
	h.LosesCommits = fsync == "off" || commit == "off"
	return err
}

// examineTables reads what every version of the schema has.
func (h *Health) examineTables(ctx context.Context, db *sql.DB, isFile bool) error {
	h.Newest = migrations.Newest()
	dialect := dialectPostgres
	if isFile {
		dialect = dialectSQLite
	}
	var err error
	if h.Schema, err = schemaOf(ctx, db, dialect); err != nil {
		return err
	}
	if h.IsNew = h.Schema == 0; h.IsNew || h.Schema > h.Newest {
		return nil // this program cannot read a newer schema
	}
	var beat sql.NullInt64
	if err := db.QueryRowContext(ctx, "SELECT MAX(at) FROM heartbeats").Scan(&beat); err != nil {
		return err
	}
	if beat.Valid {
		h.LastBeat = at(beat.Int64)
	}
	return db.QueryRowContext(ctx, "SELECT (SELECT COUNT(*) FROM matches), (SELECT COUNT(*) FROM players)").Scan(&h.Matches, &h.Players)
}
