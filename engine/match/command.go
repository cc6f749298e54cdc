package match

import (
	"encoding/json"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// Command is a wish that Decide judges. The set is sealed.
type Command interface{ command() }

type (
	// Ready says that a player is at the board; again changes nothing. Sealed is their
	// bid for draw odds, where the match has any.
	Ready struct {
		Seat   Seat
		Sealed int
	}
	// PlaceBid bids (Rules 5.3).
	PlaceBid struct {
		Seat Seat
		Bid  bidding.Bid
	}
	// Play moves, castles, gives birth, removes or skips.
	Play struct {
		Seat   Seat
		Action board.Action
	}
	// Undo takes back two moves (Rules 7.3).
	Undo struct{ Seat Seat }
	// Claim claims a win, or else a draw (Rules 4).
	Claim struct {
		Seat Seat
		Win  bool
	}
	// Resign gives up, in either phase.
	Resign struct{ Seat Seat }
	// Appoint names a time to meet for the board phase.
	Appoint struct {
		Seat Seat
		At   time.Time
	}
	// CheckClock asks whether a deadline has passed; nothing follows if not.
	CheckClock struct{}
	// CreditOutage gives back the time of an outage of the server.
	CreditOutage struct{ From, To time.Time }
)

func (Ready) command()        {}
func (PlaceBid) command()     {}
func (Play) command()         {}
func (Undo) command()         {}
func (Claim) command()        {}
func (Resign) command()       {}
func (Appoint) command()      {}
func (CheckClock) command()   {}
func (CreditOutage) command() {}

// ParseCommand reads a player's command from JSON with exactly one of the keys
// bid (as in a record), act (Rules 9), ready (true, with sealed beside
// it where draw odds are bid for), forfeit (true) and meet (a time of RFC 3339); other keys are not its business. Errors are *Refusal.
func ParseCommand(by Seat, raw []byte) (Command, error) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return nil, refuse(bidding.Malformed, "%v", err)
	}
	bid, hasBid := o.Get("bid")
	act, hasAct := o.Get("act")
	ready, hasReady := o.Get("ready")
	forfeit, hasForfeit := o.Get("forfeit")
	if meet, ok := o.Get("meet"); ok {
		return parseMeet(by, meet, hasBid || hasAct || hasReady || hasForfeit)
	}
	switch {
	case hasForfeit && !hasBid && !hasAct && !hasReady:
		if string(forfeit) != "true" {
			return nil, refuse(bidding.Malformed, "forfeit is true or missing")
		}
		return ClaimForfeit{by}, nil
	case hasForfeit:
	case hasBid && !hasAct && !hasReady:
		b, err := bidding.ParseBid(bid)
		if err != nil {
			return nil, err
		}
		return PlaceBid{by, b}, nil
	case hasAct && !hasBid && !hasReady:
		text, ok := exact.String(act)
		if !ok {
			return nil, refuse(bidding.Malformed, "an act is text")
		}
		return commandOf(parseActText(by, text)), nil
	case hasReady && !hasBid && !hasAct:
		if string(ready) != "true" {
			return nil, refuse(bidding.Malformed, "ready is true or missing")
		}
		return parseReady(by, o)
	}
	return nil, refuse(bidding.Malformed, "one of bid, act, ready, forfeit and meet is needed")
}

func parseReady(by Seat, o exact.Object) (Command, error) {
	c, ok := Ready{Seat: by}, true
	if raw, has := o.Get("sealed"); has {
		c.Sealed, ok = exact.Int(raw)
	}
	if !ok {
		return nil, refuse(bidding.Malformed, "sealed is a whole number of chips")
	}
	return c, nil
}

func parseMeet(by Seat, raw json.RawMessage, more bool) (Command, error) {
	text, _ := exact.String(raw)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || more {
		return nil, refuse(bidding.Malformed, "meet is a time and stands alone")
	}
	return Appoint{by, at}, nil
}

// commandOf is the command that asks for an act with text.
func commandOf(act Event) Command {
	switch e := act.(type) {
	case Undone:
		return Undo(e)
	case Claimed:
		return Claim(e)
	case Resigned:
		return Resign(e)
	case Played:
		return Play(e)
	}
	panic("match: an act without text")
}
