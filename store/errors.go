package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"modernc.org/sqlite"

	"chpok.org/chpok/refusal"
)

// The errors of a statement, whatever the dialect. Every error that leaves this package
// wraps one of these or is a failure of the machine.
var (
	ErrNotFound = refusal.NotFound("error.not-found", "store: not found")
	ErrConflict = refusal.Conflict("error.conflict", "store: changed meanwhile") // read again and decide again
	ErrTaken    = errors.New("store: already taken")                             // UNIQUE
	ErrDangling = errors.New("store: refers to nothing")                         // FOREIGN KEY
	ErrRefused  = errors.New("store: refused by the schema")                     // CHECK, NOT NULL
	ErrDown     = refusal.Busy("error.down", "store: database does not answer")  // unreachable, or its disk is full
	ErrText     = refusal.Malformed("error.bad-request", "store: not text")      // bytes PostgreSQL rejects: NUL, broken UTF-8
)

// SQLite's extended result codes.
const (
	sqliteBusy       = 5
	sqliteReadOnly   = 8
	sqliteIOError    = 10
	sqliteCorrupt    = 11
	sqliteFull       = 13
	sqliteCantOpen   = 14
	sqliteNoDatabase = 26
	sqliteCheck      = 275
	sqliteForeignKey = 787
	sqliteNotNull    = 1299
	sqlitePrimaryKey = 1555
	sqliteUnique     = 2067
)

// translate classifies an error. gorm calls it on every error (Translate), so that no
// caller has to.
func translate(err error) error {
	var kind error
	if isDown(err) {
		kind = ErrDown
	}
	var lite *sqlite.Error
	var pg *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gorm.ErrRecordNotFound):
		kind = ErrNotFound
	case errors.As(err, &lite):
		switch lite.Code() {
		case sqliteUnique, sqlitePrimaryKey:
			kind = ErrTaken
		case sqliteForeignKey:
			kind = ErrDangling
		case sqliteCheck, sqliteNotNull:
			kind = ErrRefused
		}
	case errors.As(err, &pg):
		switch pg.Code {
		case "23505":
			kind = ErrTaken
		case "23503":
			kind = ErrDangling
		case "23514", "23502":
			kind = ErrRefused
		case "22021":
			kind = ErrText
		}
	}
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// isDown tells a database that is unreachable or cannot write from one that refuses a
// statement.
func isDown(err error) bool {
	var lite *sqlite.Error
	var pg *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(err, &lite):
		return slices.Contains([]int{sqliteBusy, sqliteReadOnly, sqliteIOError, sqliteCorrupt, sqliteFull, sqliteCantOpen, sqliteNoDatabase},
			lite.Code()&0xff)
	case errors.As(err, &connect), errors.As(err, &network):
		return !errors.Is(err, context.Canceled)
	case errors.As(err, &pg):
		// Connection, resources (53100: the disk is full), shutdown, the system, a standby.
		return slices.ContainsFunc([]string{"08", "53", "57P", "58", "25006"},
			func(class string) bool { return strings.HasPrefix(pg.Code, class) })
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err)
}

// isBusy reports whether another process holds the SQLite file.
func isBusy(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqliteBusy
}
