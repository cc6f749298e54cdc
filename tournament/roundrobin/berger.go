// Package roundrobin decides who meets whom when everybody meets everybody:
// the Berger tables, once or twice around, and the Varma groups for drawing
// numbers so that club mates do not meet in the last rounds. It refuses fields
// the tables were not made for, and it does not know who is absent: the games
// of an absent player stay in the table and are forfeited.
package roundrobin

import (
	"fmt"
	"sort"

	"chpok.org/chpok/tournament"
)

// MinPlayers and MaxPlayers bound the tables.
const (
	MinPlayers = 2
	MaxPlayers = 32
)

// Berger pairs by the Berger tables (FIDE C.05, annex 1). Boards stand in the
// order of the table, the first-named player opens the bidding. With an odd
// number of players the one who would meet the missing one rests; a rest is
// worth nothing, unlike the pairing-allocated bye of a Swiss.
type Berger struct {
	Double bool // a second cycle with seats reversed
	// KeepOrder leaves the last two rounds of the first cycle in their order.
	// The usual swap spares a player three games in a row on the same seat.
	KeepOrder bool
}

var _ tournament.Pairer = Berger{}

// Rounds is the number of rounds for n players.
func (b Berger) Rounds(n int) int {
	cycle := n - 1 + n%2
	if b.Double {
		return 2 * cycle
	}
	return cycle
}

// Table is all rounds for n players, by numbers 1…n of the table.
func (b Berger) Table(n int) ([]tournament.RoundPairing, error) {
	if n < MinPlayers || n > MaxPlayers {
		return nil, fmt.Errorf("round robin of %d players: the tables serve %d to %d", n, MinPlayers, MaxPlayers)
	}
	var rounds []tournament.RoundPairing
	for r := range b.Rounds(n) {
		rounds = append(rounds, b.round(n, r))
	}
	return rounds, nil
}

// Pair is the next round of the field. The players' table numbers are their
// places in the order of their tournament numbers.
func (b Berger) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	n := len(f.Players)
	if n < MinPlayers || n > MaxPlayers {
		return tournament.RoundPairing{}, fmt.Errorf("round robin of %d players: the tables serve %d to %d", n, MinPlayers, MaxPlayers)
	}
	if f.Played >= b.Rounds(n) {
		return tournament.RoundPairing{}, fmt.Errorf("round %d of %d: %w", f.Played+1, b.Rounds(n), tournament.ErrNoPairing)
	}
	numbers := make([]int, n+1) // index 0: nobody
	for i, p := range f.Players {
		numbers[i+1] = p.Number
	}
	sort.Ints(numbers[1:])
	round := b.round(n, f.Played)
	for i, board := range round.Boards {
		round.Boards[i] = tournament.Board{First: numbers[board.First], Second: numbers[board.Second]}
	}
	round.Bye = numbers[round.Bye]
	return round, nil
}

// round is round r (from 0) of the whole event.
func (b Berger) round(n, r int) tournament.RoundPairing {
	cycle := n - 1 + n%2
	second := r >= cycle
	r %= cycle
	if b.Double && !b.KeepOrder && !second && cycle > 2 && r >= cycle-2 {
		r = 2*cycle - 3 - r
	}
	return berger(n, r, second)
}

// berger is round r (from 0) of one cycle. The highest number (or the rest)
// stands still and meets 1, then every time the one half a table further; the
// others meet in pairs at equal distance from that player.
func berger(n, r int, reversed bool) tournament.RoundPairing {
	even := n + n%2
	ring := even - 1
	centre := r * (even / 2) % ring
	var round tournament.RoundPairing
	add := func(first, second int) {
		if reversed {
			first, second = second, first
		}
		round.Boards = append(round.Boards, tournament.Board{First: first, Second: second})
	}
	switch {
	case n < even:
		round.Bye = centre + 1
	case r%2 == 0:
		add(centre+1, even)
	default:
		add(even, centre+1)
	}
	for k := 1; k < even/2; k++ {
		add((centre+k)%ring+1, (centre-k+ring)%ring+1)
	}
	return round
}
