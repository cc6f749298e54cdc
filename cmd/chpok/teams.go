package main

import (
	"bufio"
	"context"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/trf"
)

// fieldOf returns the players of a report, or its teams.
func fieldOf(r *trf.Report) tournament.Field {
	if r.Teams != nil {
		return r.TeamField()
	}
	return r.Field()
}

// countedOf is fieldOf without the games that do not count.
func countedOf(r *trf.Report) tournament.Field {
	if r.Teams != nil {
		return r.TeamField()
	}
	return r.Counted()
}

// teamSwiss pairs the teams of a report as its record 192 says.
func teamSwiss(ctx context.Context, r *trf.Report) teamswiss.Swiss {
	system := r.TeamSystem()
	rules := teamswiss.Rules{OneScore: system.OneScore}
	if system.TypeB {
		rules.Preferences = teamswiss.TypeB
	}
	return teamswiss.Swiss{Rules: rules, Cancelled: func() bool { return ctx.Err() != nil }}
}

func (c *pairCmd) pairTeams(ctx context.Context, r *trf.Report, field tournament.Field, std cli.IO) error {
	teams := teamSwiss(ctx, r)
	round, err := teams.Pair(field)
	if err != nil {
		return notPaired(field, err)
	}
	out := bufio.NewWriter(std.Out)
	if !c.Explain {
		writePairing(out, round)
		return out.Flush()
	}
	list, err := teams.Explain(field, round)
	if err != nil {
		return err
	}
	writeExplanations(out, field, list)
	return out.Flush()
}

// teamChecker pairs the rounds of a team event again.
func teamChecker(ctx context.Context, r *trf.Report) swiss.Checker {
	teams := teamSwiss(ctx, r)
	return swiss.Checker{Pairer: teams, TellApart: teams.TellApart}
}
