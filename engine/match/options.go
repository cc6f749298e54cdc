package match

import (
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// Claims says how claims are made (Rules D5).
type Claims uint8

const (
	Automatic Claims = iota // valid claims are executed after Black's move
	Manual                  // players claim
)

func (c Claims) String() string {
	if c == Manual {
		return "manual"
	}
	return "automatic"
}

// ParseClaims reads "automatic" or "manual".
func ParseClaims(word string) (Claims, error) {
	switch word {
	case "automatic":
		return Automatic, nil
	case "manual":
		return Manual, nil
	}
	return 0, fmt.Errorf("claims are automatic or manual, not %q", word)
}

// DefaultStartDelay is how long after the bidding White's clock starts (Rules 8).
const DefaultStartDelay = 5 * time.Second

// Options are the settings of a match.
type Options struct {
	Envelope   bidding.Envelope
	Claims     Claims
	StartDelay time.Duration // from the end of the bidding to the start of White's clock
	// Lateness is how long after the opening players who are not ready forfeit. 0: the
	// match does not wait for its players.
	Lateness time.Duration
	// OnClaim leaves the forfeit to the player who is ready: they may claim it after
	// Lateness, or wait as long again until it falls by itself. If neither player is
	// ready, both forfeit after Lateness.
	OnClaim bool

	// BidTime is the time for each bid when bidding by correspondence, in whole minutes;
	// 0: the bidding clock of Rules 5.2.
	BidTime time.Duration
	// ByMove is for whole matches by correspondence: each move has BidTime as well, whatever was bid
	// for the clock.
	ByMove bool
	// Untimed is for matches to learn by, without clocks in either phase. Each bid and
	// each move has BidTime, so that abandoned matches end.
	Untimed bool
	// Meet is how long after the bidding the players have to meet for the board phase, in
	// whole minutes; 0: it follows at once.
	Meet time.Duration

	// Newcomer says by seat whose first match this is: until they have bid, or until
	// FirstBidWait has passed, their bidding clock does not run.
	Newcomer [2]bool

	// Extra is a handicap: extra chips by seat.
	Extra [2]int
	// Odds lets the players bid for draw odds before the start; see type Odds.
	Odds bool
}

// Bounds of bidding by correspondence and of the meeting after it.
const (
	MinBidTime = 10 * time.Minute
	MaxBidTime = 14 * 24 * time.Hour
	MaxMeet    = 30 * 24 * time.Hour
	// MeetWindow is how long a player who is ready for the meeting counts as being there.
	MeetWindow = 10 * time.Minute
	// MeetGrace is how long after the agreed time a player may still come.
	MeetGrace = 15 * time.Minute
)

// FirstBidWait is how long after the start of the bidding the clock of a newcomer waits for their
// first bid at most. Both players may be newcomers, and wait for the same time.
const FirstBidWait = 5 * time.Minute

// firstBidWait returns how much newcomers may add to a match. Bids by correspondence leave them
// time enough.
func (o Options) firstBidWait() time.Duration {
	if o.Newcomer == [2]bool{} || o.BidTime > 0 {
		return 0
	}
	return FirstBidWait
}

// hasMoveTime reports whether each move has BidTime, and not the clock that was bid.
func (o Options) hasMoveTime() bool { return o.ByMove || o.Untimed }

// DefaultOptions returns options with the widest envelope and automatic claims that do not wait
// for players.
func DefaultOptions() Options {
	return Options{Envelope: bidding.DefaultEnvelope(), StartDelay: DefaultStartDelay}
}

// Validate returns the first fault of the options, or all faults of the envelope.
func (o Options) Validate() error {
	if err := o.Envelope.Validate(); err != nil {
		return err
	}
	if err := bidding.ValidExtra(o.Extra); err != nil {
		return err
	}
	switch {
	case o.Odds && (o.Lateness == 0 || o.Extra != [2]int{}):
		return errors.New("sealed bids need a wait for the players and equal chips")
	case o.Claims > Manual:
		return errors.New("claims: no such mode")
	case o.StartDelay < 0 || o.StartDelay > time.Minute || o.StartDelay%time.Millisecond != 0:
		return fmt.Errorf("start delay: 0…60 s in whole milliseconds, not %v", o.StartDelay)
	case o.Lateness < 0 || o.Lateness > 24*time.Hour || o.Lateness%time.Millisecond != 0:
		return fmt.Errorf("lateness: 0…24 h in whole milliseconds, not %v", o.Lateness)
	case o.OnClaim && o.Lateness == 0:
		return errors.New("nobody is late if the match does not wait")
	case o.BidTime != 0 && (o.BidTime < MinBidTime || o.BidTime > MaxBidTime || o.BidTime%time.Minute != 0):
		return fmt.Errorf("bid time: %v…%v in whole minutes, not %v", MinBidTime, MaxBidTime, o.BidTime)
	case o.hasMoveTime() && o.BidTime == 0:
		return errors.New("untimed, by move: a bid time is required, so that abandoned matches end")
	case o.Meet != 0 && (o.Meet < MeetGrace || o.Meet > MaxMeet || o.Meet%time.Minute != 0):
		return fmt.Errorf("meeting: %v…%v in whole minutes, not %v", MeetGrace, MaxMeet, o.Meet)
	}
	return nil
}
