package ratings

import (
	"context"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

// ReadBids stores what was paid in a finished match, for the bidding profiles; a
// repetition changes nothing.
func (a *Office) ReadBids(ctx context.Context, id match.ID) error {
	state, head, err := a.Live.State(ctx, id)
	if err != nil || head.Status != match.Over {
		return err
	}
	var lines []store.BidLine
	if IsPlayed(head) {
		lines = bidLines(state, head)
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetBids(id, lines) })
}

// bidLines are what each player paid for each target. Whoever raised last had the last
// word; after a call it was chance, or the default.
func bidLines(s match.State, h store.Head) []store.BidLine {
	steps := s.BidSteps()
	if len(steps) == 0 {
		return nil
	}
	var paid [bidding.Targets + 1][2]int
	var last [bidding.Targets + 1]match.Seat
	for _, step := range steps {
		if !step.Seat.Valid() {
			continue
		}
		paid[step.Bid.Target][step.Seat.Index()] += step.Bid.Chips
		last[step.Bid.Target] = step.Seat
		if step.IsCall {
			last[step.Bid.Target] = 0
		}
	}
	var lines []store.BidLine
	o := s.Options()
	for _, seat := range match.Seats {
		score := rating.Draw
		if winner, won := h.Result.Outcome.Winner(); won {
			score = rating.Loss
			if winner == seat {
				score = rating.Win
			}
		}
		for t := bidding.White; t <= bidding.Features; t++ {
			line := store.BidLine{
				Player: h.Players[seat.Index()], Target: int(t), Chips: paid[t][seat.Index()],
				Purse: o.Envelope.Chips + o.Extra[seat.Index()], Score: score, Won: 2,
			}
			if last[t].Valid() {
				line.Won = 0
				if last[t] == seat {
					line.Won = 1
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// ReadBidsAnew queues the bids of all matches to be read again, by any node.
func (a *Office) ReadBidsAnew(ctx context.Context) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AllAgain(store.ChoreBids) })
}
