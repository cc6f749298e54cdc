package match

import "chpok.org/chpok/engine/bidding"

// Seat is bidding.Seat: who opens the bidding.
type Seat = bidding.Seat

const (
	First  = bidding.First
	Second = bidding.Second
)
