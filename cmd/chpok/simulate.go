package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/swiss/literal"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/trf"
)

type simulateCmd struct {
	Count int    `default:"1" help:"Number of tournaments."`
	Seed  uint64 `default:"1" help:"Seed of the first; the others count up from it."`
	Check bool   `help:"Pair every round a second time in another way and check every report."`
	Out   string `type:"path" help:"Directory the reports are written to." placeholder:"DIR"`

	Mixed       bool    `help:"Draw the kind of every tournament too; the rates below are not used."`
	Smallest    int     `default:"4" help:"With --mixed: fewest players."`
	Largest     int     `default:"60" help:"With --mixed: most players."`
	Players     int     `default:"50" help:"Players."`
	Rounds      int     `default:"9" help:"Rounds."`
	Lowest      int     `default:"1200" help:"Lowest rating."`
	Highest     int     `default:"2500" help:"Highest rating."`
	Draws       float64 `default:"0.3" help:"Share of games drawn."`
	Forfeits    float64 `default:"0.01" help:"Share of games not played."`
	HalfByes    float64 `default:"0.02" help:"Share of players with a half-point bye, by round."`
	Absences    float64 `default:"0.01" help:"Share of players absent, by round."`
	LateEntries float64 `default:"0.02" help:"Share of players who enter later."`
	Withdrawals float64 `default:"0.01" help:"Share of players who withdraw, by round."`
	Accelerated bool    `help:"Baku acceleration."`
	Teams       int     `help:"Teams instead of players."`
	Boards      int     `default:"4" help:"With --teams: boards of a match."`
	Reserves    int     `default:"1" help:"With --teams: players of a team beside the boards."`
}

// tally sums up the tournaments of a run.
type tally struct {
	tournaments, rounds, boards, byes, stuck int
	literal, whole                           int // rounds paired a second time, by method
	differences                              []string
}

func (t *tally) add(o tally) {
	t.tournaments += o.tournaments
	t.rounds += o.rounds
	t.boards += o.boards
	t.byes += o.byes
	t.stuck += o.stuck
	t.literal += o.literal
	t.whole += o.whole
	t.differences = append(t.differences, o.differences...)
}

// Run generates tournaments with results by rating and pairs them. Status 1: a check
// failed.
func (c *simulateCmd) Run(ctx context.Context, std cli.IO) error {
	if c.Count < 1 || c.Players < 2 || c.Rounds < 1 || c.Smallest < 2 || c.Largest < c.Smallest || c.Highest < c.Lowest {
		return cli.Fail(2, "at least one tournament of two players and one round, and bounds in their order")
	}
	players := max(c.Teams, c.Largest) * (c.Boards + c.Reserves)
	if c.Teams < 0 || c.Teams == 1 || c.Boards < 1 || c.Reserves < 0 || c.Teams > 0 && players > trf.MaxNumber {
		return cli.Fail(2, "at least two teams of one board, and at most %d players", trf.MaxNumber)
	}
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return cli.Fail(2, "%w", err)
		}
	}
	sum, err := c.all(ctx, std)
	if err != nil {
		return err
	}
	slices.Sort(sum.differences)
	for _, d := range sum.differences {
		fmt.Fprintln(std.Out, d)
	}
	engine := swiss.Version
	if c.Teams > 0 {
		engine = teamswiss.Version
	}
	fmt.Fprintf(std.Out, "engine         %s\nseeds          %d to %d\ntournaments    %d\nrounds         %d\n"+
		"boards         %d\nbyes           %d\nended early    %d (no legal pairing for the next round)\n",
		engine, c.Seed, c.Seed+uint64(c.Count)-1, sum.tournaments, sum.rounds, sum.boards, sum.byes, sum.stuck)
	if c.Check {
		fmt.Fprintf(std.Out, "paired twice   %d rounds by trial of every candidate, %d over the whole field at once\n"+
			"checked        every report, written and read again\ndiscrepancies  %d\n",
			sum.literal, sum.whole, len(sum.differences))
	}
	return differing(len(sum.differences))
}

// all plays the tournaments on all processors.
func (c *simulateCmd) all(ctx context.Context, std cli.IO) (sum tally, err error) {
	step, before, after := max(1, c.Count/10), "", "\n"
	if isTerminal(std.Err) {
		step, before, after = max(1, c.Count/100), "\r", ""
		defer fmt.Fprintln(std.Err)
	}
	var mu sync.Mutex
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := 0; k < c.Count && working.Err() == nil; k++ {
		group.Go(func() error {
			play := c.one
			if c.Teams > 0 {
				play = c.oneOfTeams
			}
			one, err := play(working, c.Seed+uint64(k))
			mu.Lock()
			defer mu.Unlock()
			sum.add(one)
			if c.Count > 1 && sum.tournaments%step == 0 {
				fmt.Fprintf(std.Err, "%s%d of %d tournaments, %d rounds, %d discrepancies%s", before,
					sum.tournaments, c.Count, sum.rounds, len(sum.differences), after)
			}
			return err
		})
	}
	if err = group.Wait(); err == nil && ctx.Err() != nil {
		err = cli.Fail(1, "interrupted")
	}
	return sum, err
}

func (c *simulateCmd) one(ctx context.Context, seed uint64) (tally, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	g := swiss.Generator{
		Players: c.Players, Rounds: c.Rounds, Lowest: c.Lowest, Highest: c.Highest,
		Draws: c.Draws, Forfeits: c.Forfeits, HalfByes: c.HalfByes, Absences: c.Absences,
		LateEntries: c.LateEntries, Withdrawals: c.Withdrawals, Accelerated: c.Accelerated,
		Points: tournament.StandardPoints(),
	}
	if c.Mixed {
		g = swiss.Mixed(rng, c.Smallest, c.Largest)
	}
	t := tally{tournaments: 1}
	field, err := g.Play(rng, &counted{check: c.Check, seed: seed, tally: &t,
		dutch: swiss.Dutch{Cancelled: func() bool { return ctx.Err() != nil }}})
	if err != nil {
		return t, fmt.Errorf("seed %d: %w", seed, err)
	}
	if field.Played < field.Rounds {
		t.stuck++
	}
	field.Name = fmt.Sprintf("Generated, seed %d", seed)
	text, err := c.write(trf.FromField(field), seed)
	if err != nil {
		return t, err
	}
	if c.Check {
		report, err := trf.Read(text.String())
		if err != nil {
			return t, fmt.Errorf("seed %d: %w", seed, err)
		}
		differences, err := swiss.Checker{}.Check(report.Field())
		if err != nil {
			return t, fmt.Errorf("seed %d: %w", seed, err)
		}
		for _, d := range differences {
			t.differences = append(t.differences, fmt.Sprintf("seed %d, %v", seed, d))
		}
	}
	return t, nil
}

// write writes a report to the directory, if there is one, and returns its text.
func (c *simulateCmd) write(r *trf.Report, seed uint64) (text bytes.Buffer, err error) {
	if err := r.Write(&text, trf.TRF2026); err != nil {
		return text, fmt.Errorf("seed %d: %w", seed, err)
	}
	if c.Out != "" {
		err = os.WriteFile(filepath.Join(c.Out, fmt.Sprintf("%08d.trf", seed)), text.Bytes(), 0o644)
	}
	return text, err
}

// oneOfTeams is one for teams.
func (c *simulateCmd) oneOfTeams(ctx context.Context, seed uint64) (tally, error) {
	report, t, err := c.playTeams(ctx, seed)
	if err != nil {
		return t, err
	}
	text, err := c.write(report, seed)
	if err == nil && c.Check {
		var differences []string
		differences, err = c.checkTeams(ctx, seed, report, text)
		t.differences = append(t.differences, differences...)
	}
	return t, err
}

// counted counts the pairings of the engine and, for checks, pairs in a second way.
type counted struct {
	dutch swiss.Dutch
	check bool
	seed  uint64
	tally *tally
}

func (c *counted) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	round, err := c.dutch.Pair(f)
	if err != nil && !errors.Is(err, tournament.ErrNoPairing) {
		return round, err
	}
	if err == nil {
		c.tally.rounds++
		c.tally.boards += len(round.Boards)
		if round.Bye != 0 {
			c.tally.byes++
		}
	}
	if !c.check {
		return round, err
	}
	second, again := literal.Pairer{}.Pair(f)
	if errors.Is(again, literal.ErrTooMany) {
		whole := c.dutch
		whole.Whole = true
		second, again = whole.Pair(f)
		c.tally.whole++
	} else {
		c.tally.literal++
	}
	switch {
	case err != nil || again != nil:
		if !errors.Is(err, tournament.ErrNoPairing) || !errors.Is(again, tournament.ErrNoPairing) {
			c.tally.differences = append(c.tally.differences, fmt.Sprintf("seed %d, round %d: %v, the other way %v", c.seed, f.Played+1, err, again))
		}
	case !sameBoards(round, second):
		c.tally.differences = append(c.tally.differences,
			fmt.Sprintf("seed %d, round %d: %v, the other way %v", c.seed, f.Played+1, round, second))
	}
	return round, err
}

// sameBoards compares pairings regardless of the order of boards.
func sameBoards(a, b tournament.RoundPairing) bool {
	order := func(x, y tournament.Board) int { return x.First - y.First }
	p, q := slices.Clone(a.Boards), slices.Clone(b.Boards)
	slices.SortFunc(p, order)
	slices.SortFunc(q, order)
	return a.Bye == b.Bye && slices.Equal(p, q)
}
