// Package store is the persistence: it converts domain values to rows and back, in atomic
// transactions. Rules are in the domain packages; here are only guards against lost
// updates.
//
// One file per aggregate (players.go, matches.go, …). Each holds, in this order: the
// exported types only this file has; the unexported rows with a TableName and two
// functions (row → value, value → row); then the methods of *Tx, reads first. Rows never
// leave the package. Times are UTC milliseconds in the tables (see ms and at). A guarded
// update looks at the number of rows it changed and fails with ErrConflict without any;
// errors name the operation (see wrap).
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

// Store is one open database. Close it.
type Store struct {
	dialect string
	file    string   // SQLite's; empty: PostgreSQL
	name    string   // of the database, or of its file
	room    uint64   // free bytes with fewer of which its disk counts as full
	write   *gorm.DB // SQLite: one connection, so writers queue instead of failing
	read    *gorm.DB
	tail    *sql.Stmt // the read every command begins with
	group   *committer
	reads   atomic.Int64
	writes  atomic.Int64
	changes atomic.Int64
	lengths ratingLengths
	seals   []seal
	closers []func() error
	log     *slog.Logger

	listening sync.Mutex
	accounts  []func()
	gates     []func()
}

// Options of Open; the zero value serves.
type Options struct {
	Logger *slog.Logger // nil: discard
	// Fast lets SQLite answer before the disk has the data, so that a power cut
	// (not a crash of the process) can lose the last moments. For tests and demos.
	Fast bool
	// Key seals what must be shown again; nil: one that the database keeps.
	Key []byte
	// BackupDir takes the copies from before the schema changes. Empty: beside an SQLite
	// file; for PostgreSQL "data".
	BackupDir string
	// NoBackup changes the schema without a copy.
	NoBackup bool
	// Connections bounds the pool (Postgres, 0: 16) or the readers (SQLite, 0: 4, or two a processor).
	Connections int

	migrations fs.FS // nil: this program's
}

// Tx is one transaction. Its methods are the aggregates; code outside this
// package cannot reach the connection. Do not keep it after the closure.
type Tx struct {
	db       *gorm.DB
	seals    []seal
	after    []func()
	accounts bool           // changed an account, or what signs somebody in
	gates    bool           // changed what players' commands are judged by
	told     bool           // changed something visitors see
	rated    bool           // changed a rating list
	lengths  *ratingLengths // nil in a transaction that writes
	began    int64          // lengths.changed at the start
	frozen   string         // the policy that this transaction has written last
}

// AfterCommit calls f once the transaction has been committed, never when it is undone,
// to wake those concerned. f must not use the database.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

// OnAccounts calls f after every write that may have changed an account or ended a
// session, token or link, for those who cache them. f must not use the database.
func (s *Store) OnAccounts(f func()) {
	s.listening.Lock()
	defer s.listening.Unlock()
	s.accounts = append(s.accounts, f)
}

// OnGates calls f after every write that may have changed what players' commands are
// judged by, for those who cache it. f must not use the database.
func (s *Store) OnGates(f func()) {
	s.listening.Lock()
	defer s.listening.Unlock()
	s.gates = append(s.gates, f)
}

func (s *Store) tell(listeners *[]func()) {
	s.listening.Lock()
	told := slices.Clone(*listeners)
	s.listening.Unlock()
	for _, f := range told {
		f()
	}
}

const (
	openPatience = 15 * time.Second
	openPause    = 50 * time.Millisecond
)

// Open opens the database named by dsn, "sqlite:PATH" or "postgres://…", and
// brings its schema up to date. Several nodes may do so at once.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{log: o.Logger}
	var err error
	switch {
	case strings.HasPrefix(dsn, "sqlite:"):
		// Switching to WAL and the first migration lock the whole file, and fail at once
		// if another process is doing the same.
		for deadline := time.Now().Add(openPatience); ; {
			err = s.openSQLite(ctx, strings.TrimPrefix(dsn, "sqlite:"), o)
			if !isBusy(err) || time.Now().After(deadline) {
				break
			}
			if err = s.Close(); err != nil {
				break
			}
			select {
			case <-ctx.Done():
			case <-time.After(openPause):
			}
		}
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		err = s.openPostgres(ctx, dsn, o)
	default:
		err = errors.New("neither sqlite:PATH nor postgres://…")
	}
	if err == nil {
		err = s.takeSeals(ctx, o.Key)
	}
	if err != nil {
		return nil, errors.Join(wrap(err, "open"), s.Close())
	}
	return s, nil
}

// prepare sets up the two ways around gorm: the tail and the group commit.
func (s *Store) prepare(ctx context.Context, write, read *sql.DB, writers int) error {
	var err error
	if s.tail, err = read.PrepareContext(ctx, selectTail); err != nil {
		return err
	}
	s.closers = append(s.closers, s.tail.Close)
	return s.startCommitter(ctx, write, writers)
}

// Writes counts the write transactions this node has tried.
func (s *Store) Writes() int64 { return s.writes.Load() }

// Changes counts what this node may have changed. While it stays the same, what visitors
// read still holds, except for acts in matches, which Appends counts, and for what other
// nodes write.
func (s *Store) Changes() int64 { return s.changes.Load() }

// Appends counts the groups of acts this node has tried to commit.
func (s *Store) Appends() int64 { return s.group.counts.groups.Load() }

// Reads counts the read transactions and the tails.
func (s *Store) Reads() int64 { return s.reads.Load() }

// Close waits for running transactions and releases everything.
func (s *Store) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// Dialect is "sqlite" or "postgres".
func (s *Store) Dialect() string { return s.dialect }

// Ping reports whether the database answers and the disk of an SQLite file has room: small
// writes still fit into its log when larger ones fail.
func (s *Store) Ping(ctx context.Context) error {
	db, err := s.read.DB()
	if err != nil {
		return err
	}
	if free, known := freeBytes(s.file); s.file != "" && known && free < s.room {
		return fmt.Errorf("%w: %d bytes are left on the disk", ErrDown, free)
	}
	return db.PingContext(ctx)
}

// leastRoom is more than opening a large round may write.
const leastRoom = 8 << 20

// Read runs f on one consistent snapshot, that of ctx if it has one (see WithSnapshot). A write inside fails.
func (s *Store) Read(ctx context.Context, f func(*Tx) error) (err error) {
	tx, leave, err := s.reading(ctx)
	if err != nil {
		return err
	}
	defer func() { leave(err) }()
	return f(tx)
}

// reading returns a transaction to read in, and what ends it.
func (s *Store) reading(ctx context.Context) (*Tx, func(error), error) {
	if x := snapshotOf(ctx); x != nil {
		if tx, leave, err := x.join(ctx, s); tx != nil || err != nil {
			return tx, leave, err
		}
	}
	tx, err := s.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	return tx, func(error) { tx.db.Rollback() }, nil
}

func (s *Store) begin(ctx context.Context) (*Tx, error) {
	o := &sql.TxOptions{ReadOnly: true}
	if s.dialect == dialectPostgres {
		o.Isolation = sql.LevelRepeatableRead
	}
	s.reads.Add(1)
	began := s.lengths.changed.Load() // before there is a snapshot
	db := s.read.WithContext(ctx).Begin(o)
	return &Tx{db: db, seals: s.seals, lengths: &s.lengths, began: began}, db.Error
}

// Get answers one question on a snapshot of its own.
func Get[T any](ctx context.Context, s *Store, ask func(*Tx) (T, error)) (found T, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		found, err = ask(tx)
		return err
	})
	return found, err
}

// Write runs f in a transaction: committed when f returns nil, undone otherwise. What f
// reads holds until the commit, as if no other Write ran meanwhile: two cannot pass a
// quota counted inside. PostgreSQL undoes one of two that would contradict each other,
// and f runs again: f may set variables outside of it but never add to them. f only runs
// statements (no network, no long computation), and only on its tx: a second Write inside
// would wait for itself. ErrConflict means another writer came first; the caller repeats
// from its read (see Retry). The first write of a try claims its key (see Try).
func (s *Store) Write(ctx context.Context, f func(*Tx) error) error {
	return ofTry(ctx, f, func(f func(*Tx) error) error { return s.commit(ctx, f) })
}

func (s *Store) commit(ctx context.Context, f func(*Tx) error) error {
	if x := snapshotOf(ctx); x != nil {
		x.refresh()
	}
	var o sql.TxOptions
	if s.dialect == dialectPostgres { // SQLite has one writer at a time
		o.Isolation = sql.LevelSerializable
	}
	var tx *Tx
	err := retry(ctx, func() error {
		tx = &Tx{seals: s.seals}
		return s.write.WithContext(context.WithValue(ctx, changedKey{}, tx)).Transaction(func(db *gorm.DB) error {
			tx.db = db
			return f(tx)
		}, &o)
	}, isRace)
	s.writes.Add(1)
	if tx.told || err != nil { // a commit may have held though its answer was lost
		s.changes.Add(1)
	}
	if tx.rated || err != nil {
		s.lengths.changed.Add(1)
	}
	if tx.accounts {
		s.tell(&s.accounts)
	}
	if tx.gates {
		s.tell(&s.gates)
	}
	if err != nil {
		return conflicting(err)
	}
	for _, wake := range tx.after {
		wake()
	}
	return nil
}

// config is how gorm is used everywhere: without transactions, statements or hooks of its
// own.
func (s *Store) config() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction:   true,
		QueryFields:              true, // see columnsOf
		DisableNestedTransaction: true,
		TranslateError:           true,
		AllowGlobalUpdate:        false,
		Logger:                   logger.Discard,
	}
}

// columnsOf names the columns of a row in a table. No query selects *: prepared
// statements on PostgreSQL fail when the next version of the program adds a column beside
// a running node.
func columnsOf(table string, row any) string {
	parsed, err := schema.Parse(row, &parsedRows, schema.NamingStrategy{})
	if err != nil {
		panic(err) // a row type of this package
	}
	names := slices.Clone(parsed.DBNames)
	for i, name := range names {
		names[i] = table + "." + name
	}
	return strings.Join(names, ", ")
}

var parsedRows sync.Map

// ms is the stored form of a moment; the zero time is 0.
func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// at is the moment of a stored number.
func at(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// moments are the moments of stored numbers.
func moments(stored []int64) []time.Time {
	out := make([]time.Time, len(stored))
	for i, n := range stored {
		out[i] = at(n)
	}
	return out
}

// msOrNull and atOrZero are ms and at for columns that may be NULL.
func msOrNull(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	v := t.UnixMilli()
	return &v
}

func atOrZero(ms *int64) time.Time {
	if ms == nil {
		return time.Time{}
	}
	return time.UnixMilli(*ms).UTC()
}
