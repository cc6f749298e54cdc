package store

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestALongLogIsCut: after many writes the log beside the file is cut, not only
// written into it.
func TestALongLogIsCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chpok.db")
	s, err := Open(t.Context(), "sqlite:"+path, Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	reader, err := s.read.DB()
	if err != nil {
		t.Fatal(err)
	}
	reading, err := reader.Begin() // keeps the log from being cut while it grows
	if err == nil {
		_, err = reading.Exec("SELECT COUNT(*) FROM settings")
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SetSetting(strconv.Itoa(i), strings.Repeat("x", 1<<20)) }); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() <= mostLog {
		t.Fatalf("the log did not grow: %v, %v", info, err)
	}
	if err := reading.Rollback(); err != nil {
		t.Fatal(err)
	}
	db, err := s.sqlitePool(t.Context(), path, 1)
	if err == nil {
		err = checkpoint(db, path+"-wal")
	}
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() > mostLog {
		t.Errorf("the log was not cut: %v, %v", info, err)
	}
}
