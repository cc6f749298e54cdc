package fairplay

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// SignalKind is what the server noticed by itself: facts of its own that no
// client can make up. The list is closed.
type SignalKind string

const (
	SignalToken         SignalKind = "token"          // a program tried to move where only pages may
	SignalSecondSession SignalKind = "second-session" // moves of one player came from two sessions
	SignalUnsigned      SignalKind = "unsigned"       // an act came without the signature of the checked-in page
	SignalSharedDevice  SignalKind = "shared-device"  // both opponents use one browser
	SignalSharedNetwork SignalKind = "shared-network" // and one network: a club evening looks like that, too
	SignalAnalysis      SignalKind = "analysis"       // our analysis was asked for a position that was being played
	SignalWhileAbsent   SignalKind = "while-absent"   // moves came while the steward said that he was not there
)

// SignalKinds is every kind, the gravest first.
var SignalKinds = []SignalKind{SignalAnalysis, SignalToken, SignalUnsigned, SignalWhileAbsent, SignalSharedDevice, SignalSecondSession, SignalSharedNetwork}

// Signal is one thing that the server noticed about a player in a match. It is
// shown to him and to the arbiters of the event, and to nobody else.
type Signal struct {
	ID     string
	Player player.ID
	Match  match.ID
	Kind   SignalKind
	At     time.Time
	Move   int    // full move at which it happened; 0: none
	Detail string // what was asked for or tried, short
}
