package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// Sizes of the table, at scale 1; a smaller scale tries whether it runs.
const (
	tableBusy     = 200    // matches without pause
	tableBoards   = 1000   // matches at a pace
	tableRate     = 1000.0 // moves a second, of those
	tableHall     = 2000   // boards of a federation's night
	tableWatch    = 5      // watchers of each of them
	tableHallRate = 400.0
	tableCrowd    = 10_000 // watchers of one match
)

// table measures what docs/operations.md tells, on one kind of site, and prints a row
// of it for each kind of work.
func (l *load) table(ctx context.Context) error {
	scaled := func(n int) int { return max(2, int(float64(n)*l.command.Scale)) }
	fmt.Fprintf(l.std.out, "%s, %d node(s), %s of work each, %d cores, generator and database among them, load before %s:\n\n",
		l.dialect(), l.command.Nodes, l.command.Part, runtime.NumCPU(), loadAverage())
	fmt.Fprint(l.std.out, "| work | moves/s | p50 ms | p99 ms | p99.9 ms | worst ms | to the stream, p99 ms "+
		"| CPU ms a move | RSS MB a node | lost | twice |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	if w := l.command.Work; len(w) > 0 {
		_, err := l.trial(ctx, trial{boards: int(w[0]), rate: w[1], watch: int(w[2])})
		return err
	}
	bare, err := l.bare(ctx, scaled(tableBusy))
	if err != nil {
		return err
	}
	busy, err := l.trial(ctx, trial{boards: scaled(tableBusy)})
	if err != nil {
		return err
	}
	if _, err := l.trial(ctx, trial{boards: scaled(tableBoards), rate: tableRate * l.command.Scale, watch: 1}); err != nil {
		return err
	}
	if _, err := l.trial(ctx, trial{boards: scaled(tableBoards), rate: busy / 2, watch: 1, name: "half of saturation, "}); err != nil {
		return err
	}
	if l.command.Nodes > 1 {
		err := l.restartTrial(ctx, trial{boards: scaled(tableHall), rate: tableHallRate * l.command.Scale, watch: tableWatch})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(l.std.out, "\nThrough the whole stack %.0f %% of the bare server in the same run.\n", 100*busy/bare)
	return l.oneMatch(ctx, scaled(tableCrowd))
}

func (l *load) restartTrial(ctx context.Context, t trial) error {
	t.restarts = true
	_, err := l.trial(ctx, t)
	return err
}

func (l *load) dialect() string {
	if strings.HasPrefix(l.command.Database, "sqlite:") {
		return "SQLite"
	}
	return "PostgreSQL"
}

// trial is one kind of work.
type trial struct {
	name     string
	boards   int
	rate     float64 // moves a second; 0: each board moves as soon as it is answered
	watch    int     // event streams of each match
	restarts bool    // the nodes are replaced one by one meanwhile
}

func (t trial) String() string {
	pace := "without pause"
	if t.rate > 0 {
		pace = fmt.Sprintf("at %.0f moves/s", t.rate)
	}
	text := fmt.Sprintf("%s%d matches %s", t.name, t.boards, pace)
	if t.watch > 0 {
		text += fmt.Sprintf(", %d streams", t.boards*t.watch)
	}
	if t.restarts {
		text += ", every node replaced meanwhile"
	}
	return text
}

// trial does it, checks that what was acknowledged is in the logs and came to every
// stream, once and in order, and prints a row. It answers with the moves a second.
func (l *load) trial(ctx context.Context, t trial) (float64, error) {
	boards, err := l.openBoards(ctx, t.boards)
	if err != nil {
		return 0, err
	}
	logs, err := store.Open(ctx, l.command.Database, store.Options{}) // before a new version adds to the schema
	if err != nil {
		return 0, err
	}
	defer logs.Close()
	watching, leave := context.WithCancel(ctx)
	defer leave()
	var streams sync.WaitGroup
	begun := make(chan error, t.boards*t.watch)
	for _, b := range boards {
		b.arrived, b.upTo = map[int64]time.Time{}, b.seq
		for i := range t.watch {
			streams.Go(func() { l.follow(watching, b, i == 0, begun) })
		}
	}
	for range t.boards * t.watch {
		if err := <-begun; err != nil {
			return 0, err
		}
	}
	time.Sleep(l.settles())
	before := l.spent()
	restarted := make(chan error, 1)
	if t.restarts {
		go func() { restarted <- l.replaceAll(ctx) }()
	} else {
		restarted <- nil
	}
	took, lasted, err := l.drive(ctx, boards, t, restarted)
	if err != nil {
		return 0, err
	}
	cpu, resident := l.spent()-before, l.resident()/int64(len(l.nodes))
	lost, twice, err := audit(ctx, logs, boards, t.watch > 0)
	leave()
	streams.Wait()
	if err != nil {
		return 0, err
	}
	moves := float64(len(took)) / lasted.Seconds()
	seen := "–"
	if t.watch > 0 {
		var all part
		for _, b := range boards {
			all.took = append(all.took, b.seen...)
		}
		seen = fmt.Sprintf("%.1f", all.at(0.99))
	}
	p := part{took: took}
	fmt.Fprintf(l.std.out, "| %s | %.0f | %.1f | %.1f | %.1f | %.0f | %s | %.2f | %.0f | %d | %d |\n",
		t, moves, p.at(0.5), p.at(0.99), p.at(0.999), p.at(1), seen,
		float64(cpu.Milliseconds())/float64(len(took)), float64(resident)/(1<<20), lost, twice)
	if lost > 0 || twice > 0 {
		return moves, fail(1, "%d acknowledged moves are lost, %d stand twice", lost, twice)
	}
	return moves, nil
}

// drive moves on all boards until the part is over and, where nodes are replaced, that
// is done too. Counted is from when a move was due.
func (l *load) drive(ctx context.Context, boards []*quickBoard, t trial, restarted <-chan error) ([]time.Duration, time.Duration, error) {
	ctx, fails := context.WithCancelCause(ctx)
	defer fails(nil)
	var mu sync.Mutex
	var took []time.Duration
	var over atomic.Bool
	move := func(b *quickBoard, due time.Time) bool {
		if err := l.shuffle(ctx, b, due); err != nil {
			fails(err)
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		took = append(took, time.Since(due))
		return true
	}
	begun := time.Now()
	var movers sync.WaitGroup
	if t.rate == 0 {
		for _, b := range boards {
			movers.Go(func() {
				for !over.Load() && !b.isSpent() && move(b, time.Now()) {
				}
			})
		}
	} else {
		movers.Go(func() {
			free := make(chan *quickBoard, len(boards))
			for _, b := range boards {
				free <- b
			}
			pause := time.Duration(float64(time.Second) / t.rate)
			for due := begun; !over.Load() && ctx.Err() == nil; due = due.Add(pause) {
				time.Sleep(time.Until(due))
				movers.Go(func() {
					select {
					case b := <-free:
						if move(b, due) && !b.isSpent() {
							free <- b
						}
					case <-ctx.Done():
					}
				})
			}
		})
	}
	select {
	case <-time.After(l.command.Part):
	case <-ctx.Done():
	}
	err := <-restarted
	over.Store(true)
	movers.Wait()
	lasted := time.Since(begun)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return took, lasted, err
}

// audit compares what was acknowledged with the logs, and waits until it came to the streams.
func audit(ctx context.Context, logs *store.Store, boards []*quickBoard, watched bool) (lost, twice int, err error) {
	for _, b := range boards {
		log, err := logs.Tail(ctx, b.id, 0)
		if err != nil {
			return 0, 0, err
		}
		played := 0
		for _, e := range log {
			switch e.Event.(type) {
			case match.Played:
				played++
			case match.FlagFell:
				return 0, 0, fail(1, "a flag fell in match %s", b.id)
			}
		}
		lost += max(0, b.plies-played)
		twice += max(0, played-b.plies)
		if !watched {
			continue
		}
		if err := b.await(ctx, int64(len(log))); err != nil {
			return 0, 0, err
		}
	}
	return lost, twice, nil
}

// bare is the same work by the bare server: decide, append durably, tell; no HTTP, no
// accounts; in this very process and on the same database, before the trials.
func (l *load) bare(ctx context.Context, n int) (float64, error) {
	s, err := store.Open(ctx, l.command.Database, store.Options{})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	r, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	boards, err := l.openBoards(ctx, n)
	if err != nil {
		return 0, err
	}
	ctx, fails := context.WithCancelCause(ctx)
	defer fails(nil)
	var wait sync.WaitGroup
	times := make([][]time.Duration, n)
	begun := time.Now()
	for i, b := range boards {
		wait.Go(func() {
			for time.Since(begun) < l.command.Part && ctx.Err() == nil && !b.isSpent() {
				at, seq := time.Now(), b.seq
				by, c := b.next()
				next, err := r.Do(ctx, b.id, by, live.Request{CommandID: fmt.Sprint(b.plies), Seq: &seq, Command: c})
				if err != nil {
					fails(fmt.Errorf("match %s, ply %d: %w", b.id, b.plies, err))
					return
				}
				b.seq = next
				b.plies++
				times[i] = append(times[i], time.Since(at))
			}
		})
	}
	wait.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return 0, cause
	}
	p := part{took: slices.Concat(times...)}
	moves := float64(len(p.took)) / time.Since(begun).Seconds()
	fmt.Fprintf(l.std.out, "| bare: decided, appended, told, nothing else; %d matches without pause "+
		"| %.0f | %.1f | %.1f | %.1f | %.0f | – | – | – | – | – |\n", n, moves, p.at(0.5), p.at(0.99), p.at(0.999), p.at(1))
	if moves == 0 || math.IsNaN(moves) {
		return 0, fail(1, "nothing was moved")
	}
	return moves, nil
}
