package main

import (
	"context"

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

// teamChecker pairs the rounds of a team event again.
func teamChecker(ctx context.Context, r *trf.Report) swiss.Checker {
	teams := teamSwiss(ctx, r)
	return swiss.Checker{Pairer: teams, TellApart: teams.TellApart}
}
