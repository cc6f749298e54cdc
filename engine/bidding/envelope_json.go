package bidding

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

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
	if i := slices.IndexFunc(Bounds, func(b Bound) bool { return b.Key == key }); i >= 0 {
		Bounds[i].read(r, raw)
		return
	}
	switch key {
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
	r.e.Defaults = r.e.Nearest(f, named.Has)
}

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
	rest, err := json.Marshal(struct {
		Forbidden []string       `json:"forbidden"`
		Rows      any            `json:"rows"`
		Defaults  board.Features `json:"defaults"`
		Presets   []TimeControl  `json:"presets"`
	}{append([]string{}, e.Forbidden...), rows, e.Defaults, append([]TimeControl{}, e.Presets...)})
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, b := range Bounds {
		value, err := json.Marshal(b.json(&e))
		if err != nil {
			return nil, err
		}
		out = append(append(append(strconv.AppendQuote(out, b.Key), ':'), value...), ',')
	}
	return append(out, rest[1:]...), nil
}
