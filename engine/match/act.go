package match

import (
	"encoding/json"
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// Letters maps the seats to the letters A and B of records. Its value is the letter of First;
// in live matches that is A.
type Letters byte

const (
	FirstIsA Letters = 'A'
	FirstIsB Letters = 'B'
)

// Of returns the letter of a seat.
func (l Letters) Of(by Seat) string {
	if (by == First) == (l == FirstIsA) {
		return "A"
	}
	return "B"
}

// Seat returns the seat of a letter. It reports false for any other text.
func (l Letters) Seat(letter string) (Seat, bool) {
	switch {
	case letter != "A" && letter != "B":
		return 0, false
	case letter[0] == byte(l):
		return First, true
	}
	return Second, true
}

// seat reads a letter in JSON.
func (l Letters) seat(raw json.RawMessage) (Seat, bool) {
	letter, _ := exact.String(raw)
	return l.Seat(letter)
}

// ParseAct reads one action of a record (Rules 11). It must have exactly one of the keys bid,
// act, draw and flag; unknown keys are ignored. Errors are *Refusal.
func ParseAct(raw []byte, l Letters) (Event, error) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return nil, refuse(bidding.Malformed, "%v", err)
	}
	key, value, err := only(o, "bid", "act", "draw", "flag")
	if err != nil {
		return nil, err
	}
	switch key {
	case "draw":
		return parseDraw(o, value, l)
	case "flag":
		of, ok := l.seat(value)
		if !ok {
			return nil, refuse(FlagNotToAct, "no such player")
		}
		return FlagFell{of}, nil
	}
	return parseByAct(o, key, value, l)
}

// parseByAct reads a bid or an act.
func parseByAct(o exact.Object, key string, value json.RawMessage, l Letters) (Event, error) {
	text, isText := exact.String(value)
	if key == "act" && !isText {
		return nil, refuse(bidding.Malformed, "an act must be text")
	}
	if key == "bid" && value[0] != '{' {
		return nil, refuse(bidding.Malformed, "a bid must be an object")
	}
	raw, ok := o.Get("by")
	if !ok {
		return nil, refuse(bidding.Malformed, "by is missing")
	}
	by, ok := l.seat(raw)
	if !ok {
		return nil, refuse(UnknownPlayer, "no such player")
	}
	if key == "act" {
		return parseActText(by, text), nil
	}
	b, err := bidding.ParseBid(value)
	if err != nil {
		return nil, err
	}
	return BidPlaced{by, b}, nil
}

// parseActText reads the text of an act (Rules 9). Unknown text becomes board.NoAction, which
// no position allows, so that turn and phase are judged first.
func parseActText(by Seat, text string) Event {
	switch text {
	case "undo":
		return Undone{by}
	case "claim win":
		return Claimed{by, true}
	case "claim draw":
		return Claimed{by, false}
	case "resign":
		return Resigned{by}
	}
	action, err := board.ParseAction(text)
	if err != nil {
		action = 0
	}
	return Played{by, action}
}

func parseDraw(o exact.Object, value json.RawMessage, l Letters) (Event, error) {
	name, _ := exact.String(value)
	target, err := bidding.ParseTarget(name)
	if err != nil || !target.IsDrawn() {
		return nil, refuse(bidding.BadDraw, "only white and time are drawn")
	}
	d := bidding.Draw{Target: target}
	if target == bidding.White {
		raw, _ := o.Get("white")
		var ok bool
		if d.White, ok = l.seat(raw); !ok {
			return nil, refuse(bidding.BadDraw, "a draw of white needs a player")
		}
		return Drawn{d}, nil
	}
	minutes, _ := o.Get("minutes")
	increment, _ := o.Get("increment")
	m, ok1 := exact.Int(minutes)
	i, ok2 := exact.Int(increment)
	if !ok1 || !ok2 {
		return nil, refuse(bidding.BadDraw, "a draw of time needs minutes and increment")
	}
	d.Time = bidding.TimeControl{Minutes: m, Increment: i}
	return Drawn{d}, nil
}

// ActorOf returns the player of an act, for FlagFell the one whose flag fell; 0 for draws and
// other events.
func ActorOf(act Event) Seat {
	switch e := act.(type) {
	case BidPlaced:
		return e.Seat
	case Played:
		return e.Seat
	case Undone:
		return e.Seat
	case Claimed:
		return e.Seat
	case Resigned:
		return e.Seat
	case FlagFell:
		return e.Seat
	}
	return 0
}

// ActText returns the text of an act (Rules 9); "" for bids, draws and flags.
func ActText(act Event) string {
	switch e := act.(type) {
	case Played:
		return e.Action.String()
	case Undone:
		return "undo"
	case Claimed:
		if e.Win {
			return "claim win"
		}
		return "claim draw"
	case Resigned:
		return "resign"
	}
	return ""
}

// jsonAct is an action of a record in its canonical form.
type jsonAct struct {
	By        string       `json:"by,omitempty"`
	Bid       *bidding.Bid `json:"bid,omitempty"`
	Act       string       `json:"act,omitempty"`
	Draw      string       `json:"draw,omitempty"`
	White     string       `json:"white,omitempty"`
	Minutes   *int         `json:"minutes,omitempty"`
	Increment *int         `json:"increment,omitempty"`
	Flag      string       `json:"flag,omitempty"`
}

// FormatAct writes an act as an action of a record; ParseAct reads it back. Events that are not
// acts of the game are an error.
func FormatAct(act Event, l Letters) ([]byte, error) {
	var j jsonAct
	switch e := act.(type) {
	case BidPlaced:
		j.By, j.Bid = l.Of(e.Seat), &e.Bid
	case Drawn:
		j.Draw = e.Draw.Target.String()
		if e.Draw.Target == bidding.White {
			j.White = l.Of(e.Draw.White)
		} else {
			j.Minutes, j.Increment = &e.Draw.Time.Minutes, &e.Draw.Time.Increment
		}
	case Played, Undone, Claimed, Resigned:
		j.By, j.Act = l.Of(ActorOf(e)), ActText(e)
	case FlagFell:
		j.Flag = l.Of(e.Seat)
	default:
		return nil, fmt.Errorf("match: %T is not an act of the game", act)
	}
	return json.Marshal(j)
}
