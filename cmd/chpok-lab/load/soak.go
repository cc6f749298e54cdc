package load

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
)

// How much the last third of a soak may exceed the first.
const (
	soakMemory = 1.3
	soakP99    = 2.0
	soakSlack  = 20.0 // ms of p99 that the machine may add
	soakTurn   = 30 * time.Second
	soakWarm   = 10 * time.Second // not measured: connections, caches and code warm up
)

// soak plays many rounds, each with a new event, registrations, moves and watchers, and
// interrupts the database in between. It fails if a move is refused, or if memory or
// response times grow.
func (l *load) soak(ctx context.Context) error {
	watchers := l.command.Watchers[len(l.command.Watchers)-1]
	var parts []part
	if err := l.round(ctx); err != nil {
		return err
	}
	if _, err := l.part(ctx, watchers, soakWarm); err != nil {
		return err
	}
	fmt.Fprintf(l.std.Out, "%6s %7s %9s %9s %12s %7s %9s %7s\n", "min", "moves", "p50 ms",
		"p99 ms", "server CPU %", "load", "RSS MB", "refused")
	for begun := time.Now(); time.Since(begun) < l.command.Soak; {
		if err := l.round(ctx); err != nil {
			return err
		}
		p, err := l.part(ctx, watchers, soakTurn)
		if err != nil {
			return err
		}
		if err := errors.Join(l.goHome(ctx), l.interrupt(ctx)); err != nil {
			return err
		}
		fmt.Fprintf(l.std.Out, "%6.1f %7d %9.1f %9.1f %12.1f %7s %9.1f %7d\n", time.Since(begun).Minutes(), len(p.took),
			p.at(0.5), p.at(0.99), 100*p.load(), loadAverage(), float64(p.resident)/(1<<20), p.refused)
		if p.refused > 0 {
			return cli.Fail(1, "%d moves were refused, the last: %w", p.refused, p.why)
		}
		parts = append(parts, p)
	}
	return l.judge(parts)
}

// judge compares the last third with the first.
func (l *load) judge(parts []part) error {
	third := len(parts) / 3
	if third == 0 {
		return cli.Fail(2, "a soak needs at least three turns of %s", soakTurn)
	}
	var first, last part
	for i := range third {
		first.add(parts[i])
		last.add(parts[len(parts)-1-i])
	}
	fmt.Fprintf(l.std.Out, "first third: p99 %.1f ms, %.1f MB; last third: p99 %.1f ms, %.1f MB\n",
		first.at(0.99), float64(first.resident)/(1<<20), last.at(0.99), float64(last.resident)/(1<<20))
	if float64(last.resident) > soakMemory*float64(first.resident) {
		return cli.Fail(1, "the memory is not flat")
	}
	if last.at(0.99) > soakP99*first.at(0.99)+soakSlack {
		return cli.Fail(1, "the answers are not flat")
	}
	return nil
}

// goHome ends the matches of the round: one side of each resigns.
func (l *load) goHome(ctx context.Context) error {
	for {
		select {
		case b := <-l.boards:
			if err := l.send(ctx, b, string(b.First), map[string]any{"act": "resign"}); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// interrupt takes the database away for a moment: PostgreSQL closes every connection, as
// for a restart; SQLite is locked by another process.
func (l *load) interrupt(ctx context.Context) error {
	if path, isFile := strings.CutPrefix(l.command.Database, "sqlite:"); isFile {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			return err
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		if _, err := db.ExecContext(ctx, "PRAGMA busy_timeout = 10000"); err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
			return err
		}
		time.Sleep(2 * time.Second)
		_, err = db.ExecContext(ctx, "ROLLBACK")
		return err
	}
	db, err := sql.Open("pgx", l.command.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	return err
}
