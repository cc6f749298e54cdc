// Package refusal defines errors that are shown to the user: the kind of refusal, the key
// of its text and the arguments of the text, the fields at fault, and what programs read. Any
// other error is an internal failure. The package knows neither languages nor HTTP.
package refusal

import (
	"errors"
	"slices"
	"strings"
	"sync"
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

// Error is a refusal. Refusals are package variables; Case and its kin derive
// more specific ones, which say what is wrong this time.
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

// declared are the refusals that have a text of their own.
var declared struct {
	sync.Mutex
	list []*Error
}

// All returns every refusal that has a text of its own: they are package variables, so all are there when main begins.
func All() []*Error {
	declared.Lock()
	defer declared.Unlock()
	return slices.Clone(declared.list)
}

func declare(e *Error) error {
	declared.Lock()
	defer declared.Unlock()
	declared.list = append(declared.list, e)
	return e
}

func of(k Kind, code, text string) error { return declare(&Error{Kind: k, Code: code, text: text}) }

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
func Malformed(code, text string) error { return of(KindMalformed, code, text) }

// Invalid refuses what is parsed, but not acceptable.
func Invalid(code, text string) error { return of(KindInvalid, code, text) }

// Conflict refuses what the current state does not allow.
func Conflict(code, text string) error { return of(KindConflict, code, text) }

// Forbidden refuses what this viewer may not do or see.
func Forbidden(code, text string) error { return of(KindForbidden, code, text) }

// Unfit refuses a viewer who lacks what is demanded of whoever does this.
func Unfit(code, text string) error { return of(KindUnfit, code, text) }

// Stranger refuses visitors who are not signed in.
func Stranger(code, text string) error { return of(KindStranger, code, text) }

// NotFound refuses what does not exist.
func NotFound(code, text string) error { return of(KindNotFound, code, text) }

// Gone refuses what no longer exists.
func Gone(code, text string) error { return of(KindGone, code, text) }

// TooMany refuses too frequent requests.
func TooMany(code, text string) error { return of(KindTooMany, code, text) }

// Slow refuses a request that took too long to arrive.
func Slow(code, text string) error { return of(KindSlow, code, text) }

// Busy refuses what there is no capacity for.
func Busy(code, text string) error { return of(KindBusy, code, text) }

// Kindred returns a refusal of the same kind, with a text of its own, that errors.Is also finds as of.
func Kindred(of error, code, text string) error {
	e := derived(of)
	e.Code, e.text = code, text
	return declare(e)
}

// Named returns a refusal with the text of another that programs tell apart by a name of its own.
func Named(of error, name, detail string) error {
	e := derived(of)
	e.Name, e.Detail = name, detail
	return declare(e)
}

// Case returns a refusal that errors.Is also finds as of, with the arguments of its text.
func Case(of error, text string, args ...any) error {
	e := derived(of)
	e.Args, e.text = args, text
	return e
}

// Later is a case of a refusal that ends by itself; the text may name its Date.
func Later(of error, next time.Time) error {
	e := derived(of)
	e.Args, e.Next, e.text = []any{"Date", next}, next, of.Error()+"; again from "+next.UTC().Format(time.RFC3339)
	return e
}

// Told is a case of a refusal of which programs are told more.
func Told(of error, name, detail string, args ...any) error {
	e := derived(of)
	e.Name, e.Detail, e.Args = name, detail, args
	return e
}

// Faulty is a case of a refusal that names every fault.
func Faulty(of error, faults []Fault, detail string, args ...any) error {
	e := derived(of)
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

// derived is a case of a refusal.
func derived(of error) *Error {
	e := &Error{of: of}
	if base, ok := errors.AsType[*Error](of); ok {
		e.Kind, e.Code, e.Name = base.Kind, base.Code, base.Name
	}
	return e
}
