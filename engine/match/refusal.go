package match

import (
	"errors"
	"fmt"

	"chpok.org/chpok/engine/bidding"
)

// Refusal is bidding.Refusal.
type Refusal = bidding.Refusal

// Codes of refusals, in addition to those of package bidding.
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

// Refusals for errors.Is.
var (
	ErrOver  error = &Refusal{Code: Finished, Detail: "the match is over"}
	ErrStale error = &Refusal{Code: Stale, Detail: "the match has moved on; read it again"}
)

// errKnown refuses to reopen the bidding once the seed, and with it every draw, is known.
var errKnown error = &Refusal{Code: DrawsKnown, Detail: "the seed of the draws is known, so the bidding cannot go on"}

var errStill error = &Refusal{Code: StandsStill, Detail: "the match stands still"}

// ErrLog is returned for a log that Decide cannot have written.
var ErrLog = errors.New("the log is inconsistent")

func refuse(code, detail string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(detail, args...)}
}
