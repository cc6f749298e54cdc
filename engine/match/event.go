package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Event is one transition of a match. The set is sealed; kind is the event's kind in the log.
type Event interface{ kind() string }

// Opened begins every log with the options of the match and the seed of its draws. Seed is
// zero in what players see before the end (Public); Commitment is its SHA-256 in hexadecimal
// digits.
type Opened struct {
	Options    Options
	Seed       Seed
	Commitment string
}

// PlayerReady says that a player is at the board. Sealed is their bid for draw odds, if the
// match has any; before the start players see only its Seal.
type PlayerReady struct {
	Seat   Seat
	Sealed int
	Seal   string
}

// Started opens the bidding with First's clock running. If players meet for the board phase
// (Options.Meet), a second one opens that. Odds is the result of sealed bids.
type Started struct{ Odds Odds }

// Appointed is a player's proposal when to meet for the board phase. The meeting is agreed once
// both propose the same time.
type Appointed struct {
	Seat Seat
	At   time.Time
}

// Acts of the game, which Game.Do judges.
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
	// FlagFell says that the player to act has run out of time.
	FlagFell struct{ Seat Seat }
)

// OutageCredited gives back time that the player to act lost in an outage of the server. Before
// players are ready Seat is 0 and the wait grows. From and To are the part of the outage that
// counts, Given is the time that was given back.
type OutageCredited struct {
	Seat     Seat
	From, To time.Time
	Given    time.Duration
}

// Ended ends the match. It is the last event unless an arbiter voids or reopens the match.
type Ended struct{ Result Result }

func (Opened) kind() string         { return kindOpened }
func (PlayerReady) kind() string    { return kindReady }
func (Started) kind() string        { return kindStarted }
func (Appointed) kind() string      { return kindAppointed }
func (BidPlaced) kind() string      { return kindBid }
func (Drawn) kind() string          { return kindDraw }
func (Played) kind() string         { return kindPlay }
func (Undone) kind() string         { return kindUndo }
func (Claimed) kind() string        { return kindClaim }
func (Resigned) kind() string       { return kindResign }
func (FlagFell) kind() string       { return kindFlag }
func (OutageCredited) kind() string { return kindOutage }
func (Ended) kind() string          { return kindEnded }

// Recorded is an event with its sequence number in the log, from 1 without gaps, and the
// server's time in whole milliseconds (Rules D19).
type Recorded struct {
	Seq   int64
	At    time.Time
	Event Event
}

// Public returns an event as anyone may see it before the match is over: without the seed of the
// draws and the bids under seal.
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
