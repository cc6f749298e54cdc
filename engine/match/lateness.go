package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
)

// MaxExtension is the most that an arbiter adds to the wait for the players at once.
const MaxExtension = 24 * time.Hour

// ForfeitClaimed is a player's claim of the forfeit of who has not come
// (Options.OnClaim); Ended follows.
type ForfeitClaimed struct{ Seat Seat }

// WaitExtended gives the players more time to come.
type WaitExtended struct {
	Warrant
	By time.Duration
}

func (ForfeitClaimed) event() {}
func (WaitExtended) event()   {}

// ClaimForfeit claims the forfeit of who has not come.
type ClaimForfeit struct{ Seat Seat }

// ExtendWait gives the players more time to come.
type ExtendWait struct {
	Warrant
	By time.Duration
}

func (ClaimForfeit) command() {}
func (ExtendWait) command()   {}

// ForfeitClaim is from when on a player who is there can claim the forfeit of
// who is not; false: there is nothing to claim, now or later.
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

// alone leaves the player who has come alone the time to wait as long again,
// where a forfeit is claimed: without a claim it falls after that.
func (s *State) alone() {
	if s.isAlone() {
		s.clock.wait += s.options.Lateness
	}
}

func (d decision) decideForfeit(c ClaimForfeit) ([]Event, error) {
	if !c.Seat.Valid() {
		return nil, refuse(UnknownPlayer, "there is no such player")
	}
	from, ok := d.ForfeitClaim(c.Seat)
	if !ok || d.now.Before(from) {
		return nil, refuse(NoForfeit, "there is no forfeit to claim")
	}
	return []Event{ForfeitClaimed(c), Ended{Result{Outcome: WinOf(c.Seat), Reason: Forfeit}}}, nil
}

func (d decision) decideWait(c ExtendWait) ([]Event, error) {
	switch {
	case d.status != Waiting || d.game.OnBoard():
		return nil, refuse(NotStarted, "nobody is awaited any more")
	case c.By < time.Second || c.By > MaxExtension || c.By%time.Millisecond != 0:
		return nil, refuse(BadClock, "the wait grows by 1 s to %v", MaxExtension)
	}
	return []Event{WaitExtended(c)}, nil
}

// extend is a longer wait, as decideWait gives it.
func (s *State) extend(by time.Duration) error {
	if s.status != Waiting || s.game.OnBoard() || by <= 0 || by > MaxExtension {
		return refuse(bidding.Malformed, "no such wait")
	}
	s.clock.wait += by
	return nil
}
