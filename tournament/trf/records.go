package trf

import (
	"iter"
	"strconv"
	"strings"
	"sync"

	"chpok.org/chpok/tournament"
)

// column returns the text of columns from…to of a line, given without its code (the first
// three columns).
func column(body string, from, to int) string {
	from, to = from-4, to-3
	if from >= len(body) {
		return ""
	}
	return strings.TrimSpace(body[from:min(to, len(body))])
}

// number reads a whole number; blank is 0 if low is.
func (r *reader) number(what, text string, low, high int) (int, bool) {
	if text == "" && low == 0 {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		r.problem("%s %q is not a number in %d..%d", what, text, low, high)
		return 0, false
	}
	return n, true
}

// numbers reads a list of player numbers.
func (r *reader) numbers(text string) ([]int, bool) {
	var list []int
	good := true
	for _, word := range strings.Fields(text) {
		n, ok := r.number("player", word, 1, MaxNumber)
		good = good && ok
		list = append(list, n)
	}
	if len(list) == 0 {
		r.problem("no players named")
	}
	return list, good && len(list) > 0
}

// postpone applies a record to players after all of them are known.
func (r *reader) postpone(list []int, do func(p *Player)) {
	line := r.line
	r.later = append(r.later, func(index map[int]int) {
		r.line = line
		for _, n := range list {
			i, known := index[n]
			if !known {
				r.problem("player %d is not in the file", n)
				continue
			}
			do(&r.report.Players[i])
		}
	})
}

// byes reads a 240 record: T RRR pppp pppp…
func (r *reader) byes(body string) {
	kind, known := map[string]tournament.Outcome{
		"F": tournament.FullBye, "H": tournament.HalfBye, "Z": tournament.ZeroBye, "A": tournament.ZeroBye,
	}[strings.ToUpper(column(body, 5, 5))]
	if !known {
		r.problem("bye %q is none of F, H, Z", column(body, 5, 5))
	}
	round, ok := r.number("round", column(body, 7, 9), 1, MaxRounds)
	list, good := r.numbers(column(body, 10, len(body)+3))
	switch {
	case !known || !ok || !good:
	case r.report.Teams != nil:
		r.postponeTeams(list, func(t *Team) { t.Byes = append(t.Byes, AskedBye{round, kind}) })
	default:
		r.postpone(list, func(p *Player) { r.bye(p, round, kind) })
	}
}

// absent reads JaVaFo's XXZ record: zero-point byes in the next round.
func (r *reader) absent(body string) {
	if list, ok := r.numbers(body); ok {
		round := sync.OnceValue(func() int { return r.report.Played() + 1 })
		r.postpone(list, func(p *Player) { r.bye(p, round(), tournament.ZeroBye) })
	}
}

// bye writes a bye into a player's row and refuses to overwrite anything else.
func (r *reader) bye(p *Player, round int, kind tournament.Outcome) {
	for len(p.Rounds) < round {
		p.Rounds = append(p.Rounds, tournament.RoundResult{})
	}
	switch c := &p.Rounds[round-1]; {
	case c.Outcome == tournament.NoRecord:
		c.Outcome = kind
	case c.Outcome != kind:
		r.problem("round %d of player %d is already filled otherwise", round, p.Number)
	}
}

// acceleration reads a 250 record: MMMM GGGG RRF RRL PPPF PPPL. Individual tournaments
// have their points in GGGG; teams have those of the score that pairs them, and zero in the other.
func (r *reader) acceleration(body string) {
	text := column(body, 10, 13)
	if zero, is := parseScore(text); text == "" || is && zero == 0 {
		text = column(body, 5, 8)
	}
	points, ok := parseScore(text)
	if !ok {
		r.problem("acceleration points %q are not a score", text)
	}
	first, a := r.number("first round", column(body, 15, 17), 1, MaxRounds)
	last, b := r.number("last round", column(body, 19, 21), 1, MaxRounds)
	from, c := r.number("first player", column(body, 23, 26), 1, MaxNumber)
	to, d := r.number("last player", column(body, 28, 31), 1, MaxNumber)
	if a && b && last < first {
		r.problem("rounds %d to %d", first, last)
		return
	}
	if !ok || !a || !b || !c || !d {
		return
	}
	line := r.line
	r.later = append(r.later, func(map[int]int) {
		r.line = line
		for number, virtual := range r.sides() {
			if number >= from && number <= to {
				for round := first; round <= last; round++ {
					r.accelerate(number, virtual, round, points)
				}
			}
		}
	})
}

// virtual reads JaVaFo's XXA record: the player and their acceleration points by round.
func (r *reader) virtual(body string) {
	number, ok := r.number("player", column(body, 5, 8), 1, MaxNumber)
	var points []tournament.Score
	for at := 10; at-4 < len(body); at += 5 {
		text := column(body, at, at+3)
		s, good := parseScore(text)
		if text != "" && !good {
			r.problem("acceleration points %q are not a score", text)
			ok = false
		}
		points = append(points, s)
	}
	if len(points) > MaxRounds {
		r.problem("more than %d rounds", MaxRounds)
		ok = false
	}
	if ok {
		r.postpone([]int{number}, func(p *Player) {
			for i, s := range points {
				r.accelerate(p.Number, &p.Virtual, i+1, s)
			}
		})
	}
}

// sides yields the numbers of the players, or of the teams, with where their acceleration stands.
func (r *reader) sides() iter.Seq2[int, *[]tournament.Score] {
	return func(yield func(int, *[]tournament.Score) bool) {
		if t := r.report.Teams; t != nil {
			for i := range t.List {
				if !yield(t.List[i].Number, &t.List[i].Virtual) {
					return
				}
			}
			return
		}
		for i := range r.report.Players {
			if !yield(r.report.Players[i].Number, &r.report.Players[i].Virtual) {
				return
			}
		}
	}
}

func (r *reader) accelerate(number int, virtual *[]tournament.Score, round int, points tournament.Score) {
	for len(*virtual) < round {
		*virtual = append(*virtual, 0)
	}
	switch v := &(*virtual)[round-1]; {
	case *v == 0:
		*v = points
	case points != 0 && *v != points:
		r.problem("number %d has two accelerations in round %d", number, round)
	}
}

// forbidden reads a 260 record: RRF RRL pppp pppp…
func (r *reader) forbidden(body string) {
	from, a := r.number("first round", column(body, 5, 7), 0, MaxRounds)
	to, b := r.number("last round", column(body, 9, 11), 0, MaxRounds)
	list, ok := r.numbers(column(body, 13, len(body)+3))
	if a && b && to < from {
		r.problem("rounds %d to %d", from, to)
		return
	}
	if a && b && ok {
		r.forbid(tournament.Forbidden{Numbers: list, From: from, To: to})
	}
}

// forbiddenAlways reads JaVaFo's XXP record.
func (r *reader) forbiddenAlways(body string) {
	if list, ok := r.numbers(body); ok {
		r.forbid(tournament.Forbidden{Numbers: list})
	}
}

func (r *reader) forbid(b tournament.Forbidden) {
	if t := r.report.Teams; t != nil {
		t.Forbidden = append(t.Forbidden, b)
		r.postponeTeams(b.Numbers, func(*Team) {})
		return
	}
	r.report.Forbidden = append(r.report.Forbidden, b)
	r.postpone(b.Numbers, func(*Player) {})
}
