package review

import (
	"time"

	"chpok.org/chpok/engine/match"
)

// InstantReplies is the evidence of repeated replies faster than a hand can make them.
const InstantReplies = "instant-replies"

const (
	quickReply = 150 * time.Millisecond
	leastQuick = 3 // once or twice happens when a stalled connection catches up
)

// Reply is one own move that answered a new position.
type Reply struct {
	Move int // full move
	Took time.Duration
}

// QuickReplies returns the moves of a seat that arrived less than 150 ms after the
// opponent's move, by the server's clock. Moves after a skip, an undo or a break answer
// no new position. Pages have no premoves, so nobody could have entered the reply
// earlier.
func QuickReplies(log []match.Entry, seat match.Seat) []Reply {
	var quick []Reply
	var before match.Entry // the last act on the board
	plies := 0
	for _, e := range log {
		switch played := e.Event.(type) {
		case match.Played:
			plies++
			last, answers := before.Event.(match.Played)
			if took := e.At.Sub(before.At); played.Seat == seat && answers && last.Seat != seat && took < quickReply {
				quick = append(quick, Reply{Move: (plies + 1) / 2, Took: took})
			}
			before = e
		case match.Undone:
			plies--
			before = e
		default:
			before = e
		}
	}
	return quick
}

// OwnMoves returns how many moves a seat made on the board, and the full move of the last
// one.
func OwnMoves(log []match.Entry, seat match.Seat) (own, last int) {
	plies := 0
	for _, e := range log {
		switch played := e.Event.(type) {
		case match.Played:
			plies++
			if played.Seat == seat {
				own, last = own+1, (plies+1)/2
			}
		case match.Undone:
			plies--
		}
	}
	return own, last
}
