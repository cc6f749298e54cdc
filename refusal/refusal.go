// Package refusal defines errors that are shown to the user: the kind of refusal, the key
// of its text, and the arguments of the text. Any other error is an internal failure. The
// package knows neither languages nor HTTP.
package refusal

import "errors"

// Kind is the reason of a refusal.
type Kind int

// The kinds of refusals.
const (
	KindMalformed Kind = iota + 1 // cannot be parsed
	KindInvalid                   // parsed, but not acceptable
	KindConflict                  // not in the current state
	KindForbidden                 // not for this viewer
	KindStranger                  // needs signing in
	KindNotFound                  // does not exist, or not for this viewer
	KindGone                      // existed once
	KindTooMany                   // too many requests
	KindSlow                      // the request took too long to arrive
	KindBusy                      // no capacity now
)

// Error is a refusal. Refusals are package variables; Case derives more specific ones.
type Error struct {
	Kind Kind
	Code string // key of its text
	Args []any  // names and values of the text, alternating
	text string // for logs
	of   error  // the more general refusal
}

// Error returns the text for logs.
func (e *Error) Error() string { return e.text }

// Unwrap returns the more general refusal.
func (e *Error) Unwrap() error { return e.of }

// Malformed refuses what cannot be parsed.
func Malformed(code, text string) error { return &Error{Kind: KindMalformed, Code: code, text: text} }

// Invalid refuses what is parsed, but not acceptable.
func Invalid(code, text string) error { return &Error{Kind: KindInvalid, Code: code, text: text} }

// Conflict refuses what the current state does not allow.
func Conflict(code, text string) error { return &Error{Kind: KindConflict, Code: code, text: text} }

// Forbidden refuses what this viewer may not do or see.
func Forbidden(code, text string) error { return &Error{Kind: KindForbidden, Code: code, text: text} }

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
	e := &Error{Code: code, Args: args, text: text, of: of}
	if base, ok := errors.AsType[*Error](of); ok {
		e.Kind = base.Kind
		if code == "" {
			e.Code = base.Code
		}
	}
	return e
}
