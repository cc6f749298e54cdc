package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAFullDiskIsADatabaseThatIsDown: the file may not grow, and reading goes on.
func TestAFullDiskIsADatabaseThatIsDown(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "chpok.db"), Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.write.Exec("PRAGMA max_page_count = 1").Error; err != nil { // as many as there are
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *Tx) error { return tx.SetSetting("much", strings.Repeat("x", 1<<20)) })
	if !errors.Is(err, ErrDown) {
		t.Errorf("%v, want that the database is down", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("with room on the disk: %v", err)
	}
	s.room = 1 << 62
	if err := s.Ping(t.Context()); !errors.Is(err, ErrDown) {
		t.Errorf("without: %v", err)
	}
	err = s.Read(t.Context(), func(tx *Tx) error {
		_, _, err := tx.Beats("me")
		return err
	})
	if err != nil {
		t.Errorf("read: %v", err)
	}
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.AddOutage(Outage{time.UnixMilli(1), time.UnixMilli(2)}) }); errors.Is(err, ErrTaken) {
		t.Error(err)
	}
}
