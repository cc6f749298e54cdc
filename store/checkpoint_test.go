package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALongLogIsCut: after many writes the log beside the file is cut, not only
// written into it. No other checkpoints run here: they would take turns with the cut.
func TestALongLogIsCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chpok.db")
	s := &Store{}
	t.Cleanup(func() { s.Close() })
	pool := func() *sql.DB {
		t.Helper()
		db, err := s.sqlitePool(t.Context(), path, 1, "_pragma=wal_autocheckpoint(0)")
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	writer, reader := pool(), pool()
	if _, err := writer.Exec("CREATE TABLE long (text TEXT)"); err != nil {
		t.Fatal(err)
	}
	reading, err := reader.Begin() // keeps the log from being cut while it grows
	if err == nil {
		_, err = reading.Exec("SELECT COUNT(*) FROM long")
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 12 {
		if _, err := writer.Exec("INSERT INTO long VALUES (?)", strings.Repeat("x", 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() <= mostLog {
		t.Fatalf("the log did not grow: %v, %v", info, err)
	}
	if err := reading.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := (&wal{beside: pool(), file: path + "-wal"}).cut(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() > mostLog {
		t.Errorf("the log was not cut: %v, %v", info, err)
	}
}

// TestALogThatIsWrittenIsBegunAnew: while somebody writes it is not cut, but what was
// carried into the file gives its place back.
func TestALogThatIsWrittenIsBegunAnew(t *testing.T) {
	t.Parallel()
	s := &Store{}
	t.Cleanup(func() { s.Close() })
	db, err := s.sqlitePool(t.Context(), filepath.Join(t.TempDir(), "chpok.db"), 1, "_pragma=wal_autocheckpoint(0)")
	if err == nil {
		_, err = db.Exec("CREATE TABLE long (text TEXT)")
	}
	if err != nil {
		t.Fatal(err)
	}
	write := func() {
		t.Helper()
		if _, err := db.Exec("INSERT INTO long VALUES (?)", strings.Repeat("x", 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	for range enoughLog*4096>>20 + 1 { // pages of 4 KB
		write()
	}
	l := &wal{beside: db, writer: db}
	if err := l.carry(); err != nil {
		t.Fatal(err)
	}
	if l.pages < enoughLog {
		t.Fatalf("%d pages were no long log", l.pages)
	}
	write()
	if _, err := l.checkpoint(db, "NOOP"); err != nil || l.pages > enoughLog/2 {
		t.Errorf("after it was carried the log holds %d pages, %v: it was not begun anew", l.pages, err)
	}
}
