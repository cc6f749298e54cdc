package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/dryrun"
	"chpok.org/chpok/tournament/outlook"
)

type dryRunCmd struct {
	Report string `arg:"" optional:"" help:"Tournament report (TRF) to take the players from; - is standard input."`

	Runs     int           `default:"500" help:"How often."`
	Seed     uint64        `default:"1" help:"Seed of the first run; the others count up from it."`
	First    int           `default:"3" help:"How many leaders should have different points."`
	JSON     bool          `name:"json" help:"Write every run as a line of JSON."`
	Format   string        `default:"swiss" enum:"swiss,round-robin,knock-out,keizer" help:"${enum}."`
	Rounds   int           `default:"5" help:"Rounds of a Swiss."`
	Double   bool          `help:"Everybody meets everybody twice (round robin)."`
	Players  int           `default:"16" help:"Without a report: players."`
	Lowest   int           `default:"1200" help:"Without a report: lowest rating."`
	Highest  int           `default:"2000" help:"Without a report: highest rating."`
	Start    string        `default:"18:00" help:"When the first round opens, hours and minutes."`
	Break    time.Duration `default:"5m" help:"Between rounds."`
	Lateness time.Duration `default:"5m" help:"How long a match waits for its players."`
	Until    string        `help:"The hard end, hours and minutes." placeholder:"22:30"`
	Envelope string        `help:"What bidding may decide (JSON, as in the API); otherwise the widest." placeholder:"JSON"`
	Absence  float64       `default:"0.02" help:"Chance that a player does not come to a round."`
	Draws    float64       `default:"0.12" help:"Share of draws between equals."`
}

// Run plays the tournament Runs times and prints the outcome. Status 2: it cannot be
// played like this.
func (c *dryRunCmd) Run(ctx context.Context, std cli.IO) error {
	plan, err := c.plan(std)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	step := max(1, c.Runs/100)
	if !isTerminal(std.Err) {
		step = c.Runs + 1
	}
	samples := make([]dryrun.Sample, 0, max(0, c.Runs))
	for i := range c.Runs {
		if ctx.Err() != nil {
			return cli.Fail(1, "interrupted")
		}
		s, err := plan.Simulate(c.Seed+uint64(i), c.First)
		if err != nil {
			return cli.Fail(2, "%w", err)
		}
		samples = append(samples, s)
		if c.JSON {
			line, err := json.Marshal(s)
			if err != nil {
				return err
			}
			fmt.Fprintf(std.Out, "%s\n", line)
		}
		if (i+1)%step == 0 {
			fmt.Fprintf(std.Err, "\r%d of %d", i+1, c.Runs)
		}
	}
	if step <= c.Runs {
		fmt.Fprintln(std.Err)
	}
	if !c.JSON {
		c.print(std, plan, plan.Summarize(samples))
	}
	return nil
}

func (c *dryRunCmd) print(std cli.IO, p dryrun.Plan, r dryrun.Report) {
	clock := func(t time.Time) string {
		text := t.Format("15:04")
		if days := int(t.Sub(p.StartAt.Truncate(24*time.Hour)) / (24 * time.Hour)); days > 0 {
			text += fmt.Sprintf(" +%dd", days)
		}
		return text
	}
	fmt.Fprintf(std.Out, "runs           %d, seeds %d to %d\nplayers        %d\n", r.Runs, c.Seed, c.Seed+uint64(r.Runs)-1, len(p.Entries))
	fmt.Fprintf(std.Out, "ends           half by %s, nine of ten by %s, all by %s\nworst case     %s\n",
		clock(r.P50), clock(r.P90), clock(r.Latest), clock(r.Worst))
	if !p.Settings.Until.IsZero() {
		fmt.Fprintf(std.Out, "after the end  %d %%\n", r.Over)
	}
	fmt.Fprintf(std.Out, "byes           %.1f a tournament\nat once        %d matches\nfirst %-8d told apart by points in %d %%\n"+
		"strongest      comes first in %d %%\n", r.Byes, r.Peak, c.First, r.Separated, r.Strongest)
	if r.Stuck > 0 {
		fmt.Fprintf(std.Out, "no pairing     in %d runs\n", r.Stuck)
	}
	most := 1
	for _, b := range r.Bars {
		most = max(most, b.Runs)
	}
	for _, b := range r.Bars {
		fmt.Fprintf(std.Out, "%-10s %5d %s\n", clock(b.From), b.Runs, strings.Repeat("#", b.Runs*50/most))
	}
}

func (c *dryRunCmd) plan(std cli.IO) (p dryrun.Plan, err error) {
	if c.Runs < 1 || c.First < 1 || c.Players < 2 || c.Highest < c.Lowest {
		return p, errors.New("at least one run, one player to tell apart and two players, and bounds in their order")
	}
	format, err := tournament.ParseFormat(c.Format)
	if err != nil {
		return p, err
	}
	s := tournament.DefaultSettings(format)
	s.Name, s.Break, s.Lateness, s.Double = "Dry run", c.Break, c.Lateness, c.Double
	if format.PairsByScore() {
		s.Rounds = c.Rounds
	}
	if c.Envelope != "" {
		if s.Envelope, err = bidding.ParseEnvelope([]byte(c.Envelope)); err != nil {
			return p, err
		}
	}
	p = dryrun.Plan{Durations: outlook.TypicalDurations(), Absence: c.Absence, Draws: c.Draws}
	if p.StartAt, err = time.Parse("15:04", c.Start); err != nil {
		return p, err
	}
	p.StartAt = p.StartAt.AddDate(2000, 0, 0)
	if c.Until != "" {
		until, err := time.Parse("15:04", c.Until)
		if err != nil {
			return p, err
		}
		if s.Until = until.AddDate(2000, 0, 0); !s.Until.After(p.StartAt) {
			s.Until = s.Until.AddDate(0, 0, 1)
		}
	}
	if err := s.Validate(); err != nil {
		return p, err
	}
	p.Settings = s
	p.Entries, err = c.entries(std)
	return p, err
}

func (c *dryRunCmd) entries(std cli.IO) ([]tournament.Entry, error) {
	var list []tournament.Entry
	add := func(name string, rating int) {
		list = append(list, tournament.Entry{ID: tournament.EntryID(len(list) + 1), Name: name,
			Rating: rating, Status: tournament.Active, From: 1})
	}
	if c.Report == "" {
		for i := range c.Players {
			add(fmt.Sprintf("Player %03d", i+1), c.Highest-(c.Highest-c.Lowest)*i/max(1, c.Players-1))
		}
		return list, nil
	}
	report, err := readReport(c.Report, std)
	if err != nil {
		return nil, err
	}
	if report.Teams != nil {
		return nil, cli.Fail(2, "%s: a team event cannot be rehearsed", inputName(c.Report))
	}
	for _, p := range report.Field().Players {
		add(p.Name, p.Rating)
	}
	return list, nil
}
