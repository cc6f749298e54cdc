package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The group commit: appends to different matches that arrive while the disk is busy are
// committed together by the next free writer. Nothing waits for company: an idle writer
// commits an append at once, alone.
const (
	maxGroup      = 128              // appends in one transaction
	groupPatience = 10 * time.Second // after this a transaction is given up
)

type pending struct {
	append Append
	events []eventRow
	answer chan error // buffered
}

type committer struct {
	db         *sql.DB
	writes     *atomic.Int64
	counts     counts
	statements map[string]*sql.Stmt // SQLite only: pgx keeps its own
	queue      chan *pending
	mu         sync.RWMutex // no send on a closed queue
	closed     bool
	done       sync.WaitGroup
}

// startCommitter starts the writers of the group commit.
func (s *Store) startCommitter(ctx context.Context, db *sql.DB, writers int) error {
	c := &committer{db: db, writes: &s.writes, statements: map[string]*sql.Stmt{}, queue: make(chan *pending, 4*maxGroup)}
	if s.dialect == dialectSQLite {
		for _, query := range append(slices.Collect(maps.Values(insertEvents)), updateHead, updateHead+unlessDone) {
			stmt, err := db.PrepareContext(ctx, query)
			if err != nil {
				return err
			}
			s.closers = append(s.closers, stmt.Close)
			c.statements[query] = stmt
		}
	}
	for range writers {
		c.done.Go(c.run)
	}
	s.group = c
	s.closers = append(s.closers, func() error {
		c.mu.Lock()
		c.closed = true
		close(c.queue)
		c.mu.Unlock()
		c.done.Wait()
		return nil
	})
	return nil
}

// errClosed is the answer to appends after Close.
var errClosed = errors.New("store: closed")

// Append adds a command's events to the log if the match still stands right before them.
// It fails with ErrConflict if it does not, or if the command is in the log already. If
// ctx ends during the wait, the events may still be committed.
func (s *Store) Append(ctx context.Context, a Append) error {
	events, err := eventRows(a)
	if err == nil && len(events) == 0 {
		err = errors.New("nothing to append")
	}
	if err != nil {
		return wrap(err, "append to %s", a.Head.ID)
	}
	if err := s.claimTry(ctx); err != nil {
		return err
	}
	defer func(began time.Time) { s.group.counts.nanoseconds.Add(int64(time.Since(began))) }(time.Now())
	s.group.counts.appends.Add(1)
	p := &pending{a, events, make(chan error, 1)}
	if err := s.group.enqueue(ctx, p); err != nil {
		return err
	}
	select {
	case err = <-p.answer:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return wrap(err, "append to %s", a.Head.ID)
}

func (c *committer) enqueue(ctx context.Context, p *pending) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return errClosed
	}
	select {
	case c.queue <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run is one writer: take what waits, commit it, answer.
func (c *committer) run() {
	for first := range c.queue {
		group := append(make([]*pending, 0, maxGroup), first)
	fill:
		for len(group) < maxGroup {
			select {
			case p, ok := <-c.queue:
				if !ok {
					break fill
				}
				group = append(group, p)
			default:
				break fill
			}
		}
		c.commit(group)
	}
}

// commit commits a group. If the connection was lost, the group is tried once more on
// another; if the database is away, all are told so at once, because asked one by one
// they would wait one after the other. If a group fails for any other reason (a broken
// row), each append is tried alone, so that none fails for another's fault.
func (c *committer) commit(group []*pending) {
	// One order for all writers of all nodes, so that they cannot wait in a ring.
	slices.SortStableFunc(group, func(a, b *pending) int { return strings.Compare(string(a.append.Head.ID), string(b.append.Head.ID)) })
	answers, err := c.try(group)
	down := isDown(err)
	if down && len(group) > 1 {
		answers, err = c.try(group)
		down = isDown(err)
	}
	c.writes.Add(1)
	c.counts.groups.Add(1)
	if err != nil && len(group) > 1 && !down {
		for _, p := range group {
			c.commit([]*pending{p})
		}
		return
	}
	for i, p := range group {
		if err != nil {
			p.answer <- conflicting(translate(err))
		} else {
			p.answer <- answers[i]
		}
	}
}

const updateHead = `UPDATE matches SET seq = $1, status = $2, to_act = $3, deadline_at = $4, bot_due_at = $5,
	outcome = $6, reason = $7, points_first = $8, points_second = $9, last_at = $10, achieved = 0
	WHERE id = $11 AND seq = $12`

// unlessDone keeps a command from being done twice. The guard on seq orders all
// writers of a match, so this sees every command before.
const unlessDone = ` AND NOT EXISTS (SELECT 1 FROM match_events e WHERE e.match_id = $11 AND e.command_id = $13)`

// headUpdate is the guarded update of a head that stands at seq.
func headUpdate(a Append, seq int64) (query string, args []any) {
	h := rowOf(a.Head)
	args = []any{h.Seq, h.Status, h.ToAct, h.DeadlineAt, h.BotDueAt, h.Outcome, h.Reason, h.PointsFirst, h.PointsSecond, h.LastAt, h.ID, seq}
	if a.CommandID != "" {
		return updateHead + unlessDone, append(args, a.CommandID)
	}
	return updateHead, args
}

// patience bounds a transaction. SQLite has a busy timeout of its own, and a context with
// a deadline would cost a goroutine per statement.
func (c *committer) patience() (context.Context, context.CancelFunc) {
	if len(c.statements) > 0 {
		return context.Background(), func() {}
	}
	return context.WithTimeout(context.Background(), groupPatience)
}

// try writes a group in one transaction. The head is updated first: an append that comes
// too late changes no row, which spoils nothing for the others.
func (c *committer) try(group []*pending) (answers []error, err error) {
	ctx, cancel := c.patience()
	defer cancel()
	// Not serializable: the guard on seq is all that an append judges.
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback() // what went wrong is err
		}
	}()
	answers = make([]error, len(group))
	var events []eventRow
	for i, p := range group {
		query, args := headUpdate(p.append, p.events[0].Seq-1)
		result, err := c.exec(ctx, tx, query, args)
		if err != nil {
			return nil, err
		}
		changed, err := result.RowsAffected()
		if err != nil {
			return nil, err
		}
		if changed == 0 {
			answers[i] = ErrConflict
			continue
		}
		if args, ends := choresOf(p.append.Head); ends {
			if _, err := c.exec(ctx, tx, addChores, args); err != nil {
				return nil, err
			}
			if _, err := c.exec(ctx, tx, askAnalysis, analysisOf(p.append.Head)); err != nil {
				return nil, err
			}
		}
		events = append(events, p.events...)
	}
	for chunk := range chunksOf(events) {
		if _, err := c.exec(ctx, tx, insertEvents[len(chunk)], argsOf(chunk)); err != nil {
			return nil, err
		}
	}
	return answers, tx.Commit()
}

// chunksOf splits events into chunks of powers of two, so that few different statements
// are prepared.
func chunksOf(events []eventRow) iter.Seq[[]eventRow] {
	return func(yield func([]eventRow) bool) {
		for chunk := maxChunk; len(events) > 0; {
			if chunk > len(events) {
				chunk /= 2
				continue
			}
			if !yield(events[:chunk]) {
				return
			}
			events = events[chunk:]
		}
	}
}

const (
	eventColumns = 8
	maxChunk     = 64
)

// insertEvents holds the statements for chunks of 1, 2, 4, … maxChunk events.
var insertEvents = func() map[int]string {
	statements := map[int]string{}
	for chunk := 1; chunk <= maxChunk; chunk *= 2 {
		var b strings.Builder
		b.WriteString("INSERT INTO match_events (match_id, seq, at, kind, v, seat, command_id, body) VALUES ")
		for i := range chunk {
			if i > 0 {
				b.WriteString(", ")
			}
			for j := range eventColumns {
				fmt.Fprintf(&b, "%c$%d", "(,,,,,,,"[j], i*eventColumns+j+1)
			}
			b.WriteByte(')')
		}
		statements[chunk] = b.String()
	}
	return statements
}()

func argsOf(events []eventRow) []any {
	args := make([]any, 0, len(events)*eventColumns)
	for _, e := range events {
		args = append(args, e.MatchID, e.Seq, e.At, e.Kind, e.V, e.Seat, e.CommandID, e.Body)
	}
	return args
}

func (c *committer) exec(ctx context.Context, tx *sql.Tx, query string, args []any) (sql.Result, error) {
	if stmt := c.statements[query]; stmt != nil {
		return tx.StmtContext(ctx, stmt).ExecContext(ctx, args...)
	}
	return tx.ExecContext(ctx, query, args...)
}
