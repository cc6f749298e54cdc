package page

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/form"
)

// Describer is a type that says itself how programs read it. With a name it stands once, among the components.
type Describer interface {
	DescribeAPI() (name string, s Schema)
}

// Schemas collects the schemas of the types of operations.
type Schemas struct {
	Components map[string]Schema
	types      map[string]reflect.Type
}

// NewSchemas returns an empty collection.
func NewSchemas() *Schemas {
	b := &Schemas{Components: map[string]Schema{}, types: map[string]reflect.Type{}}
	for _, t := range []reflect.Type{reflect.TypeFor[bidding.Envelope](), reflect.TypeFor[form.APIPolicy](), reflect.TypeFor[prize.Fund](),
		reflect.TypeFor[tournament.ReportHead]()} {
		b.Of(t) // tables of settings refer to them
	}
	return b
}

// Ref refers to a component.
func Ref(name string) Schema { return Schema{"$ref": "#/components/schemas/" + name} }

// Of returns the schema of a type, whose parts join the components.
func (b *Schemas) Of(t reflect.Type) Schema {
	if d, is := reflect.Zero(t).Interface().(Describer); is && t.Kind() != reflect.Pointer {
		return b.named(t, d.DescribeAPI)
	}
	if described, is := known[t]; is {
		return b.named(t, described)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(b.Of(t.Elem()))
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Slice, reflect.Array:
		s := Schema{"type": "array", "items": b.Of(t.Elem())}
		if t.Kind() == reflect.Array {
			s["minItems"], s["maxItems"] = t.Len(), t.Len()
		}
		return s
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": b.Of(t.Elem())}
	case reflect.Struct:
		name := componentName(t)
		if name == "" {
			return b.object(t)
		}
		if b.claim(name, t) {
			b.Components[name] = Schema{} // for those that contain themselves
			b.Components[name] = b.object(t)
		}
		return Ref(name)
	case reflect.Int, reflect.Int64, reflect.Uint8:
		return Schema{"type": "integer"}
	}
	panic(fmt.Sprintf("web: %v cannot be described to programs", t))
}

// claim reports whether a component is new. Two types of one name would be one component.
func (b *Schemas) claim(name string, t reflect.Type) bool {
	if of, has := b.types[name]; has {
		if of != t {
			panic(fmt.Sprintf("web: %v and %v are both called %s", of, t, name))
		}
		return false
	}
	b.types[name] = t
	return true
}

func (b *Schemas) named(t reflect.Type, describe func() (string, Schema)) Schema {
	name, s := describe()
	if name == "" {
		return s
	}
	if b.claim(name, t) {
		b.Components[name] = s
	}
	return Ref(name)
}

// componentName is the name of a struct in the document: apiCallView is Call.
func componentName(t reflect.Type) string {
	name := strings.TrimSuffix(strings.TrimPrefix(t.Name(), "api"), "View")
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// orNull lets a value be null as well.
func orNull(s Schema) Schema {
	word, is := s["type"].(string)
	if !is {
		return Schema{"anyOf": []any{s, Schema{"type": "null"}}}
	}
	s["type"] = []any{word, "null"}
	if words, has := s["enum"].([]any); has {
		s["enum"] = append(slices.Clone(words), nil)
	}
	return s
}

// object describes a struct by its fields with the tag json. No other keys are allowed: programs are refused them, and
// are sent none.
func (b *Schemas) object(t reflect.Type) Schema {
	keys, must := Schema{}, []any{}
	for _, f := range reflect.VisibleFields(t) {
		text, has := f.Tag.Lookup("json")
		if !has || text == "-" || f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(text, ",")
		keys[name] = b.field(f)
		if !strings.HasPrefix(options, "omit") {
			must = append(must, name)
		}
	}
	s := Schema{"type": "object", "properties": keys, "additionalProperties": false}
	if len(must) > 0 {
		s["required"] = must
	}
	return s
}

// field describes a field by its type and tags.
func (b *Schemas) field(f reflect.StructField) Schema {
	var s Schema
	if name := f.Tag.Get("schema"); name != "" {
		s = b.component(name)
		if f.Type.Kind() == reflect.Pointer {
			s = orNull(s)
		}
	} else {
		s = b.Of(f.Type)
	}
	if s["$ref"] != nil { // beside a reference older readers see nothing else
		s = Schema{"allOf": []any{s}}
	}
	return decorate(s, f)
}

// component refers to a component that stands for raw JSON.
func (b *Schemas) component(name string) Schema {
	if b.claim(name, reflect.TypeFor[json.RawMessage]()) {
		b.Components[name] = Schema{}
		b.Components[name] = rawSchema(b, name)
	}
	return Ref(name)
}

// decorate adds what the tags of a field say.
func decorate(s Schema, f reflect.StructField) Schema {
	if doc := f.Tag.Get("doc"); doc != "" {
		s["description"] = doc
	}
	of := s
	if items, is := s["items"].(Schema); is && f.Tag.Get("enum") != "" {
		of = items
	}
	if words := f.Tag.Get("enum"); words != "" {
		list := []any{}
		for word := range strings.SplitSeq(words, ",") {
			list = append(list, word)
		}
		if f.Type.Kind() == reflect.Pointer {
			list = append(list, nil)
		}
		of["enum"] = list
	}
	low, high := "minimum", "maximum"
	kind := f.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch kind.Kind() {
	case reflect.String:
		low, high = "minLength", "maxLength"
	case reflect.Slice:
		low, high = "minItems", "maxItems"
	}
	for key, tag := range map[string]string{low: "min", high: "max"} {
		if n, err := strconv.Atoi(f.Tag.Get(tag)); err == nil {
			s[key] = n
		}
	}
	if text, has := f.Tag.Lookup("example"); has {
		s["examples"] = []any{exampleOf(text, s)}
	}
	return s
}

// exampleOf reads an example: JSON, or a text.
func exampleOf(text string, s Schema) any {
	var v any
	is := func(word string) bool {
		list, _ := s["type"].([]any)
		return s["type"] == word || len(list) > 0 && list[0] == word
	}
	if is("string") || json.Unmarshal([]byte(text), &v) != nil {
		if text == "null" {
			return nil
		}
		return text
	}
	return v
}

// Example puts the example of a schema together from those of its parts; false if one has none.
func (b *Schemas) Example(s Schema) (any, bool) {
	if list, is := s["examples"].([]any); is && len(list) > 0 {
		return list[0], true
	}
	if ref, is := s["$ref"].(string); is {
		return b.Example(b.Components[strings.TrimPrefix(ref, "#/components/schemas/")])
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if list, is := s[key].([]any); is {
			return b.Example(list[0].(Schema))
		}
	}
	if v, has := s["const"]; has {
		return v, true
	}
	if v, has := s["default"]; has {
		return v, true
	}
	if list, is := s["enum"].([]any); is {
		return list[0], true
	}
	kind := s["type"]
	if list, is := kind.([]any); is {
		kind = list[0]
	}
	switch kind {
	case "boolean":
		return false, true
	case "array":
		item, is := b.Example(s["items"].(Schema))
		if n, fixed := s["minItems"].(int); is && fixed && n == 2 {
			return []any{item, item}, true
		}
		return []any{item}, is
	case "object":
		out, all := map[string]any{}, true
		keys, _ := s["properties"].(Schema)
		for name, of := range keys {
			v, is := b.Example(of.(Schema))
			out[name], all = v, all && is
		}
		return out, all
	}
	return nil, false
}

// Parameter is a part of the address, or a parameter, of an operation.
type Parameter struct {
	Name, In string
	Optional bool
	Schema   Schema
}

// Input describes what an operation takes: its parameters, and its body if it has one.
func (b *Schemas) Input(o *Operation) (list []Parameter, body Schema, must bool) {
	in := inputOf(o.in)
	keys, needed := Schema{}, []any{}
	for _, f := range in.fields {
		field := o.in.FieldByIndex(f.index)
		switch f.in {
		case "path", "query":
			s := b.field(field)
			if types, is := s["type"].([]any); is {
				s["type"] = types[0] // absent, never null
			}
			list = append(list, Parameter{f.name, f.in, f.isOptional, s})
		case "json":
			keys[f.name] = b.field(field)
			if !f.isOptional {
				needed = append(needed, f.name)
			}
		case "body":
			_, must = in.hasBody()
			return list, b.Of(f.kind), must
		}
	}
	if len(o.Tables) > 0 {
		list = append(list, Parameter{tableField, "query", true, Schema{"type": "string", "enum": enumOf(o.Tables...),
			"description": "which list of the answer to send as CSV, instead of JSON", "examples": []any{o.Tables[0]}}})
	}
	if o.takesShown() {
		list = append(list, Parameter{shownField, "query", true, Schema{"type": "integer", "minimum": 0, "examples": []any{17},
			"description": "the version that the caller has seen: if others have changed it since, nothing is done (409)"}})
	}
	has, must := in.hasBody()
	if !has {
		return list, nil, false
	}
	body = Schema{"type": "object", "properties": keys, "additionalProperties": false}
	if len(needed) > 0 {
		body["required"] = needed
	}
	if o.sent != "" {
		body["examples"] = []any{json.RawMessage(o.sent)}
	}
	return list, body, must
}

// Output describes what an operation answers; nil for nothing. An answer that may be absent is 204 then.
func (b *Schemas) Output(o *Operation) (s Schema, mayBeNone bool) {
	switch {
	case o.out == reflect.TypeFor[None]():
		return nil, false
	case o.out.Kind() == reflect.Pointer:
		return b.Of(o.out.Elem()), true
	}
	return b.Of(o.out), false
}

// Line describes what a stream tells; nil if the operation is none. hasList: it also answers otherwise.
func (b *Schemas) Line(o *Operation) (s Schema, hasList bool) {
	switch {
	case !o.streams:
		return nil, true
	case o.line == "":
		return b.Of(o.out), false
	}
	return b.component(o.line), true
}

// Undescribed lists the fields of an operation that lack a description or an example.
func (b *Schemas) Undescribed(o *Operation) (list []string) {
	for _, t := range []reflect.Type{o.in, o.out} {
		b.undescribed(t, map[reflect.Type]bool{}, &list)
	}
	return list
}

func (b *Schemas) undescribed(t reflect.Type, seen map[reflect.Type]bool, list *[]string) {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map}, t.Kind()) {
		if _, is := known[t]; is {
			return
		}
		t = t.Elem()
	}
	_, describes := reflect.Zero(t).Interface().(Describer)
	if _, is := known[t]; is || describes || t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for _, f := range reflect.VisibleFields(t) {
		if _, isBody := f.Tag.Lookup("body"); f.Anonymous || !f.IsExported() || isBody || f.Tag.Get("json") == "-" {
			continue
		}
		if f.Tag.Get("doc") == "" {
			*list = append(*list, fmt.Sprintf("%v.%s has no doc", t, f.Name))
		}
		if _, has := b.Example(b.field(f)); !has {
			*list = append(*list, fmt.Sprintf("%v.%s has no example", t, f.Name))
		}
		b.undescribed(f.Type, seen, list)
	}
}
