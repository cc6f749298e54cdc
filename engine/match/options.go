package match

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// Claims is how claims are made (Rules D5). The zero value is automatic, the
// default.
type Claims uint8

const (
	Automatic Claims = iota // a valid claim is executed after Black's move
	Manual                  // a player claims
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

// DefaultStartDelay is how long White's clock waits after the bidding (Rules 8).
const DefaultStartDelay = 5 * time.Second

// Options is on what a match is played before anyone has bid.
type Options struct {
	Envelope   bidding.Envelope
	Claims     Claims
	StartDelay time.Duration // White's clock starts so long after the bidding
	// Lateness is how long after the opening a player who is not ready
	// forfeits. 0: there is no gate, the match starts as it opens.
	Lateness time.Duration
	// OnClaim leaves the forfeit to the player who is there: they may claim it after
	// Lateness, or wait as long again, after which it falls by itself. When both
	// are missing, both forfeit after Lateness.
	OnClaim bool

	// BidTime is the time for each bid where the bidding goes by correspondence,
	// whole minutes; 0: the bidding clock of Rules 5.2.
	BidTime time.Duration
	// Untimed is a match to learn by: no clock counts, neither in the bidding nor on
	// the board. Each bid and each move has BidTime, so that a match left alone ends.
	Untimed bool
	// Meet is how long after the bidding the players have to meet for the board
	// phase, whole minutes; 0: it follows at once.
	Meet time.Duration

	// Extra is a handicap: chips that a seat, First's or Second's, has more than
	// the envelope gives.
	Extra [2]int
	// Odds lets the players bid for draw odds before the start (see Odds).
	Odds bool
}

// Bounds of bidding by correspondence.
const (
	MinBidTime = 10 * time.Minute
	MaxBidTime = 14 * 24 * time.Hour
	MaxMeet    = 30 * 24 * time.Hour
	// MeetWindow is how long a player who has said that they are at the board is
	// taken to be there, while the players are to meet.
	MeetWindow = 10 * time.Minute
	// MeetGrace is how long after an appointed time a player may still come.
	MeetGrace = 15 * time.Minute
)

// DefaultOptions has the widest envelope, automatic claims and no gate.
func DefaultOptions() Options {
	return Options{Envelope: bidding.DefaultEnvelope(), StartDelay: DefaultStartDelay}
}

// Validate names everything that is wrong with the options.
func (o Options) Validate() error {
	if err := o.Envelope.Validate(); err != nil {
		return err
	}
	if err := bidding.ValidExtra(o.Extra); err != nil {
		return err
	}
	switch {
	case o.Odds && (o.Lateness == 0 || o.Extra != [2]int{}):
		return fmt.Errorf("sealed bids are made while the match waits for its players, and with equal chips")
	case o.Claims > Manual:
		return fmt.Errorf("claims: no such mode")
	case o.StartDelay < 0 || o.StartDelay > time.Minute || o.StartDelay%time.Millisecond != 0:
		return fmt.Errorf("start delay: 0…60 s in whole milliseconds, not %v", o.StartDelay)
	case o.Lateness < 0 || o.Lateness > 24*time.Hour || o.Lateness%time.Millisecond != 0:
		return fmt.Errorf("lateness: 0…24 h in whole milliseconds, not %v", o.Lateness)
	case o.OnClaim && o.Lateness == 0:
		return fmt.Errorf("nobody is late where the match does not wait")
	case o.BidTime != 0 && (o.BidTime < MinBidTime || o.BidTime > MaxBidTime || o.BidTime%time.Minute != 0):
		return fmt.Errorf("bid time: %v…%v in whole minutes, not %v", MinBidTime, MaxBidTime, o.BidTime)
	case o.Untimed && o.BidTime == 0:
		return fmt.Errorf("untimed: a bid time is needed after which a match left alone ends")
	case o.Meet != 0 && (o.Meet < MeetGrace || o.Meet > MaxMeet || o.Meet%time.Minute != 0):
		return fmt.Errorf("meeting: %v…%v in whole minutes, not %v", MeetGrace, MaxMeet, o.Meet)
	}
	return nil
}
