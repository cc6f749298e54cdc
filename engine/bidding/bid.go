package bidding

import "chpok.org/chpok/engine/board"

// Bid is one act of the bidding phase: chips on a target and, for a raise on
// any target but white, the outcome stated with it (Rules 5.3). Only the field
// of the target counts, and only when HasOutcome is set.
type Bid struct {
	Target Target
	Chips  int

	HasOutcome bool
	Time       TimeControl
	Row        board.Row
	Features   board.Features
}

// Draw is the outcome chance gave a target (Rules D8): the seat that plays
// White, or the time control.
type Draw struct {
	Target Target
	White  Seat
	Time   TimeControl
}
