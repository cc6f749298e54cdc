package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
)

// MaxExtension is the longest extension of the wait for the players.
const MaxExtension = 24 * time.Hour

// ForfeitClaimed is a player's claim that the absent opponent forfeits (Options.OnClaim); Ended
// follows.
type ForfeitClaimed struct{ Seat Seat }

// WaitExtended extends the wait for the players.
type WaitExtended struct {
	Warrant
	By time.Duration
}

func (ForfeitClaimed) kind() string { return kindForfeit }
func (WaitExtended) kind() string   { return kindWait }

// ClaimForfeit claims that the absent opponent forfeits.
type ClaimForfeit struct{ Seat Seat }

// ExtendWait extends the wait for the players.
type ExtendWait struct {
	Warrant
	By time.Duration
}

func (ClaimForfeit) command() {}
func (ExtendWait) command()   {}

// ForfeitClaim returns when a player who is ready can claim the forfeit of the opponent. It
// reports false if there is nothing to claim, now or later.
func (s State) ForfeitClaim(by Seat) (from time.Time, ok bool) {
	if !s.isAlone() || !s.ready[by.Index()] {
		return time.Time{}, false
	}
	return s.clock.since.Add(s.clock.wait - s.options.Lateness), true
}

// isAlone reports whether one player waits for the other, who forfeits on claim.
func (s State) isAlone() bool {
	return s.status == Waiting && s.options.OnClaim && !s.game.OnBoard() && s.ready[0] != s.ready[1]
}

// alone doubles the wait of a player who has come alone if a forfeit has to be claimed. After
// that it falls without a claim.
func (s *State) alone() {
	if s.isAlone() {
		s.clock.wait += s.options.Lateness
	}
}

func (d decision) decideForfeit(c ClaimForfeit) ([]Event, error) {
	if !c.Seat.Valid() {
		return nil, refuse(UnknownPlayer, "no such player")
	}
	from, ok := d.ForfeitClaim(c.Seat)
	if !ok || d.now.Before(from) {
		return nil, refuse(NoForfeit, "no forfeit can be claimed")
	}
	return []Event{ForfeitClaimed(c), Ended{Result{Outcome: WinOf(c.Seat), Reason: Forfeit}}}, nil
}

func (d decision) decideWait(c ExtendWait) ([]Event, error) {
	switch {
	case d.status != Waiting || d.game.OnBoard():
		return nil, refuse(NotStarted, "the match no longer waits for its players")
	case c.By < time.Second || c.By > MaxExtension || c.By%time.Millisecond != 0:
		return nil, refuse(BadClock, "the wait is extended by 1 s … %v", MaxExtension)
	}
	return []Event{WaitExtended(c)}, nil
}

// extend makes the wait longer, as decideWait decided.
func (s *State) extend(by time.Duration) error {
	if s.status != Waiting || s.game.OnBoard() || by <= 0 || by > MaxExtension {
		return refuse(bidding.Malformed, "no such wait")
	}
	s.clock.wait += by
	return nil
}
