// Package storetest gives every test a database of its own: a new SQLite file, or a new
// database in a temporary PostgreSQL cluster, which the first test that asks starts from
// the server programs of the machine. Without PostgreSQL, tests are skipped with one
// line, and fail with CI=true.
package storetest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// options spare every test waiting for the disk.
var options = store.Options{Fast: true}

// Each runs a suite twice, on SQLite and on PostgreSQL.
func Each(t *testing.T, suite func(*testing.T, *store.Store)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { suite(t, SQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { suite(t, Postgres(t)) })
}

// EveryDatabase names the variable that makes One run as Each does.
const EveryDatabase = "CHPOK_TEST_EVERY_DATABASE"

// One runs a suite on SQLite alone, which is six times as quick. It is for rooms above the
// store whose other tests reach with Each whatever of the store they do not: what the
// databases do differently is in the store's statements, and those all run on both.
func One(t *testing.T, suite func(*testing.T, *store.Store)) {
	t.Helper()
	if os.Getenv(EveryDatabase) != "" {
		Each(t, suite)
		return
	}
	t.Run("SQLite", func(t *testing.T) { suite(t, SQLite(t)) })
}

// SQLite is an empty migrated database in a file.
func SQLite(t testing.TB) *store.Store { return Open(t, SQLiteDSN(t)) }

// Postgres is an empty migrated database.
func Postgres(t testing.TB) *store.Store { return Open(t, PostgresDSN(t)) }

// Open opens a database until the test ends: twice the same dsn makes two nodes.
func Open(t testing.TB, dsn string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dsn, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// SQLiteDSN names a file with an empty migrated database.
func SQLiteDSN(t testing.TB) string {
	t.Helper()
	bytes, err := migratedFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "chpok.db")
	if err := os.WriteFile(path, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// migratedFile runs the migrations once and keeps the resulting file.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "chpok-storetest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "empty.db")
	if err := migrate("sqlite:" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Players adds accounts whose ids are their handles; those that begin with "bot" are bots.
func Players(t testing.TB, s *store.Store, handles ...string) {
	t.Helper()
	err := s.Write(context.Background(), func(tx *store.Tx) error {
		for _, h := range handles {
			p := player.Player{ID: player.ID(h), Handle: player.Handle(h), Role: player.Plain, Bot: strings.HasPrefix(h, "bot")}
			if err := tx.AddPlayer(p, ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
