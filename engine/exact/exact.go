// Package exact reads the JSON of records and envelopes strictly (Rules D26, D31): keys are
// case-sensitive, ordered and unique, and whole numbers are written as such. It rejects what
// encoding/json lets pass, and knows nothing about the game.
package exact

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Member is one key of an object with its raw value.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Object holds the members of a JSON object in order.
type Object []Member

// ErrNotObject is returned for JSON that is not an object.
var ErrNotObject = errors.New("not a JSON object")

// ParseObject reads one JSON object with nothing after it. A duplicate key is an error, as its
// meaning would depend on the reader.
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
			return nil, fmt.Errorf("key %q appears twice", key)
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

// keySet finds duplicate keys of an object being read. It hashes only large objects, so that
// small ones are quick and none takes quadratic time.
type keySet map[string]struct{}

const manyKeys = 32

// has reports whether o, as read so far, has a key, and remembers the key.
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

// ParseArray reads one JSON array into its raw elements.
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

// valid returns the error of encoding/json for invalid JSON.
func valid(raw []byte) error {
	if json.Valid(raw) {
		return nil
	}
	var v json.RawMessage
	return json.Unmarshal(raw, &v)
}

// Get returns the value of a key, and whether the key is there.
func (o Object) Get(key string) (json.RawMessage, bool) {
	for _, m := range o {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// Has reports whether the object has a key, whatever its value.
func (o Object) Has(key string) bool {
	_, ok := o.Get(key)
	return ok
}

// String reads a JSON string. It reports false for anything else.
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

// Int reads a whole number written as one: digits after an optional minus sign. It reports false
// for 2.0, 1e3 and "2". A number out of range becomes the largest or smallest int, which no
// bound of the game allows.
func Int(raw json.RawMessage) (int, bool) {
	n, err := strconv.Atoi(string(raw))
	if err != nil && !errors.Is(err, strconv.ErrRange) || raw[0] == '+' {
		return 0, false
	}
	return n, true
}

// space returns the index of the first byte from i on that is not white space.
func space(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\n' || raw[i] == '\r') {
		i++
	}
	return i
}

// value returns the index after the value that begins at i. The JSON has to be valid.
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
				return i // after a number or a word
			}
			depth--
			if depth == 0 {
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
