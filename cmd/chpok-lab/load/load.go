// Package load measures a site: its moves under watchers, an arena, a site of many years, a
// soak, the table of docs/operations.md.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"chpok.org/chpok/cmd/chpok-lab/load/asker"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Command measures a server of its own with watchers and with moves on a fixed schedule,
// whether or not answers are late: the time of a move counts from when it was due.
type Command struct {
	Database string        `name:"database-url" placeholder:"URL" help:"An empty database. Default: SQLite in a temporary folder."`
	Server   string        `placeholder:"PROGRAM" help:"The chpok to measure. Default: this program, which serves the same."`
	Watchers []int         `default:"0,300" help:"Watchers of the round's page, one number for each of the parts that are compared."`
	Boards   int           `default:"40" help:"Boards of the round."`
	Rate     float64       `default:"20" help:"Moves a second, over all boards."`
	Part     time.Duration `name:"for" default:"20s" help:"How long each part lasts."`
	Repeat   int           `default:"2" help:"How often the parts take turns."`
	Arena    time.Duration `placeholder:"TIME" help:"Instead: an arena of 60 bots for so long, 10m or more, beside a Swiss of 20."`
	Soak     time.Duration `help:"Instead: watchers, moves, registrations and restarts for so long; fails when memory or answers grow."`
	Table    bool          `help:"Instead: print the table of docs/operations.md, with the bare server measured in the same run."`
	Nodes    int           `default:"1" help:"Of the table: servers over one PostgreSQL, joined by NATS."`
	NatsURL  string        `name:"nats-url" placeholder:"URL" help:"Of several nodes."`
	Next     []string      `placeholder:"PROGRAM" help:"The chpok that replaces the nodes, one by one, and the one after that. Default: the same."`
	Grow     int           `help:"Instead: beside a site that is almost new, what is asked of one with so many finished matches."`
	Beside   string        `placeholder:"URL" help:"Of the grown site: an empty database for the one that is almost new. Default: SQLite."`
	Players  int           `default:"50000" help:"Of the grown site."`
	Scale    float64       `default:"1" help:"Of the table: the share of its boards, moves and watchers."`
	Work     []float64     `placeholder:"M,R,W" help:"Of the table: so many matches at so many moves a second (0: without pause) with so many streams each, alone; with --next while the nodes are replaced."`
	Largest  bool          `help:"Of the table: only saturation, and the largest rates that are on the streams in time."`
	Ops      string        `name:"ops-addr" placeholder:"HOST:PORT" help:"Where the only node shows its metrics and profiles."`
}

// Run prints the measurements.
func (c Command) Run(ctx context.Context, std cli.IO) error {
	if c.Nodes < 1 || c.Nodes > 1 && c.NatsURL == "" || c.Scale <= 0 {
		return cli.Fail(2, "several nodes need --nats-url, and a table a scale above 0")
	}
	if n := len(c.Work); n != 0 && (n != 3 || c.Work[0] < 1 || slices.Min(c.Work) < 0) {
		return cli.Fail(2, "work is three numbers: matches, moves a second, streams of each")
	}
	if c.Boards < 2 || c.Rate <= 0 || c.Part <= 0 || c.Repeat < 1 || len(c.Watchers) == 0 {
		return cli.Fail(2, "at least two boards, a rate, a time for each part, and numbers of watchers")
	}
	debug.SetGCPercent(400) // garbage collection here is not the server's
	dir, err := os.MkdirTemp("", "chpok-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if c.Database == "" {
		c.Database = "sqlite:" + filepath.Join(dir, "chpok.db")
	}
	if c.Arena > 0 {
		return c.arena(ctx, std)
	}
	if c.Server == "" {
		if c.Server, err = os.Executable(); err != nil {
			return err
		}
	}
	l := &load{command: c, std: std, opsAddr: c.Ops}
	defer l.stop()
	if c.Table {
		l.command.Boards = max(2, int(tableHall*c.Scale))
	}
	if c.Grow > 0 {
		return l.grow(ctx)
	}
	if err := l.people(ctx); err != nil {
		return err
	}
	if err := l.start(ctx); err != nil {
		return err
	}
	if c.Table {
		return l.table(ctx)
	}
	if c.Soak > 0 {
		return l.soak(ctx)
	}
	return l.compare(ctx)
}

// Round is a server with a round of matches that are moved when asked, for what is measured
// beside them.
type Round struct{ *load }

// Begin starts the server and the round.
func Begin(ctx context.Context, c Command, std cli.IO) (Round, error) {
	l := &load{command: c, std: std}
	for _, step := range []func(context.Context) error{l.people, l.start, l.round} {
		if err := step(ctx); err != nil {
			l.stop()
			return Round{}, err
		}
	}
	return Round{l}, nil
}

// Base returns the address of the server.
func (r Round) Base() string { return r.at() }

// Event returns the tournament of the round.
func (r Round) Event() string { return r.event }

// Move moves for as long as a part of the command lasts and returns how many moves were made.
func (r Round) Move(ctx context.Context) (int, error) {
	p, err := r.part(ctx, 0, r.command.Part)
	return len(p.took), err
}

// Stop ends the server.
func (r Round) Stop() { r.stop() }

// load is a run: the server, the accounts, and the round that is played.
type load struct {
	command Command
	std     cli.IO
	tokens  map[string]string // by handle
	ids     map[string]player.ID
	handles []string // the first one organizes
	event   string
	boards  chan *ownBoard // boards free for the next move

	mu    sync.Mutex
	nodes []*node
	asked int // counts requests, which nodes get in turn

	asker   asker.Asker
	opsAddr string // of the only node; may be empty
	fresh   int    // pages requested
}

// part is what was measured while so many watched.
type part struct {
	took     []time.Duration // per move, from when it was due
	refused  int
	why      error         // error of the last refused move
	cpu      time.Duration // processor time of the server
	lasted   time.Duration
	resident int64 // bytes of server memory at the end
	received int64 // bytes, by all watchers
	frames   int64 // of one watcher
}

// compare lets the parts take turns, so that other load on the machine hits all of them
// alike, each on a round of its own, so that all play the same phase of matches, and
// prints them side by side.
func (l *load) compare(ctx context.Context) error {
	sums := make([]part, len(l.command.Watchers))
	for range l.command.Repeat {
		for i, n := range l.command.Watchers {
			if err := l.round(ctx); err != nil {
				return err
			}
			one, err := l.part(ctx, n, l.command.Part)
			if err != nil {
				return err
			}
			sums[i].add(one)
		}
	}
	fmt.Fprintf(l.std.Out, "%8s %7s %9s %9s %9s %9s %12s %9s %14s %7s\n",
		"watchers", "moves", "p50 ms", "p90 ms", "p99 ms", "worst ms", "server CPU %", "RSS MB", "KB/watcher/s", "refused")
	for i, n := range l.command.Watchers {
		p := sums[i]
		each := float64(p.received) / 1024 / float64(max(n, 1)) / p.lasted.Seconds()
		fmt.Fprintf(l.std.Out, "%8d %7d %9.1f %9.1f %9.1f %9.1f %12.1f %9.1f %14.2f %7d\n", n, len(p.took),
			p.at(0.5), p.at(0.9), p.at(0.99), p.at(1), 100*p.load(), float64(p.resident)/(1<<20), each, p.refused)
	}
	first, last := sums[0], sums[len(sums)-1]
	fmt.Fprintf(l.std.Out, "p99 with %d watchers is %.2f times that with %d, server CPU %.2f times\n",
		l.command.Watchers[len(sums)-1], last.at(0.99)/first.at(0.99), l.command.Watchers[0], last.load()/first.load())
	return nil
}

func (p *part) add(o part) {
	p.took = append(p.took, o.took...)
	p.refused += o.refused
	p.cpu += o.cpu
	p.lasted += o.lasted
	p.received += o.received
	p.frames += o.frames
	p.resident = max(p.resident, o.resident)
}

// load returns the share of one core that the server used.
func (p *part) load() float64 { return p.cpu.Seconds() / p.lasted.Seconds() }

// at returns a quantile in milliseconds.
func (p *part) at(q float64) float64 {
	if len(p.took) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(p.took))
	i := min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1)
	return float64(sorted[max(0, i)]) / float64(time.Millisecond)
}

// settle is how long new watchers are left alone before measuring.
const settle = 2 * time.Second

// settles returns settle, or less for short parts.
func (l *load) settles() time.Duration { return min(settle, l.command.Part) }

// part measures moves with that many watchers.
func (l *load) part(ctx context.Context, watchers int, lasts time.Duration) (part, error) {
	crowd, err := l.crowd(ctx, watchers)
	if err != nil {
		return part{}, err
	}
	defer crowd.leave()
	time.Sleep(l.settles())
	before, came := l.spent(), crowd.bytes.Load()
	begun := time.Now()
	p, err := l.moves(ctx, begun, lasts)
	p.lasted = time.Since(begun)
	p.cpu, p.resident = l.spent()-before, l.resident()
	p.received, p.frames = crowd.bytes.Load()-came, crowd.frames.Load()
	if err == nil && watchers > 0 && p.frames == 0 {
		err = cli.Fail(1, "the watchers saw nothing")
	}
	return p, err
}

// moves makes moves on a schedule, each on the next free board.
func (l *load) moves(ctx context.Context, begun time.Time, lasts time.Duration) (p part, err error) {
	var mu sync.Mutex
	var group sync.WaitGroup
	pause := time.Duration(float64(time.Second) / l.command.Rate)
	for due := begun; due.Before(begun.Add(lasts)) && ctx.Err() == nil; due = due.Add(pause) {
		if wait := time.Until(due); wait > 0 {
			time.Sleep(wait)
		}
		group.Go(func() {
			var b *ownBoard
			select {
			case b = <-l.boards:
			case <-ctx.Done():
				return
			case <-time.After(answerWithin):
				return // every match is over or stuck
			}
			moveErr := l.move(ctx, b)
			took := time.Since(due)
			mu.Lock()
			if moveErr == nil {
				p.took = append(p.took, took)
			} else {
				p.refused, p.why = p.refused+1, moveErr
			}
			mu.Unlock()
			l.next(ctx, b)
		})
	}
	group.Wait()
	if len(p.took) == 0 {
		return p, cli.Fail(1, "no move was taken: %w", cmp.Or(p.why, errors.New("no board is left")))
	}
	return p, ctx.Err()
}

// people creates the accounts and their tokens before a server runs.
func (l *load) people(ctx context.Context) error {
	s, err := store.Open(ctx, l.command.Database, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	l.tokens, l.ids = map[string]string{}, map[string]player.ID{}
	return s.Write(ctx, func(tx *store.Tx) error {
		l.handles = nil
		for i := range 2*l.command.Boards + 1 {
			handle := fmt.Sprintf("load%04d", i)
			id, secret, err := newPlayer(tx, handle, i == 0)
			if err != nil {
				return err
			}
			l.tokens[handle], l.ids[handle] = secret, id
			l.handles = append(l.handles, handle)
		}
		return nil
	})
}
