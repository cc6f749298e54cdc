package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/board"
)

type perftCmd struct {
	Divide   bool    `help:"Print the leaves below each action too."`
	Row      *string `placeholder:"ROW" help:"The home row; the standard row of the width without it."`
	Features string  `placeholder:"JSON" default:"{}" help:"The features (rules, section 7), as a record has them."`
	CFEN     *string `name:"cfen" placeholder:"CFEN" help:"The position; the start of the row without it."`
	Depth    int     `arg:"" help:"How many actions deep."`
}

// Run prints the number of leaves; with Divide, a sorted line per action before it.
// Status 2: impossible position.
func (c *perftCmd) Run(ctx context.Context, std cli.IO) error {
	p, problems := c.position()
	if c.Depth < 0 {
		problems = append(problems, fmt.Sprintf("the depth is 0 or more, not %d", c.Depth))
	}
	if len(problems) > 0 {
		return cli.Fail(2, "%s", strings.Join(problems, "; "))
	}
	if c.Depth == 0 {
		_, err := fmt.Fprintln(std.Out, 1)
		return err
	}
	counted := make(chan []board.Count, 1)
	go func() { counted <- perft(ctx, p, c.Depth) }()
	var counts []board.Count
	select {
	case counts = <-counted:
	case <-ctx.Done(): // the process ends before the count
		return ctx.Err()
	}
	total := uint64(0)
	lines := make([]string, len(counts))
	for i, n := range counts {
		total += n.Nodes
		lines[i] = fmt.Sprintf("%s %d\n", n.Action, n.Nodes)
	}
	out := bufio.NewWriter(std.Out)
	if c.Divide {
		slices.Sort(lines)
		for _, line := range lines {
			out.WriteString(line)
		}
	}
	fmt.Fprintln(out, total)
	return out.Flush()
}

// position returns the position asked about, or everything that is wrong with it.
func (c *perftCmd) position() (p board.Position, problems []string) {
	features, err := board.ParseFeatures([]byte(c.Features))
	if err != nil { // the width is unknown
		problems = faultsOf(err)
		if c.Row != nil {
			problems = append(problems, faultsOf(board.ValidateRow(board.Row(*c.Row), len([]rune(*c.Row))))...)
		}
		return p, problems
	}
	row := board.StandardRow(features.Width)
	if c.Row != nil {
		row = board.Row(*c.Row)
	}
	p, err = board.Start(features, row)
	problems = faultsOf(err)
	if c.CFEN != nil {
		p, err = board.ParseCFEN(features, *c.CFEN)
		problems = append(problems, faultsOf(err)...)
	}
	return p, problems
}

func faultsOf(err error) []string {
	var setup *board.SetupError
	var features *board.FeatureError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &setup):
		return texts(setup.Problems)
	case errors.As(err, &features):
		return texts(features.Problems)
	}
	return []string{err.Error()}
}

func texts(problems []board.Problem) []string {
	out := make([]string, len(problems))
	for i, p := range problems {
		out[i] = p.String()
	}
	return out
}

// perft counts the leaves below each action on all processors until ctx is done.
func perft(ctx context.Context, p board.Position, depth int) []board.Count {
	actions := p.Moves(nil)
	counts := make([]board.Count, len(actions))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, a := range actions {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			after, _ := p.PlayUnchecked(a)
			counts[i] = board.Count{Action: a, Nodes: board.Perft(after, depth-1)}
			return nil
		})
	}
	_ = group.Wait()
	return counts
}
