package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// ParseFeatures reads a features object (Rules 11, D25): what it does not name
// is section 7's default. The error is a *FeatureError that names every fault:
// keys that are not of section 7 or stand twice, values that are not whole
// numbers or switches, numbers out of bounds.
func ParseFeatures(raw []byte) (Features, error) {
	f := DefaultFeatures()
	members, err := parseMembers(raw)
	if err != nil {
		return f, &FeatureError{BadFeatures, []string{"features: " + err.Error()}}
	}
	fault := FeatureError{Code: BadFeatures}
	for _, m := range members {
		if err := f.set(m.key, m.value); errors.Is(err, errUnknownKey) {
			fault.Code = UnknownFeature
			fault.Problems = append(fault.Problems, fmt.Sprintf("%q is not a feature", m.key))
		} else if err != nil {
			fault.Problems = append(fault.Problems, err.Error())
		}
	}
	if fault.Problems = append(fault.Problems, f.problems()...); len(fault.Problems) > 0 {
		return DefaultFeatures(), &fault
	}
	return f, nil
}

// UnmarshalJSON is ParseFeatures.
func (f *Features) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseFeatures(raw)
	if err == nil {
		*f = parsed
	}
	return err
}

// MarshalJSON is the canonical form: what differs from section 7's defaults,
// in its order. Equal features have equal text.
func (f Features) MarshalJSON() ([]byte, error) {
	defaults := DefaultFeatures()
	b := []byte{'{'}
	name := func(key string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, key)
		b = append(b, ':')
	}
	number := func(key string, n, usual int) {
		if n != usual {
			name(key)
			b = strconv.AppendInt(b, int64(n), 10)
		}
	}
	number("width", f.Width, defaults.Width)
	number("moveLimit", f.MoveLimit, defaults.MoveLimit)
	number("undos", f.Undos, defaults.Undos)
	if f.MovePoints != defaults.MovePoints {
		name("movePoints")
		b = append(b, '{')
		for k := Pawn; k <= Dragon; k++ {
			number(k.String(), f.MovePoints[k], defaults.MovePoints[k])
		}
		b = append(b, '}')
	}
	number("castlings", f.Castlings, defaults.Castlings)
	for _, s := range f.switches() {
		if *s.on {
			name(s.key)
			b = append(b, "true"...)
		}
	}
	return append(b, '}'), nil
}

// String is the canonical JSON.
func (f Features) String() string {
	b, _ := f.MarshalJSON() // numbers and switches always encode
	return string(b)
}

var errUnknownKey = errors.New("unknown key")

func (f *Features) set(key string, value json.RawMessage) error {
	switch key {
	case "width":
		return setNumber(&f.Width, key, value)
	case "moveLimit":
		return setNumber(&f.MoveLimit, key, value)
	case "undos":
		return setNumber(&f.Undos, key, value)
	case "castlings":
		return setNumber(&f.Castlings, key, value)
	case "movePoints":
		return f.setMovePoints(value)
	}
	for _, s := range f.switches() {
		if s.key == key {
			switch string(value) {
			case "true":
				*s.on = true
			case "false":
				*s.on = false
			default:
				return fmt.Errorf("%s is true or false, not %s", key, value)
			}
			return nil
		}
	}
	return errUnknownKey
}

func (f *Features) setMovePoints(value json.RawMessage) error {
	members, err := parseMembers(value)
	if err != nil {
		return fmt.Errorf("movePoints: %w", err)
	}
	var faults []error
	for _, m := range members {
		k := NoKind
		if len(m.key) == 1 {
			k, _ = ParseKind(m.key[0])
		}
		if k == NoKind {
			faults = append(faults, fmt.Errorf("movePoints: %q is not one of P N B R Q K D", m.key))
			continue
		}
		if err := setNumber(&f.MovePoints[k], "movePoints."+m.key, m.value); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// setNumber takes whole numbers written as such: not "3", 3.0 or 3e0. One too
// large for an int becomes the nearest int, which no bound allows.
func setNumber(n *int, key string, value json.RawMessage) error {
	digits := bytes.TrimPrefix(value, []byte{'-'})
	if len(digits) == 0 || len(bytes.Trim(digits, "0123456789")) > 0 {
		return fmt.Errorf("%s is a whole number, not %s", key, value)
	}
	parsed, err := strconv.Atoi(string(value))
	if err != nil {
		if parsed = math.MaxInt; value[0] == '-' {
			parsed = math.MinInt
		}
	}
	*n = parsed
	return nil
}

type member struct {
	key   string
	value json.RawMessage
}

// parseMembers reads one JSON object, keys to the letter and none twice.
func parseMembers(raw []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	token, err := dec.Token()
	if err != nil || token != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	var members []member
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		key, ok := token.(string)
		if !ok {
			return nil, errors.New("not JSON: a key is text")
		}
		for _, m := range members {
			if m.key == key {
				return nil, fmt.Errorf("%q stands twice", key)
			}
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		members = append(members, member{key, value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return members, nil
}
