package tiebreak

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// record computes the tie-breaks on a player's own results (C.07, 7).
func (e *event) record(player int, c Code) (Value, Explanation) {
	var terms []Term
	add := func(round int, worth Value) {
		cell := e.cells[player][round]
		t := Term{Round: round + 1, Points: tenths(cell.points), Worth: worth}
		if cell.isPaired() {
			t.Opponent = cell.Opponent
		}
		terms = append(terms, t)
	}
	one := whole(1)
	for r, cell := range e.cells[player] {
		won := cell.Outcome == tournament.Win || cell.Outcome == tournament.WinUnrated
		second := cell.Seat == match.Second && cell.Outcome.IsPlayed()
		switch c.Kind.Code {
		case "PTS":
			if cell.points != 0 {
				add(r, tenths(cell.points))
			}
		case "WIN":
			if cell.Outcome != tournament.Unfinished && cell.points >= int64(e.field.Points.Win) && cell.points > 0 {
				add(r, one)
			}
		case "WON":
			if won {
				add(r, one)
			}
		case "BPG":
			if second {
				add(r, one)
			}
		case "BWG":
			if second && won {
				add(r, one)
			}
		case "REP":
			// A rest in a round robin is not requested.
			rest := e.field.RoundRobin && !cell.isPaired()
			if !cell.isVoluntary() || rest {
				add(r, one)
			}
		case "STD":
			if worth := e.standardPoint(player, r); worth.Hundredths != 0 {
				add(r, worth)
			}
		}
	}
	return sum(terms), Explanation{Terms: terms}
}

// standardPoint is 7.7 for one round: 1 for more points than a draw, ½ for as many. The
// text compares with the scheduled opponent's points; like other programs we compare with
// a draw, which differs only where both got the same without a draw (double forfeits give
// nothing).
func (e *event) standardPoint(player, round int) Value {
	c, draw := e.cells[player][round], int64(e.field.Points.Draw)
	switch {
	case c.Outcome == tournament.Unfinished || c.points < draw:
		return Value{}
	case c.points > draw:
		return whole(1)
	}
	return hundredths(50)
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
