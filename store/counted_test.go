package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"chpok.org/chpok/store/storetest"
)

// TestPostgreSQLHasLookedAtShortTables: once a database is opened, also at those that will
// hardly ever change, which it would never look at by itself and take for long ones. What is
// empty is left: a plan that was made for nothing would be kept when there is much.
func TestPostgreSQLHasLookedAtShortTables(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	dsn := storetest.EmptyPostgresDSN(t)
	storetest.Open(t, dsn)
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var short, seen, emptySeen int
	if err := conn.QueryRow(t.Context(), `SELECT COUNT(*) FILTER (WHERE pg_relation_size(oid) > 0),
			COUNT(*) FILTER (WHERE pg_relation_size(oid) > 0 AND reltuples > 0), COUNT(*) FILTER (WHERE pg_relation_size(oid) = 0 AND reltuples >= 0)
		FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`).Scan(&short, &seen, &emptySeen); err != nil {
		t.Fatal(err)
	}
	if short < 2 || seen != short || emptySeen > 0 {
		t.Errorf("of %d short tables %d were looked at, and %d empty ones", short, seen, emptySeen)
	}
}
