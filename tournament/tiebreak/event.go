package tiebreak

import (
	"chpok.org/chpok/tournament"
)

// event is a field prepared for tie-breaks by one score: players by index, played rounds only.
type event struct {
	field   tournament.Field
	teams   *teams // nil: players
	rounds  int    // played
	index   map[int]int
	cells   [][]cell
	scores  []int64 // tenths, as awarded
	plain   *view   // scores as they are
	fore    *view   // with all games of the final round drawn
	isFinal bool    // the final round is reached
	winning int64   // least points of a round that is worth a win (7.1)
}

type cell struct {
	tournament.RoundResult
	opponent int // index; -1: none
	points   int64
}

// isRequested reports a half- or zero-point bye; a blank before a late entry or after
// leaving is a zero-point bye (16.1.1).
func (c cell) isRequested() bool {
	return c.Outcome == tournament.HalfBye || c.Outcome == tournament.ZeroBye || c.Outcome == tournament.NoRecord
}

// isVoluntary reports a voluntarily unplayed round (VUR, 16.1.2).
func (c cell) isVoluntary() bool { return c.isRequested() || c.Outcome == tournament.ForfeitLoss }

// isPaired reports whether there was a scheduled opponent.
func (c cell) isPaired() bool { return c.opponent >= 0 }

func newEvent(f tournament.Field) *event {
	e := eventBy(f, func(_ int, _ int, o tournament.Outcome) tournament.Score { return f.Points.Of(o) })
	e.winning = max(int64(f.Points.Win), 1)
	return e
}

// eventBy is an event with what the outcomes of rounds, from 0, are worth to a number.
func eventBy(f tournament.Field, worth func(number, round int, o tournament.Outcome) tournament.Score) *event {
	e := &event{field: f, rounds: f.Played, index: map[int]int{}}
	e.isFinal = f.Rounds == 0 || f.Played >= f.Rounds
	for i, p := range f.Players {
		e.index[p.Number] = i
	}
	for _, p := range f.Players {
		row := make([]cell, e.rounds)
		var score int64
		for r := range row {
			row[r].opponent = -1
			if r < len(p.Rounds) {
				row[r].RoundResult = p.Rounds[r]
				row[r].points = int64(worth(p.Number, r, p.Rounds[r].Outcome))
				if o, known := e.index[p.Rounds[r].Opponent]; known {
					row[r].opponent = o
				}
			}
			score += row[r].points
		}
		e.cells = append(e.cells, row)
		e.scores = append(e.scores, score)
	}
	return e
}

// view is the scores one family of tie-breaks works with.
type view struct {
	e        *event
	isFore   bool
	own      []int64 // the participant's own score
	adjusted []int64 // their score as an opponent (16.3)
}

func (e *event) standard() *view {
	if e.plain == nil {
		e.plain = e.view(false)
	}
	return e.plain
}

func (e *event) foreView() *view {
	if e.fore == nil {
		e.fore = e.view(e.isFinal)
	}
	return e.fore
}

// view holds the scores that one family of tie-breaks uses.
func (e *event) view(fore bool) *view {
	v := &view{e: e, isFore: fore}
	for i := range e.cells {
		var own, adjusted int64
		tail := !e.field.RoundRobin
		for r := e.rounds - 1; r >= 0; r-- {
			c := e.cells[i][r]
			points, voluntary := v.points(i, r), c.isVoluntary()
			if v.isDrawn(i, r) {
				voluntary = false
			}
			own += points
			// 16.3.2: requested byes followed by VURs only are draws.
			tail = tail && voluntary
			if tail && c.isRequested() {
				points = int64(e.field.Points.Draw)
			}
			adjusted += points
		}
		v.own, v.adjusted = append(v.own, own), append(v.adjusted, adjusted)
	}
	return v
}

// isDrawn reports whether Fore Buchholz counts the round as a draw: every paired game of
// the final round (8.3).
func (v *view) isDrawn(player, round int) bool {
	return v.isFore && round == v.e.rounds-1 && v.e.cells[player][round].isPaired()
}

func (v *view) points(player, round int) int64 {
	if v.isDrawn(player, round) {
		return int64(v.e.field.Points.Draw)
	}
	return v.e.cells[player][round].points
}

// terms returns the rounds of a player for the Buchholz and Sonneborn-Berger families:
// opponents with their adjusted scores, dummies for unplayed rounds (16.4). In a round
// robin a forfeit is a game and a rest is nothing (15.2). Unfinished games are nothing
// yet.
func (v *view) terms(player int, forfeits bool) []Term {
	e := v.e
	forfeits = forfeits || e.field.RoundRobin
	var list []Term
	for r, c := range e.cells[player] {
		t := Term{Round: r + 1, Points: tenths(v.points(player, r))}
		if c.isPaired() {
			t.Opponent = c.Opponent
		}
		drawn := v.isDrawn(player, r)
		switch {
		case c.isPaired() && (c.Outcome.IsPlayed() || drawn || forfeits && c.Outcome.IsForfeit()):
			t.Basis = tenths(v.adjusted[c.opponent])
		case c.Outcome == tournament.Unfinished, e.field.RoundRobin:
			continue
		case c.isPaired():
			t.Dummy, t.VUR = true, c.isVoluntary()
			t.Basis = tenths(min(v.own[player], v.adjusted[c.opponent]))
		default:
			t.Dummy, t.VUR = true, c.isVoluntary()
			t.Basis = tenths(min(v.own[player], int64(e.field.Points.Draw)*int64(e.rounds)))
		}
		list = append(list, t)
	}
	return list
}
