package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"

	"chpok.org/chpok/engine/match"
)

// awayDriver is a database that begins nothing.
type awayDriver struct {
	begun atomic.Int64
	err   error
}

func (d *awayDriver) Connect(context.Context) (driver.Conn, error) { return d, nil }
func (d *awayDriver) Driver() driver.Driver                        { return nil }
func (d *awayDriver) Prepare(string) (driver.Stmt, error)          { return nil, d.err }
func (d *awayDriver) Close() error                                 { return nil }
func (d *awayDriver) Begin() (driver.Tx, error)                    { return nil, d.err }
func (d *awayDriver) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	d.begun.Add(1)
	return nil, d.err
}

// TestWhoeverWaitsIsToldTogetherThatTheDatabaseIsAway: each transaction may wait until
// its time is over, so eight acts that are tried one after the other are not answered
// while anybody still waits for them.
func TestWhoeverWaitsIsToldTogetherThatTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		err   error
		tries int64
	}{
		{"the database is away: once more, on another connection", context.DeadlineExceeded, 2},
		{"a row is broken: each alone", errors.New("a broken row"), 1 + 8},
	} {
		d := &awayDriver{err: c.err}
		db := sql.OpenDB(d)
		var writes atomic.Int64
		w := &committer{db: db, writes: &writes}
		var group []*pending
		for _, id := range []match.ID{"a", "b", "c", "d", "e", "f", "g", "h"} {
			group = append(group, &pending{Append{Head: Head{ID: id}}, []eventRow{{Seq: 1}}, make(chan error, 1)})
		}
		w.commit(group)
		for _, p := range group {
			if err := <-p.answer; !errors.Is(err, c.err) || errors.Is(err, ErrDown) != (c.tries == 2) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if n := d.begun.Load(); n != c.tries {
			t.Errorf("%s: %d transactions, want %d", c.name, n, c.tries)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
