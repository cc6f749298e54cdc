package bidding

import "chpok.org/chpok/engine/board"

// Bid is one act of the bidding phase: chips on a target and, for a raise on any target but
// white, the new outcome (Rules 5.3). Only the target's own field counts, and only if
// HasOutcome is set.
type Bid struct {
	Target Target
	Chips  int

	HasOutcome bool
	Time       TimeControl
	Row        board.Row
	Features   board.Features
}

// Draw is a random outcome (Rules D8): who plays White, or the time control.
type Draw struct {
	Target Target
	White  Seat
	Time   TimeControl
}
