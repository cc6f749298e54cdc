// Package refusal defines errors that are shown to the user: the kind of refusal, the key
// of its text and the arguments of the text, the fields at fault, and what programs read. Any
// other error is an internal failure. The package knows neither languages nor HTTP.
package refusal

import (
	"cmp"
	"errors"
	"strings"
	"time"
)

// Kind is the reason of a refusal.
type Kind int

// The kinds of refusals.
const (
	KindMalformed Kind = iota + 1 // cannot be parsed
	KindInvalid                   // parsed, but not acceptable
	KindConflict                  // not in the current state
	KindForbidden                 // not for this viewer
	KindUnfit                     // this viewer lacks what is demanded
	KindStranger                  // needs signing in
	KindNotFound                  // does not exist, or not for this viewer
	KindGone                      // existed once
	KindTooMany                   // too many requests
	KindSlow                      // the request took too long to arrive
	KindBusy                      // no capacity now
)

// Error is a refusal. Refusals are package variables; Case and its kin derive more specific ones.
type Error struct {
	Kind   Kind
	Code   string    // key of its text
	Args   []any     // names and values of the text, alternating
	Faults []Fault   // of what was sent, field by field
	Next   time.Time // when it is possible again; zero: unknown
	Name   string    // for programs; empty: what Code ends in
	Detail string    // for programs, in English and with the names of JSON; empty: the text says it all
	text   string    // for logs
	of     error     // the more general refusal
}

// Fault is what is wrong with one field of what was sent.
type Fault struct {
	Field string // JSON name: name, rounds, times, lateness, envelope, …
	Why   string // code for translation: missing, long, range, order, count, unsuitable, …
	Text  string // in English, with the numbers
	Cause error  // error of an envelope or a fund; may be nil
}

// Error returns the text for logs.
func (e *Error) Error() string {
	if e.Detail != "" {
		return e.Detail
	}
	return e.text
}

// Unwrap returns the more general refusal.
func (e *Error) Unwrap() error { return e.of }

// Word is what programs tell the refusal by.
func (e *Error) Word() string {
	if e.Name != "" {
		return e.Name
	}
	_, word, _ := strings.Cut(e.Code, ".")
	return strings.TrimPrefix(strings.TrimPrefix(word, "error."), "refused.")
}

// Malformed refuses what cannot be parsed.
func Malformed(code, text string) error { return &Error{Kind: KindMalformed, Code: code, text: text} }

// Invalid refuses what is parsed, but not acceptable.
func Invalid(code, text string) error { return &Error{Kind: KindInvalid, Code: code, text: text} }

// Conflict refuses what the current state does not allow.
func Conflict(code, text string) error { return &Error{Kind: KindConflict, Code: code, text: text} }

// Forbidden refuses what this viewer may not do or see.
func Forbidden(code, text string) error { return &Error{Kind: KindForbidden, Code: code, text: text} }

// Unfit refuses a viewer who lacks what is demanded of whoever does this.
func Unfit(code, text string) error { return &Error{Kind: KindUnfit, Code: code, text: text} }

// Stranger refuses visitors who are not signed in.
func Stranger(code, text string) error { return &Error{Kind: KindStranger, Code: code, text: text} }

// NotFound refuses what does not exist.
func NotFound(code, text string) error { return &Error{Kind: KindNotFound, Code: code, text: text} }

// Gone refuses what no longer exists.
func Gone(code, text string) error { return &Error{Kind: KindGone, Code: code, text: text} }

// TooMany refuses too frequent requests.
func TooMany(code, text string) error { return &Error{Kind: KindTooMany, Code: code, text: text} }

// Slow refuses a request that took too long to arrive.
func Slow(code, text string) error { return &Error{Kind: KindSlow, Code: code, text: text} }

// Busy refuses what there is no capacity for.
func Busy(code, text string) error { return &Error{Kind: KindBusy, Code: code, text: text} }

// Case returns a refusal that errors.Is also finds as of. It has the text of of unless
// code names another.
func Case(of error, code, text string, args ...any) error {
	e := derived(of, code)
	e.Args, e.text = args, text
	return e
}

// Later is a case of a refusal that ends by itself; the text may name its Date.
func Later(of error, code string, next time.Time) error {
	e := derived(of, code)
	e.Args, e.Next, e.text = []any{"Date", next}, next, of.Error()+"; again from "+next.UTC().Format(time.RFC3339)
	return e
}

// Told is a case of a refusal of which programs are told more.
func Told(of error, name, detail string, args ...any) error {
	e := derived(of, "")
	e.Name, e.Detail, e.Args = name, detail, args
	return e
}

// Faulty is a case of a refusal that names every fault.
func Faulty(of error, faults []Fault, detail string, args ...any) error {
	e := derived(of, "")
	e.Faults, e.Detail, e.Args = faults, detail, args
	return e
}

// FaultsOf returns the faults that a refusal names.
func FaultsOf(err error) []Fault {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Faults
	}
	return nil
}

// derived is a case of a refusal, whose text is that of of unless code names another.
func derived(of error, code string) *Error {
	e := &Error{of: of, Code: code}
	if base, ok := errors.AsType[*Error](of); ok {
		e.Kind, e.Code, e.Name = base.Kind, cmp.Or(code, base.Code), base.Name
	}
	return e
}
