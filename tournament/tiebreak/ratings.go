package tiebreak

import (
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
)

// game is one game over the board against a rated opponent.
type game struct {
	round, opponent int // opponent by index
	rating          int
	halves          int64 // own result in half points, regardless of the point system
}

// games returns the games for the tie-breaks by rating (C.07, 10): no forfeits, and
// unrated opponents only with the rating of a modifier.
func (e *event) games(player int, c Code) []game {
	var list []game
	for r, cell := range e.cells[player] {
		if !cell.isPaired() || !cell.Outcome.IsPlayed() {
			continue
		}
		g := game{round: r, opponent: cell.opponent, rating: e.field.Players[cell.opponent].Rating}
		if g.rating == 0 {
			g.rating = c.Unrated
		}
		if g.rating == 0 {
			continue
		}
		switch cell.Outcome {
		case tournament.Win, tournament.WinUnrated:
			g.halves = 2
		case tournament.Draw, tournament.DrawUnrated:
			g.halves = 1
		}
		list = append(list, g)
	}
	return list
}

func (e *event) ratingTerms(games []game) []Term {
	terms := make([]Term, len(games))
	for i, g := range games {
		terms[i] = Term{
			Round: g.round + 1, Opponent: e.field.Players[g.opponent].Number,
			Basis: whole(g.rating), Worth: whole(g.rating), Points: hundredths(50 * g.halves),
		}
	}
	return terms
}

// averageRating is ARO (10.1), rounded half up to a whole number.
func (e *event) averageRating(player int, c Code) (Value, Explanation) {
	terms := e.ratingTerms(e.games(player, c))
	cut(terms, c.Low, c.High)
	n := 0
	for _, t := range terms {
		if !t.Cut {
			n++
		}
	}
	if n == 0 {
		return Value{}, Explanation{Terms: terms}
	}
	return hundredths(100 * halfUp(sum(terms).Hundredths/100, int64(n))), Explanation{Terms: terms, Divided: n}
}

// performance is TPR (10.2): the opponents' average, not rounded, plus the difference for
// the score in percent, which is rounded half up.
func (e *event) performance(player int, c Code) (Value, Explanation) {
	games := e.games(player, c)
	if len(games) == 0 {
		return Value{}, Explanation{}
	}
	n := int64(len(games))
	var ratings, halves int64
	for _, g := range games {
		ratings += int64(g.rating)
		halves += g.halves
	}
	percent := int(halfUp(50*halves, n))
	dp := rating.Difference(percent)
	why := Explanation{Terms: e.ratingTerms(games), Divided: len(games), Percent: percent, Difference: dp}
	return hundredths(100 * halfUp(ratings+n*int64(dp), n)), why
}

// perfect is PTP (10.3): the lowest rating whose expected score against these opponents,
// by the full table, reaches the score; without points it is the weakest opponent's
// rating minus 800.
func (e *event) perfect(player int, c Code) (Value, Explanation) {
	games := e.games(player, c)
	if len(games) == 0 {
		return Value{}, Explanation{}
	}
	why := Explanation{Terms: e.ratingTerms(games)}
	var halves int64
	lowest, highest := games[0].rating, games[0].rating
	for _, g := range games {
		halves += g.halves
		lowest, highest = min(lowest, g.rating), max(highest, g.rating)
	}
	if halves == 0 {
		return whole(lowest - 800), why
	}
	low, high := lowest-800, highest+800 // the table ends at 735
	for low < high {
		mid := low + (high-low)/2
		var expected int64
		for _, g := range games {
			expected += int64(rating.Expected(mid - g.rating))
		}
		if expected >= 50*halves {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return whole(low), why
}

// averagePerformance is APRO and APPO (10.4, 10.5): the average performance of the
// opponents played over the board.
func (e *event) averagePerformance(player int, c Code) (Value, Explanation) {
	of := e.performance
	if c.Kind.Code == "APPO" {
		of = e.perfect
	}
	var terms []Term
	for r, cell := range e.cells[player] {
		if !cell.isPaired() || !cell.Outcome.IsPlayed() {
			continue
		}
		value, _ := of(cell.opponent, c)
		if !value.Defined {
			continue
		}
		terms = append(terms, Term{Round: r + 1, Opponent: cell.Opponent, Basis: value, Worth: value})
	}
	if len(terms) == 0 {
		return Value{}, Explanation{}
	}
	n := int64(len(terms))
	return hundredths(100 * halfUp(sum(terms).Hundredths/100, n)), Explanation{Terms: terms, Divided: len(terms)}
}

// ratingItself is RTNG (10.6), undefined for unrated players.
func (e *event) ratingItself(player int, c Code) (Value, Explanation) {
	r := e.field.Players[player].Rating
	if r == 0 {
		r = c.Unrated
	}
	if r == 0 {
		return Value{}, Explanation{}
	}
	return whole(r), Explanation{}
}
