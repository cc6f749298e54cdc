package form

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// Field is one setting of S, described once: what forms and programs call it, when it is
// asked for, how it reads, and where it stands.
type Field[S any] struct {
	Name    string
	Key     string          // in the JSON and in faults; empty: the name
	Part    string          // of the form
	Label   string          // the key of its label; empty: the name among the table's labels
	Hint    string          // the key of its hint; empty: the label's with -hint, where there is one
	When    func(*S) bool   // it is asked for; nil: always. Elsewhere it is as usual
	Lenient bool            // left blank it is as usual
	Words   string          // where the keys of its choices begin
	Choices []string        // the words to choose from
	Input   templates.Field // what else there is to say of the input
	Value   Value[S]
}

// Value is where a setting stands, as the texts of a form.
type Value[S any] struct {
	kind string // of input
	show func(p lang.Printer, of *S) []string
	read func(r *FormReader, name string, into *S)
	copy func(from, to *S)
}

// stands is a value at a place, shown and read by what it is.
func stands[S, T any](kind string, at func(*S) *T, show func(lang.Printer, T) []string, read func(*FormReader, string) T) Value[S] {
	return Value[S]{
		kind: kind,
		show: func(p lang.Printer, of *S) []string { return show(p, *at(of)) },
		read: func(r *FormReader, name string, into *S) { *at(into) = read(r, name) },
		copy: func(from, to *S) { *at(to) = *at(from) },
	}
}

// single is a value that is one text.
func single[S, T any](kind string, at func(*S) *T, show func(T) string, read func(*FormReader, string) T) Value[S] {
	return stands(kind, at, func(_ lang.Printer, x T) []string { return []string{show(x)} }, read)
}

// Text is one line of at most so many characters.
func Text[S any, T ~string](most int, at func(*S) *T) Value[S] {
	return single("", at, func(x T) string { return string(x) }, func(r *FormReader, name string) T {
		return T(strings.TrimSpace(words.Shorten(r.Values.Get(name), most)))
	})
}

// Paragraphs are a longer text.
func Paragraphs[S any](at func(*S) *string) Value[S] {
	return single("textarea", at, strings.Clone, func(r *FormReader, name string) string {
		return strings.TrimSpace(strings.ReplaceAll(words.Shorten(r.Values.Get(name), 5000), "\r\n", "\n"))
	})
}

// Box is a box to tick: one of two values.
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
	})
}

// Yes is a box for yes.
func Yes[S any](at func(*S) *bool) Value[S] { return Box(false, true, at) }

// Number is a number that has to be there.
func Number[S any](at func(*S) *int) Value[S] {
	return single("number", at, words.Itoa, (*FormReader).Number)
}

// Optional is a number, 0 where it is left blank.
func Optional[S any](at func(*S) *int) Value[S] {
	return single("number", at, words.NumberText, func(r *FormReader, name string) int {
		if strings.TrimSpace(r.Values.Get(name)) == "" {
			return 0
		}
		return r.Number(name)
	})
}

// Whole is a length of time in whole units.
func Whole[S any](unit time.Duration, at func(*S) *time.Duration) Value[S] {
	return single("number", at, func(d time.Duration) string { return words.Itoa(int(d / unit)) },
		func(r *FormReader, name string) time.Duration { return time.Duration(r.Number(name)) * unit })
}

// Span is a length of time in minutes, like 5 or 2:30.
func Span[S any](at func(*S) *time.Duration) Value[S] {
	return single("", at, words.WriteDuration, (*FormReader).Duration)
}

// Moment is a point of time in the reader's zone that may be missing.
func Moment[S any](at func(*S) *time.Time) Value[S] {
	return stands("datetime-local", at, func(p lang.Printer, t time.Time) []string {
		if t.IsZero() {
			return nil
		}
		return []string{t.In(p.Zone).Format(pickLayout)}
	}, func(r *FormReader, name string) time.Time {
		text := strings.TrimSpace(r.Values.Get(name))
		if text == "" {
			return time.Time{}
		}
		return r.moment(name, text)
	})
}

// OneOf is one of the words that parse knows.
func OneOf[S any, T fmt.Stringer](parse func(string) (T, error), at func(*S) *T) Value[S] {
	return single("select", at, T.String, func(r *FormReader, name string) T { return Named(r, name, parse) })
}

// Table is every setting of S that a form asks for, in the order in which one may
// depend on another.
type Table[S any] struct {
	Labels string // where the keys of labels begin
	Fields []Field[S]
}

func (f Field[S]) key() string { return cmp.Or(f.Key, f.Name) }

func (f Field[S]) isAsked(of *S) bool { return f.When == nil || f.When(of) }

// Values are settings as the form shows them; of what is not asked for, the likely ones.
func (t Table[S]) Values(p lang.Printer, s, likely S) url.Values {
	v := url.Values{}
	for _, f := range t.Fields {
		of := &s
		if !f.isAsked(of) {
			of = &likely
		}
		if texts := f.Value.show(p, of); len(texts) > 0 {
			v[f.Name] = texts
		}
	}
	return v
}

// Read reads what was filled in into settings; what is not asked for is as usual.
func (t Table[S]) Read(r *FormReader, s, usual *S) {
	for _, f := range t.Fields {
		if !f.isAsked(s) || f.Lenient && len(words.Trimmed(r.Values[f.Name])) == 0 {
			f.Value.copy(usual, s)
		} else {
			f.Value.read(r, f.Name, s)
		}
	}
}

// Inputs are the inputs of the form by name, with what was filled in and what is wrong with it.
func (t Table[S]) Inputs(p lang.Printer, v url.Values, wrong func(key string) string) map[string]templates.Field {
	inputs := map[string]templates.Field{}
	for _, f := range t.Fields {
		in, label := f.Input, cmp.Or(f.Label, t.Labels+f.Name)
		in.Name, in.Label, in.Value, in.Error, in.Autocomplete = f.Name, p.T(label), v.Get(f.Name), wrong(f.key()), "off"
		if in.Type = cmp.Or(in.Type, f.Value.kind); in.Error == "" {
			in.Error = wrong(f.Name)
		}
		if hint := cmp.Or(f.Hint, label+"-hint"); p.Has(hint) {
			in.Hint = p.T(hint, "Zone", p.Zone.String())
		}
		in.Choices = words.Options(p, f.Words, in.Value, f.Choices...)
		inputs[f.Name] = in
	}
	return inputs
}

// Of is the field of a name or a key.
func (t Table[S]) Of(field string) (Field[S], bool) {
	for _, f := range t.Fields {
		if f.Name == field || f.Key == field {
			return f, true
		}
	}
	return Field[S]{}, false
}
