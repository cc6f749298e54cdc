package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	literalteams "chpok.org/chpok/tournament/teamswiss/literal"
	"chpok.org/chpok/tournament/trf"
)

// teamPlay plays a random event of teams into its report, from which each round is paired.
type teamPlay struct {
	simulateCmd
	rng    *rand.Rand
	report *trf.Report
	rating map[int]int
	gone   map[int]bool
	tally  *tally
}

// playTeams plays one event of teams.
func (c *simulateCmd) playTeams(ctx context.Context, seed uint64) (*trf.Report, tally, error) {
	p := &teamPlay{simulateCmd: *c, rng: rand.New(rand.NewPCG(seed, 46)),
		rating: map[int]int{}, gone: map[int]bool{}, tally: &tally{tournaments: 1}}
	if c.Mixed {
		p.mix()
	}
	p.enter(fmt.Sprintf("Generated, seed %d", seed))
	for round := range p.Rounds {
		p.askByes(round)
		field := p.report.TeamField()
		paired, err := teamSwiss(ctx).Pair(field)
		if err != nil && !errors.Is(err, tournament.ErrNoPairing) {
			return nil, *p.tally, fmt.Errorf("seed %d, round %d: %w", seed, round+1, err)
		}
		if c.Check && len(field.Players) <= literalteams.MaxTeams {
			p.pairAgain(seed, field, paired, err)
		}
		if err != nil {
			p.tally.stuck++
			break
		}
		p.tally.rounds++
		p.tally.boards += len(paired.Boards)
		p.play(round, paired)
	}
	p.sumUp()
	return p.report, *p.tally, nil
}

// mix draws the kind of the event.
func (p *teamPlay) mix() {
	some := func(most float64) float64 { return most * p.rng.Float64() * float64(p.rng.IntN(2)) }
	p.Teams = p.Smallest + p.rng.IntN(p.Largest-p.Smallest+1)
	p.Boards, p.Reserves = 1+p.rng.IntN(6), p.rng.IntN(4)
	p.Rounds = 1 + p.rng.IntN(max(1, min(p.Teams-1, 9)))
	p.Draws, p.Forfeits, p.HalfByes, p.Absences = p.rng.Float64()*0.6, some(0.2), some(0.1), some(0.1)
	p.LateEntries, p.Withdrawals = some(0.3), some(0.1)
}

// enter makes the teams and their players.
func (p *teamPlay) enter(name string) {
	r := &trf.Report{Rounds: p.Rounds, Opening: match.Seats[p.rng.IntN(2)], Points: tournament.StandardPoints()}
	system := "FIDE_TEAM"
	if p.Mixed {
		system += []string{"", "_TYPEA", "_TYPEB"}[p.rng.IntN(3)] + []string{"", "_MP_GP", "_GP_MP", "_MP", "_GP"}[p.rng.IntN(5)]
	}
	r.SetHeader("012", name)
	r.SetHeader("082", fmt.Sprint(p.Teams))
	r.SetHeader("192", system)
	// The seats say how many boards there are, also while every match was forfeited.
	seats := strings.Repeat("wb", p.Boards)[:p.Boards]
	r.Teams = &trf.Teams{Points: trf.DefaultMatchPoints(), Seats: seats,
		Bye: trf.TeamBye{Match: 10, Games: tournament.Score(5 * p.Boards), Known: true}}
	for t := range p.Teams {
		x := trf.Team{Number: t + 1, Name: fmt.Sprintf("Team %d", t+1), Nick: fmt.Sprintf("T%d", t+1)}
		strength := p.Highest - (p.Highest-p.Lowest)*t/max(1, p.Teams-1)
		for k := range p.Boards + p.Reserves {
			n := len(r.Players) + 1
			p.rating[n] = max(1, strength-30*k+p.rng.IntN(60))
			x.Players = append(x.Players, n)
			x.Strength += p.rating[n]
			r.Players = append(r.Players, trf.Player{Number: n, Name: fmt.Sprintf("Player %d", n), Rating: min(p.rating[n], 9999)})
		}
		x.Strength /= p.Boards + p.Reserves
		if p.rng.Float64() < p.LateEntries {
			for round := range p.rng.IntN(p.Rounds) {
				x.Byes = append(x.Byes, trf.AskedBye{Round: round + 1, Kind: tournament.ZeroBye})
			}
		}
		r.Teams.List = append(r.Teams.List, x)
	}
	p.report = r
}

// askByes draws the teams that are absent in a round (from 0).
func (p *teamPlay) askByes(round int) {
	for i := range p.report.Teams.List {
		t := &p.report.Teams.List[i]
		if slices.ContainsFunc(t.Byes, func(b trf.AskedBye) bool { return b.Round == round+1 }) {
			continue
		}
		p.gone[t.Number] = p.gone[t.Number] || round > 0 && p.rng.Float64() < p.Withdrawals
		switch {
		case p.gone[t.Number] || p.rng.Float64() < p.Absences:
			t.Byes = append(t.Byes, trf.AskedBye{Round: round + 1, Kind: tournament.ZeroBye})
		case p.rng.Float64() < p.HalfByes:
			t.Byes = append(t.Byes, trf.AskedBye{Round: round + 1, Kind: tournament.HalfBye})
		}
	}
}

// play plays a paired round (from 0).
func (p *teamPlay) play(round int, paired tournament.RoundPairing) {
	for i := range p.report.Players {
		p.report.Players[i].Rounds = append(p.report.Players[i].Rounds, tournament.RoundResult{})
	}
	p.report.Teams.Bye.By = append(p.report.Teams.Bye.By, paired.Bye)
	if paired.Bye != 0 {
		p.tally.byes++
	}
	for _, b := range paired.Boards {
		nobody := p.rng.Float64() < p.Forfeits
		if nobody || p.rng.Float64() < p.Forfeits {
			p.report.Teams.Forfeits = append(p.report.Teams.Forfeits, trf.Forfeit{Round: round + 1, First: b.First, Second: b.Second,
				Lost: [][2]bool{{true, false}, {false, true}, {true, true}}[p.rng.IntN(3)]})
		}
		if nobody {
			continue
		}
		first, second := p.lineUp(round, b.First, b.Second), p.lineUp(round, b.Second, b.First)
		for k := range p.Boards {
			p.game(round, k, first[k], second[k])
		}
	}
}

// lineUp names the players of a team, board by board; 0: nobody.
func (p *teamPlay) lineUp(round, team, opponent int) []int {
	t := p.report.Teams.List[team-1]
	list := slices.Clone(t.Players)
	for len(list) > p.Boards {
		k := p.rng.IntN(len(list))
		list = slices.Delete(list, k, k+1)
	}
	isOut := false
	if p.rng.Float64() < p.Forfeits {
		list[len(list)-1], isOut = 0, true
	}
	if len(list) > 1 && p.rng.Float64() < p.Forfeits {
		list[0], list[1], isOut = list[1], list[0], true
	}
	if isOut {
		p.report.Teams.LineUps = append(p.report.Teams.LineUps, trf.LineUp{Round: round + 1, Team: team, Opponent: opponent, Players: list})
	}
	return list
}

// game plays one board, from 0, of a match.
func (p *teamPlay) game(round, board, first, second int) {
	seat := match.Seats[board%2]
	set := func(player, opponent int, seat match.Seat, o tournament.Outcome) {
		if player > 0 {
			p.report.Players[player-1].Rounds[round] = tournament.RoundResult{Opponent: opponent, Seat: seat, Outcome: o}
		}
	}
	a, b := tournament.Draw, tournament.Draw
	expected := 1 / (1 + math.Pow(10, float64(p.rating[second]-p.rating[first])/400))
	switch {
	case first == 0:
		a, b = tournament.ForfeitLoss, tournament.ForfeitWin
	case second == 0 || p.rng.Float64() < p.Forfeits:
		a, b = tournament.ForfeitWin, tournament.ForfeitLoss
	case p.rng.Float64() < p.Draws:
	case p.rng.Float64() < expected:
		a, b = tournament.Win, tournament.Loss
	default:
		a, b = tournament.Loss, tournament.Win
	}
	set(first, second, seat, a)
	set(second, first, seat.Other(), b)
}

// pairAgain pairs a round by trial of every candidate.
func (p *teamPlay) pairAgain(seed uint64, field tournament.Field, round tournament.RoundPairing, err error) {
	second, again := literalteams.Pairer{}.Pair(field)
	p.tally.literal++
	if (err == nil) != (again == nil) || err == nil && !sameBoards(round, second) {
		p.tally.differences = append(p.tally.differences,
			fmt.Sprintf("seed %d, round %d: %v %v, the other way %v %v", seed, field.Played+1, round, err, second, again))
	}
}

// sumUp writes points into the report.
func (p *teamPlay) sumUp() {
	field := p.report.TeamField()
	for i := range p.report.Teams.List {
		t := &p.report.Teams.List[i]
		t.HasScore = true
		for k := range field.Played {
			t.Match += field.Points.Of(field.Players[i].Rounds[k].Outcome)
			t.Games += field.Teams.Matches[t.Number][k].Games
		}
	}
	for i := range p.report.Players {
		x := &p.report.Players[i]
		x.HasPoints = true
		for _, c := range x.Rounds {
			x.Points += p.report.Points.Of(c.Outcome)
		}
	}
}

// checkTeams compares a report of teams with what is read again from its text, and with its rounds paired again.
func (c *simulateCmd) checkTeams(ctx context.Context, seed uint64, r *trf.Report, text bytes.Buffer) ([]string, error) {
	again, err := trf.ReadAny(text.String())
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	var list []string
	if !reflect.DeepEqual(again.TeamField(), r.TeamField()) {
		list = append(list, fmt.Sprintf("seed %d: the report reads otherwise than it was written", seed))
	}
	differences, err := teamChecker(ctx).Check(again.TeamField())
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	for _, d := range differences {
		list = append(list, fmt.Sprintf("seed %d, %v", seed, d))
	}
	return list, nil
}
