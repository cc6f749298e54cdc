package arbiter

import (
	"context"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

// notePatterns notes what the results of a rated match that is over, and of those
// before it, point at: quick losses of one player, short wins of one over another.
// Long matches cost nothing.
func (a *Arbiter) notePatterns(ctx context.Context, head store.Head, state match.State) error {
	seat, won := head.Result.Outcome.Winner()
	if !won || state.Game().OnBoard() && state.Game().PlyCount() > review.QuickWin {
		return nil
	}
	winner, loser := head.Players[seat.Index()], head.Players[seat.Other().Index()]
	n := noted{Arbiter: a, head: head, at: a.now(), move: moveOf(state)}
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if !head.Bots[seat.Other().Index()] {
			if err := n.quickLoss(tx, loser); err != nil {
				return err
			}
		}
		if head.Bots[0] || head.Bots[1] {
			return nil
		}
		return n.shortWin(tx, winner, loser)
	})
}

func (n noted) quickLoss(tx *store.Tx, loser player.ID) error {
	last, err := tx.LastRated(loser, "", n.head.LastAt, review.PatternWindow)
	if err != nil || len(last) == 0 || last[0].Match != n.head.ID {
		return err // not rated
	}
	quick, leads := review.Sandbagging(last)
	if leads == "" {
		return nil
	}
	if gives, err := givesRating(tx, loser); err != nil || !gives {
		return err
	}
	return n.signalTx(tx, loser, leads, fmt.Sprint(quick, "/", review.PatternWindow))
}

// givesRating tells whether a win over somebody is worth anything to others: over
// who has no rating it is not, unless newcomers begin with one.
func givesRating(tx *store.Tx, id player.ID) (bool, error) {
	pool, err := tx.RatingPool(rating.Main)
	if err != nil || pool.Rules.Start > 0 {
		return err == nil, err
	}
	ratings, err := tx.RatingsOf(id)
	return ratings[rating.Main].Rating > 0 || ratings[rating.Handicap].Rating > 0, err
}

// shortWin is noted with both: which of two gives what to the other no result tells.
func (n noted) shortWin(tx *store.Tx, winner, loser player.ID) error {
	between, err := tx.LastRated(winner, loser, n.head.LastAt, review.PatternWindow)
	if err != nil || len(between) == 0 || between[0].Match != n.head.ID {
		return err
	}
	quick, leads := review.ShortWins(between)
	if leads == "" {
		return nil
	}
	for _, id := range n.head.Players {
		if err := n.signalTx(tx, id, leads, fmt.Sprint(quick, "/", review.PatternWindow)); err != nil {
			return err
		}
	}
	return nil
}

// PairRecord is how the rated matches of a player against one opponent went.
type PairRecord struct {
	Opponent player.ID
	review.Surprise
}

// pairsOf are those against the opponents at the boards of an event, by the
// expectations with which the site's own list was made.
func pairsOf(tx *store.Tx, of player.ID, boards []BoardRecord) ([]PairRecord, error) {
	history, err := tx.PoolHistory(rating.Main, of)
	if err != nil {
		return nil, err
	}
	against := map[player.ID][]review.Expectation{}
	for _, c := range history {
		if c.Reason != rating.Rated && c.Reason != rating.Dropped {
			continue // without a rating nothing was expected
		}
		for _, s := range c.Steps {
			if id := player.ID(s.Opponent); s.OpponentRating > 0 {
				against[id] = append(against[id], review.Expectation{Expected: s.Expected, Halves: int(s.Result)})
			}
		}
	}
	var out []PairRecord
	for _, b := range boards {
		id := b.Head.Players[b.Seat.Other().Index()]
		if s, ok := review.PairSurprise(against[id]); ok {
			out = append(out, PairRecord{id, s})
			delete(against, id) // once, however often they meet here
		}
	}
	return out, nil
}
