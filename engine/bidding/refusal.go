package bidding

import "fmt"

// Codes of the bidding phase's refusals. They are part of the API and of replay's output;
// texts for people are made from them elsewhere.
const (
	Malformed      = "malformed"
	NotYourTurn    = "not-your-turn"
	DrawPending    = "draw-pending"
	NotBidding     = "not-bidding"
	UnknownTarget  = "unknown-target"
	BadChips       = "bad-chips"
	NotEnoughChips = "not-enough-chips"
	BelowGap       = "below-gap"
	OutcomeOnCall  = "outcome-on-call"
	BadTime        = "bad-time"
	BadRow         = "bad-row"
	BadFeatures    = "bad-features"
	UnknownFeature = "unknown-feature"
	NoDrawPending  = "no-draw-pending"
	WrongDraw      = "wrong-draw"
	BadDraw        = "bad-draw"
	OutOfEnvelope  = "envelope"
)

// Refusal is why an act was refused: a code and, for acts outside an envelope, the bound
// broken and the nearest value within it. A refused act changes nothing.
type Refusal struct {
	Code   string
	Detail string // one English clause for logs and tools; may be empty

	// For OutOfEnvelope: the bound's key in the envelope's JSON ("minutes", "widths", …) and
	// what it allows, as that JSON spells it.
	Bound   string
	Allowed string
	Nearest string // the allowed value nearest to the refused one
}

func (r *Refusal) Error() string {
	if text := r.Text(); text != "" {
		return r.Code + ": " + text
	}
	return r.Code
}

// Text returns the refusal as one English clause without its code; it may be empty.
func (r *Refusal) Text() string {
	if r.Bound == "" {
		return r.Detail
	}
	text := fmt.Sprintf("%s must be within %s", r.Bound, r.Allowed)
	if r.Nearest != "" {
		text += ": try " + r.Nearest
	}
	return text
}

// Is makes refusals with the same code the same error to errors.Is.
func (r *Refusal) Is(target error) bool {
	t, ok := target.(*Refusal)
	return ok && t.Code == r.Code && t.Bound == ""
}

func refuse(code, detail string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(detail, args...)}
}
