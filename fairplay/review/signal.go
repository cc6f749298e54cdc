package review

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
	SignalWhileAbsent   SignalKind = "while-absent"   // moves came while the steward said that the player was not there
	SignalCopiedKey     SignalKind = "copied-key"     // a passkey counted back at a check-in, as a copy of it would
	SignalPairedDevice  SignalKind = "paired-device"  // the opponents were seen at one browser before the round
	SignalPairedNetwork SignalKind = "paired-network" // or in one network that is no venue
	SignalFastActs      SignalKind = "fast-acts"      // acts on one turn came quicker than a hand makes them
	SignalPolling       SignalKind = "polling"        // the running match was asked for again and again, as by a program

	// Asked during the match, the device was not unlocked in time.
	SignalMidCheck SignalKind = "mid-check-missed"

	// What results alone point at: the second of each opens a review.
	SignalQuickLosses     SignalKind = "quick-losses"
	SignalQuickLossesMore SignalKind = "quick-losses-more"
	SignalShortWins       SignalKind = "short-wins"
	SignalShortWinsMore   SignalKind = "short-wins-more"
)

// SignalKinds is every kind, the gravest first.
var SignalKinds = []SignalKind{SignalAnalysis, SignalToken, SignalUnsigned, SignalWhileAbsent, SignalCopiedKey,
	SignalSharedDevice, SignalSecondSession, SignalMidCheck, SignalSharedNetwork,
	SignalQuickLossesMore, SignalShortWinsMore, SignalQuickLosses, SignalShortWins, SignalPairedDevice,
	SignalPairedNetwork, SignalFastActs, SignalPolling}

// Signal is one thing that the server noticed about a player in a match. It is
// shown to them and to the arbiters of the event, and to nobody else.
type Signal struct {
	ID     string
	Player player.ID
	Match  match.ID
	Kind   SignalKind
	At     time.Time
	Move   int    // full move at which it happened; 0: none
	Detail string // what was asked for or tried, short
}
