// Package format is the list of formats by what pairs them and what orders them. A new format is
// its rules in package tournament, a pairer in a folder of its own, and a line here.
package format

import (
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/clubmatch"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
)

// way is how a format pairs and orders.
type way struct {
	// system returns what pairs the rounds; nil: there are none.
	system func(*tournament.Table) tournament.System
	// order returns the order after a number of rounds.
	order func(*tournament.Tournament, int) (Table, error)
}

// ways is the list of formats.
var ways = map[tournament.Format]way{
	tournament.RoundRobin: {berger, byPoints},
	tournament.Swiss:      {dutch, byPoints},
	tournament.ClubMatch:  {boards, byPoints},
	tournament.KnockOut:   {bracket, byPoints},
	tournament.Arena:      {dutch, bySheets},
}

func berger(t *tournament.Table) tournament.System {
	return tournament.System{Pairer: roundrobin.Berger{Double: t.Double}, Engine: roundrobin.Version}
}

func dutch(*tournament.Table) tournament.System {
	return tournament.System{Pairer: swiss.Dutch{}, Engine: swiss.Version, Judge: swiss.JudgeBoards}
}

func boards(*tournament.Table) tournament.System {
	return tournament.System{Pairer: clubmatch.Table{}, Engine: clubmatch.Version}
}

func bracket(t *tournament.Table) tournament.System {
	return tournament.System{Pairer: t.BracketPairing(), Engine: contest.Version}
}

// System returns what pairs the rounds of a tournament.
func System(t *tournament.Table) tournament.System { return ways[t.Format].system(t) }

// Standings returns the order after a number of rounds; below 0: after all so far. A tournament
// whose numbers are not drawn has none yet.
func Standings(t *tournament.Tournament, rounds int) (Table, error) {
	if rounds < 0 {
		rounds = len(t.Rounds)
	}
	return ways[t.Format].order(t, rounds)
}
