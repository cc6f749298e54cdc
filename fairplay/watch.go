package fairplay

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Watch is a steward's work at one side of one match: they accept it, open the
// board for the player, note spot checks, and sign what they saw.
type Watch struct {
	Steward  player.ID
	Accepted time.Time
	Opened   time.Time
	Absent   time.Time // since when the player is marked absent; zero: present
	Signed   time.Time
	Verdict  FactKind // StewardSigned, StewardPartly, StewardNot; with Signed
	Checks   []SpotCheck
}

// SpotCheck is one look by a steward, and what they saw.
type SpotCheck struct {
	At   time.Time
	Note string
}

// SignWithin is how long after the end of a match its steward may sign; unsigned it
// achieves no more than Verified.
const SignWithin = 24 * time.Hour

const mostChecks, mostNote = 100, 500

// The refusals of a steward.
var (
	ErrNotSteward = refusal.Forbidden("review.error.not-steward", "fairplay: not the steward of this player")
	ErrWatchOrder = refusal.Conflict("review.error.watch-order", "fairplay: a steward accepts, opens the board, and signs, in that order")
	ErrWatchNote  = refusal.Invalid("review.error.text", "fairplay: the note is empty or too long")
	ErrAway       = refusal.Conflict("review.error.watch-away", "fairplay: a player marked absent was not watched to the end")
	ErrOwnMatch   = refusal.Forbidden("review.error.own-match", "fairplay: nobody watches their own play or their opponent's")
)

// Accept accepts the duty.
func (w *Watch) Accept(by player.ID, now time.Time) error {
	if w.Steward != by {
		return ErrNotSteward
	}
	if w.Accepted.IsZero() {
		w.Accepted = now
	}
	return nil
}

// Open lets the player get ready.
func (w *Watch) Open(by player.ID, now time.Time) error {
	switch {
	case w.Steward != by:
		return ErrNotSteward
	case w.Accepted.IsZero() || !w.Signed.IsZero():
		return ErrWatchOrder
	}
	if w.Opened.IsZero() {
		w.Opened = now
	}
	return nil
}

// Check notes a look.
func (w *Watch) Check(by player.ID, note string, now time.Time) error {
	note = strings.TrimSpace(note)
	switch n := utf8.RuneCountInString(note); {
	case w.Steward != by:
		return ErrNotSteward
	case w.Opened.IsZero() || !w.Signed.IsZero():
		return ErrWatchOrder
	case n == 0 || n > mostNote || len(w.Checks) >= mostChecks:
		return ErrWatchNote
	}
	w.Checks = append(w.Checks[:len(w.Checks):len(w.Checks)], SpotCheck{now, note})
	return nil
}

// SetAbsent marks the player as absent, or present again.
func (w *Watch) SetAbsent(by player.ID, gone bool, now time.Time) error {
	switch {
	case w.Steward != by:
		return ErrNotSteward
	case w.Opened.IsZero() || !w.Signed.IsZero():
		return ErrWatchOrder
	case !gone:
		w.Absent = time.Time{}
	case w.Absent.IsZero():
		w.Absent = now
	}
	return nil
}

// Sign is the steward's verdict after the end of the match (isOver). A player marked
// absent was not observed throughout: ErrAway.
func (w *Watch) Sign(by player.ID, verdict FactKind, isOver bool, now time.Time) error {
	switch {
	case w.Steward != by:
		return ErrNotSteward
	case !isOver || w.Opened.IsZero() && verdict != StewardNot || !w.Signed.IsZero():
		return ErrWatchOrder
	case verdict == StewardSigned && !w.Absent.IsZero():
		return ErrAway
	case verdict != StewardSigned && verdict != StewardPartly && verdict != StewardNot:
		return ErrWatchOrder
	}
	w.Verdict, w.Signed, w.Absent = verdict, now, time.Time{}
	return nil
}

// Reopen withdraws the signature: the match goes on, and the steward signs its next end.
func (w *Watch) Reopen() { w.Verdict, w.Signed = "", time.Time{} }
