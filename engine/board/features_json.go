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

// ParseFeatures reads a features object (Rules 11, D25); what it leaves out keeps section
// 7's default. Its error is a *FeatureError that lists every fault: unknown or repeated
// keys, values that are not whole numbers or switches, numbers out of bounds.
func ParseFeatures(raw []byte) (Features, error) {
	f := DefaultFeatures()
	members, err := parseMembers(raw)
	if err != nil {
		return f, &FeatureError{BadFeatures, []Problem{problemOf("features: ", err)}}
	}
	fault := FeatureError{Code: BadFeatures}
	for _, m := range members {
		problems := f.set(m.key, m.value)
		if len(problems) > 0 && problems[0].Code == UnknownFeature {
			fault.Code = UnknownFeature
		}
		fault.Problems = append(fault.Problems, problems...)
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

// MarshalJSON writes the canonical form: what differs from section 7's defaults, in its
// order. Equal features have equal text.
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

// String returns the canonical JSON.
func (f Features) String() string {
	b, _ := f.MarshalJSON() // numbers and switches always encode
	return string(b)
}

// set sets the feature of a key. An unknown key is one problem, UnknownFeature.
func (f *Features) set(key string, value json.RawMessage) []Problem {
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
	on := f.Switch(key)
	if on == nil {
		return []Problem{problem(UnknownFeature, "%q is not a feature", "Key", key)}
	}
	switch string(value) {
	case "true":
		*on = true
	case "false":
		*on = false
	default:
		return []Problem{problem("switch", "%s is true or false, not %s", "Key", key, "Value", string(value))}
	}
	return nil
}

func (f *Features) setMovePoints(value json.RawMessage) (problems []Problem) {
	members, err := parseMembers(value)
	if err != nil {
		return []Problem{problemOf("movePoints: ", err)}
	}
	for _, m := range members {
		k := NoKind
		if len(m.key) == 1 {
			k, _ = ParseKind(m.key[0])
		}
		if k == NoKind {
			problems = append(problems, problem("move-points-piece", "movePoints: %q is not one of P N B R Q K D", "Key", m.key))
			continue
		}
		problems = append(problems, setNumber(&f.MovePoints[k], "movePoints."+m.key, m.value)...)
	}
	return problems
}

// setNumber accepts whole numbers written as such: not "3", 3.0 or 3e0. One too large
// for an int becomes the nearest int, which is out of any bounds.
func setNumber(n *int, key string, value json.RawMessage) []Problem {
	digits := bytes.TrimPrefix(value, []byte{'-'})
	if len(digits) == 0 || len(bytes.Trim(digits, "0123456789")) > 0 {
		return []Problem{problem("whole", "%s is a whole number, not %s", "Key", key, "Value", string(value))}
	}
	parsed, err := strconv.Atoi(string(value))
	if err != nil {
		parsed = math.MaxInt
		if value[0] == '-' {
			parsed = math.MinInt
		}
	}
	*n = parsed
	return nil
}

// problemOf is the problem with JSON that cannot be read.
func problemOf(what string, err error) Problem {
	var twice twiceError
	if errors.As(err, &twice) {
		return problem("twice", what+"%q stands twice", "Key", string(twice))
	}
	return Problem{Code: "not-json", text: what + err.Error()}
}

// twiceError is a key that an object repeats.
type twiceError string

func (e twiceError) Error() string { return fmt.Sprintf("%q stands twice", string(e)) }

type member struct {
	key   string
	value json.RawMessage
}

// parseMembers reads one JSON object and refuses repeated keys.
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
				return nil, twiceError(key)
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
