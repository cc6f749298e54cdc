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

// teamSwiss pairs teams until it is cancelled.
func teamSwiss(ctx context.Context) teamswiss.Swiss {
	return teamswiss.Swiss{Cancelled: func() bool { return ctx.Err() != nil }}
}

// teamChecker pairs the rounds of a team event again.
func teamChecker(ctx context.Context) swiss.Checker {
	teams := teamSwiss(ctx)
	return swiss.Checker{Pairer: teams, TellApart: teams.TellApart}
}
