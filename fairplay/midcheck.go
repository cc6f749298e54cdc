package fairplay

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
)

// A player is asked after midCheckAfter moves of their own, at one of the midCheckSpan
// turns that follow.
const (
	midCheckAfter = 8
	midCheckSpan  = 12
)

// Lots are the lots of a match's seed (match.Seed.Lot).
type Lots interface {
	Lot(what string, count int) int
}

// MidCheck is the turn, from 1, at which a player is asked to unlock their device again;
// 0: nobody is in this match. One lot, "mid-check" among 100, decides for both players
// whether they are (below MidMatch); one lot each ("mid-check/first", "mid-check/second")
// decides when: from their 9th turn to the 20th, or the move limit.
func (p Policy) MidCheck(lots Lots, moveLimit int, seat match.Seat) int {
	if lots.Lot("mid-check", 100) >= p.CheckIn.MidMatch {
		return 0
	}
	span := min(midCheckSpan, moveLimit-midCheckAfter)
	if span <= 0 {
		return 0
	}
	return midCheckAfter + 1 + lots.Lot("mid-check/"+seat.String(), span)
}

// MayMidCheck reports whether anybody can be asked at this place of a match, under any
// policy.
func MayMidCheck(s match.State) bool {
	_, still := s.Standstill()
	return s.Status() == match.Playing && !still && s.Game().PlyCount() >= 2*midCheckAfter
}

// MidCheckDue is who is to be asked now, unless they already were: the player to act,
// from the turn of MidCheck on. If the match stood still at that turn, it is the next
// one.
func (p Policy) MidCheckDue(s match.State) (seat match.Seat, due bool) {
	if p.Level <= Open || p.CheckIn.MidMatch == 0 || !MayMidCheck(s) {
		return 0, false
	}
	seat, _ = s.ToAct()
	terms, _ := s.Game().Terms()
	at := p.MidCheck(s, terms.Features.MoveLimit, seat)
	return seat, at > 0 && s.Game().PlyCount()/2+1 >= at
}

// IsMidCheckOpen reports whether a player was asked and has neither passed nor missed the
// check. Each is asked once, so the order of the facts does not matter.
func IsMidCheckOpen(facts []Fact, seat match.Seat) bool {
	has := func(k FactKind) bool {
		return slices.ContainsFunc(facts, func(f Fact) bool { return f.Kind == k && f.Seat == seat })
	}
	return has(MidCheckAsked) && !has(MidCheckPassed) && !has(MidCheckMissed)
}

// GraceTime is how long the clock stands still for the check.
func (p Policy) GraceTime() time.Duration { return time.Duration(p.CheckIn.Grace) * time.Second }
