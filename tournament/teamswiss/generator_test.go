package teamswiss_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// event is a random tournament of teams; rates are between 0 and 1.
type event struct {
	teams, rounds, boards                       int
	draws, forfeits, halted, absent, late, gone float64
	forbidden                                   float64
	rules                                       tournament.TeamRules
	accelerated                                 bool
}

// mixed is an event of random kind.
func mixed(rng *rand.Rand, smallest, largest int) event {
	some := func(p, most float64) float64 {
		if rng.Float64() < p {
			return most * rng.Float64()
		}
		return 0
	}
	e := event{teams: smallest + rng.IntN(largest-smallest+1), boards: 1 + rng.IntN(5), draws: 0.6 * rng.Float64()}
	e.rounds = 2 + rng.IntN(max(1, min(e.teams, 9)-1))
	e.forfeits, e.halted = some(0.5, 0.2), some(0.3, 0.1)
	e.absent, e.late, e.gone = some(0.5, 0.2), some(0.4, 0.3), some(0.3, 0.08)
	e.forbidden = some(0.2, 0.3)
	e.rules.Preferences = tournament.SeatPreferences(rng.IntN(3))
	e.rules.ByGames, e.rules.OneScore = rng.IntN(3) == 0, rng.IntN(5) == 0
	e.accelerated = rng.IntN(8) == 0
	if rng.IntN(4) == 0 { // all on one score, where seats decide
		e.draws, e.boards = 1, 1
	}
	return e
}

// points are match points 2-1-0; a bye is a draw.
func points() tournament.PointSystem {
	return tournament.PointSystem{Win: 20, Draw: 10, ForfeitWin: 20, FullBye: 20, HalfBye: 10, PairBye: 10}
}

// play plays rounds until one cannot be paired. pair gets the field before every round.
func (e event) play(rng *rand.Rand, pair func(tournament.Field) (tournament.RoundPairing, error)) (f tournament.Field, err error) {
	matches := map[int][]tournament.TeamMatch{}
	f = tournament.Field{Rounds: e.rounds, Points: points(), Opening: match.Seat(1 + rng.IntN(2)),
		Teams: &tournament.TeamEvent{TeamRules: e.rules, Boards: e.boards, Game: tournament.StandardPoints(), Matches: matches}}
	enters, gone := make([]int, e.teams), make([]bool, e.teams)
	for i := range e.teams {
		p := tournament.FieldPlayer{Number: i + 1}
		if e.accelerated && i < e.teams/2 {
			p.Virtual = []tournament.Score{20, 10}
		}
		if rng.Float64() < e.late {
			enters[i] = rng.IntN(e.rounds)
		}
		f.Players = append(f.Players, p)
	}
	for range int(e.forbidden * float64(e.teams)) {
		if a, b := 1+rng.IntN(e.teams), 1+rng.IntN(e.teams); a != b {
			f.Forbidden = append(f.Forbidden, tournament.Forbidden{Numbers: []int{a, b}, To: rng.IntN(e.rounds)})
		}
	}
	for f.Played < f.Rounds {
		for i := range f.Players {
			p := &f.Players[i]
			gone[i] = gone[i] || f.Played > 0 && rng.Float64() < e.gone
			p.Rounds = append(p.Rounds, tournament.RoundResult{})
			matches[p.Number] = append(matches[p.Number], tournament.TeamMatch{})
			switch {
			case gone[i] || f.Played < enters[i]:
				p.Rounds[f.Played].Outcome = tournament.ZeroBye
			case rng.Float64() < e.absent:
				p.Rounds[f.Played].Outcome = tournament.ZeroBye
				if rng.IntN(3) == 0 {
					p.Rounds[f.Played].Outcome = tournament.HalfBye
					matches[p.Number][f.Played].Games = tournament.Score(5 * e.boards)
				}
			}
		}
		round, err := pair(f)
		if errors.Is(err, tournament.ErrNoPairing) {
			return f, nil
		}
		if err != nil {
			return f, err
		}
		e.results(rng, &f, round)
		f.Played++
	}
	return f, nil
}

// results plays a paired round.
func (e event) results(rng *rand.Rand, f *tournament.Field, round tournament.RoundPairing) {
	k := f.Played
	for _, b := range round.Boards {
		x, y := &f.Players[b.First-1].Rounds[k], &f.Players[b.Second-1].Rounds[k]
		*x, *y = tournament.RoundResult{Opponent: b.Second, Seat: match.First}, tournament.RoundResult{Opponent: b.First, Seat: match.Second}
		m, n := &f.Teams.Matches[b.First][k], &f.Teams.Matches[b.Second][k]
		for range e.boards {
			switch first := 0.5 + float64(b.Second-b.First)/float64(3*e.teams); {
			case rng.Float64() < e.draws:
				m.Games, n.Games = m.Games+5, n.Games+5
			case rng.Float64() < first:
				m.Games += 10
			default:
				n.Games += 10
			}
		}
		switch {
		case m.Games > n.Games:
			x.Outcome, y.Outcome = tournament.Win, tournament.Loss
		case m.Games < n.Games:
			x.Outcome, y.Outcome = tournament.Loss, tournament.Win
		default:
			x.Outcome, y.Outcome = tournament.Draw, tournament.Draw
		}
		if rng.Float64() >= e.forfeits {
			continue
		}
		all := tournament.Score(10 * e.boards)
		halted := rng.Float64() < 5*e.halted
		switch rng.IntN(5) {
		case 0:
			x.Outcome, y.Outcome = tournament.ForfeitLoss, tournament.ForfeitLoss
			*m, *n = tournament.TeamMatch{Played: halted}, tournament.TeamMatch{Played: halted}
		case 1, 2:
			x.Outcome, y.Outcome = tournament.ForfeitLoss, tournament.ForfeitWin
			*m, *n = tournament.TeamMatch{Played: halted}, tournament.TeamMatch{Games: all, Played: halted}
		default:
			x.Outcome, y.Outcome = tournament.ForfeitWin, tournament.ForfeitLoss
			*m, *n = tournament.TeamMatch{Games: all, Played: halted}, tournament.TeamMatch{Played: halted}
		}
	}
	if round.Bye != 0 {
		f.Players[round.Bye-1].Rounds[k].Outcome = tournament.PairingBye
		f.Teams.Matches[round.Bye][k].Games = tournament.Score(5 * e.boards)
	}
}

// crosstable prints a field for a failing test.
func crosstable(f tournament.Field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "played %d of %d, opening %v, type %d, by games %v, one score %v, forbidden %v\n",
		f.Played, f.Rounds, f.Opening, f.Teams.Preferences, f.Teams.ByGames, f.Teams.OneScore, f.Forbidden)
	for _, p := range f.Players {
		fmt.Fprintf(&b, "%d v%v", p.Number, p.Virtual)
		for k, r := range p.Rounds {
			m := f.Teams.Matches[p.Number][k]
			fmt.Fprintf(&b, "  %d%.1s%c%d%v", r.Opponent, r.Seat, " 1=0WDL+-FHZU*"[r.Outcome], m.Games, m.Played)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// lines are the matches of a round in one order.
func lines(p tournament.RoundPairing) []string {
	list := []string{fmt.Sprintf("bye %d", p.Bye)}
	for _, b := range p.Boards {
		list = append(list, fmt.Sprintf("%d-%d", b.First, b.Second))
	}
	slices.Sort(list)
	return list
}
