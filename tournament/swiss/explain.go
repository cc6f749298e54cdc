package swiss

import (
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Explanation explains one board, or the bye.
type Explanation struct {
	First, Second int // numbers; Second 0: First has the bye
	Reasons       []Reason
}

// Reason is one sentence: the key of its text and the arguments listed at the key.
type Reason struct {
	Key               string
	Player, Other     int // numbers
	Score, OtherScore tournament.Score
	Round             int
}

// Keys of reasons, with the arguments that their texts may use.
const (
	SameScore = "pairing.same-score" // Score
	MovedDown = "pairing.moved-down" // Player, Score, Other, OtherScore

	DownAlone  = "pairing.down.alone"  // Player, Score
	DownNobody = "pairing.down.nobody" // Player, Score
	DownOdd    = "pairing.down.odd"    // Score
	DownForced = "pairing.down.forced" // Score: no more pairs were possible there
	DownSpared = "pairing.down.spared" // Player, Other: ranked lower, floated down lately
	DownChoice = "pairing.down.choice" // Player, Other: ranked lower

	ByRank    = "pairing.by-rank"   // Player, Other
	Exchanged = "pairing.exchanged" // Score: the halves of the group do not fit unchanged

	NotMet       = "pairing.not.met"       // Player, Other, Round: would meet by rank
	NotForbidden = "pairing.not.forbidden" // Player, Other
	NotAbsolute  = "pairing.not.absolute"  // Player, Other
	NotWish      = "pairing.not.wish"      // Player, Other
	NotFloated   = "pairing.not.floated"   // Player, Other: Other met a higher score lately
	NotOthers    = "pairing.not.others"    // Player, Other: worse for others

	LeftMet       = "pairing.left.met"       // Player, Other, Round: would be left for each other
	LeftForbidden = "pairing.left.forbidden" // Player, Other
	LeftAbsolute  = "pairing.left.absolute"  // Player, Other
	LeftWish      = "pairing.left.wish"      // Player, Other

	SeatBoth      = "pairing.seat.both"      // Player opens the bidding (5.2.1)
	SeatStronger  = "pairing.seat.stronger"  // Player, Other (5.2.2)
	SeatWider     = "pairing.seat.wider"     // Player, Other (5.2.2, both absolute)
	SeatAlternate = "pairing.seat.alternate" // Player, Other (5.2.3)
	SeatHigher    = "pairing.seat.higher"    // Player, Other (5.2.4)
	SeatNumber    = "pairing.seat.number"    // Player, Other (5.2.5)

	ByeLowest = "pairing.bye.lowest" // Player, Score
	ByeHad    = "pairing.bye.had"    // Other: ranked lower, has had points without playing
	ByeGames  = "pairing.bye.games"  // Player, Other: ranked lower, has played less
	ByeChoice = "pairing.bye.choice" // Player, Other: ranked lower
)

// Keys returns every key of a Reason.
func Keys() []string {
	return []string{
		SameScore, MovedDown, DownAlone, DownNobody, DownOdd, DownForced, DownSpared, DownChoice, ByRank, Exchanged,
		NotMet, NotForbidden, NotAbsolute, NotWish, NotFloated, NotOthers, LeftMet, LeftForbidden, LeftAbsolute, LeftWish,
		SeatBoth, SeatStronger, SeatWider, SeatAlternate, SeatHigher, SeatNumber, ByeLowest, ByeHad, ByeGames, ByeChoice,
	}
}

// Explain gives the reasons of a pairing of the field's next round, board by board in the
// given order, the bye last. For a pairing changed by hand it says how the rules see it,
// not why it was made.
func Explain(f tournament.Field, p tournament.RoundPairing) ([]Explanation, error) {
	r, err := prepare(f)
	if err != nil {
		return nil, err
	}
	e, index := &explainer{round: r, field: f, reasons: make([][]Reason, len(r.players))}, r.index()
	if e.mate, err = r.mates(p, index); err != nil {
		return nil, err
	}
	for _, b := range r.brackets(e.mate) {
		e.bracket(b)
	}
	var list []Explanation
	for _, b := range p.Boards {
		i, j := index[b.First], index[b.Second]
		high := min(i, j)
		reasons := append(slices.Clone(e.reasons[high]), e.seat(i, j, b.First))
		list = append(list, Explanation{First: b.First, Second: b.Second, Reasons: reasons})
	}
	if i, ok := index[p.Bye]; ok && p.Bye != 0 {
		list = append(list, Explanation{First: p.Bye, Reasons: e.bye(i)})
	}
	return list, nil
}

type explainer struct {
	*round
	field   tournament.Field
	mate    []int
	reasons [][]Reason // by the higher of a pair
}

func (e *explainer) number(i int) int             { return e.players[i].number }
func (e *explainer) score(i int) tournament.Score { return e.players[i].score }

func (e *explainer) say(i int, r Reason) { e.reasons[i] = append(e.reasons[i], r) }

// bracket explains the pairs of one bracket.
func (e *explainer) bracket(b bracket) {
	taken := map[int]bool{}
	var rest []int
	for _, p := range b.pairs {
		if p[0] < b.begin {
			taken[p[1]] = true
			e.say(p[0], Reason{Key: MovedDown, Player: e.number(p[0]), Score: e.score(p[0]), Other: e.number(p[1]), OtherScore: e.score(p[1])})
			e.reasons[p[0]] = append(e.reasons[p[0]], e.floated(p[0])...)
		} else {
			rest = append(rest, p[0], p[1])
			e.say(p[0], Reason{Key: SameScore, Score: e.score(p[0])})
		}
	}
	// Players moved down would meet the highest residents in turn.
	gone := map[int]bool{}
	for _, p := range b.pairs {
		if p[0] >= b.begin {
			continue
		}
		natural := b.begin
		for gone[natural] {
			natural++
		}
		e.order(p[0], natural, b)
		gone[p[1]] = true
	}
	for i := b.begin; i < b.end; i++ {
		if !taken[i] && !slices.Contains(rest, i) {
			rest = append(rest, i) // floats down
		}
	}
	slices.Sort(rest)
	e.remainder(rest, b)
}

// remainder explains the pairs of residents: the upper half meets the lower.
func (e *explainer) remainder(rest []int, b bracket) {
	var upper, lower []int
	for _, i := range rest {
		if j := e.mate[i]; j > i && j < b.end {
			upper = append(upper, i)
		} else {
			lower = append(lower, i)
		}
	}
	exchanged := false
	for k, i := range upper {
		exchanged = exchanged || rest[k] != i
	}
	gone := map[int]bool{}
	for _, i := range upper {
		if exchanged {
			e.say(i, Reason{Key: Exchanged, Score: e.score(i)})
			if k := slices.Index(rest, i); k < len(upper) && rest[k+len(upper)] != e.mate[i] {
				if r, ok := e.obstacle(i, rest[k+len(upper)], NotMet, NotForbidden, NotAbsolute, NotWish); ok {
					e.say(i, r)
				}
			}
			continue
		}
		for _, j := range lower {
			if j > i && !gone[j] {
				e.order(i, j, b)
				break
			}
		}
		gone[e.mate[i]] = true
	}
}

// order says whether i meets its opponent by rank, or why not.
func (e *explainer) order(i, natural int, b bracket) {
	if natural == e.mate[i] {
		e.say(i, Reason{Key: ByRank, Player: e.number(i), Other: e.number(natural)})
		return
	}
	if natural >= b.end {
		return
	}
	if r, ok := e.obstacle(i, natural, NotMet, NotForbidden, NotAbsolute, NotWish); ok {
		e.say(i, r)
		return
	}
	n := &e.players[natural]
	if i < b.begin && (n.up[0] || n.up[1]) {
		e.say(i, Reason{Key: NotFloated, Player: e.number(i), Other: n.number})
		return
	}
	e.say(i, Reason{Key: NotOthers, Player: e.number(i), Other: n.number})
	if w, a := e.mate[natural], e.mate[i]; w >= 0 && w != a {
		if r, ok := e.obstacle(w, a, LeftMet, LeftForbidden, LeftAbsolute, LeftWish); ok {
			e.say(i, r)
		}
	}
}

// obstacle returns what prevents a good pair of two players, if anything.
func (e *explainer) obstacle(i, j int, met, forbidden, absolutely, wish string) (Reason, bool) {
	a, b := &e.players[i], &e.players[j]
	r := Reason{Player: a.number, Other: b.number}
	switch {
	case !e.legal[i].has(j):
		r.Key = forbidden
		if round := e.metIn(a.number, b.number); round > 0 {
			r.Key, r.Round = met, round
		} else if sameClaim(a, b) {
			r.Key = absolutely
		}
	case clash(a, b):
		r.Key = wish
	}
	return r, r.Key != ""
}

// metIn returns the round in which two players met, or 0.
func (e *explainer) metIn(a, b int) int {
	for _, p := range e.field.Players {
		if p.Number != a {
			continue
		}
		for k, c := range p.Rounds {
			if k < e.played && c.Opponent == b && hasPlayed(c) {
				return k + 1
			}
		}
	}
	return 0
}

// floated says why i was moved down from its score group.
func (e *explainer) floated(i int) []Reason {
	begin := i
	for begin > 0 && e.score(begin-1) == e.score(i) {
		begin--
	}
	end := e.groupEnd(begin)
	r := Reason{Player: e.number(i), Score: e.score(i)}
	if end-begin == 1 {
		r.Key = DownAlone
		return []Reason{r}
	}
	open, stayed, lowest := false, 0, -1
	for j := begin; j < end; j++ {
		open = open || e.legal[i].has(j)
		if m := e.mate[j]; m >= 0 && m < end {
			stayed++
			if j > i && lowest < j {
				lowest = j
			}
		}
	}
	switch {
	case !open:
		r.Key = DownNobody
		return []Reason{r}
	case (end-begin)-stayed == 1:
		r.Key = DownOdd
	default:
		r.Key = DownForced
	}
	out := []Reason{r}
	if lowest >= 0 {
		why := Reason{Key: DownChoice, Player: e.number(i), Other: e.number(lowest)}
		if p := &e.players[lowest]; p.down[0] || p.down[1] {
			why.Key = DownSpared
		}
		out = append(out, why)
	}
	return out
}

// seat says why first, the number of i or j, opens the bidding.
func (e *explainer) seat(i, j, first int) Reason {
	high, low := min(i, j), max(i, j)
	seat, rule := e.seatOf(&e.players[high], &e.players[low])
	opens, answers := high, low
	if seat != match.First {
		opens, answers = low, high
	}
	r := Reason{Key: rule, Player: e.number(opens), Other: e.number(answers)}
	if r.Player != first {
		r.Player, r.Other = r.Other, r.Player
	}
	return r
}

// bye says why i has the bye and those ranked below do not.
func (e *explainer) bye(i int) []Reason {
	p := &e.players[i]
	out := []Reason{{Key: ByeLowest, Player: p.number, Score: p.score}}
	for j := len(e.players) - 1; j > i && len(out) < 4; j-- {
		q := &e.players[j]
		r := Reason{Key: ByeChoice, Player: p.number, Other: q.number}
		switch {
		case !q.mayBye:
			r.Key = ByeHad
		case q.unplayed > p.unplayed && q.score == p.score:
			r.Key = ByeGames
		}
		out = append(out, r)
	}
	return out
}
