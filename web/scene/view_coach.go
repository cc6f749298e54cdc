package scene

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/lesson"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player/house"
)

// mentor gives hints to beginners.
type mentor struct{ MatchViewer }

// coach returns a hint on what the viewer may do now; empty unless they are to act against a bot that gives hints.
func (m mentor) coach() string {
	if !m.teaches() {
		return ""
	}
	if m.State.Status() == match.Waiting {
		if m.State.Options().Untimed {
			return m.T("coach.waiting")
		}
		return m.firstBid()
	}
	if turn, live := m.State.ToAct(); !live || turn != m.you {
		return ""
	}
	if !m.Game.OnBoard() {
		return m.coachBid()
	}
	return m.coachMove()
}

// teaches reports whether the viewer gets hints: against a bot that gives them, and in the first match of all.
func (m mentor) teaches() bool {
	if !m.you.Valid() {
		return false
	}
	if m.State.Options().Newcomer[m.you.Index()] {
		return true
	}
	them := m.Frame.Players[m.you.Other().Index()]
	bot, ok := house.Named(them.Handle)
	return ok && bot.Hints && them.Bot
}

// firstBid tells of a first match whose player has not bid yet, and of their clock.
func (m mentor) firstBid() string {
	most := m.Duration(match.FirstBidWait)
	for _, by := range [...]match.Seat{m.Us, m.Us.Other()} {
		switch {
		case !m.State.IsFirstBidAwaited(by) || m.State.Options().BidTime > 0:
		case by == m.you:
			return m.T("coach.newcomer", "Most", most)
		default:
			return m.T("coach.newcomer.other", "Name", m.name(by), "Most", most)
		}
	}
	return ""
}

// coachBid explains the first bid, then tells where the opponent leads.
func (m mentor) coachBid() string {
	bids := m.Game.Bids()
	lead, on, staked, lost := 0, bidding.White, 0, bidding.Target(0)
	for target := bidding.White; target <= bidding.Features; target++ {
		staked += bids.Stake(target, m.you)
		switch gap := bids.Gap(target, m.you); {
		case gap > bids.Purse(m.you):
			lost = target
		case gap > lead:
			lead, on = gap, target
		}
	}
	switch {
	case lead > 0:
		key := "coach.behind.default"
		if on == bidding.White || on == bidding.Time {
			key = "coach.behind.chance"
		}
		behind := m.T(key, "Target", TargetName(m.Printer, on), "N", lead)
		if staked == 0 { // who answers the first bid has not been told yet how one bids
			return m.T("coach.choose") + " " + behind
		}
		return behind
	case lost != 0:
		return m.T("coach.lost", "Target", TargetName(m.Printer, lost))
	case staked == 0:
		return m.T("coach.first")
	case bids.Gap(bidding.White, m.you.Other()) > bids.Purse(m.you.Other()):
		return m.T("coach.safe", "Target", TargetName(m.Printer, bidding.White))
	}
	return m.T("coach.even")
}

// nearClaim is the number of moves to a claim of the opponent from which the coach warns.
const nearClaim = 3

func (m mentor) coachMove() string {
	position := m.Game.Position()
	advice := lesson.Advise(position)
	key := [...]string{lesson.TakeKing: "king", lesson.SaveKing: "save-king", lesson.SavePiece: "save", lesson.TakePiece: "take",
		lesson.Score: "score", lesson.Forward: "forward"}[advice.Kind]
	if advice.Kind == lesson.SaveKing && position.Kings(position.Turn()) == 1 {
		key = "save-last-king"
	}
	if c := m.Game.ClaimCount(); c.WinFor == m.you.Other() && c.WinIn <= nearClaim && advice.Kind > lesson.SaveKing {
		return m.N("coach.claim", max(1, c.WinIn))
	}
	var piece string
	if advice.Kind < lesson.Score {
		piece = m.T("coach.piece." + advice.Piece.String())
	}
	return m.T("coach."+key, "Piece", piece, "Square", advice.At.String(), "N", advice.Points)
}

// botFace returns the face of a house bot; empty for other players.
func botFace(p MatchPlayer) string {
	bot, ok := house.Named(p.Handle)
	if !ok || !p.Bot {
		return ""
	}
	return string(bot.Face)
}
