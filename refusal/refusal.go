// Package refusal is a no that whoever asked is told: of what kind it is, in
// which words, and with which particulars. An error that is no refusal is
// trouble of our own. It knows neither languages nor HTTP.
package refusal

import "errors"

// Kind is why something is refused.
type Kind int

// The kinds of a refusal.
const (
	KindMalformed Kind = iota + 1 // it cannot be read
	KindInvalid                   // it can be read, but is not acceptable
	KindConflict                  // not as things stand
	KindForbidden                 // not for this viewer
	KindStranger                  // not before signing in
	KindNotFound                  // there is no such thing, or none to see
	KindGone                      // there was one
	KindTooMany                   // not so often
	KindSlow                      // it took too long to come
	KindBusy                      // not now: too much to do
)

// Error is a refusal. Refusals are package variables; errors.Is finds them also
// where With has added to them.
type Error struct {
	Kind Kind
	Code string // the key of its text
	Args []any  // what the text is told: names and values in turns
	text string // for logs
	of   error  // what it is a case of
}

func (e *Error) Error() string { return e.text }

// Unwrap is what it is a case of.
func (e *Error) Unwrap() error { return e.of }

// Malformed refuses what cannot be read.
func Malformed(code, text string) error { return &Error{Kind: KindMalformed, Code: code, text: text} }

// Invalid refuses what can be read, but is not acceptable.
func Invalid(code, text string) error { return &Error{Kind: KindInvalid, Code: code, text: text} }

// Conflict refuses what does not go as things stand.
func Conflict(code, text string) error { return &Error{Kind: KindConflict, Code: code, text: text} }

// Forbidden refuses what is not for this viewer.
func Forbidden(code, text string) error { return &Error{Kind: KindForbidden, Code: code, text: text} }

// Stranger refuses whoever has not signed in.
func Stranger(code, text string) error { return &Error{Kind: KindStranger, Code: code, text: text} }

// NotFound refuses what is not there.
func NotFound(code, text string) error { return &Error{Kind: KindNotFound, Code: code, text: text} }

// Gone refuses what is no longer there.
func Gone(code, text string) error { return &Error{Kind: KindGone, Code: code, text: text} }

// TooMany refuses what comes too often.
func TooMany(code, text string) error { return &Error{Kind: KindTooMany, Code: code, text: text} }

// Slow refuses what took too long to come.
func Slow(code, text string) error { return &Error{Kind: KindSlow, Code: code, text: text} }

// Busy refuses what there is no capacity for.
func Busy(code, text string) error { return &Error{Kind: KindBusy, Code: code, text: text} }

// Case is a refusal of its own that is also a case of another one, as
// errors.Is finds, told with the same words unless code names others.
func Case(of error, code, text string, args ...any) error {
	e := &Error{Code: code, Args: args, text: text, of: of}
	if base, ok := errors.AsType[*Error](of); ok {
		e.Kind = base.Kind
		if code == "" {
			e.Code = base.Code
		}
	}
	return e
}
