package bidding

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// ParseEnvelope reads an envelope (see the package comment for its form) and validates it.
// Its error is an *EnvelopeError that lists every fault.
func ParseEnvelope(raw []byte) (Envelope, error) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return Envelope{}, &EnvelopeError{Faults: []EnvelopeFault{{Text: err.Error()}}}
	}
	r := envelopeReader{e: DefaultEnvelope()}
	var defaults, presets json.RawMessage
	for _, m := range o {
		switch m.Key {
		case "defaults":
			defaults = m.Value
		case "presets":
			presets = m.Value
		default:
			r.read(m.Key, m.Value)
		}
	}
	r.readDefaults(defaults)
	r.readPresets(presets)
	var found *EnvelopeError
	if errors.As(r.e.Validate(), &found) {
		r.faults = append(r.faults, found.Faults...)
	}
	if len(r.faults) > 0 {
		return Envelope{}, &EnvelopeError{Faults: r.faults}
	}
	return r.e, nil
}

// envelopeReader fills an envelope and collects what it cannot read.
type envelopeReader struct {
	e      Envelope
	faults faults
}

func (r *envelopeReader) fault(format string, args ...any) {
	r.faults.add("", "", fmt.Sprintf(format, args...))
}

func (r *envelopeReader) read(key string, raw json.RawMessage) {
	switch key {
	case "chips":
		if n, ok := exact.Int(raw); ok {
			r.e.Chips = n
		} else {
			r.fault("chips: a whole number is needed")
		}
	case "minutes":
		r.span(key, raw, &r.e.Minutes)
	case "increment":
		r.span(key, raw, &r.e.Increment)
	case "widths":
		if widths := r.ints(key, raw); widths != nil {
			slices.Sort(widths)
			r.e.Widths = widths
		}
	case "moveLimit":
		r.span(key, raw, &r.e.MoveLimit)
	case "undos":
		r.span(key, raw, &r.e.Undos)
	case "castlings":
		r.span(key, raw, &r.e.Castlings)
	case "movePoints":
		r.span(key, raw, &r.e.MovePoints)
	case "forbidden":
		r.e.Forbidden = r.texts(key, raw)
	case "rows":
		if word, ok := exact.String(raw); ok && word == "any" {
			r.e.AnyRow, r.e.Rows = true, nil
			return
		}
		r.e.AnyRow = false
		for _, row := range r.texts(key, raw) {
			r.e.Rows = append(r.e.Rows, board.Row(row))
		}
	default:
		r.fault("there is no key %q", key)
	}
}

// longestList bounds every list of an envelope: checking one takes quadratic time.
const longestList = 500

// list reads a list, false if there is none. things says what it should be of.
func (r *envelopeReader) list(key string, raw json.RawMessage, things string) ([]json.RawMessage, bool) {
	list, err := exact.ParseArray(raw)
	switch {
	case err != nil:
		r.fault("%s: a list of %s is needed", key, things)
	case len(list) > longestList:
		r.fault("%s: at most %d", key, longestList)
	default:
		return list, true
	}
	return nil, false
}

func (r *envelopeReader) ints(key string, raw json.RawMessage) []int {
	list, ok := r.list(key, raw, "whole numbers")
	if !ok {
		return nil
	}
	ns := make([]int, 0, len(list))
	for _, item := range list {
		n, ok := exact.Int(item)
		if !ok {
			r.fault("%s: %s is not a whole number", key, item)
		}
		ns = append(ns, n)
	}
	return ns
}

func (r *envelopeReader) span(key string, raw json.RawMessage, to *[2]int) {
	switch ns := r.ints(key, raw); len(ns) {
	case 2:
		*to = [2]int{ns[0], ns[1]}
	default:
		r.fault("%s: [lowest, highest] is needed", key)
	}
}

func (r *envelopeReader) texts(key string, raw json.RawMessage) []string {
	list, ok := r.list(key, raw, "words")
	if !ok {
		return nil
	}
	var words []string
	for _, item := range list {
		word, ok := exact.String(item)
		if !ok {
			r.fault("%s: %s is not a word", key, item)
		}
		words = append(words, word)
	}
	return words
}

// readDefaults takes what defaults names, and for the rest section 7's values, moved within
// the bounds.
func (r *envelopeReader) readDefaults(raw json.RawMessage) {
	named := exact.Object{}
	f := board.DefaultFeatures()
	if raw != nil {
		var err error
		if f, err = ParseFeatures(raw); err != nil {
			r.fault("defaults: %v", err)
			f = board.DefaultFeatures() // so that the bounds find no second fault
		} else {
			named, _ = exact.ParseObject(raw)
		}
	}
	e := r.e
	if !named.Has("width") && len(e.Widths) > 0 {
		f.Width = nearestOf(f.Width, e.Widths)
	}
	for _, v := range []struct {
		key   string
		value *int
		bound [2]int
	}{
		{"moveLimit", &f.MoveLimit, e.MoveLimit}, {"undos", &f.Undos, e.Undos}, {"castlings", &f.Castlings, e.Castlings},
	} {
		if !named.Has(v.key) {
			*v.value = max(v.bound[0], min(v.bound[1], *v.value))
		}
	}
	if !named.Has("movePoints") {
		for kind := board.Pawn; kind <= board.Dragon; kind++ {
			f.MovePoints[kind] = max(e.MovePoints[0], min(e.MovePoints[1], f.MovePoints[kind]))
		}
	}
	r.e.Defaults = f
}

// nearestOf returns the element of ns nearest to n, the first of two equally near.
func nearestOf(n int, ns []int) int {
	best := ns[0]
	for _, v := range ns {
		if abs(v-n) < abs(best-n) {
			best = v
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

func (r *envelopeReader) readPresets(raw json.RawMessage) {
	e := &r.e
	if raw == nil {
		e.Presets = nil
		for _, preset := range usualPresets {
			if e.checkTime(preset) == nil {
				e.Presets = append(e.Presets, preset)
			}
		}
		if len(e.Presets) == 0 {
			e.Presets = []TimeControl{{e.Minutes[0], e.Increment[0]}}
		}
		return
	}
	list, ok := r.list("presets", raw, "{minutes, increment}")
	if !ok {
		return // keep the usual ones, so that they cause no second fault
	}
	e.Presets = nil
	for _, item := range list {
		o, err := exact.ParseObject(item)
		if err != nil {
			r.fault("presets: %v", err)
			continue
		}
		for _, m := range o {
			if m.Key != "minutes" && m.Key != "increment" {
				r.fault("presets: there is no key %q", m.Key)
			}
		}
		c, err := parseTimeControl(o)
		if err != nil {
			r.fault("presets: %v", err)
		}
		e.Presets = append(e.Presets, c)
	}
}

// UnmarshalJSON is ParseEnvelope.
func (e *Envelope) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseEnvelope(raw)
	if err != nil {
		return err
	}
	*e = parsed
	return nil
}

// MarshalJSON writes every key. ParseEnvelope reads back an equal value.
func (e Envelope) MarshalJSON() ([]byte, error) {
	var rows any = "any"
	if !e.AnyRow {
		rows = append([]board.Row{}, e.Rows...)
	}
	return json.Marshal(struct {
		Chips      int            `json:"chips"`
		Minutes    [2]int         `json:"minutes"`
		Increment  [2]int         `json:"increment"`
		Widths     []int          `json:"widths"`
		MoveLimit  [2]int         `json:"moveLimit"`
		Undos      [2]int         `json:"undos"`
		Castlings  [2]int         `json:"castlings"`
		MovePoints [2]int         `json:"movePoints"`
		Forbidden  []string       `json:"forbidden"`
		Rows       any            `json:"rows"`
		Defaults   board.Features `json:"defaults"`
		Presets    []TimeControl  `json:"presets"`
	}{
		e.Chips, e.Minutes, e.Increment, append([]int{}, e.Widths...), e.MoveLimit, e.Undos, e.Castlings, e.MovePoints,
		append([]string{}, e.Forbidden...), rows, e.Defaults, append([]TimeControl{}, e.Presets...),
	})
}
