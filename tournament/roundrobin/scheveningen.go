package roundrobin

import (
	"fmt"

	"chpok.org/chpok/tournament"
)

// Scheveningen returns the rounds in which each of n players of one side (1…n) meets each of the other (n+1…2n)
// once. The boards of a round follow the first side.
//
// If n is divisible by 4, everybody opens the bidding in half of their games, and each side on half of the boards of a
// round. No table does all of that for other n: where n is even, rounds and the first side are exact, and the second side is
// one off; where n is odd, everybody and every round is off by half a game, the least there is.
func Scheveningen(n int) ([]tournament.RoundPairing, error) {
	if n < 2 || n > MaxPlayers/2 {
		return nil, fmt.Errorf("a side of %d players, not 2…%d", n, MaxPlayers/2)
	}
	var rounds []tournament.RoundPairing
	for r := range n {
		var round tournament.RoundPairing
		for j := range n {
			k, opens := opponent(n, j, r)
			b := tournament.Board{First: 1 + j, Second: 1 + n + k}
			if !opens {
				b.First, b.Second = b.Second, b.First
			}
			round.Boards = append(round.Boards, b)
		}
		rounds = append(rounds, round)
	}
	return rounds, nil
}

// opponent returns whom player j of the first side meets in round r, all from 0, and whether they open the bidding.
func opponent(n, j, r int) (k int, opens bool) {
	if n%2 == 1 {
		k = (j + r) % n
		return k, (j+k)%n < (n+1-r%2*2)/2
	}
	h := n / 2 // both sides in halves: the same ones meet in the first half of the rounds
	k = (j+r)%h + (j/h+r/h)%2*h
	return k, r%2 == j/h
}
