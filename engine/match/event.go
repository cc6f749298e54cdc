package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Event is one transition of a match, as the log keeps it. The set is sealed;
// codec.go gives each a kind and a version.
type Event interface{ event() }

// Opened begins every log: on what the match is played, and the seed of its
// draws. Seed is zero in what the players see before the end (Public);
// Commitment is its SHA-256 in hexadecimal digits.
type Opened struct {
	Options    Options
	Seed       Seed
	Commitment string
}

// PlayerReady says that a player is at the board. Sealed is their bid for draw odds
// where the match has any, which only Seal tells of before the start.
type PlayerReady struct {
	Seat   Seat
	Sealed int
	Seal   string
}

// Started opens the bidding: the clock of First runs. Where the players meet for
// the board phase (Options.Meet), it opens that, a second time. Odds are what sealed
// bids have come to.
type Started struct{ Odds Odds }

// Appointed is a player's word when to meet for the board phase; the meeting
// stands once both have named the same time.
type Appointed struct {
	Seat Seat
	At   time.Time
}

// The acts of the game itself, which Game.Do judges.
type (
	// BidPlaced is a bid (Rules 5.3).
	BidPlaced struct {
		Seat Seat
		Bid  bidding.Bid
	}
	// Drawn is a random draw (Rules D8).
	Drawn struct{ Draw bidding.Draw }
	// Played is a move, castling, birth, removal or skip.
	Played struct {
		Seat   Seat
		Action board.Action
	}
	// Undone is an undo (Rules 7.3); nothing is deleted from the log.
	Undone struct{ Seat Seat }
	// Claimed is a valid claim of a win, or of a draw (Rules 4).
	Claimed struct {
		Seat Seat
		Win  bool
	}
	// Resigned is a resignation in either phase.
	Resigned struct{ Seat Seat }
	// FlagFell says that the time of the player to act is used up.
	FlagFell struct{ Seat Seat }
)

// OutageCredited gives the player to act the time back during which the server
// could not be reached; while players are awaited Seat is none and the wait
// grows. From and To are the outage as far as it counts, Given what it gave.
type OutageCredited struct {
	Seat     Seat
	From, To time.Time
	Given    time.Duration
}

// Ended is the last event of a log, unless an arbiter makes the match void or
// reopens it.
type Ended struct{ Result Result }

func (Opened) event()         {}
func (PlayerReady) event()    {}
func (Started) event()        {}
func (Appointed) event()      {}
func (BidPlaced) event()      {}
func (Drawn) event()          {}
func (Played) event()         {}
func (Undone) event()         {}
func (Claimed) event()        {}
func (Resigned) event()       {}
func (FlagFell) event()       {}
func (OutageCredited) event() {}
func (Ended) event()          {}

// Recorded is an event with its place in the log, from 1 without gaps, and the
// server's time of it, which counts to the millisecond (Rules D19).
type Recorded struct {
	Seq   int64
	At    time.Time
	Event Event
}

// Public is the event as everyone may see it before the match is over: without
// the seed of the draws and what seals hide.
func Public(e Event) Event {
	switch e := e.(type) {
	case Opened:
		e.Seed = Seed{}
		return e
	case PlayerReady:
		e.Sealed = 0
		return e
	}
	return e
}
