package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"path/filepath"
	"strconv"
	"testing"
)

// counted is a driver that counts what its connections prepare and have not closed.
type counted struct {
	driver.Driver
	prepared, open int
}

type countedConn struct {
	sqliteConn
	of *counted
}

type countedStatement struct {
	sqliteStatement
	of *counted
}

func (d *counted) Open(dsn string) (driver.Conn, error) {
	conn, err := d.Driver.Open(dsn)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn.(sqliteConn), d}, nil
}

func (c *countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.sqliteConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.of.prepared++
	c.of.open++
	return &countedStatement{stmt.(sqliteStatement), c.of}, nil
}

func (s *countedStatement) Close() error {
	s.of.open--
	return s.sqliteStatement.Close()
}

// TestAStatementIsPreparedOncePerConnection, however many transactions use it; two at a
// time have one each, the ones used least go, and with the connection all.
func TestAStatementIsPreparedOncePerConnection(t *testing.T) {
	t.Parallel()
	bare, err := sql.Open("sqlite", "")
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	count := &counted{Driver: bare.Driver()}
	db := sql.OpenDB(keeper{count, "file:" + filepath.Join(t.TempDir(), "x.db")})
	db.SetMaxOpenConns(1)
	inTx := func(f func(tx *sql.Tx)) {
		t.Helper()
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		f(tx)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(tx *sql.Tx, query string, want int, within func()) {
		t.Helper()
		rows, err := tx.QueryContext(t.Context(), query, want)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		got := 0
		for rows.Next() {
			if err := rows.Scan(&got); err != nil {
				t.Fatal(err)
			}
			within()
		}
		if err := rows.Err(); err != nil || got != want {
			t.Errorf("%s: %d, want %d; %v", query, got, want, err)
		}
	}
	none := func() {}
	for n := range 3 {
		inTx(func(tx *sql.Tx) { ask(tx, "SELECT ?", n, none); ask(tx, "SELECT ?", n+10, none) })
	}
	if count.prepared != 1 {
		t.Errorf("prepared %d times", count.prepared)
	}
	inTx(func(tx *sql.Tx) { ask(tx, "SELECT ?", 1, func() { ask(tx, "SELECT ?", 2, none) }) })
	if count.prepared != 2 || count.open != 1 {
		t.Errorf("two at a time: prepared %d times, %d are kept", count.prepared, count.open)
	}
	for n := range mostStatements {
		inTx(func(tx *sql.Tx) { ask(tx, "SELECT ? -- "+strconv.Itoa(n), n, none) })
	}
	if count.open != mostStatements {
		t.Errorf("%d are kept, want %d", count.open, mostStatements)
	}
	inTx(func(tx *sql.Tx) { ask(tx, "SELECT ? -- 7", 7, none); ask(tx, "SELECT ?", 3, none) })
	if count.prepared != 2+mostStatements+1 {
		t.Errorf("prepared %d times: one that was kept, or the one that had to go is still there", count.prepared)
	}
	if err := db.Close(); err != nil || count.open != 0 {
		t.Errorf("%d are left; %v", count.open, err)
	}
}
