// Package setting collects the faults in the settings of an event, a ladder or a
// challenge, field by field and all at once, and checks what they have in common: names,
// descriptions, policies, envelopes.
package setting

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Limits of texts, in characters.
const (
	MaxNameLength  = 100
	MaxAboutLength = 4000
)

// ErrSettings is the refusal of settings; a case of it names every fault.
var ErrSettings = refusal.Invalid("error.settings", "setting: these settings are not possible")

// Problem is one fault in the settings.
type Problem = refusal.Fault

// Faults are the faults found so far.
type Faults []Problem

// Add adds a fault.
func (f *Faults) Add(field, why, format string, args ...any) {
	*f = append(*f, Problem{Field: field, Why: why, Text: fmt.Sprintf(format, args...)})
}

// Between adds a fault if n is not in 0…most.
func (f *Faults) Between(field string, n, most int) {
	if n < 0 || n > most {
		f.Add(field, "range", "%s is 0…%d, not %d", field, most, n)
	}
}

// Wrap adds the error of a part of the settings, if any.
func (f *Faults) Wrap(field, why string, err error) {
	if err != nil {
		*f = append(*f, Problem{Field: field, Why: why, Text: err.Error(), Cause: err})
	}
}

// Err returns nil or a case of ErrSettings.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	texts := make([]string, len(f))
	for i, p := range f {
		texts[i] = p.Text
	}
	return refusal.Faulty(ErrSettings, f, strings.Join(texts, "; "))
}

// Name checks a name; of is what it names, such as "the ladder".
func (f *Faults) Name(of, name string) {
	if strings.TrimSpace(name) == "" {
		f.Add("name", "missing", "%s needs a name", of)
		return
	}
	f.Line("name", "name", name)
}

// Line checks an optional line of text.
func (f *Faults) Line(field, what, text string) {
	if n := utf8.RuneCountInString(text); n > MaxNameLength {
		f.Add(field, "long", "the %s has %d characters, %d are possible", what, n, MaxNameLength)
	} else if !player.IsLine(text) {
		f.Add(field, "unsuitable", "the %s is one line", what)
	}
}

// About checks a description.
func (f *Faults) About(text string) {
	if n := utf8.RuneCountInString(text); n > MaxAboutLength {
		f.Add("about", "long", "the description has %d characters, %d are possible", n, MaxAboutLength)
	}
	if !player.IsText(text) {
		f.Add("about", "unsuitable", "the description has control characters")
	}
}

// Play checks the options of matches, and whether the policy allows the envelope.
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

// Narrowed returns the part of the envelope that the policy allows; if that is nothing,
// the whole envelope, which Play refuses.
func Narrowed(policy fairplay.Policy, envelope bidding.Envelope) bidding.Envelope {
	if narrowed, err := policy.Narrow(envelope); err == nil {
		return narrowed
	}
	return envelope
}
