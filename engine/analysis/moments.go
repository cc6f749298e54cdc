package analysis

import (
	"cmp"
	"slices"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// Moment is a turn of a match: something by which a player gave expected score away.
type Moment struct {
	Kind MomentKind
	Seat match.Seat // whose
	Loss float64    // of the expected score
	Step int        // of DearBid: which step of the bidding, from 1
	Ply  int        // how many plies had been played; 0 of DearBid
	Move Verdict    // of BadMove
}

// MomentKind says how expected score was given away.
type MomentKind uint8

const (
	DearBid     MomentKind = iota + 1
	BadMove                // graded less than sound
	MissedClaim            // a claim was possible, and worth more than what came of the match
	LostOnTime             // the flag fell on the board
	GaveUp                 // resigned on the board
)

// String returns the kind as texts are keyed by it.
func (k MomentKind) String() string {
	return [...]string{"", "bid", "move", "claim", "flag", "resigned"}[k]
}

// MostMoments is how many moments are told of a match.
const MostMoments = 3

// Moments returns what decided a match that has been analyzed whole, in order. What the loser
// gave away counts in full, what the winner did half: the match was decided against it.
func Moments(s match.State, r Report) []Moment {
	g := s.Game()
	if len(r.Points) != g.PlyCount()+1 || s.Status() != match.Over {
		return nil
	}
	list := append(dearBids(s, r), missedClaims(g, s.Result())...)
	for _, v := range Verdicts(g, r) {
		if v.Grade > Sound {
			list = append(list, Moment{Kind: BadMove, Seat: v.Seat, Loss: v.Loss, Ply: v.Ply - 1, Move: v})
		}
	}
	if end, ok := left(s, r); ok {
		list = append(list, end)
	}
	winner, isWon := s.Result().Outcome.Winner()
	weight := func(m Moment) float64 {
		if isWon && m.Seat == winner {
			return m.Loss / 2
		}
		return m.Loss
	}
	slices.SortStableFunc(list, func(a, b Moment) int { return cmp.Compare(weight(b), weight(a)) })
	list = list[:min(len(list), MostMoments)]
	slices.SortStableFunc(list, func(a, b Moment) int {
		return cmp.Or(cmp.Compare(a.Ply, b.Ply), cmp.Compare(a.Step, b.Step))
	})
	return list
}

// dearBids returns the bids for which there was a better one.
func dearBids(s match.State, r Report) (list []Moment) {
	for i, step := range s.BidSteps() {
		if i < len(r.Bids) && r.Bids[i].Better != nil {
			list = append(list, Moment{Kind: DearBid, Seat: step.Seat, Loss: r.Bids[i].Loss, Step: i + 1})
		}
	}
	return list
}

// missedClaims returns where a player first could have claimed more than the match brought them.
// Only Manual claims can be missed.
func missedClaims(g match.Game, result match.Result) (list []Moment) {
	if g.Claims() != match.Manual {
		return nil
	}
	roots, _ := Roots(g)
	for _, by := range match.Seats {
		got := shareOf(result.Outcome, by)
		for i, root := range roots {
			if root.Position.IsOver() {
				break
			}
			if loss := claimable(root.Streak(), g.Color(by)) - got; loss > 0 {
				list = append(list, Moment{Kind: MissedClaim, Seat: by, Loss: loss, Ply: i})
				break
			}
		}
	}
	return list
}

// claimable returns what a color can claim where White's lead has not fallen, and not risen, for
// so many of Black's moves: a point, half of one, or nothing (Rules 4).
func claimable(streak [3]int, by board.Color) float64 {
	lead, up, down := streak[0], streak[1], streak[2]
	switch {
	case lead > 0 && up >= match.ClaimSteps && by == board.White, lead < 0 && down >= match.ClaimSteps && by == board.Black:
		return 1
	case up >= match.ClaimSteps && down >= match.ClaimSteps:
		return 0.5
	}
	return 0
}

func shareOf(o match.Outcome, by match.Seat) float64 {
	switch winner, isWon := o.Winner(); {
	case isWon && winner == by:
		return 1
	case o == match.Draw:
		return 0.5
	}
	return 0
}

// left returns what the loser still had when they resigned or ran out of time, if that was worth
// a word.
func left(s match.State, r Report) (m Moment, ok bool) {
	g, result := s.Game(), s.Result()
	winner, isWon := result.Outcome.Winner()
	switch {
	case !isWon || !g.OnBoard():
		return m, false
	case result.Reason == match.FlagBoard:
		m.Kind = LostOnTime
	case result.Reason == match.Resignation:
		m.Kind = GaveUp
	default:
		return m, false
	}
	m.Seat, m.Ply = winner.Other(), g.PlyCount()
	m.Loss = side(r.longest(m.Ply).White, g.Color(m.Seat) == board.Black)
	return m, m.Loss >= slipFrom
}

// Study is what somebody can learn from a moment, by the key of its lesson.
type Study string

const (
	StudyCall   Study = "call"
	StudyRow    Study = "row"
	StudyRanks  Study = "ranks"
	StudyKing   Study = "king"
	StudyClaim  Study = "claim"
	StudyPieces Study = "pieces" // by puzzles: no lesson teaches it
)

// StudyOf returns what the loser of a match learns most from: their dearest moment if there is
// one, otherwise how the match ended. It is empty for a match that nobody lost.
func StudyOf(s match.State, moments []Moment) Study {
	winner, isWon := s.Result().Outcome.Winner()
	if !isWon {
		return ""
	}
	var worst Moment
	for _, m := range moments {
		if m.Seat != winner && m.Loss > worst.Loss {
			worst = m
		}
	}
	switch worst.Kind {
	case DearBid:
		return studyOfBid(s.BidSteps()[worst.Step-1])
	case MissedClaim:
		return StudyClaim
	case BadMove:
		if study := studyOfMove(worst.Move.Cause); study != "" {
			return study
		}
	}
	switch s.Result().Reason {
	case match.KingsCaptured, match.KingOfTheHill, match.KingsRun:
		return StudyKing
	case match.ClaimWin:
		return StudyClaim
	case match.FlagBidding:
		return StudyCall
	}
	if !s.Game().OnBoard() {
		return ""
	}
	return StudyRanks
}

func studyOfBid(step match.BidStep) Study {
	if step.Bid.Target.IsDrawn() {
		return StudyCall
	}
	return StudyRow
}

func studyOfMove(c Cause) Study {
	switch c {
	case KingLost, KingMissed, GoalAllowed, GoalMissed:
		return StudyKing
	case PieceLost, PieceMissed:
		return StudyPieces
	}
	return ""
}
