// Package format is the list of formats by what pairs them, what orders them and what is to be said
// about a pairing. A new format is its rules in package tournament, a pairer in a folder of its own,
// and a line here.
package format

import (
	"slices"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/keizer"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
)

// way is how a format pairs and orders.
type way struct {
	// system returns what pairs the rounds.
	system func(*tournament.Table) tournament.System
	// order returns the order after a number of rounds.
	order func(*tournament.Tournament, int) (Table, error)
	// judge returns the rules that a pairing of a field breaks.
	judge func(tournament.System, tournament.Field, tournament.RoundPairing) ([]tournament.Objection, error)
	// explain says why each board is paired; nil: it is not told.
	explain func(tournament.Field, tournament.RoundPairing) ([]swiss.Explanation, error)
}

// ways is the list of formats.
var ways = map[tournament.Format]way{
	tournament.RoundRobin: {system: berger, order: byPoints, judge: judgeTable},
	tournament.Swiss:      {system: dutch, order: byPoints, judge: judgeDutch, explain: swiss.Explain},
	tournament.KnockOut:   {system: bracket, order: byPoints, judge: judgeTable},
	tournament.Arena:      {system: dutch, order: bySheets, judge: judgeDutch}, // package arena pairs its boards
	tournament.Keizer:     {system: neighbors, order: byValues, judge: judgeNeighbors},
}

func berger(t *tournament.Table) tournament.System {
	return tournament.System{Pairer: roundrobin.Berger{Double: t.Double}, Engine: roundrobin.Version}
}

func dutch(*tournament.Table) tournament.System {
	return tournament.System{Pairer: swiss.Dutch{}, Engine: swiss.Version, Judge: swiss.JudgeBoards,
		Relax: func(f tournament.Field) (tournament.Field, error) {
			held, _, err := swiss.Relax(f)
			return held, err
		}}
}

func bracket(t *tournament.Table) tournament.System {
	return tournament.System{Pairer: t.BracketPairing(), Engine: contest.Version}
}

func neighbors(*tournament.Table) tournament.System {
	return tournament.System{Pairer: keizer.Neighbors{}, Engine: keizer.Version, Judge: keizer.Judge, Relax: keizer.Relax,
		Scores: keizer.Scores}
}

// teamWays is the list of formats that pair teams otherwise than players.
var teamWays = map[tournament.Format]way{
	tournament.Swiss: {system: teams, order: byPoints, judge: judgeTeams, explain: teamswiss.Swiss{}.Explain},
}

func teams(*tournament.Table) tournament.System {
	s := teamswiss.Swiss{}
	return tournament.System{Pairer: s, Engine: teamswiss.Version, Judge: s.JudgeBoards, Relax: s.Relax}
}

func judgeTeams(_ tournament.System, f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	return teamswiss.Swiss{}.Judge(f, p)
}

// wayOf returns the way of an event; of a format that does not exist, as a file may name it, the usual one.
func wayOf(s tournament.Settings) way {
	if w, known := teamWays[s.Format]; known && s.HasTeams() {
		return w
	}
	if w, known := ways[s.Format]; known {
		return w
	}
	return ways[tournament.Swiss]
}

// System returns what pairs the rounds of a tournament.
func System(t *tournament.Table) tournament.System { return wayOf(t.Settings).system(t) }

// Standings returns the order after a number of rounds; below 0: after all so far. A tournament
// whose numbers are not drawn has none yet.
func Standings(t *tournament.Tournament, rounds int) (Table, error) {
	if rounds < 0 {
		rounds = len(t.Rounds)
	}
	return wayOf(t.Settings).order(t, rounds)
}

// ScoresAfter returns the scores by number that players have after a number of rounds.
func ScoresAfter(t *tournament.Table, rounds int) map[int]tournament.Score {
	return System(t).ScoresIn(t.FieldAfter(rounds))
}

// Judge returns the rules that a pairing of a field breaks, as a whole and on its boards.
func Judge(t *tournament.Table, f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	w := wayOf(t.Settings)
	return w.judge(w.system(t), f, p)
}

// Explain says why each board is paired, by the order of the boards, and then the bye; nothing if
// the format does not tell.
func Explain(t *tournament.Table, f tournament.Field, p tournament.RoundPairing) ([]swiss.Explanation, error) {
	if !Explains(t.Settings) {
		return nil, nil
	}
	return wayOf(t.Settings).explain(f, p)
}

// Explains reports whether an event says why boards are paired.
func Explains(s tournament.Settings) bool { return wayOf(s).explain != nil }

func judgeDutch(_ tournament.System, f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	return swiss.Judge(f, p)
}

func judgeNeighbors(_ tournament.System, f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	return keizer.Judge(f, p)
}

// judgeTable returns the boards that do not follow the table.
func judgeTable(s tournament.System, f tournament.Field, p tournament.RoundPairing) (list []tournament.Objection, err error) {
	table, err := s.Pairer.Pair(f)
	if err != nil {
		return nil, err
	}
	for _, b := range p.Boards {
		switch {
		case slices.Contains(table.Boards, b):
		case slices.Contains(table.Boards, tournament.Board{First: b.Second, Second: b.First}):
			list = append(list, tournament.Objection{Rule: "seats", First: b.First, Second: b.Second})
		default:
			list = append(list, tournament.Objection{Rule: "table", First: b.First, Second: b.Second})
		}
	}
	return list, nil
}
