package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
)

// BidStep is one bid or draw of the bidding phase as it was made.
type BidStep struct {
	Seq int64
	At  time.Time

	// Of a bid: who made it, whether it was a call, what it took and what the
	// player's clock showed after it. Of a draw Seat is none.
	Seat   Seat
	Bid    bidding.Bid
	IsCall bool
	Spent  time.Duration
	Left   time.Duration

	Draw  bidding.Draw  // of a draw
	After bidding.State // the phase after it
}

// BidSteps is the bidding phase step by step, without what was taken back.
func (s State) BidSteps() []BidStep {
	if s.seq == 0 {
		return nil
	}
	var steps []BidStep
	state := bidding.Start(s.options.Envelope.Chips, s.options.Envelope.Defaults).WithExtra(s.options.Extra)
	for _, entry := range s.Standing() {
		step := BidStep{Seq: entry.Seq, At: entry.At}
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
