package match

import (
	"encoding/json"
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// Letters names the seats A and B as records do: First is this letter, Second
// the other. In live matches First is A.
type Letters byte

const (
	FirstIsA Letters = 'A'
	FirstIsB Letters = 'B'
)

// Of is the letter of a seat.
func (l Letters) Of(by Seat) string {
	if (by == First) == (l == FirstIsA) {
		return "A"
	}
	return "B"
}

// Seat is the seat of a letter; false for any other text.
func (l Letters) Seat(letter string) (Seat, bool) {
	switch {
	case letter != "A" && letter != "B":
		return 0, false
	case letter[0] == byte(l):
		return First, true
	}
	return Second, true
}

// seat reads the letter in a JSON value.
func (l Letters) seat(raw json.RawMessage) (Seat, bool) {
	letter, _ := exact.String(raw)
	return l.Seat(letter)
}

// ParseAct reads one action of a record (Rules 11) into the act it stands for.
// Errors are *Refusal. Exactly one of the keys bid, act, draw and flag must
// stand in it; keys that mean nothing here are ignored.
func ParseAct(raw []byte, l Letters) (Event, error) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return nil, refuse(bidding.Malformed, "%v", err)
	}
	kind, value := "", json.RawMessage(nil)
	for _, m := range o {
		switch m.Key {
		case "bid", "act", "draw", "flag":
			if kind != "" {
				return nil, refuse(bidding.Malformed, "%s and %s in one action", kind, m.Key)
			}
			kind, value = m.Key, m.Value
		}
	}
	switch kind {
	case "draw":
		return parseDraw(o, value, l)
	case "flag":
		of, ok := l.seat(value)
		if !ok {
			return nil, refuse(FlagNotToAct, "there is no such player")
		}
		return FlagFell{of}, nil
	case "bid", "act":
		return parseByAct(o, kind, value, l)
	}
	return nil, refuse(bidding.Malformed, "one of bid, act, draw and flag is needed")
}

func parseByAct(o exact.Object, kind string, value json.RawMessage, l Letters) (Event, error) {
	text, isText := exact.String(value)
	if kind == "act" && !isText {
		return nil, refuse(bidding.Malformed, "an act is text")
	}
	if kind == "bid" && value[0] != '{' {
		return nil, refuse(bidding.Malformed, "a bid is an object")
	}
	raw, ok := o.Get("by")
	if !ok {
		return nil, refuse(bidding.Malformed, "by is missing")
	}
	by, ok := l.seat(raw)
	if !ok {
		return nil, refuse(UnknownPlayer, "there is no such player")
	}
	if kind == "act" {
		return parseActText(by, text), nil
	}
	b, err := bidding.ParseBid(value)
	if err != nil {
		return nil, err
	}
	return BidPlaced{by, b}, nil
}

// parseActText reads the text of an act (Rules 9). Text that is none is the
// action none, which no position allows: so turn and phase refuse it first.
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
		return nil, refuse(bidding.BadDraw, "white or time is drawn")
	}
	d := bidding.Draw{Target: target}
	if target == bidding.White {
		raw, _ := o.Get("white")
		var ok bool
		if d.White, ok = l.seat(raw); !ok {
			return nil, refuse(bidding.BadDraw, "a draw of white names a player")
		}
		return Drawn{d}, nil
	}
	minutes, _ := o.Get("minutes")
	increment, _ := o.Get("increment")
	m, ok1 := exact.Int(minutes)
	i, ok2 := exact.Int(increment)
	if !ok1 || !ok2 {
		return nil, refuse(bidding.BadDraw, "a draw of time has minutes and increment")
	}
	d.Time = bidding.TimeControl{Minutes: m, Increment: i}
	return Drawn{d}, nil
}

// ActText is the text of an act that has one (Rules 9); "" for bids, draws and flags.
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

// jsonAct is the canonical form of an action in a record.
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

// FormatAct writes an act as records have it; ParseAct reads it. It is an error
// for events that are no acts of the game.
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
	case Played:
		j.By, j.Act = l.Of(e.Seat), ActText(e)
	case Undone:
		j.By, j.Act = l.Of(e.Seat), ActText(e)
	case Claimed:
		j.By, j.Act = l.Of(e.Seat), ActText(e)
	case Resigned:
		j.By, j.Act = l.Of(e.Seat), ActText(e)
	case FlagFell:
		j.Flag = l.Of(e.Seat)
	default:
		return nil, fmt.Errorf("match: %T is not an act of the game", act)
	}
	return json.Marshal(j)
}
