package store

import (
	"container/list"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// mostStatements is how many statements a connection to SQLite keeps, those used last.
const mostStatements = 256

// keeper opens connections to SQLite that keep their prepared statements. Everything in
// this package runs in transactions, and neither gorm nor database/sql keeps a statement
// of one for the next: parsing and planning it at every use took longer than most
// statements.
type keeper struct {
	driver driver.Driver
	dsn    string
}

func openKeeper(dsn string) (*sql.DB, error) {
	bare, err := sql.Open("sqlite", dsn) // does not connect yet
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keeper{bare.Driver(), dsn}), bare.Close()
}

func (k keeper) Driver() driver.Driver { return k.driver }

func (k keeper) Connect(context.Context) (driver.Conn, error) {
	conn, err := k.driver.Open(k.dsn)
	if err != nil {
		return nil, err
	}
	whole, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("store: the driver of SQLite has changed"), conn.Close())
	}
	return &keptConn{sqliteConn: whole, statements: map[string]*list.Element{}, used: list.New()}, nil
}

// sqliteConn is the part of the driver's connection that is passed on. Its direct queries
// are not: they become statements.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keptConn is a connection with its idle statements; database/sql uses it from one
// goroutine at a time.
type keptConn struct {
	sqliteConn
	statements map[string]*list.Element // by query; a *keptStatement
	used       *list.List               // the last used in front
}

type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type keptStatement struct {
	sqliteStatement
	conn  *keptConn
	query string
}

// PrepareContext hands out an idle statement for the query, or prepares another: two
// queries with the same text at the same time have one each.
func (c *keptConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if e, ok := c.statements[query]; ok {
		return c.take(e), nil
	}
	stmt, err := c.sqliteConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	whole, ok := stmt.(sqliteStatement)
	if !ok {
		return stmt, nil
	}
	return &keptStatement{whole, c, query}, nil
}

func (c *keptConn) take(e *list.Element) *keptStatement {
	s := c.used.Remove(e).(*keptStatement)
	delete(c.statements, s.query)
	return s
}

// Close keeps the statement for the next use.
func (s *keptStatement) Close() error {
	c := s.conn
	if _, known := c.statements[s.query]; known {
		return s.sqliteStatement.Close()
	}
	c.statements[s.query] = c.used.PushFront(s)
	if c.used.Len() <= mostStatements {
		return nil
	}
	return c.take(c.used.Back()).sqliteStatement.Close()
}

// Close closes the idle statements and the connection.
func (c *keptConn) Close() error {
	var errs []error
	for e := c.used.Front(); e != nil; e = c.used.Front() {
		errs = append(errs, c.take(e).sqliteStatement.Close())
	}
	return errors.Join(append(errs, c.sqliteConn.Close())...)
}
