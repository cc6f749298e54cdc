package match

import (
	"errors"
	"fmt"

	"chpok.org/chpok/engine/bidding"
)

// Refusal is bidding.Refusal: why an act is not accepted.
type Refusal = bidding.Refusal

// Codes of refusals besides those of package bidding.
const (
	Finished         = "finished"
	NotStarted       = "not-started"
	NotBoard         = "not-board"
	IllegalMove      = "illegal-move"
	NoUndoLeft       = "no-undo-left"
	UndoTooEarly     = "undo-too-early"
	InvalidClaimWin  = "invalid-claim-win"
	InvalidClaimDraw = "invalid-claim-draw"
	FlagNotToAct     = "flag-not-to-act"
	UnknownPlayer    = "unknown-player"
	Stale            = "stale"

	StandsStill       = "stands-still"
	NotYourPause      = "not-your-pause"
	BadReason         = "bad-reason"
	BadClock          = "bad-clock"
	NothingToTakeBack = "nothing-to-take-back"
	NoMeeting         = "no-meeting"
	NoForfeit         = "no-forfeit"
	DrawsKnown        = "draws-known"
	BadSeal           = "bad-seal"
)

// Errors to compare with errors.Is; both are *Refusal.
var (
	ErrOver  error = &Refusal{Code: Finished, Detail: "the match is over"}
	ErrStale error = &Refusal{Code: Stale, Detail: "the match has moved on"}
)

// errKnown: whoever knows the seed knows what the draws to come will bring.
var errKnown error = &Refusal{Code: DrawsKnown, Detail: "the match was over and its seed is known, so it does not go on from the bidding"}

var errStill error = &Refusal{Code: StandsStill, Detail: "the match stands still by the arbiter's word"}

// ErrLog is the error for a log that cannot have been written by Decide.
var ErrLog = errors.New("the log does not fit together")

func refuse(code, detail string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(detail, args...)}
}
