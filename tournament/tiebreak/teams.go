package tiebreak

import (
	"fmt"
	"slices"

	"chpok.org/chpok/tournament"
)

// Score is what a tie-break of teams goes by (C.07, 11.1 and 13).
type Score uint8

// Zero is whichever score orders the teams.
const (
	PrimaryScore Score = iota
	MatchPoints        // MP
	GamePoints         // GP
)

var scoreNames = [...]string{"", "MP", "GP"}

func scoreNamed(name string) Score { return Score(max(0, slices.Index(scoreNames[:], name))) }

func (s Score) suffix() string {
	if s == PrimaryScore {
		return ""
	}
	return ":" + scoreNames[s]
}

// checkTeams refuses what no event of teams can be.
func checkTeams(t *tournament.TeamEvent) error {
	if t.Boards < 1 {
		return fmt.Errorf("%w: matches without boards", ErrField)
	}
	for number, list := range t.Matches {
		for k, m := range list {
			if len(m.Boards) > t.Boards {
				return fmt.Errorf("%w: team %d has %d boards in round %d, not %d", ErrField, number, len(m.Boards), k+1, t.Boards)
			}
		}
	}
	return nil
}

// teams are the two views of an event: by match points and by game points.
type teams struct {
	*tournament.TeamEvent
	views [3]*event // by Score
}

// teamEvent is the view of an event of teams by the primary score.
func teamEvent(f tournament.Field) *event {
	t := f.Teams
	x := &teams{TeamEvent: t}
	games, all := f, tournament.Score(t.Boards)
	// By game points a win is one on every board, a draw half of that.
	games.Points = tournament.PointSystem{Win: all * t.Game.Win, Draw: all * t.Game.Draw, Loss: all * t.Game.Loss}
	x.views[MatchPoints] = newEvent(f)
	x.views[GamePoints] = eventBy(games, func(number, round int, o tournament.Outcome) tournament.Score {
		if o == tournament.Unfinished {
			return 0
		}
		return x.match(number, round).Games
	})
	x.views[GamePoints].winning = int64(games.Points.Draw) + 1
	x.views[PrimaryScore] = x.views[x.first()]
	for _, e := range x.views {
		e.teams = x
	}
	return x.views[PrimaryScore]
}

func (t *teams) match(number, round int) (m tournament.TeamMatch) {
	if list := t.Matches[number]; round < len(list) {
		m = list[round]
	}
	return m
}

// by returns the view of an event by a score.
func (e *event) by(s Score) *event {
	if e.teams == nil {
		return e
	}
	return e.teams.views[s]
}

// first is the primary score.
func (t *teams) first() Score {
	if t.ByGames {
		return GamePoints
	}
	return MatchPoints
}

// second is the other one.
func (t *teams) second() Score {
	if t.ByGames {
		return MatchPoints
	}
	return GamePoints
}

// secondary is MPvGP (13.1).
func (e *event) secondary(team int, c Code) (Value, Explanation) {
	return rounds((*event).points)(e.by(e.teams.second()), team, c)
}

// extended is an extended Sonneborn-Berger (13.2): the opponents' total of one score times what was
// scored against them of another.
func extended(theirs, own Score) func(*event, int, Code) (Value, Explanation) {
	return func(e *event, team int, c Code) (Value, Explanation) {
		terms := e.by(theirs).standard().terms(team, c.Forfeits)
		for i, t := range terms {
			t.Points = tenths(e.by(own).cells[team][t.Round-1].points)
			t.Worth = hundredths(t.Basis.Hundredths * t.Points.Hundredths / 100)
			terms[i] = t
		}
		cut(terms, c.Low, c.High)
		return sum(terms), Explanation{Terms: terms}
	}
}

// scheduleStrength is SSSC (13.4): the secondary score plus a part of the Buchholz by the primary one.
func (e *event) scheduleStrength(team int, c Code) (Value, Explanation) {
	primary, second := e.by(PrimaryScore), e.by(e.teams.second())
	buchholz, why := primary.buchholz(team, Code{Kind: Kind{Code: "BH"}, Fore: c.Fore})
	by := int64(c.Factor)
	if by == 0 {
		by = max(1, primary.most()/int64(second.field.Points.Win))
	}
	why.Divided, why.Plus = int(by), tenths(second.scores[team])
	total := by*why.Plus.Hundredths + buchholz.Hundredths
	v := hundredths(halfUp(total, by))
	v.rest = total - by*v.Hundredths
	return v, why
}

// most is the highest score that can be reached in the tournament.
func (e *event) most() int64 {
	n, rounds := len(e.field.Players), max(e.field.Rounds, e.rounds)
	if e.field.RoundRobin && n%2 == 1 {
		rounds -= rounds / n // the rests
	}
	return int64(rounds) * int64(e.field.Points.Win)
}
