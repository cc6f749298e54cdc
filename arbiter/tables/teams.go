package tables

import (
	"fmt"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/trf"
)

// teamReport is an event of teams as a report: f is its field of teams, which may say more about rounds to come than
// the event itself. Rounds whose line-ups are awaited are left out, because a report knows matches by their boards.
func teamReport(t *tournament.Table, f tournament.Field) *trf.Report {
	x := teamReporter{t: t, f: f, rounds: t.Rounds[:min(f.Played, len(t.Rounds))]}
	if len(t.Awaited()) > 0 && len(x.rounds) == len(t.Rounds) {
		x.rounds = x.rounds[:len(x.rounds)-1]
	}
	players, number := t.PlayerField()
	players.Played = len(x.rounds)
	for i := range players.Players {
		players.Players[i].Rounds = players.Players[i].Rounds[:players.Played]
	}
	x.number, x.report = number, trf.FromField(players)
	r := x.report
	r.Forbidden = nil
	r.SetHeader("082", fmt.Sprint(len(f.Players)))
	r.SetHeader("092", "Team Swiss")
	system := trf.TeamCode(f.Teams.TeamRules)
	switch {
	case f.System != "":
		r.SetHeader("092", trf.TypeOf(f.System))
		system = f.System
	case f.RoundRobin:
		r.SetHeader("092", "Team Round Robin")
		system = fmt.Sprintf("BERGER_TEAM_ROUNDROBIN_G%d", 1+f.Rounds/max(1, len(f.Players)))
	}
	r.SetHeader("192", system)
	r.Teams = &trf.Teams{Points: f.Points, Seats: strings.Repeat("wb", t.Teams.Boards)[:t.Teams.Boards],
		Bye: trf.TeamBye{Match: f.Points.PairBye, Games: tournament.Score(t.Teams.Boards) * t.Points.HalfBye, Known: true}}
	for _, forbidden := range f.Forbidden {
		if !forbidden.Soft { // reports know no wishes
			r.Teams.Forbidden = append(r.Teams.Forbidden, forbidden)
		}
	}
	counted := t.FieldAfter(len(x.rounds))
	points, games := counted.Scored()
	for _, p := range f.Players {
		x.addTeam(p, points[p.Number], games[p.Number])
	}
	for i, round := range x.rounds {
		bye := 0
		for _, p := range f.Players {
			if p.Rounds[i].Outcome == tournament.PairingBye {
				bye = p.Number
			}
		}
		r.Teams.Bye.By = append(r.Teams.Bye.By, bye)
		for n, m := range round.Teams {
			x.addMatch(round, n+1, m)
		}
	}
	return r
}

type teamReporter struct {
	t      *tournament.Table
	f      tournament.Field
	rounds []tournament.Round
	number map[tournament.EntryID]int // of players
	report *trf.Report
}

// addTeam adds a team with its roster, what counts of its points, and the byes that no match or record of all byes tells.
func (x teamReporter) addTeam(p tournament.FieldPlayer, points, games tournament.Score) {
	team := trf.Team{Number: p.Number, Name: p.Name, Nick: tournament.ShortName(p.Name), Strength: p.Rating, HasScore: true,
		Match: points, Games: games, Virtual: slices.Clone(p.Virtual)}
	for k, c := range p.Rounds {
		if c.Opponent == 0 && c.Outcome.IsBye() && c.Outcome != tournament.PairingBye && (k < len(x.rounds) || k >= x.f.Played) {
			team.Byes = append(team.Byes, trf.AskedBye{Round: k + 1, Kind: c.Outcome})
		}
	}
	for _, e := range x.t.Players() {
		if n := x.number[e.ID]; n > 0 && x.team(e.Team) == p.Number {
			team.Players = append(team.Players, n)
		}
	}
	slices.Sort(team.Players)
	x.report.Teams.List = append(x.report.Teams.List, team)
}

// team returns the number of a team.
func (x teamReporter) team(id tournament.EntryID) int {
	e, _ := x.t.Entry(id) // a board's is there
	return e.Number
}

// addMatch adds what the players' own records do not tell of a match: who forfeited it, and who sat where beside the order.
func (x teamReporter) addMatch(round tournament.Round, n int, m tournament.TeamPairing) {
	teams := x.report.Teams
	if m.IsForfeited() {
		teams.Forfeits = append(teams.Forfeits, trf.Forfeit{Round: round.Number, First: x.team(m.First), Second: x.team(m.Second), Lost: m.Lost})
	}
	boards := round.BoardsOf(n)
	for _, s := range match.Seats {
		var sat []int // by board
		for k, p := range boards {
			sat = append(sat, x.number[p.EntryAt(tournament.TeamSeat(k+1, s))])
		}
		inOrder := slices.DeleteFunc(slices.Clone(sat), func(player int) bool { return player == 0 })
		if len(inOrder) == len(sat) && slices.IsSorted(sat) {
			continue
		}
		if slices.IsSorted(inOrder) && slices.Equal(inOrder, sat[:len(inOrder)]) && len(inOrder) > 0 && x.facesAll(boards, s) {
			continue
		}
		teams.LineUps = append(teams.LineUps, trf.LineUp{Round: round.Number, Team: x.team(m.TeamAt(s)), Opponent: x.team(m.TeamAt(s.Other())),
			Players: sat})
	}
}

// facesAll reports whether somebody sat opposite at every board.
func (x teamReporter) facesAll(boards []tournament.Pairing, s match.Seat) bool {
	for k, p := range boards {
		if x.number[p.EntryAt(tournament.TeamSeat(k+1, s.Other()))] == 0 {
			return false
		}
	}
	return true
}

// rankedTeams fills in the places of teams.
func rankedTeams(r *trf.Report, ranks map[int]int) {
	for i := range r.Teams.List {
		r.Teams.List[i].Rank = ranks[r.Teams.List[i].Number]
	}
}
