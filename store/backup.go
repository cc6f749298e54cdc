package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What copying an SQLite database refuses.
var (
	ErrFileExists = errors.New("there is such a file already")
	ErrRunning    = errors.New("a server is running on the database; stop it first")
	ErrDamaged    = errors.New("not a sound database of Chpok")
	ErrSameFile   = errors.New("a database is no copy of itself")
)

// Backup copies an SQLite database to a new file, as it stands at one moment: what
// is still in the log beside the file is in the copy. A server may go on meanwhile.
// The copy is checked before it gets its name. ErrFileExists, unless over; then also
// the log goes that may lie beside the file, for it is not the copy's.
func Backup(ctx context.Context, path, to string, over bool) error {
	from, err := os.Stat(path)
	if err != nil {
		return err
	}
	there, err := os.Stat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case os.SameFile(from, there):
		return fmt.Errorf("%s: %w", to, ErrSameFile)
	case !over:
		return fmt.Errorf("%s: %w", to, ErrFileExists)
	}
	part := to + ".part"
	if err := copySQLite(ctx, path, part); err != nil {
		return err
	}
	if err := removeFiles(to, sqliteFiles[1:]); err != nil {
		return err
	}
	return settle(part, to)
}

// Restore puts a copy in the place of an SQLite database, on which no server may be
// running (ErrRunning). A copy with an older schema is brought up to date first, one
// that is damaged or of a newer program is refused, and nothing has changed then. It
// answers where the former database lies; empty: there was none.
func Restore(ctx context.Context, path, from string, now time.Time) (kept string, err error) {
	if _, err := os.Stat(from); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return "", err
	}
	if err := alone(ctx, path); err != nil {
		return "", err
	}
	fresh := path + ".restoring"
	if err := copySQLite(ctx, from, fresh); err != nil {
		return "", err
	}
	s, err := Open(ctx, "sqlite:"+fresh, Options{NoBackup: true})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return "", errors.Join(err, removeSQLite(fresh))
	}
	if kept, err = setAside(path, now); err != nil {
		return kept, err
	}
	return kept, settle(fresh, path)
}

// copySQLite writes what a database holds into a new file and checks it.
func copySQLite(ctx context.Context, from, to string) error {
	if err := removeSQLite(to); err != nil { // of an attempt that was broken off
		return err
	}
	db, err := openFile(from, "mode=rw", "_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	defer db.Close()
	var versions int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM goose_db_version").Scan(&versions); err != nil {
		return fmt.Errorf("%s: %w: %w", from, ErrDamaged, err)
	}
	if err := newFile(to); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return errors.Join(fmt.Errorf("%s: %w: %w", from, ErrDamaged, err), removeSQLite(to))
	}
	if err := sound(ctx, to); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", from, err), removeSQLite(to))
	}
	return nil
}

// sound is nil or why a database cannot be relied on.
func sound(ctx context.Context, path string) error {
	db, err := openFile(path, "mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	var table string
	err = db.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return fmt.Errorf("%w: a row of %s refers to nothing", ErrDamaged, table)
}

// alone is nil if nobody has the database open. What is left in the log beside it
// goes into the file, if that is sound, so that it is whole when it is set aside.
func alone(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := openFile(path, "mode=rw", "_pragma=busy_timeout(200)")
	if err != nil {
		return err
	}
	defer db.Close()
	// Leaving the mode with a log asks for the file alone, and takes the log in.
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode=DELETE"); isBusy(err) {
		return fmt.Errorf("%s: %w", path, ErrRunning)
	}
	return ctx.Err()
}

// setAside gives a database another name, with what belongs to it.
func setAside(path string, now time.Time) (kept string, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", removeSQLite(path) // a log without its file is of no use
	}
	kept = path + ".before-" + now.UTC().Format("20060102-150405")
	if _, err := os.Stat(kept); err == nil {
		return "", fmt.Errorf("%s: %w", kept, ErrFileExists)
	}
	for _, end := range sqliteFiles {
		if err := os.Rename(path+end, kept+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, err
		}
	}
	return kept, nil
}

// sqliteFiles are the ends of the names of the files a database can have.
var sqliteFiles = [...]string{"", "-wal", "-shm", "-journal"}

func removeSQLite(path string) error { return removeFiles(path, sqliteFiles[:]) }

func removeFiles(path string, ends []string) error {
	for _, end := range ends {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// settle gives a whole file its name, on the disk too.
func settle(path, name string) error {
	for _, step := range []func() error{
		func() error { return flush(path) },
		func() error { return os.Rename(path, name) },
		func() error { return flush(filepath.Dir(name)) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// newFile makes an empty file that nobody else reads: passwords' hashes and keys
// will be in it.
func newFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func openFile(path string, options ...string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+strings.Join(options, "&"))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}
