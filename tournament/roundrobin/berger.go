// Package roundrobin pairs round robins: by the Berger tables, in one or two cycles, and
// by the Varma groups for drawing numbers so that members of a club do not meet in the
// last rounds. It does not know who is absent: games of an absent player stay in the
// table and are forfeited.
package roundrobin

import (
	"fmt"
	"slices"

	"chpok.org/chpok/tournament"
)

// The sizes of the tables.
const (
	MinPlayers = 2
	MaxPlayers = 32
)

// Version names the version of the tables.
const Version = "berger-1"

// Berger pairs by the Berger tables (FIDE C.05, annex 1). Boards are in the order of the
// table; the first player opens the bidding. With an odd number of players one rests,
// which is worth nothing, unlike the pairing-allocated bye of a Swiss.
type Berger struct {
	Double bool // a second cycle with seats reversed
	// KeepOrder keeps the order of the last two rounds of the first cycle, which are
	// usually swapped to spare players three games in a row on the same seat.
	KeepOrder bool
}

var _ tournament.Pairer = Berger{}

// Rounds returns the number of rounds for n players.
func (b Berger) Rounds(n int) int {
	cycle := n - 1 + n%2
	if b.Double {
		return 2 * cycle
	}
	return cycle
}

// Table returns all rounds for n players, by table numbers 1…n.
func (b Berger) Table(n int) ([]tournament.RoundPairing, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	var rounds []tournament.RoundPairing
	for r := range b.Rounds(n) {
		rounds = append(rounds, b.round(n, r))
	}
	return rounds, nil
}

// Pair returns the next round of the field. Players' table numbers follow the order of
// their tournament numbers.
func (b Berger) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	n := len(f.Players)
	if err := checkSize(n); err != nil {
		return tournament.RoundPairing{}, err
	}
	if f.Played >= b.Rounds(n) {
		return tournament.RoundPairing{}, fmt.Errorf("round %d of %d: %w", f.Played+1, b.Rounds(n), tournament.ErrNoPairing)
	}
	numbers := make([]int, n+1) // index 0: nobody
	for i, p := range f.Players {
		numbers[i+1] = p.Number
	}
	slices.Sort(numbers[1:])
	round := b.round(n, f.Played)
	for i, board := range round.Boards {
		round.Boards[i] = tournament.Board{First: numbers[board.First], Second: numbers[board.Second]}
	}
	round.Bye = numbers[round.Bye]
	return round, nil
}

func checkSize(n int) error {
	if n < MinPlayers || n > MaxPlayers {
		return fmt.Errorf("round robin of %d players: the tables serve %d to %d", n, MinPlayers, MaxPlayers)
	}
	return nil
}

// round returns round r (from 0) of the whole event.
func (b Berger) round(n, r int) tournament.RoundPairing {
	cycle := n - 1 + n%2
	second := r >= cycle
	r %= cycle
	if b.Double && !b.KeepOrder && !second && cycle > 2 && r >= cycle-2 {
		r = 2*cycle - 3 - r
	}
	return berger(n, r, second)
}

// berger returns round r (from 0) of one cycle. The highest number (or the rest) stays in
// place and meets first 1, then each time the player half a table further; the others
// meet in pairs at equal distance from that player.
func berger(n, r int, reversed bool) tournament.RoundPairing {
	even := n + n%2
	ring := even - 1
	center := r * (even / 2) % ring
	var round tournament.RoundPairing
	add := func(first, second int) {
		if reversed {
			first, second = second, first
		}
		round.Boards = append(round.Boards, tournament.Board{First: first, Second: second})
	}
	switch {
	case n < even:
		round.Bye = center + 1
	case r%2 == 0:
		add(center+1, even)
	default:
		add(even, center+1)
	}
	for k := 1; k < even/2; k++ {
		add((center+k)%ring+1, (center-k+ring)%ring+1)
	}
	return round
}
