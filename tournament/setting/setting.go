// Package setting names what is wrong with the settings of an event, a ladder or
// a challenge: field by field, every fault at once. It decides what any of them asks of a
// name, a description, a policy and an envelope; it refuses to know whose they are.
package setting

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// Bounds of what people write, in characters.
const (
	MaxNameLength  = 100
	MaxAboutLength = 4000
)

// Problem is one fault of settings: the field, and why.
type Problem struct {
	Field string // as in the JSON: name, rounds, times, lateness, envelope, …
	Why   string // a code a page can translate: missing, long, range, order, count, unsuitable
	Text  string // the same in English, with the numbers
	Cause error  // what an envelope or a fund refuses; nil: nothing more
}

// Error names every fault of settings.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Text
	}
	return strings.Join(texts, "; ")
}

// Faults are those found so far.
type Faults []Problem

// Add notes one.
func (f *Faults) Add(field, why, format string, args ...any) {
	*f = append(*f, Problem{Field: field, Why: why, Text: fmt.Sprintf(format, args...)})
}

// Between notes a number that is not 0…most.
func (f *Faults) Between(field string, n, most int) {
	if n < 0 || n > most {
		f.Add(field, "range", "%s is 0…%d, not %d", field, most, n)
	}
}

// Wrap notes what a part of the settings says of itself.
func (f *Faults) Wrap(field, why string, err error) {
	if err != nil {
		*f = append(*f, Problem{field, why, err.Error(), err})
	}
}

// Err is nil or an *Error.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{f}
}

// Name judges what something is called; of is what it is, as in "the ladder".
func (f *Faults) Name(of, name string) {
	if strings.TrimSpace(name) == "" {
		f.Add("name", "missing", "%s needs a name", of)
		return
	}
	f.Line("name", "name", name)
}

// Line judges one line of text that may be missing.
func (f *Faults) Line(field, what, text string) {
	if n := utf8.RuneCountInString(text); n > MaxNameLength {
		f.Add(field, "long", "the %s has %d characters, %d are possible", what, n, MaxNameLength)
	} else if !player.IsLine(text) {
		f.Add(field, "unsuitable", "the %s is one line", what)
	}
}

// About judges a description.
func (f *Faults) About(text string) {
	if n := utf8.RuneCountInString(text); n > MaxAboutLength {
		f.Add("about", "long", "the description has %d characters, %d are possible", n, MaxAboutLength)
	}
	if !player.IsText(text) {
		f.Add("about", "unsuitable", "the description has control characters")
	}
}

// Play judges what matches are played on, and whether the policy bears the envelope.
func (f *Faults) Play(policy fairplay.Policy, envelope bidding.Envelope, options match.Options) {
	if err := policy.OrOpen().Validate(); err != nil {
		f.Add("policy", "range", "%v", err)
	}
	err := options.Validate()
	if err == nil {
		_, err = policy.Narrow(envelope)
	}
	f.Wrap("envelope", "unsuitable", err)
}

// Narrowed is the envelope within what a policy leaves of it; where nothing is left
// it is as it was, and Play refuses it.
func Narrowed(policy fairplay.Policy, envelope bidding.Envelope) bidding.Envelope {
	if narrowed, err := policy.Narrow(envelope); err == nil {
		return narrowed
	}
	return envelope
}
