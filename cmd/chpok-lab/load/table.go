package load

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

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// Sizes of the table at scale 1; a smaller scale is for trying it out.
const (
	tableBusy     = 200    // matches that move without pause
	tableBoards   = 1000   // matches at a fixed rate
	tableRate     = 1000.0 // moves a second on them
	tableHall     = 2000   // boards of a large event
	tableWatch    = 5      // watchers of each
	tableHallRate = 400.0
	tableCrowd    = 10_000 // watchers of one match
)

// table measures one kind of site for docs/operations.md and prints a row for each kind
// of work.
func (l *load) table(ctx context.Context) error {
	scaled := func(n int) int { return max(2, int(float64(n)*l.command.Scale)) }
	fmt.Fprintf(l.std.Out, "%s, %d node(s), %s of work each, %d cores, generator and database among them, load before %s:\n\n",
		l.dialect(), l.command.Nodes, l.command.Part, runtime.NumCPU(), loadAverage())
	fmt.Fprint(l.std.Out, "| work | moves/s | p50 ms | p99 ms | p99.9 ms | worst ms | to the stream, p99 ms "+
		"| CPU ms a move | RSS MB a node | lost | twice |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	if w := l.command.Work; len(w) > 0 {
		_, err := l.trial(ctx, trial{boards: int(w[0]), rate: w[1], watch: int(w[2]), restarts: len(l.command.Next) > 0})
		return err
	}
	if l.command.Largest {
		busy, err := l.trial(ctx, trial{boards: scaled(tableBusy)})
		if err != nil {
			return err
		}
		return l.largest(ctx, trial{boards: scaled(tableBoards), watch: 1}, busy)
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
	if err := l.largest(ctx, trial{boards: scaled(tableBoards), watch: 1}, busy); err != nil {
		return err
	}
	if l.command.Nodes > 1 {
		replaced := trial{boards: scaled(tableHall), rate: tableHallRate * l.command.Scale, watch: tableWatch, restarts: true}
		if _, err := l.trial(ctx, replaced); err != nil {
			return err
		}
	}
	fmt.Fprintf(l.std.Out, "\nThrough the whole stack %.0f %% of the bare server in the same run.\n", 100*busy/bare)
	return l.oneMatch(ctx, scaled(tableCrowd))
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
	rate     float64 // moves a second; 0: without pause
	watch    int     // event streams per match
	restarts bool    // replace the nodes one by one meanwhile
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

// done is the outcome of a trial.
type done struct {
	part
	seen        part // times on the first stream of each match
	lost, twice int
}

func (d *done) rate() float64 { return float64(len(d.took)) / d.lasted.Seconds() }

// trial runs t, prints a row, and returns the moves per second.
func (l *load) trial(ctx context.Context, t trial) (float64, error) {
	d, err := l.try(ctx, t, l.command.Part)
	if err != nil {
		return 0, err
	}
	return d.rate(), l.row(t, d)
}

// row prints a row; lost or duplicate moves are an error.
func (l *load) row(t trial, d done) error {
	seen := "–"
	if t.watch > 0 {
		seen = fmt.Sprintf("%.1f", d.seen.at(0.99))
	}
	fmt.Fprintf(l.std.Out, "| %s | %.0f | %.1f | %.1f | %.1f | %.0f | %s | %.2f | %.0f | %d | %d |\n",
		t, d.rate(), d.at(0.5), d.at(0.99), d.at(0.999), d.at(1), seen,
		float64(d.cpu.Milliseconds())/float64(len(d.took)), float64(d.resident)/(1<<20), d.lost, d.twice)
	if d.lost > 0 || d.twice > 0 {
		return cli.Fail(1, "%d acknowledged moves are lost, %d stand twice", d.lost, d.twice)
	}
	return nil
}

// inTime are limits in ms for the p99 of moves on their streams. The rate that keeps one
// is found by halving an interval, with shorter parts than other work.
var inTime = [2]float64{8, 25} // ms

const (
	halvings = 5
	tryShare = 3
)

// largest finds and prints the largest rates that keep inTime, below a rate that does
// not.
func (l *load) largest(ctx context.Context, t trial, above float64) error {
	below := 0.0
	for _, limit := range inTime {
		var best *done
		for from, to := below, above; to-from > above/(1<<halvings); {
			t.rate = (from + to) / 2
			d, err := l.try(ctx, t, l.command.Part/tryShare)
			if err != nil {
				return err
			}
			if d.seen.at(0.99) <= limit && d.rate() > 0.98*t.rate {
				from, below, best = t.rate, t.rate, &d
			} else {
				to = t.rate
			}
		}
		if best == nil {
			fmt.Fprintf(l.std.Out, "| no larger rate has its p99 within %.0f ms |%s\n", limit, strings.Repeat(" – |", 10))
			continue
		}
		t.name, t.rate = fmt.Sprintf("the largest rate with p99 within %.0f ms, ", limit), below
		if err := l.row(t, *best); err != nil {
			return err
		}
	}
	return nil
}

// try does the work and checks that everything acknowledged is in the logs and came to
// every stream, once and in order.
func (l *load) try(ctx context.Context, t trial, lasts time.Duration) (d done, err error) {
	boards, err := l.openBoards(ctx, t.boards)
	if err != nil {
		return d, err
	}
	logs, err := store.Open(ctx, l.command.Database, store.Options{}) // before a new version changes the schema
	if err != nil {
		return d, err
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
			return d, err
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
	if d.took, d.lasted, err = l.drive(ctx, boards, t, lasts, restarted); err != nil {
		return d, err
	}
	d.cpu, d.resident = l.spent()-before, l.resident()/int64(len(l.nodes))
	d.lost, d.twice, err = audit(ctx, logs, boards, t.watch > 0)
	leave()
	streams.Wait()
	for _, b := range boards {
		d.seen.took = append(d.seen.took, b.seen...)
	}
	return d, err
}

// drive moves on all boards until the part is over and all restarts are done. Times count
// from when a move was due.
func (l *load) drive(ctx context.Context, boards []*quickBoard, t trial, lasts time.Duration, restarted <-chan error) (
	[]time.Duration, time.Duration, error) {
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
	case <-time.After(lasts):
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

// audit compares acknowledged moves with the logs, and waits until the streams have
// delivered them.
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
				return 0, 0, cli.Fail(1, "a flag fell in match %s", b.id)
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

// bare does the same work without HTTP and accounts: decide, append durably, notify; in
// this process and on the same database, before the trials.
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
				move := knightMove(b.plies)
				next, err := r.Do(ctx, b.id, b.players[move.Seat.Index()], live.Request{CommandID: fmt.Sprint(b.plies), Seq: &seq, Command: move})
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
	fmt.Fprintf(l.std.Out, "| bare: decided, appended, told, nothing else; %d matches without pause "+
		"| %.0f | %.1f | %.1f | %.1f | %.0f | – | – | – | – | – |\n", n, moves, p.at(0.5), p.at(0.99), p.at(0.999), p.at(1))
	if moves == 0 || math.IsNaN(moves) {
		return 0, cli.Fail(1, "nothing was moved")
	}
	return moves, nil
}
