package match

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Feat is something that a player may want to look back on.
type Feat string

const (
	KingTaken       Feat = "king"  // they took a king of their opponent's
	ClaimFromBehind Feat = "claim" // they won by a claim (Rules 4.2) and had been behind after a move of Black's
	RaisePaid       Feat = "raise" // they won by a feature that was there because their raise had the last word
)

// FeatsOf returns what a player did in a game that is over; what was taken back does not count.
func (g Game) FeatsOf(by Seat) []Feat {
	var list []Feat
	winner, won := g.result.Outcome.Winner()
	won = won && winner == by
	took, behind := false, false
	for _, p := range g.line.list() {
		taken := p.Effect.Captured
		took = took || p.Seat == by && taken.Kind() == board.King && taken.Color() != p.Color
		behind = behind || p.Color == board.Black && p.Points[by.Index()] < p.Points[by.Other().Index()]
	}
	if took {
		list = append(list, KingTaken)
	}
	if won && behind && g.result.Reason == ClaimWin {
		list = append(list, ClaimFromBehind)
	}
	if won && g.OnBoard() && g.raisePaid(by) {
		list = append(list, RaisePaid)
	}
	return list
}

// raisePaid reports whether the winner would not have won as they did without the features of their own raise: a goal
// for kings that it set, or as many points by type of piece (Rules 7.4) as the win was by.
func (g Game) raisePaid(winner Seat) bool {
	if g.bids.Gap(bidding.Features, winner) >= 0 {
		return false // a call leaves the stakes equal
	}
	usual, ours := g.bids.Defaults(), g.terms.Features
	switch g.result.Reason {
	case KingOfTheHill:
		return !usual.KingOfTheHill
	case KingsRun:
		return !usual.KingsRun
	case ClaimWin, MoveLimit:
		from, points := g.Sources(), g.Points()
		more := from[winner.Index()].Types - from[winner.Other().Index()].Types
		return ours.MovePoints != usual.MovePoints && more >= points[winner.Index()]-points[winner.Other().Index()]
	}
	return false
}
