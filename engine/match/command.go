package match

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// Command is a request that Decide judges. The set is sealed.
type Command interface{ command() }

// Commands of players and of the site.
type (
	// Ready says that a player is at the board. Sealed is their bid for draw odds, if the
	// match has any.
	Ready struct {
		Seat   Seat
		Sealed int
	}
	// PlaceBid bids (Rules 5.3).
	PlaceBid struct {
		Seat Seat
		Bid  bidding.Bid
	}
	// Play moves, castles, places a newborn pawn, removes a piece or skips (Rules 9).
	Play struct {
		Seat   Seat
		Action board.Action
	}
	// Undo takes back two moves (Rules 7.3).
	Undo struct{ Seat Seat }
	// Claim claims a win or a draw (Rules 4).
	Claim struct {
		Seat Seat
		Win  bool
	}
	// Resign resigns in either phase.
	Resign struct{ Seat Seat }
	// Appoint proposes a time to meet for the board phase.
	Appoint struct {
		Seat Seat
		At   time.Time
	}
	// CheckClock asks whether a deadline has passed. If not, nothing follows.
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

// ParseCommand reads a player's command from a JSON object with exactly one of the keys bid (as
// in a record), act (Rules 9), ready (true, with a bid for draw odds in sealed), forfeit (true)
// and meet (RFC 3339). Other keys are ignored. Errors are *Refusal.
func ParseCommand(by Seat, raw []byte) (Command, error) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return nil, refuse(bidding.Malformed, "%v", err)
	}
	key, value, err := only(o, "bid", "act", "ready", "forfeit", "meet")
	if err != nil {
		return nil, err
	}
	switch key {
	case "bid":
		b, err := bidding.ParseBid(value)
		if err != nil {
			return nil, err
		}
		return PlaceBid{by, b}, nil
	case "act":
		text, ok := exact.String(value)
		if !ok {
			return nil, refuse(bidding.Malformed, "an act must be text")
		}
		return commandOf(parseActText(by, text)), nil
	case "meet":
		text, _ := exact.String(value)
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return nil, refuse(bidding.Malformed, "meet must be a time of RFC 3339")
		}
		return Appoint{by, at}, nil
	}
	if string(value) != "true" {
		return nil, refuse(bidding.Malformed, "%s must be true or missing", key)
	}
	if key == "forfeit" {
		return ClaimForfeit{by}, nil
	}
	return parseReady(by, o)
}

// only returns the one key of several that an object has.
func only(o exact.Object, keys ...string) (key string, value json.RawMessage, err error) {
	for _, m := range o {
		if !slices.Contains(keys, m.Key) {
			continue
		}
		if key != "" {
			return "", nil, refuse(bidding.Malformed, "both %s and %s are given", key, m.Key)
		}
		key, value = m.Key, m.Value
	}
	if key == "" {
		return "", nil, refuse(bidding.Malformed, "one of %s is required", strings.Join(keys, ", "))
	}
	return key, value, nil
}

func parseReady(by Seat, o exact.Object) (Command, error) {
	c, ok := Ready{Seat: by}, true
	if raw, has := o.Get("sealed"); has {
		c.Sealed, ok = exact.Int(raw)
	}
	if !ok {
		return nil, refuse(bidding.Malformed, "sealed must be a whole number of chips")
	}
	return c, nil
}

// commandOf returns the command that asks for an act with text.
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
