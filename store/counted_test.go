package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"chpok.org/chpok/store/storetest"
)

// TestPostgreSQLHasLookedAtEveryTable: once a database is opened, also at those that will
// hardly ever change, which it would never look at by itself and take for long ones.
func TestPostgreSQLHasLookedAtEveryTable(t *testing.T) {
	t.Parallel()
	dsn := storetest.EmptyPostgresDSN(t)
	storetest.Open(t, dsn)
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var tables, unseen int
	if err := conn.QueryRow(t.Context(), `SELECT COUNT(*), COUNT(*) FILTER (WHERE reltuples < 0) FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`).Scan(&tables, &unseen); err != nil {
		t.Fatal(err)
	}
	if tables < 50 || unseen > 0 {
		t.Errorf("of %d tables %d were not looked at", tables, unseen)
	}
}
