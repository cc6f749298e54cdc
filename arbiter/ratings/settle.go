package ratings

import (
	"context"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

// ReadDone stores what was paid in a finished match and what its players did in it, for their
// pages; a repetition changes nothing.
func (a *Office) ReadDone(ctx context.Context, id match.ID) error {
	state, head, err := a.Live.State(ctx, id)
	if err != nil || head.Status != match.Over {
		return err
	}
	var lines []store.BidLine
	feats := map[player.ID][]match.Feat{}
	if IsPlayed(head) {
		lines = bidLines(state, head)
		for _, seat := range match.Seats {
			feats[head.Players[seat.Index()]] = state.Game().FeatsOf(seat)
		}
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetDone(id, lines, feats) })
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
	var raised [bidding.Targets + 1][2]string
	for _, step := range steps {
		if !step.Seat.Valid() {
			continue
		}
		paid[step.Bid.Target][step.Seat.Index()] += step.Bid.Chips
		last[step.Bid.Target] = step.Seat
		if step.IsCall {
			last[step.Bid.Target] = 0
		} else {
			raised[step.Bid.Target][step.Seat.Index()] = outcomeOf(step.Bid)
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
				Purse: o.Envelope.Chips + o.Extra[seat.Index()], Score: score, Won: 2, Raised: raised[t][seat.Index()],
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

// outcomeOf is what a raise names, as store.Raise has it; empty for White, which names nobody.
func outcomeOf(b bidding.Bid) string {
	switch b.Target {
	case bidding.Time:
		return b.Time.String()
	case bidding.HomeRow:
		return string(b.Row)
	case bidding.Features:
		return b.Features.String()
	}
	return ""
}

// ReadDoneAnew queues all matches to be read again, by any node.
func (a *Office) ReadDoneAnew(ctx context.Context) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AllAgain(store.ChoreBids) })
}
