package judges

import (
	"context"
	"fmt"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

// notePatterns notes what the results of a finished rated match and those before it
// suggest: quick losses of one player, or short wins over the same opponent. Long matches
// cost nothing.
func (a *Office) notePatterns(ctx context.Context, head store.Head, state match.State) error {
	seat, won := head.Result.Outcome.Winner()
	if !won || state.Game().OnBoard() && state.Game().PlyCount() > review.QuickWin {
		return nil
	}
	winner, loser := head.Players[seat.Index()], head.Players[seat.Other().Index()]
	n := seats.Noted{Office: a.seats, Head: head, At: a.Now(), Move: assurance.MoveOf(state)}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if !head.Bots[seat.Other().Index()] {
			if err := quickLoss(tx, n, loser); err != nil {
				return err
			}
		}
		if head.Bots[0] || head.Bots[1] {
			return nil
		}
		return shortWin(tx, n, winner, loser)
	})
}

func quickLoss(tx *store.Tx, n seats.Noted, loser player.ID) error {
	last, err := tx.LastRated(loser, "", n.Head.LastAt, review.PatternWindow)
	if err != nil || len(last) == 0 || last[0].Match != n.Head.ID {
		return err // not rated
	}
	quick, leads := review.Sandbagging(last)
	if leads == "" {
		return nil
	}
	if gives, err := givesRating(tx, loser); err != nil || !gives {
		return err
	}
	return n.SignalTx(tx, loser, leads, fmt.Sprint(quick, "/", review.PatternWindow))
}

// givesRating reports whether a win over a player is worth anything: over one without a
// rating it is not, unless newcomers start with one.
func givesRating(tx *store.Tx, id player.ID) (bool, error) {
	pool, err := tx.RatingPool(rating.Main)
	if err != nil || pool.Rules.Start > 0 {
		return err == nil, err
	}
	ratings, err := tx.RatingsOf(id)
	return ratings[rating.Main].Rating > 0 || ratings[rating.Handicap].Rating > 0, err
}

// shortWin notes the signal with both players: no result tells which of them gives what
// to the other.
func shortWin(tx *store.Tx, n seats.Noted, winner, loser player.ID) error {
	between, err := tx.LastRated(winner, loser, n.Head.LastAt, review.PatternWindow)
	if err != nil || len(between) == 0 || between[0].Match != n.Head.ID {
		return err
	}
	quick, leads := review.ShortWins(between)
	if leads == "" {
		return nil
	}
	for _, id := range n.Head.Players {
		if err := n.SignalTx(tx, id, leads, fmt.Sprint(quick, "/", review.PatternWindow)); err != nil {
			return err
		}
	}
	return nil
}

// PairRecord is how a player's rated matches against one opponent compare with
// expectations.
type PairRecord struct {
	Opponent player.ID
	review.Surprise
}

// pairsOf are the records against the opponents on an event's boards, by the expectations
// behind the site's own list.
func pairsOf(tx *store.Tx, of player.ID, boards []BoardRecord) ([]PairRecord, error) {
	history, err := tx.PoolHistory(rating.Main, of)
	if err != nil {
		return nil, err
	}
	against := map[player.ID][]review.Expectation{}
	for _, c := range history {
		if c.Reason != rating.Rated && c.Reason != rating.Dropped {
			continue // without a rating there is no expectation
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
