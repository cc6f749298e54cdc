package bidding

import (
	"encoding/json"
	"errors"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// ParseBid reads a bid as records write it (Rules 11): target, chips and, for a raise, the
// target's outcome. It ignores keys of other targets (D25). Errors are *Refusal.
func ParseBid(raw []byte) (Bid, error) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return Bid{}, refuse(Malformed, "a bid: %v", err)
	}
	var b Bid
	name, _ := o.Get("target")
	text, ok := exact.String(name)
	if !ok {
		return Bid{}, refuse(UnknownTarget, "a bid names its target")
	}
	if b.Target, err = ParseTarget(text); err != nil {
		return Bid{}, err
	}
	chips, _ := o.Get("chips")
	if b.Chips, ok = exact.Int(chips); !ok || b.Chips < 1 {
		return Bid{}, refuse(BadChips, "a bid takes a whole number of chips, at least one")
	}
	switch b.Target {
	case Time:
		err = b.parseTime(o)
	case HomeRow:
		err = b.parseRow(o)
	case Features:
		err = b.parseFeatures(o)
	}
	if err != nil {
		return Bid{}, err
	}
	return b, nil
}

func (b *Bid) parseTime(o exact.Object) error {
	if !o.Has("minutes") && !o.Has("increment") {
		return nil
	}
	var err error
	b.Time, err = parseTimeControl(o)
	b.HasOutcome = true
	return err
}

// parseTimeControl reads minutes and increment. Callers check their bounds.
func parseTimeControl(o exact.Object) (TimeControl, error) {
	minutes, _ := o.Get("minutes")
	increment, _ := o.Get("increment")
	m, ok1 := exact.Int(minutes)
	i, ok2 := exact.Int(increment)
	if !ok1 || !ok2 {
		return TimeControl{}, refuse(BadTime, "minutes and increment are whole numbers")
	}
	return TimeControl{m, i}, nil
}

func (b *Bid) parseRow(o exact.Object) error {
	raw, ok := o.Get("row")
	if !ok {
		return nil
	}
	row, ok := exact.String(raw)
	if !ok {
		return refuse(BadRow, "a row is text")
	}
	b.Row, b.HasOutcome = board.Row(row), true
	return nil
}

func (b *Bid) parseFeatures(o exact.Object) error {
	raw, ok := o.Get("features")
	if !ok {
		return nil
	}
	var err error
	b.Features, err = ParseFeatures(raw)
	b.HasOutcome = true
	return err
}

// ParseFeatures is board.ParseFeatures with a *Refusal for an error.
func ParseFeatures(raw []byte) (board.Features, error) {
	f, err := board.ParseFeatures(raw)
	if err == nil {
		return f, nil
	}
	code := BadFeatures
	var fault *board.FeatureError
	if errors.As(err, &fault) && fault.Code == UnknownFeature {
		code = UnknownFeature
	}
	return f, refuse(code, "%v", err)
}

// jsonBid is the canonical form of a bid in a record.
type jsonBid struct {
	Target    string          `json:"target"`
	Chips     int             `json:"chips"`
	Minutes   *int            `json:"minutes,omitempty"`
	Increment *int            `json:"increment,omitempty"`
	Row       string          `json:"row,omitempty"`
	Features  *board.Features `json:"features,omitempty"`
}

// MarshalJSON writes a bid as records have it. ParseBid reads it back.
func (b Bid) MarshalJSON() ([]byte, error) {
	j := jsonBid{Target: b.Target.String(), Chips: b.Chips}
	if b.HasOutcome {
		switch b.Target {
		case Time:
			j.Minutes, j.Increment = &b.Time.Minutes, &b.Time.Increment
		case HomeRow:
			j.Row = string(b.Row)
		case Features:
			j.Features = &b.Features
		}
	}
	return json.Marshal(j)
}
