package store_test

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"modernc.org/sqlite"

	"chpok.org/chpok/migrations"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// Two migrations after the schema of this program: the first expands it and fills what it
// adds, the second contracts it.
const (
	expand = `-- +goose Up
ALTER TABLE players ADD COLUMN motto TEXT NOT NULL DEFAULT '';
CREATE TABLE mottoes (
    player_id TEXT NOT NULL PRIMARY KEY REFERENCES players (id),
    motto     TEXT NOT NULL
);
UPDATE players SET motto = handle || '!';
INSERT INTO mottoes (player_id, motto) SELECT id, motto FROM players;
`
	contract = `-- +goose Up
CREATE INDEX mottoes_by_motto ON mottoes (motto);
ALTER TABLE players DROP COLUMN motto;
`
	expanded, contracted = 9001, 9002
)

// later is the program's migrations for a dialect, and more that follow.
func later(t testing.TB, dialect string, more ...string) fstest.MapFS {
	t.Helper()
	all, files := fstest.MapFS{}, migrations.For(dialect)
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d migrations: %v", len(names), err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	for i, text := range more {
		all[fmt.Sprintf("%d_more.sql", expanded+i)] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// upgrades are options under which the schema is a later one.
func upgrades(t testing.TB, dialect string, more ...string) store.Options {
	t.Helper()
	return store.Options{Fast: true, NoBackup: true}.WithMigrations(later(t, dialect, more...))
}

// afterEach is a migration that does something after its nth statement, 0: before the first.
// False: it has fewer.
func afterEach(migration string, n int, do string) (string, bool) {
	lines := strings.SplitAfter(migration, "\n")
	for i, line := range lines {
		code, _, _ := strings.Cut(line, "--")
		if strings.HasSuffix(strings.TrimSpace(code), ";") || strings.HasPrefix(line, "-- +goose Up") {
			if n--; n < 0 {
				return strings.Join(slices.Insert(lines, i+1, do+";\n"), ""), true
			}
		}
	}
	return "", false
}

func init() {
	// snap copies a database with its log as kill -9 would leave both here, and fails.
	sqlite.MustRegisterScalarFunction("snap", 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		for _, end := range []string{"", "-wal"} {
			raw, err := os.ReadFile(args[0].(string) + end)
			if err == nil {
				err = os.WriteFile(args[1].(string)+end, raw, 0o600)
			}
			if err != nil {
				return nil, err
			}
		}
		return nil, errors.New("snapped")
	})
}

// interrupted is a database that an upgrade was broken off on.
type interrupted struct {
	name string
	open func(store.Options) (*store.Store, error) // as it was left
}

// interrupt begins an upgrade of a database of this program with one player, and breaks it
// off after the nth statement of one of the migrations that follow: on SQLite a copy is left
// as kill -9 leaves the files, on PostgreSQL the server ends the connection.
func interrupt(t *testing.T, dialect string, more []string, at, n int) (interrupted, bool) {
	t.Helper()
	dir := t.TempDir()
	var dsn, left, do string
	if dialect == "sqlite" {
		dsn = storetest.SQLiteDSN(t)
		left = "sqlite:" + filepath.Join(dir, "left.db")
		do = fmt.Sprintf("SELECT snap('%s', '%s')", strings.TrimPrefix(dsn, "sqlite:"), strings.TrimPrefix(left, "sqlite:"))
	} else {
		dsn = storetest.PostgresDSN(t)
		left, do = dsn, "SELECT pg_terminate_backend(pg_backend_pid())"
	}
	broken, isThere := afterEach(more[at], n, do)
	if !isThere {
		return interrupted{}, false
	}
	s, err := store.Open(t.Context(), dsn, store.Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Players(t, s, "ana")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	with := slices.Clone(more)
	with[at] = broken
	if s, err := store.Open(t.Context(), dsn, upgrades(t, dialect, with...)); err == nil {
		s.Close()
		t.Fatal("nothing has broken the upgrade off")
	}
	return interrupted{fmt.Sprintf("%s, migration %d, after statement %d", dialect, at+1, n), func(o store.Options) (*store.Store, error) {
		return store.Open(t.Context(), left, o)
	}}, true
}

// TestAnUpgradeThatIsBrokenOffAnywhereIsRepeated: after every statement of both migrations,
// on both databases, and the repeat ends where an upgrade without interruption does.
func TestAnUpgradeThatIsBrokenOffAnywhereIsRepeated(t *testing.T) {
	t.Parallel()
	more := []string{expand, contract}
	for _, dialect := range []string{"sqlite", "postgres"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			points := 0
			for at := range more {
				for n := 0; ; n++ {
					x, isThere := interrupt(t, dialect, more, at, n)
					if !isThere {
						break
					}
					points++
					s, err := x.open(upgrades(t, dialect, more...))
					if err != nil {
						t.Errorf("%s: %v", x.name, err)
						continue
					}
					var motto string
					var columns, schema int
					err = s.Raw(func(db *sql.DB) error {
						err := db.QueryRow("SELECT motto FROM mottoes WHERE player_id = 'ana'").Scan(&motto)
						if err == nil {
							err = db.QueryRow("SELECT MAX(version_id) FROM goose_db_version").Scan(&schema)
						}
						if err == nil && db.QueryRow("SELECT COUNT(motto) FROM players").Scan(&columns) == nil {
							err = errors.New("the column is still there")
						}
						return err
					})
					if err != nil || motto != "ana!" || schema != contracted {
						t.Errorf("%s: repeated, schema %d, %q, %v", x.name, schema, motto, err)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
					t.Logf("broken off: %s; repeated: schema %d", x.name, schema)
				}
			}
			if points != 4+1+2+1 {
				t.Errorf("broken off at %d points", points)
			}
		})
	}
}

// TestADatabaseIsCopiedBeforeItsSchemaChanges, told in the log, three at most are kept, and a
// copy is a database of the former schema. A new database is not copied.
func TestADatabaseIsCopiedBeforeItsSchemaChanges(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "chpok.db")
	var log bytes.Buffer
	more := []string{expand, contract}
	upgrade := func(n int) *store.Store {
		t.Helper()
		o := store.Options{Fast: true, Logger: slog.New(slog.NewTextHandler(&log, nil))}.WithMigrations(later(t, "sqlite", more[:n]...))
		s, err := store.Open(t.Context(), "sqlite:"+path, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	copies := func() (names []string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, "*.schema-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			names = append(names, strings.TrimPrefix(filepath.Base(f), "chpok.db.schema-"))
		}
		return names
	}
	s := upgrade(0)
	storetest.Players(t, s, "ana")
	s.Close()
	if got := copies(); len(got) != 0 || log.Len() > 0 {
		t.Errorf("a new database left copies %v and said %s", got, &log)
	}
	upgrade(1).Close()
	if got := copies(); len(got) != 1 || !strings.Contains(log.String(), path+".schema-"+got[0]) {
		t.Fatalf("copies %v, said %s", got, &log)
	}
	has(t, path+".schema-"+copies()[0], "ana")
	for i := range 4 {
		more = append(more, fmt.Sprintf("-- +goose Up\nCREATE TABLE more_%d (id TEXT);\n", i))
		upgrade(len(more)).Close()
	}
	if got := copies(); !slices.Equal(got, []string{"9003", "9004", "9005"}) {
		t.Errorf("kept: %v", got)
	}
	said := log.Len()
	upgrade(len(more)).Close()
	if log.Len() != said {
		t.Errorf("a start without an upgrade said %s", log.String()[said:])
	}

	_, err := store.Open(t.Context(), "sqlite:"+path, store.Options{}.WithMigrations(later(t, "sqlite", more[:4]...)))
	if err == nil || !strings.Contains(err.Error(), "newer program, Chpok (devel): schema 9006") || !strings.Contains(err.Error(), path+".schema-9004") {
		t.Errorf("an older program on it: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "chpok.db.schema-9006"), 0o700); err != nil { // in the way of the copy
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "chpok.db.schema-9006", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	more = append(more, "-- +goose Up\nCREATE TABLE last (id TEXT);\n")
	o := store.Options{Fast: true}.WithMigrations(later(t, "sqlite", more...))
	if _, err := store.Open(t.Context(), "sqlite:"+path, o); err == nil || !strings.Contains(err.Error(), "nothing has changed") {
		t.Errorf("without room for a copy: %v", err)
	}
	o.NoBackup = true
	s, err = store.Open(t.Context(), "sqlite:"+path, o)
	if err != nil {
		t.Fatalf("without a copy: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPostgreSQLIsDumpedBeforeItsSchemaChanges, and pg_restore reads the file.
func TestPostgreSQLIsDumpedBeforeItsSchemaChanges(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"pg_dump", "pg_restore"} {
		if _, err := exec.LookPath(program); err != nil {
			storetest.Missing(t, program)
		}
	}
	dsn, dir := storetest.PostgresDSN(t), filepath.Join(t.TempDir(), "copies")
	o := store.Options{Fast: true, BackupDir: dir}.WithMigrations(later(t, "postgres", expand))
	s, err := store.Open(t.Context(), dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.schema-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("copies %v, %v", files, err)
	}
	list, err := exec.Command("pg_restore", "--list", files[0]).Output()
	if err != nil || !strings.Contains(string(list), "TABLE DATA public match_events") || strings.Contains(string(list), "mottoes") {
		t.Errorf("the copy: %v\n%s", err, list)
	}
}

// TestEveryMigrationIsOneTransaction, on which rests that it can be broken off anywhere.
func TestEveryMigrationIsOneTransaction(t *testing.T) {
	t.Parallel()
	for name, file := range later(t, "sqlite") {
		if strings.Contains(strings.ToUpper(string(file.Data)), "NO TRANSACTION") {
			t.Errorf("%s goes without one", name)
		}
	}
}
