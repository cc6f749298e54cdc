package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

var restoredAt = time.Date(2026, 11, 23, 3, 0, 0, 0, time.UTC)

// handles are the accounts of a database.
func handles(t *testing.T, s *store.Store) (list []string) {
	t.Helper()
	err := s.Read(t.Context(), func(tx *store.Tx) error {
		for _, h := range []player.Handle{"ana", "bob"} {
			if _, err := tx.PlayerByHandle(h); err == nil {
				list = append(list, string(h))
			} else if !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// has tells of a database that nobody has open who is in it, by opening it.
func has(t *testing.T, path, want string) {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite:"+path, store.Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(handles(t, s), " "); got != want {
		t.Errorf("%s has %q, want %q", filepath.Base(path), got, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestABackupOfARunningDatabaseIsRestored: what is in the log only is in the copy; a
// running server keeps a restore away; what was there is kept.
func TestABackupOfARunningDatabaseIsRestored(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "chpok.db"), filepath.Join(dir, "copy.db")
	s, err := store.Open(t.Context(), "sqlite:"+path, store.Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Players(t, s, "ana")
	if err := store.Backup(t.Context(), path, copied, false); err != nil {
		t.Fatal(err)
	}
	if err := store.Backup(t.Context(), path, copied, false); !errors.Is(err, store.ErrFileExists) {
		t.Errorf("over a file: %v", err)
	}
	if err := store.Backup(t.Context(), path, copied, true); err != nil {
		t.Errorf("over a file, as told: %v", err)
	}
	for _, file := range []string{path, copied} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	storetest.Players(t, s, "bob")
	if _, err := store.Restore(t.Context(), path, copied, restoredAt); !errors.Is(err, store.ErrRunning) {
		t.Fatalf("with a running server: %v", err)
	}
	if got := handles(t, s); len(got) != 2 {
		t.Errorf("after the refusal: %v", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := store.Restore(t.Context(), path, copied, restoredAt)
	if err != nil || kept != path+".before-20261123-030000" {
		t.Fatalf("%q, %v", kept, err)
	}
	has(t, path, "ana")
	has(t, kept, "ana bob")
	if _, err := store.Restore(context.Background(), filepath.Join(dir, "new", "chpok.db"), copied, restoredAt); err != nil {
		t.Errorf("where there was none: %v", err)
	}
}

// TestABackupTakesThePlaceOfADatabaseWithItsLog, and never that of the one it is of.
func TestABackupTakesThePlaceOfADatabaseWithItsLog(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	dir := t.TempDir()
	path, other, killed := filepath.Join(dir, "chpok.db"), filepath.Join(dir, "other.db"), filepath.Join(dir, "killed.db")
	s := storetest.Open(t, "sqlite:"+path)
	storetest.Players(t, s, "ana")
	before := storetest.Open(t, "sqlite:"+other)
	storetest.Players(t, before, "bob")
	copyFile(t, other, killed)
	copyFile(t, other+"-wal", killed+"-wal")
	if err := store.Backup(t.Context(), path, killed, true); err != nil {
		t.Fatal(err)
	}
	has(t, killed, "ana")
	for _, over := range []bool{false, true} {
		if err := store.Backup(t.Context(), path, filepath.Join(dir, ".", "chpok.db"), over); !errors.Is(err, store.ErrSameFile) {
			t.Errorf("over itself: %v", err)
		}
	}
	if got := handles(t, s); len(got) != 1 {
		t.Errorf("after the refusal: %v", got)
	}
}

// TestARestoreIsNotSpoiledByALogThatWasLeft: a server that was killed leaves a log
// beside the file; it belongs to what was there, and goes with it.
func TestARestoreIsNotSpoiledByALogThatWasLeft(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	dir := t.TempDir()
	path, copied, killed := filepath.Join(dir, "chpok.db"), filepath.Join(dir, "copy.db"), filepath.Join(dir, "killed.db")
	s := storetest.Open(t, "sqlite:"+path)
	storetest.Players(t, s, "ana")
	if err := store.Backup(t.Context(), path, copied, false); err != nil {
		t.Fatal(err)
	}
	storetest.Players(t, s, "bob")
	for _, end := range []string{"", "-wal", "-shm"} { // as a kill leaves it
		copyFile(t, path+end, killed+end)
	}
	kept, err := store.Restore(t.Context(), killed, copied, restoredAt)
	if err != nil {
		t.Fatal(err)
	}
	has(t, killed, "ana")
	has(t, kept, "ana bob")
}

// TestCopiesOfOtherSchemas: an older one is brought up to date, a newer one refused.
func TestCopiesOfOtherSchemas(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	dir := t.TempDir()
	path, older, newer, broken := filepath.Join(dir, "chpok.db"), filepath.Join(dir, "old.db"), filepath.Join(dir, "new.db"), filepath.Join(dir, "broken.db")
	s := storetest.Open(t, "sqlite:"+path)
	storetest.Players(t, s, "ana")
	if err := store.Backup(t.Context(), path, newer, false); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for file, statements := range map[string][]string{
		older: {"CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))",
			"INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)"},
		newer: {"INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"},
	} {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range statements {
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(broken, []byte("SQLite format 3\x00 and then nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(t.Context(), path, newer, restoredAt); err == nil || !strings.Contains(err.Error(), "newer program: schema 9999") {
		t.Errorf("a newer one: %v", err)
	}
	if _, err := store.Restore(t.Context(), path, broken, restoredAt); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a broken one: %v", err)
	}
	has(t, path, "ana") // nothing has changed
	if _, err := store.Restore(t.Context(), path, older, restoredAt); err != nil {
		t.Fatal(err)
	}
	has(t, path, "")
	if left, err := filepath.Glob(filepath.Join(dir, "*.restoring*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
