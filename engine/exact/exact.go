// Package exact reads the JSON of records and envelopes to the letter: keys
// with their case, in their order, none twice; whole numbers that are written
// as whole numbers (Rules D26). It refuses what encoding/json lets pass, and
// decides nothing about the game.
package exact

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Member is one key of an object with its value as it was written.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Object is the members of a JSON object in their order.
type Object []Member

// ErrNotObject is the error for JSON that is not an object.
var ErrNotObject = errors.New("not a JSON object")

// ParseObject reads one JSON object with nothing after it. A key that stands
// twice is an error: what it means would depend on the reader.
func ParseObject(raw []byte) (Object, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("not UTF-8")
	}
	if err := valid(raw); err != nil {
		return nil, err
	}
	i := space(raw, 0)
	if raw[i] != '{' {
		return nil, ErrNotObject
	}
	var o Object
	var seen keySet
	i = space(raw, i+1)
	for raw[i] != '}' {
		end := value(raw, i)
		var key string
		if err := json.Unmarshal(raw[i:end], &key); err != nil {
			return nil, err
		}
		if seen.has(o, key) {
			return nil, fmt.Errorf("key %q stands twice", key)
		}
		i = space(raw, space(raw, end)+1) // the colon
		end = value(raw, i)
		o = append(o, Member{key, json.RawMessage(raw[i:end:end])})
		if i = space(raw, end); raw[i] == ',' {
			i = space(raw, i+1)
		}
	}
	return o, nil
}

// keySet finds a key of an object that is being read: by looking at each, and
// from many keys on by hashing, so that no input takes quadratic time.
type keySet map[string]struct{}

const manyKeys = 32

func (s *keySet) has(o Object, key string) bool {
	if len(o) < manyKeys {
		return o.Has(key)
	}
	if *s == nil {
		*s = make(keySet, 2*manyKeys)
		for _, m := range o {
			(*s)[m.Key] = struct{}{}
		}
	}
	_, twice := (*s)[key]
	(*s)[key] = struct{}{}
	return twice
}

// ParseArray reads one JSON array into its elements as they were written.
func ParseArray(raw []byte) ([]json.RawMessage, error) {
	if err := valid(raw); err != nil {
		return nil, err
	}
	i := space(raw, 0)
	if raw[i] != '[' {
		return nil, errors.New("not a JSON array")
	}
	list := []json.RawMessage{}
	i = space(raw, i+1)
	for raw[i] != ']' {
		end := value(raw, i)
		list = append(list, json.RawMessage(raw[i:end:end]))
		if i = space(raw, end); raw[i] == ',' {
			i = space(raw, i+1)
		}
	}
	return list, nil
}

// valid gives encoding/json's own error for what is not JSON.
func valid(raw []byte) error {
	if json.Valid(raw) {
		return nil
	}
	var v json.RawMessage
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	return errors.New("not JSON")
}

// Get is the value of a key; false when it is missing.
func (o Object) Get(key string) (json.RawMessage, bool) {
	for _, m := range o {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// Has reports whether a key stands in the object, whatever its value.
func (o Object) Has(key string) bool {
	_, ok := o.Get(key)
	return ok
}

// String reads a JSON string; false for anything else.
func String(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// Int reads a whole number written as one: digits with perhaps a minus sign.
// 2.0, 1e3 and "2" are none. A number too large for an int becomes the largest
// or smallest int, which no bound of the game allows.
func Int(raw json.RawMessage) (int, bool) {
	digits := raw
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		if raw[0] == '-' {
			return math.MinInt, true
		}
		return math.MaxInt, true
	}
	return n, true
}

// space is the index of the first byte from i on that is not white space.
func space(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\n' || raw[i] == '\r') {
		i++
	}
	return i
}

// value is the index behind the value that begins at i, of valid JSON.
func value(raw []byte, i int) int {
	depth := 0
	for ; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // the end of what holds a number or a word
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\n', '\r', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
