package tiebreak

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// rounds sums over a player's own rounds what each is worth (C.07, 7); rounds worth
// nothing are not listed in the explanation.
func rounds(worth func(e *event, c cell) Value) func(*event, int, Code) (Value, Explanation) {
	return func(e *event, player int, _ Code) (Value, Explanation) {
		var terms []Term
		for r, c := range e.cells[player] {
			w := worth(e, c)
			if w.Hundredths == 0 {
				continue
			}
			t := Term{Round: r + 1, Points: tenths(c.points), Worth: w}
			if c.isPaired() {
				t.Opponent = c.Opponent
			}
			terms = append(terms, t)
		}
		return sum(terms), Explanation{Terms: terms}
	}
}

// count makes every round that is so worth 1.
func count(is func(e *event, c cell) bool) func(*event, int, Code) (Value, Explanation) {
	return rounds(func(e *event, c cell) Value {
		if is(e, c) {
			return whole(1)
		}
		return Value{}
	})
}

func (e *event) points(c cell) Value { return tenths(c.points) }

// isWorthAWin reports a round that gave as much as a win, played or not (7.1).
func (e *event) isWorthAWin(c cell) bool {
	return c.Outcome != tournament.Unfinished && c.points >= e.winning
}

func (e *event) isWon(c cell) bool {
	return c.Outcome == tournament.Win || c.Outcome == tournament.WinUnrated
}

// isBlack reports a game played from the second seat, TRF's black.
func (e *event) isBlack(c cell) bool { return c.Seat == match.Second && c.Outcome.IsPlayed() }

func (e *event) isWonWithBlack(c cell) bool { return e.isWon(c) && e.isBlack(c) }

// isElected reports a round that the player elected to play (7.6). A rest in a round
// robin is not requested.
func (e *event) isElected(c cell) bool {
	return !c.isVoluntary() || e.field.RoundRobin && !c.isPaired()
}

// standardPoint is 7.7 for one round: 1 for more points than a draw, ½ for as many. The
// text compares with the scheduled opponent's points; like other programs we compare with
// a draw, which differs only where both got the same without a draw (double forfeits give
// nothing).
func (e *event) standardPoint(c cell) Value {
	draw := int64(e.field.Points.Draw)
	switch {
	case c.Outcome == tournament.Unfinished || c.points < draw:
		return Value{}
	case c.points > draw:
		return whole(1)
	}
	return hundredths(50)
}

// pairingNumber is the number under which the player was paired (7.8).
func (e *event) pairingNumber(player int, _ Code) (Value, Explanation) {
	return whole(e.field.Players[player].Number), Explanation{}
}

// progressive is the sum of the scores after each round; cuts leave out the first rounds,
// and at the top the last ones (7.5, 14.1.1).
func (e *event) progressive(player int, c Code) (Value, Explanation) {
	var terms []Term
	var score int64
	for r, cell := range e.cells[player] {
		score += cell.points
		t := Term{Round: r + 1, Points: tenths(cell.points), Basis: tenths(score), Worth: tenths(score)}
		t.Cut = r < c.Low || r >= e.rounds-c.High
		terms = append(terms, t)
	}
	return sum(terms), Explanation{Terms: terms}
}

// difference is our own CPD: the difference of points in every match played over the
// board, each between -cap and cap.
func (e *event) difference(player int, c Code) (Value, Explanation) {
	var terms []Term
	for r, cell := range e.cells[player] {
		if !cell.Outcome.IsPlayed() {
			continue
		}
		terms = append(terms, Term{
			Round: r + 1, Opponent: cell.Opponent,
			Basis: whole(cell.Difference), Worth: whole(min(max(cell.Difference, -c.Cap), c.Cap)),
		})
	}
	return sum(terms), Explanation{Terms: terms}
}
