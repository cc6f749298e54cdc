package main

import (
	"bufio"
	"context"
	"maps"

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
	round, err := teamSwiss(ctx, r).Pair(field)
	if err != nil {
		return notPaired(field, err)
	}
	out := bufio.NewWriter(std.Out)
	writePairing(out, round)
	return out.Flush()
}

// teamChecker pairs the rounds of a team event again.
func teamChecker(ctx context.Context, r *trf.Report) swiss.Checker {
	return swiss.Checker{Pairer: teamSwiss(ctx, r), TellApart: tellTeamsApart}
}

// tellTeamsApart says whether the matches or only the seats differ.
func tellTeamsApart(_ tournament.Field, expected, actual tournament.RoundPairing) (string, bool, error) {
	matches := func(p tournament.RoundPairing) map[tournament.Board]bool {
		set := map[tournament.Board]bool{}
		for _, b := range p.Boards {
			set[tournament.Board{First: min(b.First, b.Second), Second: max(b.First, b.Second)}] = true
		}
		return set
	}
	if expected.Bye == actual.Bye && maps.Equal(matches(expected), matches(actual)) {
		return "seats", false, nil
	}
	return "order", false, nil
}
