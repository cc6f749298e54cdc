package scene

import (
	"chpok.org/chpok/engine/bidding"
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
		if !m.State.Options().Untimed {
			return ""
		}
		return m.T("coach.waiting")
	}
	if turn, live := m.State.ToAct(); !live || turn != m.you {
		return ""
	}
	if !m.Game.OnBoard() {
		return m.coachBid()
	}
	return m.coachMove()
}

// teaches reports whether the viewer plays a bot that gives hints.
func (m mentor) teaches() bool {
	if !m.you.Valid() {
		return false
	}
	them := m.Frame.Players[m.you.Other().Index()]
	bot, ok := house.Named(them.Handle)
	return ok && bot.Hints && them.Bot
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
		return m.T(key, "Target", TargetName(m.Printer, on), "N", lead)
	case lost != 0:
		return m.T("coach.lost", "Target", TargetName(m.Printer, lost))
	case staked == 0:
		return m.T("coach.first")
	}
	return m.T("coach.even")
}

func (m mentor) coachMove() string {
	position := m.Game.Position()
	us, best := position.Turn(), 0
	for _, a := range position.Moves(nil) {
		next, effect := position.PlayUnchecked(a)
		if effect.KingPoints > 0 && next.Points(us) > position.Points(us) {
			return m.T("coach.king")
		}
		best = max(best, effect.RankPoints)
	}
	if best > 0 {
		return m.T("coach.score", "N", best)
	}
	return m.T("coach.forward")
}

// botFace returns the face of a house bot; empty for other players.
func botFace(p MatchPlayer) string {
	bot, ok := house.Named(p.Handle)
	if !ok || !p.Bot {
		return ""
	}
	return string(bot.Face)
}
