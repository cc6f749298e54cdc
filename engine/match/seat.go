package match

import "chpok.org/chpok/engine/bidding"

// Seat is bidding.Seat. First opens the bidding.
type Seat = bidding.Seat

const (
	First  = bidding.First
	Second = bidding.Second
)

// Seats lists both seats, by Seat.Index.
var Seats = [...]Seat{First, Second}
