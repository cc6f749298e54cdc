package form

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// Field describes one setting of S: what forms and programs call it, when it is asked for, how it
// reads and where it is kept.
type Field[S any] struct {
	Name    string                                     // of its input
	Key     string                                     // in faults and in the JSON; empty: the name
	Path    string                                     // in the JSON, if it is nested: entry.code
	Says    string                                     // description for programs; empty: its label
	Part    string                                     // section of the long form
	Label   string                                     // key of its label; empty: the table's prefix and the name
	Hint    string                                     // key of its hint; empty: the label's with -hint, if there is one
	When    func(*S) bool                              // whether it is asked for; nil: always. If not, it has the usual value
	Lenient bool                                       // blank means the usual value
	Words   string                                     // prefix of its choices' keys
	Choices []string                                   // the words to choose from
	Say     func(p lang.Printer, choice string) string // how they read; nil: by their keys
	More    []string                                   // choices for programs only
	Input   templates.Field                            // other properties of the input
	Value   Value[S]
}

// Value reads and writes a setting for forms and programs.
type Value[S any] struct {
	kind string                                                 // of input
	show func(p lang.Printer, v url.Values, name string, of *S) // nil: no form asks for it
	read func(r *FormReader, name string, into *S)
	copy func(from, to *S)
	JSON JSON[S]
}

// as sets how programs write the value.
func (v Value[S]) as(j JSON[S]) Value[S] {
	v.JSON = j
	return v
}

// stands returns the value kept at a place; show and read convert its inputs.
func stands[S, T any](kind string, at func(*S) *T, show func(lang.Printer, T) []string, read func(*FormReader, string) T) Value[S] {
	return Value[S]{
		kind: kind,
		show: func(p lang.Printer, v url.Values, name string, of *S) {
			if texts := show(p, *at(of)); len(texts) > 0 {
				v[name] = texts
			}
		},
		read: func(r *FormReader, name string, into *S) { *at(into) = read(r, name) },
		copy: func(from, to *S) { *at(to) = *at(from) },
	}
}

// single is stands for a value of one input.
func single[S, T any](kind string, at func(*S) *T, show func(T) string, read func(*FormReader, string) T) Value[S] {
	return stands(kind, at, func(_ lang.Printer, x T) []string { return []string{show(x)} }, read)
}

// Text is a line of at most so many characters, kept as names are: what was pasted with spaces of other kinds and invisible
// characters is the same text. One that stands already stays as it is.
func Text[S any, T ~string](most int, at func(*S) *T) Value[S] {
	v := single("", at, func(x T) string { return string(x) }, func(r *FormReader, name string) T {
		return T(player.Tidy(words.Shorten(r.Values.Get(name), most)))
	})
	read := v.read
	v.read = func(r *FormReader, name string, into *S) {
		was := *at(into)
		if read(r, name, into); *at(into) == T(player.Tidy(string(was))) {
			*at(into) = was
		}
	}
	return v.as(Through(Schema{"type": "string"}, at, func(x T) T { return x }, func(x T) (T, error) { return T(player.Tidy(string(x))), nil }).worded())
}

// Paragraphs is a longer text.
func Paragraphs[S any](at func(*S) *string) Value[S] {
	return single("textarea", at, strings.Clone, func(r *FormReader, name string) string {
		return strings.TrimSpace(strings.ReplaceAll(words.Shorten(r.Values.Get(name), 5000), "\r\n", "\n"))
	}).as(Plain("string", at))
}

// Box is a checkbox for one of two values.
func Box[S any, T comparable](off, on T, at func(*S) *T) Value[S] {
	return stands("checkbox", at, func(_ lang.Printer, x T) []string {
		if x != on {
			return nil
		}
		return []string{"on"}
	}, func(r *FormReader, name string) T {
		if r.Values.Get(name) == "" {
			return off
		}
		return on
	}).as(Through(Schema{"type": "boolean"}, at, func(x T) bool { return x == on }, func(yes bool) (T, error) {
		if yes {
			return on, nil
		}
		return off, nil
	}))
}

// Yes is a checkbox for a bool.
func Yes[S any](at func(*S) *bool) Value[S] { return Box(false, true, at) }

// Number is a required number.
func Number[S any](at func(*S) *int) Value[S] {
	return single("number", at, words.Itoa, (*FormReader).Number).as(whole(at))
}

// Optional is a number; blank is 0.
func Optional[S any](at func(*S) *int) Value[S] {
	return single("number", at, words.NumberText, func(r *FormReader, name string) int {
		if strings.TrimSpace(r.Values.Get(name)) == "" {
			return 0
		}
		return r.Number(name)
	}).as(whole(at))
}

// Whole is a duration in whole units.
func Whole[S any](unit time.Duration, at func(*S) *time.Duration) Value[S] {
	return single("number", at, func(d time.Duration) string { return words.Itoa(int(d / unit)) },
		func(r *FormReader, name string) time.Duration { return time.Duration(r.Number(name)) * unit }).as(length(at))
}

// Span is a duration in minutes, like 5 or 2:30.
func Span[S any](at func(*S) *time.Duration) Value[S] {
	return single("", at, words.WriteDuration, (*FormReader).Duration).as(length(at))
}

// Moment is an optional point in time, in the printer's zone.
func Moment[S any](at func(*S) *time.Time) Value[S] {
	return stands("datetime-local", at, func(p lang.Printer, t time.Time) []string {
		if t.IsZero() {
			return nil
		}
		return []string{civil.Pick(t, p.Zone)}
	}, func(r *FormReader, name string) time.Time {
		text := strings.TrimSpace(r.Values.Get(name))
		if text == "" {
			return time.Time{}
		}
		return r.moment(name, text)
	}).as(sparing(at, Through(Schema{"type": "string", "format": "date-time"}, at, time.Time.UTC,
		func(t time.Time) (time.Time, error) { return t.UTC(), nil })))
}

// OneOf is one of the words that parse accepts.
func OneOf[S any, T fmt.Stringer](parse func(string) (T, error), at func(*S) *T) Value[S] {
	return single("select", at, T.String, func(r *FormReader, name string) T { return Named(r, name, parse) }).as(wordOf(parse, at))
}

// Envelope holds the limits of bidding, with an input for each.
func Envelope[S any](at func(*S) *bidding.Envelope) Value[S] {
	return Value[S]{
		show: func(_ lang.Printer, v url.Values, _ string, of *S) { envelopeValues(v, *at(of)) },
		read: func(r *FormReader, _ string, into *S) { *at(into) = r.Envelope() },
		JSON: envelope(at),
	}
}

// Stays is the choice that keeps the envelope as it is.
const Stays = "as-before"

// Ready is an envelope chosen by name; Stays keeps it.
func Ready[S any](find func(name string) (bidding.Envelope, bool), at func(*S) *bidding.Envelope) Value[S] {
	return Value[S]{
		show: func(_ lang.Printer, v url.Values, name string, _ *S) { v.Set(name, Stays) },
		read: func(r *FormReader, name string, into *S) {
			if chosen := r.Values.Get(name); chosen != Stays {
				e, has := find(chosen)
				*at(into) = e
				if !has {
					r.Fault(name, "missing", name+": no envelope of that name")
				}
			}
		},
		JSON: envelope(at),
	}
}

// Policy is a fair-play policy, with an input for each part.
func Policy[S any](at func(*S) *fairplay.Policy) Value[S] {
	return Value[S]{
		show: func(_ lang.Printer, v url.Values, _ string, of *S) { policyValues(v, *at(of)) },
		read: func(r *FormReader, _ string, into *S) { *at(into) = r.Policy(*at(into)) },
		JSON: Through(nil, at, func(p fairplay.Policy) APIPolicy { return APIPolicy{p.OrOpen()} },
			func(p APIPolicy) (fairplay.Policy, error) { return p.OrOpen(), nil }).of("Policy"),
	}
}

// limits and demands are the fields for the envelope and the fair-play policy.
func limits[S any](at func(*S) *bidding.Envelope) Field[S] {
	return Field[S]{Name: "envelope", Part: "envelope", Label: "tournament.envelope", Value: Envelope(at)}
}

func demands[S any](at func(*S) *fairplay.Policy) Field[S] {
	return Field[S]{Name: "policy", Part: "integrity", Label: "fairplay.field.level", Value: Policy(at)}
}

// Table holds every setting of S; a setting may depend on those before it.
type Table[S any] struct {
	Labels string // prefix of the labels' keys
	Fields []Field[S]
}

func (f Field[S]) key() string { return cmp.Or(f.Key, f.Name) }

func (f Field[S]) path() string { return cmp.Or(f.Path, f.key()) }

func (t Table[S]) label(f Field[S]) string { return cmp.Or(f.Label, t.Labels+f.Name) }

func (f Field[S]) isAsked(of *S) bool { return f.When == nil || f.When(of) }

// Values returns what the form shows for settings; what it does not ask for has the likely values.
func (t Table[S]) Values(p lang.Printer, s, likely S) url.Values {
	v := url.Values{}
	for _, f := range t.Fields {
		of := &s
		if !f.isAsked(of) {
			of = &likely
		}
		if f.Value.show != nil {
			f.Value.show(p, v, f.Name, of)
		}
	}
	return v
}

// Read reads the form into settings; what it does not ask for gets the usual values.
func (t Table[S]) Read(r *FormReader, s, usual *S) {
	for _, f := range t.Fields {
		switch {
		case f.Value.read == nil:
		case !f.isAsked(s) || f.Lenient && len(words.Trimmed(r.Values[f.Name])) == 0:
			f.Value.copy(usual, s)
		default:
			f.Value.read(r, f.Name, s)
		}
	}
}

// Inputs returns the inputs of the form by name, with their values and errors.
func (t Table[S]) Inputs(p lang.Printer, v url.Values, wrong func(key string) string) map[string]templates.Field {
	inputs := map[string]templates.Field{}
	for _, f := range t.Fields {
		if f.Value.read == nil {
			continue
		}
		in, label := f.Input, t.label(f)
		in.Name, in.Label, in.Value, in.Error, in.Autocomplete = f.Name, p.T(label), v.Get(f.Name), wrong(f.key()), "off"
		in.Type = cmp.Or(in.Type, f.Value.kind)
		if in.Error == "" {
			in.Error = wrong(f.Name)
		}
		if hint := cmp.Or(f.Hint, label+"-hint"); p.Has(hint) {
			in.Hint = p.T(hint, "Zone", p.Zone.String())
		}
		in.Choices = words.Options(p, f.Words, in.Value, f.Choices...)
		if f.Say != nil {
			for i := range in.Choices {
				in.Choices[i].Text = f.Say(p, f.Choices[i])
			}
		}
		inputs[f.Name] = in
	}
	return inputs
}

// Of returns the field with a name or key.
func (t Table[S]) Of(field string) (Field[S], bool) {
	for _, f := range t.Fields {
		if f.Name == field || f.Key == field {
			return f, true
		}
	}
	return Field[S]{}, false
}
