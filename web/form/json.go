package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/setting"
)

// JSON defines how programs write and read a setting.
type JSON[S any] struct {
	schema  Schema
	isWords bool         // restricted to the field's choices
	write   func(*S) any // nil: left out
	read    func(raw json.RawMessage, into *S) error
}

// Schema is a part of the OpenAPI description.
type Schema = map[string]any

// Through is a setting that programs write as a J; in refuses what means nothing.
func Through[S, T, J any](schema Schema, at func(*S) *T, out func(T) J, in func(J) (T, error)) JSON[S] {
	return JSON[S]{
		schema: schema,
		write:  func(s *S) any { return out(*at(s)) },
		read: func(raw json.RawMessage, s *S) error {
			j := out(*at(s)) // a part that is left out stays
			dec := json.NewDecoder(bytes.NewReader(raw))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&j); err != nil {
				return err
			}
			x, err := in(j)
			if err != nil {
				var f setting.Faults
				f.Wrap("", "unsuitable", err)
				return f.Err()
			}
			*at(s) = x
			return nil
		},
	}
}

// Plain is a setting that programs write as it is kept.
func Plain[S, T any](kind string, at func(*S) *T) JSON[S] {
	return Through(Schema{"type": kind}, at, func(x T) T { return x }, func(x T) (T, error) { return x, nil })
}

func whole[S any](at func(*S) *int) JSON[S] {
	return Through(Schema{"type": "integer", "minimum": 0}, at, func(n int) int { return n }, func(n int) (int, error) { return n, nil })
}

func envelope[S any](at func(*S) *bidding.Envelope) JSON[S] {
	return Plain("", at).of("Envelope")
}

// of refers to a named schema.
func (j JSON[S]) of(schema string) JSON[S] {
	j.schema = Schema{"$ref": "#/components/schemas/" + schema}
	return j
}

// length is a duration.
func length[S any](at func(*S) *time.Duration) JSON[S] {
	return Through(Schema{"type": "integer", "minimum": 0, "maximum": mostMillis}, at, MillisOf, func(m Millis) (time.Duration, error) {
		if m < 0 || m > mostMillis {
			return 0, fmt.Errorf("a duration is a whole number of milliseconds from 0, not %d", m)
		}
		return m.Duration(), nil
	})
}

// mostMillis bounds a duration: ten years.
const mostMillis = 10 * 366 * 24 * 3600 * 1000

// wordOf is one of the words that parse accepts.
func wordOf[S any, T fmt.Stringer](parse func(string) (T, error), at func(*S) *T) JSON[S] {
	return Through(Schema{"type": "string"}, at, T.String, parse).worded()
}

// listOf is a list, empty instead of null.
func listOf[S any, L ~[]T, T any](items Schema, at func(*S) *L) JSON[S] {
	return Through(Schema{"type": "array", "items": items}, at, func(list L) []T { return append([]T{}, list...) },
		func(list []T) (L, error) { return append(L(nil), list...), nil })
}

// worded restricts it to the field's choices.
func (j JSON[S]) worded() JSON[S] {
	j.isWords = true
	return j
}

// sparing leaves out the zero value.
func sparing[S any, T comparable](at func(*S) *T, j JSON[S]) JSON[S] {
	write := j.write
	j.write = func(s *S) any {
		var none T
		if *at(s) == none {
			return nil
		}
		return write(s)
	}
	return j
}

// written yields the fields that programs write: two inputs of the form may share a setting.
func (t Table[S]) written() iter.Seq[Field[S]] {
	return func(yield func(Field[S]) bool) {
		for _, f := range t.Fields {
			if f.Value.JSON.write != nil && !yield(f) {
				return
			}
		}
	}
}

// Write returns settings as programs read them.
func (t Table[S]) Write(s *S) Schema {
	out := Schema{}
	for f := range t.written() {
		if x := f.Value.JSON.write(s); x != nil {
			group, key := groupOf(out, f.path(), func() Schema { return Schema{} })
			group[key] = x
		}
	}
	return out
}

// groupOf returns the object that holds a path, and the key there.
func groupOf(in Schema, path string, fresh func() Schema) (Schema, string) {
	group, key, isGrouped := strings.Cut(path, ".")
	if !isGrouped {
		return in, path
	}
	if in[group] == nil {
		in[group] = fresh()
	}
	return in[group].(Schema), key
}

// Parse reads what a program wrote into settings; what it leaves out stays. All that is
// well-formed but meaningless comes back at once, as setting.ErrSettings.
func (t Table[S]) Parse(raw json.RawMessage, s *S) error {
	given := map[string]json.RawMessage{}
	if err := t.flatten(raw, "", given); err != nil {
		return err
	}
	var meaningless setting.Faults
	for f := range t.written() {
		raw, has := given[f.path()]
		delete(given, f.path())
		if !has {
			continue
		}
		err := f.Value.JSON.read(raw, s)
		if errors.Is(err, setting.ErrSettings) {
			for _, x := range refusal.FaultsOf(err) {
				meaningless.Wrap(f.path(), x.Why, x.Cause)
			}
		} else if err != nil {
			return &FieldError{f.path(), err}
		}
	}
	if strange := slices.Sorted(maps.Keys(given)); len(strange) > 0 {
		return &FieldError{Path: strange[0]}
	}
	return meaningless.Err()
}

// FieldError is a setting that cannot be read; without an error, there is none of that path.
type FieldError struct {
	Path string
	Err  error
}

func (e *FieldError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("unknown field %q", e.Path)
	}
	return e.Path + ": " + e.Err.Error()
}

// Unwrap returns what is wrong with it.
func (e *FieldError) Unwrap() error { return e.Err }

// flatten takes an object apart by path.
func (t Table[S]) flatten(raw json.RawMessage, under string, into map[string]json.RawMessage) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return err
	}
	for key, value := range keys {
		path := under + key
		if slices.ContainsFunc(t.Fields, func(f Field[S]) bool { return strings.HasPrefix(f.path(), path+".") }) {
			if err := t.flatten(value, path+".", into); err != nil {
				return err
			}
		} else if string(value) != "null" {
			into[path] = value
		}
	}
	return nil
}

// Schema describes the settings to programs. A value that all the usual ones share is the default.
func (t Table[S]) Schema(usual ...S) Schema {
	object := func() Schema {
		return Schema{"type": "object", "properties": Schema{}, "additionalProperties": false}
	}
	p, all := lang.Printer{Lang: lang.English, Zone: time.UTC}, object()
	for f := range t.written() {
		says := maps.Clone(f.Value.JSON.schema)
		if says["$ref"] == nil {
			says["description"] = f.Says
			if f.Says == "" {
				says["description"] = p.T(t.label(f))
			}
			f.bounds(says, usual)
		}
		in, key := groupOf(all["properties"].(Schema), f.path(), object)
		if inner, isGroup := in["properties"].(Schema); isGroup && strings.Contains(f.path(), ".") {
			in = inner
		}
		in[key] = says
	}
	return all
}

// bounds adds the limits, the choices and the default.
func (f Field[S]) bounds(says Schema, usual []S) {
	if most := f.Input.Max; most > 0 {
		says["maxLength"] = most
	}
	if f.Input.Required {
		says["minLength"] = 1
	}
	if f.Value.JSON.isWords && len(f.Choices)+len(f.More) > 0 {
		says["enum"] = append(slices.Clone(f.Choices), f.More...)
	}
	if says["type"] == "array" || says["type"] == "string" && says["enum"] == nil && says["examples"] == nil {
		return
	}
	var agreed any
	for i := range usual {
		x := f.Value.JSON.write(&usual[i])
		if i == 0 {
			agreed = x
		}
		if x == nil || x != agreed {
			return
		}
	}
	if agreed != nil {
		says["default"] = agreed
	}
}

// Millis is a duration as programs write every duration: whole milliseconds.
type Millis int64

// MillisOf returns a duration for programs.
func MillisOf(d time.Duration) Millis { return Millis(d.Milliseconds()) }

// Duration returns the duration.
func (m Millis) Duration() time.Duration { return time.Duration(m) * time.Millisecond }

// APIPolicy is a policy as programs write it: a level and what differs from it.
type APIPolicy struct{ fairplay.Policy }

// MarshalJSON writes the whole policy.
func (p APIPolicy) MarshalJSON() ([]byte, error) { return json.Marshal(p.Policy) }

// UnmarshalJSON reads a policy; what is missing is the level's.
func (p *APIPolicy) UnmarshalJSON(raw []byte) (err error) {
	p.Policy, err = fairplay.ReadPolicy(raw)
	return err
}
