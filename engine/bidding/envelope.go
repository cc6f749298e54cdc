package bidding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/board"
)

// Switches are the keys of the features that are on or off (7.6 to 7.16), in the order
// of section 7.
var Switches = board.SwitchKeys()

// SwitchOn reports whether a features record turns on the switch of a key.
func SwitchOn(f board.Features, key string) bool {
	on := f.Switch(key)
	return on != nil && *on
}

// Envelope is how an event narrows the bidding (Rules D9, D20): chips, bounds of every
// outcome, the features in force before any bid, and the time controls to draw from. Bounds
// are inclusive, low then high.
type Envelope struct {
	Chips      int
	Minutes    [2]int
	Increment  [2]int // seconds
	Widths     []int  // ascending
	MoveLimit  [2]int
	Undos      [2]int
	Castlings  [2]int
	MovePoints [2]int
	Forbidden  []string // switches no bid may turn on, by key
	// Rows are the home rows a raise may name besides the standard ones; with AnyRow, it may
	// name any.
	AnyRow   bool
	Rows     []board.Row
	Defaults board.Features
	Presets  []TimeControl
}

// usualPresets are the time controls of an envelope that names none.
var usualPresets = []TimeControl{{3, 2}, {5, 3}, {10, 5}, {15, 10}}

// DefaultEnvelope returns the widest envelope the rules allow, with 15 chips and the usual
// time controls.
func DefaultEnvelope() Envelope {
	e := Envelope{Chips: DefaultChips, AnyRow: true, Defaults: board.DefaultFeatures(), Presets: slices.Clone(usualPresets)}
	for _, b := range Bounds {
		b.widen(&e)
	}
	return e
}

// EnvelopeFault is one thing wrong with an envelope.
type EnvelopeFault struct {
	Key  string // in the envelope's JSON; "" for none in particular
	Code string // outside, order, none, unknown, twice, row, either, preset, bound; "": only Text says it
	Args []any  // names and values, alternating, for a text of the code
	Text string // the fault in English
}

func (f EnvelopeFault) String() string {
	if f.Key == "" {
		return f.Text
	}
	return f.Key + ": " + f.Text
}

// EnvelopeError lists everything wrong with an envelope.
type EnvelopeError struct{ Faults []EnvelopeFault }

func (e *EnvelopeError) Error() string {
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = f.String()
	}
	return "the envelope is not possible: " + strings.Join(texts, "; ")
}

// faults collects what is wrong.
type faults []EnvelopeFault

func (f *faults) add(key, code, text string, args ...any) {
	*f = append(*f, EnvelopeFault{key, code, args, text})
}

func (f *faults) outside(key string, value any, low, high int) {
	f.add(key, "outside", fmt.Sprintf("%v is not within %d…%d", value, low, high), "Value", value, "Low", low, "High", high)
}

// Validate returns nil, or an *EnvelopeError that lists every fault: bounds beyond the rules,
// defaults or presets beyond the bounds.
func (e Envelope) Validate() error {
	var p faults
	for _, b := range Bounds {
		b.faults(e, &p)
	}
	p = append(p, e.listFaults()...)
	if err := e.Defaults.Validate(); err != nil {
		p.add("defaults", "", err.Error())
	} else if r := e.checkFeatures(e.Defaults); r != nil {
		p.add("defaults", "bound", r.Bound+" must be within "+r.Allowed, "Bound", r.Bound, "Allowed", r.Allowed)
	}
	if len(p) > 0 {
		return &EnvelopeError{Faults: p}
	}
	return nil
}

// listFaults returns the faults of the other lists: switches, rows, presets.
func (e Envelope) listFaults() (p faults) {
	for i, key := range e.Forbidden {
		if !slices.Contains(Switches, key) {
			p.add("forbidden", "unknown", fmt.Sprintf("there is no switch %q", key), "Value", key)
		}
		if slices.Contains(e.Forbidden[:i], key) {
			p.add("forbidden", "twice", fmt.Sprintf("%q stands twice", key), "Value", key)
		}
	}
	if e.AnyRow && len(e.Rows) > 0 {
		p.add("rows", "either", "either any or a list")
	}
	for _, row := range e.Rows {
		if err := board.ValidateRow(row, len(row)); err != nil || len(row) < board.MinWidth || len(row) > board.MaxWidth {
			p.add("rows", "row", fmt.Sprintf("%q is not a home row of 6…10 pieces with a king", string(row)), "Value", string(row))
		}
	}
	if len(e.Presets) == 0 {
		p.add("presets", "none", "at least one is needed")
	}
	for i, preset := range e.Presets {
		if r := e.checkTime(preset); r != nil {
			p.add("presets", "preset", fmt.Sprintf("%v is outside %s %s", preset, r.Bound, r.Allowed), "Value",
				preset.String(), "Bound", r.Bound, "Allowed", r.Allowed)
		}
		if slices.Contains(e.Presets[:i], preset) {
			p.add("presets", "twice", fmt.Sprintf("%v stands twice", preset), "Value", preset.String())
		}
	}
	return p
}

// Check returns nil, or a *Refusal (code OutOfEnvelope) with the bound the bid's outcome
// breaks. Whether the bid is possible at all is for State to say.
func (e Envelope) Check(bid Bid) error {
	if !bid.HasOutcome {
		return nil
	}
	var r *Refusal
	switch bid.Target {
	case Time:
		r = e.checkTime(bid.Time)
	case HomeRow:
		r = e.checkRow(bid.Row)
	case Features:
		r = e.checkFeatures(bid.Features)
	}
	if r != nil {
		return r
	}
	return nil
}

func (e Envelope) checkTime(c TimeControl) *Refusal {
	for _, b := range Bounds {
		if b.time == nil {
			continue
		}
		if r := b.check(&e, b.time(c)); r != nil {
			return r
		}
	}
	return nil
}

func (e Envelope) checkRow(row board.Row) *Refusal {
	if e.AnyRow || slices.Contains(e.Rows, row) || row == board.StandardRow(len(row)) {
		return nil
	}
	allowed := "the standard row"
	for _, r := range e.Rows {
		if len(r) == len(row) {
			allowed += ", " + string(r)
		}
	}
	return &Refusal{Code: OutOfEnvelope, Bound: "rows", Allowed: allowed, Nearest: string(board.StandardRow(len(row)))}
}

func (e Envelope) checkFeatures(f board.Features) *Refusal {
	for _, b := range Bounds {
		if b.Features == nil {
			continue
		}
		for _, n := range b.Features(&f) {
			if r := b.check(&e, *n); r != nil {
				return r
			}
		}
	}
	for _, key := range e.Forbidden {
		if SwitchOn(f, key) {
			return &Refusal{Code: OutOfEnvelope, Bound: "forbidden", Allowed: "off: " + key}
		}
	}
	return nil
}

func list(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}
