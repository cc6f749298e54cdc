package review

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// SignalKind is what the server noticed by itself: facts that no client can make up.
type SignalKind string

const (
	SignalToken         SignalKind = "token"          // a program tried to move where only pages may
	SignalSecondSession SignalKind = "second-session" // moves of one player came from two sessions
	SignalUnsigned      SignalKind = "unsigned"       // an act came without the signature of the checked-in page
	SignalSharedDevice  SignalKind = "shared-device"  // both opponents used one browser
	SignalSharedNetwork SignalKind = "shared-network" // and one network: a club evening looks like that, too
	SignalAnalysis      SignalKind = "analysis"       // our analysis was asked for a position that was being played
	SignalWhileAbsent   SignalKind = "while-absent"   // moves came while, by the steward's word, the player was away
	SignalCopiedKey     SignalKind = "copied-key"     // a passkey's counter went backwards at a check-in, as with a copy
	SignalPairedDevice  SignalKind = "paired-device"  // the opponents used one browser before the round
	SignalPairedNetwork SignalKind = "paired-network" // or one network that is not a venue's
	SignalFastActs      SignalKind = "fast-acts"      // acts on one turn came faster than a hand can make them
	SignalPolling       SignalKind = "polling"        // the running match was requested again and again, as by a program

	// The device was not unlocked in time when the match asked for it.
	SignalMidCheck SignalKind = "mid-check-missed"

	// Patterns of results: the second of each opens a review.
	SignalQuickLosses     SignalKind = "quick-losses"
	SignalQuickLossesMore SignalKind = "quick-losses-more"
	SignalShortWins       SignalKind = "short-wins"
	SignalShortWinsMore   SignalKind = "short-wins-more"
)

// SignalKinds lists every kind, the gravest first.
var SignalKinds = []SignalKind{SignalAnalysis, SignalToken, SignalUnsigned, SignalWhileAbsent, SignalCopiedKey,
	SignalSharedDevice, SignalSecondSession, SignalMidCheck, SignalSharedNetwork,
	SignalQuickLossesMore, SignalShortWinsMore, SignalQuickLosses, SignalShortWins, SignalPairedDevice,
	SignalPairedNetwork, SignalFastActs, SignalPolling}

// Signal is one thing that the server noticed about a player in a match. Only they and
// the arbiters of the event see it.
type Signal struct {
	ID     string
	Player player.ID
	Match  match.ID
	Kind   SignalKind
	At     time.Time
	Move   int    // full move at which it happened; 0: none
	Detail string // what was asked for or tried, short
}
