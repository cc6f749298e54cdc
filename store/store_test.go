package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestOpenRefusesWhatIsNoDatabase(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{"", "chpok.db", "mysql://x", "sqlite:", "sqlite::memory:"} {
		if s, err := store.Open(t.Context(), dsn, store.Options{}); err == nil {
			s.Close()
			t.Errorf("%q was opened", dsn)
		}
	}
}

// each runs a suite on both databases.
func each(t *testing.T, suite func(*testing.T, *store.Store)) {
	t.Helper()
	storetest.OneAfterAnother(t)
	storetest.Each(t, suite)
}

func TestASecondStartFindsTheSchemaInPlace(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]func(testing.TB) string{"SQLite": storetest.SQLiteDSN, "PostgreSQL": storetest.PostgresDSN} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := dsn(t)
			for range 2 {
				if err := storetest.Open(t, address).Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestNodesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	for dialect, dsn := range map[string]func(testing.TB) string{
		"SQLite":     func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "new", "chpok.db") },
		"PostgreSQL": storetest.EmptyPostgresDSN,
	} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			dsn, errs := dsn(t), make(chan error)
			for range 3 {
				go func() {
					s, err := store.Open(context.WithoutCancel(t.Context()), dsn, store.Options{})
					if err == nil {
						err = s.Close()
					}
					errs <- err
				}()
			}
			for range 3 {
				if err := <-errs; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		ctx, why := t.Context(), errors.New("changed my mind")
		err := s.Write(ctx, func(tx *store.Tx) error {
			if err := tx.Beat("one", moment(0)); err != nil {
				return err
			}
			return why
		})
		if !errors.Is(err, why) {
			t.Fatalf("Write answered %v", err)
		}
		if _, err := lastBeat(ctx, s); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("after an undone write: %v, want not found", err)
		}
	})
}

func TestAWriteInsideReadFails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		err := s.Read(t.Context(), func(tx *store.Tx) error {
			return tx.Beat("one", moment(0))
		})
		if err == nil {
			t.Error("a read wrote")
		}
	})
}
