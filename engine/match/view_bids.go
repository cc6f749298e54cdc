package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
)

// BidStep is one bid or draw of the bidding phase.
type BidStep struct {
	Seq int64
	At  time.Time

	// Of a bid; Seat is 0 for a draw. Spent is the time it took, Left what the player's
	// clock showed after it.
	Seat   Seat
	Bid    bidding.Bid
	IsCall bool
	Spent  time.Duration
	Left   time.Duration

	Draw          bidding.Draw // of a draw
	Before, After bidding.State
}

// BidSteps returns the steps of the bidding phase, without what was taken back.
func (s State) BidSteps() []BidStep {
	if s.seq == 0 {
		return nil
	}
	var steps []BidStep
	state := bidding.Start(s.options.Envelope.Chips, s.options.Envelope.Defaults).WithExtra(s.options.Extra)
	for _, entry := range s.Standing() {
		step := BidStep{Seq: entry.Seq, At: entry.At, Before: state}
		var err error
		switch e := entry.Event.(type) {
		case BidPlaced:
			step.Seat, step.Bid = e.Seat, e.Bid
			step.IsCall = e.Bid.Chips == state.Gap(e.Bid.Target, e.Seat)
			step.Spent, step.Left = entry.Spent, entry.Left[e.Seat.Index()]
			state, err = state.Place(e.Seat, e.Bid)
		case Drawn:
			step.Draw = e.Draw
			state, err = state.Draw(e.Draw)
		default:
			continue
		}
		if err != nil {
			panic("match: a bid of the history is refused: " + err.Error())
		}
		step.After = state
		steps = append(steps, step)
	}
	return steps
}
