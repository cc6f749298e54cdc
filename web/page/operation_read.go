package page

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/form"
)

// inputField is a field of what an operation takes.
type inputField struct {
	name, in   string // in: path, query, json, body
	index      []int
	isOptional bool
	tag        reflect.StructTag
	kind       reflect.Type
}

// input is all that an operation takes.
type input struct {
	fields []inputField
	byName map[string]inputField // keys of the body
	whole  *inputField           // the whole body, instead of keys
}

func inputOf(t reflect.Type) input {
	out := input{byName: map[string]inputField{}}
	for _, f := range reflect.VisibleFields(t) {
		for _, in := range []string{"path", "query", "json", "body"} {
			text, has := f.Tag.Lookup(in)
			if !has {
				continue
			}
			name, options, _ := strings.Cut(text, ",")
			x := inputField{name: name, in: in, index: f.Index, tag: f.Tag, kind: f.Type,
				isOptional: f.Type.Kind() == reflect.Pointer || strings.HasPrefix(options, "omit") || text == "optional"}
			out.fields = append(out.fields, x)
			switch in {
			case "json":
				out.byName[name] = x
			case "body":
				out.whole = &x
			}
		}
	}
	return out
}

// hasBody reports whether an operation takes a body, and whether it must have one.
func (in input) hasBody() (has, must bool) {
	for _, f := range in.fields {
		if f.in == "json" || f.in == "body" {
			has, must = true, must || !f.isOptional
		}
	}
	return has, must
}

// read fills what an operation takes from a request.
func (in input) read(c echo.Context, into reflect.Value) error {
	query := c.QueryParams()
	for _, f := range in.fields {
		var err error
		switch f.in {
		case "path":
			err = f.readText(c.Param(f.name), into.FieldByIndex(f.index))
			if err != nil {
				return store.ErrNotFound
			}
		case "query":
			values := query[f.name]
			if len(values) == 0 || values[0] == "" {
				if !f.isOptional {
					return Lacking(f.name)
				}
				continue
			}
			err = f.readText(values[0], into.FieldByIndex(f.index))
		}
		if err != nil {
			return err
		}
	}
	if err := in.knows(slices.Sorted(maps.Keys(query))); err != nil {
		return err
	}
	return in.readBody(c, into)
}

// knows refuses parameters that the operation does not have: a filter that is misspelled would be none.
func (in input) knows(names []string) error {
	for _, name := range names {
		is := func(f inputField) bool { return f.in == "query" && f.name == name }
		if name != shownField && !slices.ContainsFunc(in.fields, is) {
			return BadField(name, "there is no parameter %s here", quoted(name))
		}
	}
	return nil
}

func (in input) readBody(c echo.Context, into reflect.Value) error {
	raw, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return ErrBadRequest
	}
	has, must := in.hasBody()
	raw = bytes.TrimSpace(raw)
	switch {
	case !has && len(raw) == 0:
		return nil
	case !has && string(raw) != "{}":
		return BadInput("this operation takes no body")
	case len(raw) == 0 && must:
		return BadInput("a body is needed: a JSON object")
	case len(raw) == 0 || !has:
		return nil
	}
	if string(raw) == "null" {
		return BadInput("the body is null")
	}
	if in.whole != nil {
		return decodeJSON("", raw, into.FieldByIndex(in.whole.index))
	}
	o, err := exact.ParseObject(raw)
	if err != nil {
		return unreadable(raw, err)
	}
	seen := map[string]bool{}
	for _, m := range o {
		f, is := in.byName[m.Key]
		if !is {
			return BadField(m.Key, "there is no key %s here: %s", quoted(m.Key), strings.Join(slices.Sorted(maps.Keys(in.byName)), ", "))
		}
		if string(m.Value) == "null" {
			continue
		}
		seen[m.Key] = true
		at := into.FieldByIndex(f.index)
		if err := decodeJSON(f.name, m.Value, at); err != nil {
			return err
		}
		if err := f.check(at); err != nil {
			return err
		}
	}
	for _, f := range in.fields {
		if f.in == "json" && !f.isOptional && !seen[f.name] {
			return Lacking(f.name)
		}
	}
	return nil
}

// unreadable refuses a body that is no JSON object.
func unreadable(raw []byte, err error) error {
	var broken *json.SyntaxError
	var any json.RawMessage
	switch {
	case errors.Is(err, exact.ErrNotObject):
		return BadInput("the body is no JSON object")
	case json.Unmarshal(raw, &any) == nil:
		return BadInput("the body cannot be read: %s", err)
	case errors.As(json.Unmarshal(raw, &any), &broken):
		return BadInput("the body is no JSON: it breaks off or goes wrong at byte %d", broken.Offset)
	}
	return BadInput("the body is no JSON")
}

// decodeJSON reads a value of a body; name is its key.
func decodeJSON(name string, raw json.RawMessage, into reflect.Value) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(into.Addr().Interface())
	if err == nil && dec.More() {
		return BadInput("something follows the JSON value")
	}
	return ValueFault(name, err)
}

// ValueFault returns the refusal of a value that could not be decoded; nil for nil.
func ValueFault(name string, err error) error {
	var wrong *json.UnmarshalTypeError
	var broken *json.SyntaxError
	var envelope *bidding.EnvelopeError
	var refused *refusal.Error
	var field *form.FieldError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &envelope):
		return envelope
	case errors.As(err, &refused):
		return err
	case errors.As(err, &field) && field.Err != nil:
		return ValueFault(field.Path, field.Err)
	case errors.As(err, &field):
		return BadField(field.Path, "there is no key %s here", quoted(field.Path))
	case errors.As(err, &wrong):
		at := strings.Trim(name+"."+wrong.Field, ".")
		what, _, _ := strings.Cut(wrong.Value, " ")
		return BadField(at, "%s is %s, not %s", orBody(at), kindText(wrong.Type), kindWord(what))
	case errors.As(err, &broken), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return BadInput("the body is no JSON")
	}
	if _, unknown, is := strings.Cut(err.Error(), "unknown field "); is {
		return BadField(strings.Trim(unknown, `"`), "there is no key %s here", unknown)
	}
	return BadField(name, "%s means nothing: %s", orBody(name), strings.TrimPrefix(err.Error(), "json: "))
}

func orBody(name string) string {
	if name == "" {
		return "the body"
	}
	return name
}

// kindText says what a value of a type is in JSON.
func kindText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindText(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Float64, reflect.Float32:
		return "a number"
	case reflect.Struct, reflect.Map:
		if t == reflect.TypeFor[time.Time]() {
			return "a time like 2027-01-15T18:00:00Z"
		}
		return "an object"
	}
	return "a whole number"
}

// kindWord says the same of what stands there.
func kindWord(word string) string {
	switch word {
	case "array":
		return "a list"
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "object":
		return "an object"
	}
	return "such a number"
}

// readText reads a part of an address or a parameter.
func (f inputField) readText(text string, at reflect.Value) error {
	if at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		at = at.Elem()
	}
	var err error
	switch reads, is := at.Addr().Interface().(encoding.TextUnmarshaler); {
	case is:
		err = reads.UnmarshalText([]byte(text))
	case at.Kind() == reflect.String:
		at.SetString(text)
	case at.Kind() == reflect.Bool:
		var yes bool
		yes, err = strconv.ParseBool(text)
		at.SetBool(yes)
	default:
		var n int64
		n, err = strconv.ParseInt(text, 10, at.Type().Bits())
		at.SetInt(n)
	}
	if err != nil {
		return BadField(f.name, "%s is %s", f.name, kindText(at.Type()))
	}
	return f.check(at)
}

// check refuses a value out of its bounds.
func (f inputField) check(at reflect.Value) error {
	if at.Kind() == reflect.Pointer {
		if at.IsNil() {
			return nil
		}
		at = at.Elem()
	}
	if words := f.tag.Get("enum"); words != "" {
		known := strings.Split(words, ",")
		if at.Kind() == reflect.Slice {
			for _, one := range at.Seq2() {
				if !slices.Contains(known, one.String()) {
					return BadValue(f.name, fmt.Sprintf("%s are some of %s", f.name, words))
				}
			}
		} else if !slices.Contains(known, at.String()) {
			return BadValue(f.name, fmt.Sprintf("%s is one of %s", f.name, words))
		}
	}
	low, hasLow := f.tag.Lookup("min")
	high, hasHigh := f.tag.Lookup("max")
	least, _ := strconv.ParseInt(low, 10, 64)
	most, _ := strconv.ParseInt(high, 10, 64)
	n, what := int64(0), f.name+" is"
	switch {
	case at.CanInt():
		n = at.Int()
	case at.Kind() == reflect.String:
		n, what = int64(utf8.RuneCountInString(at.String())), "the length of "+f.name+" is"
	case at.Kind() == reflect.Slice:
		n, what = int64(at.Len()), "the number of "+f.name+" is"
	}
	switch {
	case hasLow && n < least:
		return BadValue(f.name, fmt.Sprintf("%s at least %d", what, least))
	case hasHigh && n > most:
		return BadValue(f.name, fmt.Sprintf("%s at most %d", what, most))
	}
	return nil
}

// quoted quotes a name that a program made up, cut short.
func quoted(name string) string {
	if runes := []rune(name); len(runes) > 40 {
		name = string(runes[:40]) + "…"
	}
	return strconv.Quote(name)
}
