package ladder

import (
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Reason is why one player cannot challenge another.
type Reason string

const (
	NotOnLadder   Reason = "not-on-ladder" // the challenger is not on the ladder
	NoSuchRung    Reason = "no-such-rung"  // the opponent is not on the ladder
	Yourself      Reason = "self"          // the opponent is the challenger
	Lower         Reason = "lower"         // the opponent stands below
	OwnVacation   Reason = "own-vacation"  // the challenger is on vacation
	OnVacation    Reason = "vacation"      // the opponent is on vacation
	Between       Reason = "between"       // a challenge between the two is running
	TooHigh       Reason = "too-high"      // the opponent is out of range
	RecentlyMet   Reason = "recently"      // the two met recently; see Until
	OutgoingLimit Reason = "outgoing"      // the challenger has too many
	IncomingLimit Reason = "incoming"      // the opponent has too many

)

// Refusal is why a challenge cannot be sent.
type Refusal struct {
	Reason Reason
	Until  time.Time // when the reason ends by itself, if known
}

// ErrChallenge refuses a challenge.
var ErrChallenge = refusal.Invalid("flash.ladder-refused", "ladder: cannot challenge")

var refusals = map[Reason]error{
	NotOnLadder:   refusal.Kindred(ErrChallenge, "ladder.refused.not-on-ladder", "ladder: cannot challenge: the challenger is not on it"),
	NoSuchRung:    refusal.Kindred(ErrChallenge, "ladder.refused.no-such-rung", "ladder: cannot challenge: the opponent is not on it"),
	Yourself:      refusal.Kindred(ErrChallenge, "ladder.refused.self", "ladder: cannot challenge: they are one"),
	Lower:         refusal.Kindred(ErrChallenge, "ladder.refused.lower", "ladder: cannot challenge: the opponent stands below"),
	OwnVacation:   refusal.Kindred(ErrChallenge, "ladder.refused.own-vacation", "ladder: cannot challenge: the challenger is on vacation"),
	OnVacation:    refusal.Kindred(ErrChallenge, "ladder.refused.vacation", "ladder: cannot challenge: the opponent is on vacation"),
	Between:       refusal.Kindred(ErrChallenge, "ladder.refused.between", "ladder: cannot challenge: a challenge between the two runs"),
	TooHigh:       refusal.Kindred(ErrChallenge, "ladder.refused.too-high", "ladder: cannot challenge: the opponent is out of reach"),
	RecentlyMet:   refusal.Kindred(ErrChallenge, "ladder.refused.recently", "ladder: cannot challenge: the two met recently"),
	OutgoingLimit: refusal.Kindred(ErrChallenge, "ladder.refused.outgoing", "ladder: cannot challenge: the challenger has too many"),
	IncomingLimit: refusal.Kindred(ErrChallenge, "ladder.refused.incoming", "ladder: cannot challenge: the opponent has too many"),
}

func (r *Refusal) Error() string { return "ladder: cannot challenge: " + string(r.Reason) }

// Unwrap is the case of ErrChallenge.
func (r *Refusal) Unwrap() error {
	if !r.Until.IsZero() {
		return refusal.Later(refusals[r.Reason], r.Until)
	}
	return refusals[r.Reason]
}

// WhyNot returns nil if the challenger can challenge the defender now. Permanent reasons
// come before temporary ones.
func (l *Ladder) WhyNot(challenger, defender player.ID, now time.Time) *Refusal {
	from, to := l.Place(challenger), l.Place(defender)
	refuse := func(r Reason) *Refusal { return &Refusal{Reason: r} }
	switch {
	case from == 0:
		return refuse(NotOnLadder)
	case to == 0:
		return refuse(NoSuchRung)
	case from == to:
		return refuse(Yourself)
	case from < to:
		return refuse(Lower)
	}
	me, other := l.Rungs[from-1], l.Rungs[to-1]
	if me.OnVacation() {
		return &Refusal{OwnVacation, me.VacationUntil}
	}
	for _, c := range l.Challenges {
		if c.Is(challenger) && c.Is(defender) {
			return refuse(Between)
		}
	}
	if from-to > l.Reach(challenger) {
		return refuse(TooHigh)
	}
	if other.OnVacation() {
		return &Refusal{OnVacation, other.VacationUntil}
	}
	for _, m := range l.Met {
		again := m.At.Add(l.Settings.Rest)
		if now.Before(again) && (m.Players == [2]player.ID{challenger, defender} || m.Players == [2]player.ID{defender, challenger}) {
			return &Refusal{RecentlyMet, again}
		}
	}
	if l.Outgoing(challenger) >= l.Settings.Outgoing {
		return refuse(OutgoingLimit)
	}
	if l.Incoming(defender) >= l.Settings.Incoming {
		return refuse(IncomingLimit)
	}
	return nil
}

// Reach returns how many places up a player may challenge.
func (l *Ladder) Reach(id player.ID) int {
	r, on := l.RungOf(id)
	if on && r.Challenges == 0 && l.Settings.FirstFree {
		return len(l.Rungs)
	}
	return max(l.Settings.Places, (len(l.Rungs)*l.Settings.Percent+99)/100)
}

// Outgoing returns how many running challenges a player has sent, paused ones included.
func (l *Ladder) Outgoing(id player.ID) (n int) {
	for _, c := range l.Challenges {
		if c.Challenger == id {
			n++
		}
	}
	return n
}

// Incoming returns how many running challenges a player has received.
func (l *Ladder) Incoming(id player.ID) (n int) {
	for _, c := range l.Challenges {
		if c.Defender == id {
			n++
		}
	}
	return n
}
