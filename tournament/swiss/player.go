package swiss

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// strength is how strongly a player is owed a seat (FIDE C.04.3, 1.7).
type strength uint8

const (
	noWish strength = iota
	mild
	strong
	absolute
)

// player is what the rules need to know about a player in one round.
type player struct {
	number   int              // tournament number
	rank     int              // pairing number, from 1, among those who have taken part
	score    tournament.Score // with acceleration points of this round
	plain    tournament.Score
	seats    []match.Seat // of the games played
	want     match.Seat   // zero: no wish
	strength strength
	lead     int        // difference of games on the two seats
	twice    match.Seat // seat of both of the last two games; zero: they differ
	down     [2]bool    // floated down in the last round and in the one before
	up       [2]bool
	unplayed int  // rounds without a game
	mayBye   bool // has had no round worth a win without playing
	top      bool // topscorer (last round only)
}

// round is one round to be paired, with players by score, then pairing number.
type round struct {
	players []player
	legal   []bitset // who may meet whom
	played  int
	last    bool
	opening match.Seat
	bye     tournament.Score // in an odd field: score of the bye's holder by C5
	odd     bool
	stop    func() bool // cancels; may be nil
}

// prepare reads a field.
func prepare(f tournament.Field) (*round, error) {
	f, _, err := Relax(f)
	if err != nil {
		return nil, err
	}
	order := make([]*tournament.FieldPlayer, len(f.Players))
	for i := range f.Players {
		order[i] = &f.Players[i]
	}
	slices.SortFunc(order, func(a, b *tournament.FieldPlayer) int { return cmp.Compare(a.Number, b.Number) })
	byNumber := make(map[int]*tournament.FieldPlayer, len(order))
	for i, p := range order {
		if i > 0 && order[i-1].Number == p.Number {
			return nil, fmt.Errorf("number %d belongs to two players", p.Number)
		}
		byNumber[p.Number] = p
	}
	r := &round{played: f.Played, opening: f.Opening, last: f.Rounds > 0 && f.Played >= f.Rounds-1}
	if r.opening == 0 {
		r.opening = match.First
	}
	rank := 0
	for _, p := range order {
		present := isPresent(p, f.Played)
		if !present && !hasTakenPart(p, f.Played) {
			continue
		}
		rank++
		if !present {
			continue
		}
		q, err := describe(f, p, byNumber)
		if err != nil {
			return nil, err
		}
		q.rank = rank
		q.top = r.last && int(q.score)*2 > f.Played*int(max(f.Points.Win, f.Points.Draw))
		r.players = append(r.players, q)
	}
	slices.SortFunc(r.players, func(a, b player) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank))
	})
	r.odd = len(r.players)%2 == 1
	r.allow(f, byNumber)
	return r, nil
}

// isPresent reports whether p is to be paired: the next round is still blank.
func isPresent(p *tournament.FieldPlayer, played int) bool {
	return len(p.Rounds) <= played || p.Rounds[played].Outcome == tournament.NoRecord
}

// hasTakenPart reports whether p was ever part of a pairing. Others have no pairing
// number yet.
func hasTakenPart(p *tournament.FieldPlayer, played int) bool {
	for i, r := range p.Rounds {
		if i < played && (r.Opponent != 0 || r.Outcome == tournament.PairingBye || r.Outcome == tournament.ForfeitWin) {
			return true
		}
	}
	return false
}

// hasPlayed reports whether a round counts as a meeting: forfeits do not, unfinished
// games do.
func hasPlayed(r tournament.RoundResult) bool {
	return r.Opponent != 0 && (r.Outcome.IsPlayed() || r.Outcome == tournament.Unfinished)
}

func at[T any](list []T, i int) (x T) {
	if i < len(list) {
		x = list[i]
	}
	return x
}

// scoreBefore returns the score of p before round i (from 0), with acceleration.
func scoreBefore(f tournament.Field, p *tournament.FieldPlayer, i int) tournament.Score {
	s := at(p.Virtual, i)
	for k := range i {
		s += f.Points.Of(at(p.Rounds, k).Outcome)
	}
	return s
}

var errSeat = errors.New("a game without seats")

func describe(f tournament.Field, p *tournament.FieldPlayer, byNumber map[int]*tournament.FieldPlayer) (player, error) {
	q := player{number: p.Number, mayBye: true}
	first, second := 0, 0
	for i := range f.Played {
		r := at(p.Rounds, i)
		worth := f.Points.Of(r.Outcome)
		q.plain += worth
		if !hasPlayed(r) {
			q.unplayed++
			if r.Outcome == tournament.PairingBye || r.Outcome != tournament.NoRecord && worth >= f.Points.Win {
				q.mayBye = false
			}
			continue
		}
		switch r.Seat {
		case match.First:
			first++
		case match.Second:
			second++
		default:
			return q, fmt.Errorf("player %d, round %d: %w", p.Number, i+1, errSeat)
		}
		q.seats = append(q.seats, r.Seat)
	}
	q.score = q.plain + at(p.Virtual, f.Played)
	if n := len(q.seats); n > 1 && q.seats[n-1] == q.seats[n-2] {
		q.twice = q.seats[n-1]
	}
	q.lead = max(first-second, second-first)
	less := match.First
	if first > second {
		less = match.Second
	}
	switch {
	case q.lead > 1:
		q.want, q.strength = less, absolute
	case q.twice != 0:
		q.want, q.strength = q.twice.Other(), absolute
	case q.lead == 1:
		q.want, q.strength = less, strong
	case len(q.seats) > 0:
		q.want, q.strength = q.seats[len(q.seats)-1].Other(), mild
	}
	for back := range 2 {
		if i := f.Played - 1 - back; i >= 0 {
			q.down[back], q.up[back] = float(f, p, i, byNumber)
		}
	}
	return q, nil
}

// float returns how p floated in round i (from 0). By FIDE C.04.3, 1.4, that depends on
// the scores of the two opponents; a round without a game that was worth more than a loss
// is a downfloat.
func float(f tournament.Field, p *tournament.FieldPlayer, i int, byNumber map[int]*tournament.FieldPlayer) (down, up bool) {
	r := at(p.Rounds, i)
	if !hasPlayed(r) {
		return f.Points.Of(r.Outcome) > f.Points.Loss, false
	}
	o := byNumber[r.Opponent]
	if o == nil {
		return false, false
	}
	mine, theirs := scoreBefore(f, p, i), scoreBefore(f, o, i)
	return mine > theirs, mine < theirs
}

// allow computes who may meet whom: C1, forbidden pairs, C3.
func (r *round) allow(f tournament.Field, byNumber map[int]*tournament.FieldPlayer) {
	n, index := len(r.players), r.index()
	all, owed := newBitset(n), map[match.Seat]bitset{match.First: newBitset(n), match.Second: newBitset(n)}
	for i := range r.players {
		p := &r.players[i]
		all.set(i)
		if p.strength == absolute && !p.top {
			owed[p.want].set(i)
		}
	}
	words := len(all)
	slab := make(bitset, n*words)
	r.legal = make([]bitset, n)
	for i := range r.players {
		p := &r.players[i]
		row := slab[i*words : (i+1)*words]
		copy(row, all)
		row.clear(i)
		if p.strength == absolute && !p.top {
			for k, w := range owed[p.want] {
				row[k] &^= w
			}
		}
		r.legal[i] = row
	}
	for i := range r.players {
		p := byNumber[r.players[i].number]
		for k, res := range p.Rounds {
			if j, ok := index[res.Opponent]; ok && k < f.Played && hasPlayed(res) {
				r.legal[i].clear(j)
				r.legal[j].clear(i)
			}
		}
	}
	for _, set := range f.Forbidden {
		if !inForce(set, f.Played) {
			continue
		}
		for _, a := range set.Numbers {
			for _, b := range set.Numbers {
				i, ok := index[a]
				j, ok2 := index[b]
				if ok && ok2 && i != j {
					r.legal[i].clear(j)
				}
			}
		}
	}
}
