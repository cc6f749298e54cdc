package tiebreak

// buchholz is the sum of the opponents' scores (C.07, 8.1 and 8.3).
func (e *event) buchholz(player int, c Code) (Value, Explanation) {
	v := e.standard()
	if c.Kind.Code == "FB" || c.Fore {
		v = e.foreView()
	}
	terms := v.terms(player, c.Forfeits)
	for i := range terms {
		terms[i].Worth = terms[i].Basis
		terms[i].Points = Value{}
	}
	cut(terms, c.Low, c.High)
	return sum(terms), Explanation{Terms: terms}
}

// averageBuchholz is the average Buchholz of the opponents played over the board (8.2),
// to two decimals, half to even; undefined without a game.
func (e *event) averageBuchholz(player int, c Code) (Value, Explanation) {
	inner := Code{Kind: Kind{Code: "BH"}, Fore: c.Fore, Forfeits: c.Forfeits}
	var terms []Term
	for r, cell := range e.cells[player] {
		forfeit := cell.Outcome.IsForfeit() && (c.Forfeits || e.field.RoundRobin)
		if !cell.isPaired() || !cell.Outcome.IsPlayed() && !forfeit {
			continue
		}
		value, _ := e.buchholz(cell.opponent, inner)
		terms = append(terms, Term{Round: r + 1, Opponent: cell.Opponent, Basis: value, Worth: value})
	}
	if len(terms) == 0 {
		return Value{}, Explanation{}
	}
	n := int64(len(terms))
	return hundredths(halfEven(sum(terms).Hundredths, n)), Explanation{Terms: terms, Divided: len(terms)}
}

// sonnebornBerger multiplies every opponent's score by the points scored against them
// (9.1).
func (e *event) sonnebornBerger(player int, c Code) (Value, Explanation) {
	terms := e.standard().terms(player, c.Forfeits)
	for i, t := range terms {
		terms[i].Worth = hundredths(t.Basis.Hundredths * t.Points.Hundredths / 100)
	}
	cut(terms, c.Low, c.High)
	return sum(terms), Explanation{Terms: terms}
}

// koya is the points against opponents with at least half of the maximum points, the
// limit moved by half points (9.2, 14.5).
func (e *event) koya(player int, c Code) (Value, Explanation) {
	games := 0
	for _, row := range e.cells {
		n := 0
		for _, cell := range row {
			if cell.isPaired() || !e.field.RoundRobin {
				n++
			}
		}
		games = max(games, n)
	}
	limit := int64(games)*int64(e.field.Points.Win) + 10*int64(c.Limit) // twice the limit, in tenths
	var terms []Term
	for r, cell := range e.cells[player] {
		if !cell.isPaired() {
			continue
		}
		t := Term{Round: r + 1, Opponent: cell.Opponent, Basis: tenths(e.scores[cell.opponent]), Points: tenths(cell.points)}
		t.Worth = t.Points
		t.Cut = 2*e.scores[cell.opponent] < limit
		terms = append(terms, t)
	}
	return sum(terms), Explanation{Terms: terms}
}

func sum(terms []Term) Value {
	total := hundredths(0)
	for _, t := range terms {
		if !t.Cut {
			total.Hundredths += t.Worth.Hundredths
		}
	}
	return total
}

// cut leaves out the least significant value low times, then the most significant one
// high times (14.1–14.4). The least significant value is that of the opponent with the
// lowest score, among equals the lowest; a voluntarily unplayed round goes first unless
// it is worth less (16.5).
func cut(terms []Term, low, high int) {
	for range low {
		least, voluntary := -1, -1
		for i, t := range terms {
			if t.Cut {
				continue
			}
			if least < 0 || less(t, terms[least]) {
				least = i
			}
			if t.VUR && (voluntary < 0 || t.Worth.Hundredths < terms[voluntary].Worth.Hundredths) {
				voluntary = i
			}
		}
		if least < 0 {
			return
		}
		if voluntary >= 0 && terms[voluntary].Worth.Hundredths >= terms[least].Worth.Hundredths {
			least = voluntary
		}
		terms[least].Cut = true
	}
	for range high {
		most := -1
		for i, t := range terms {
			if !t.Cut && (most < 0 || less(terms[most], t)) {
				most = i
			}
		}
		if most < 0 {
			return
		}
		terms[most].Cut = true
	}
}

func less(a, b Term) bool {
	if a.Basis != b.Basis {
		return a.Basis.Hundredths < b.Basis.Hundredths
	}
	return a.Worth.Hundredths < b.Worth.Hundredths
}
