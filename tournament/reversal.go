package tournament

import (
	"slices"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// SignOff is by whose word a finished tournament is final.
type SignOff struct {
	By   player.ID `json:"by"`
	At   time.Time `json:"at"`
	Note string    `json:"note,omitempty"`
}

// What a step back does not allow.
var (
	ErrFinalized    = refusal.Conflict("desk.error.finalized", "tournament: it is signed off")
	ErrNotFinished  = refusal.Conflict("desk.error.not-finished", "tournament: it is not finished")
	ErrNotFinalized = refusal.Conflict("desk.error.not-finalized", "tournament: it is not signed off")
	ErrBegun        = refusal.Conflict("desk.error.begun", "tournament: matches have begun")
	ErrNoRound      = refusal.Conflict("desk.error.no-round", "tournament: no round to take back")
)

// needReason are the acts that are not done without saying why.
var needReason = map[Act]bool{
	ActHide: true, ActUnstart: true, ActUnpair: true, ActUnfinish: true,
	ActUnfinalize: true, ActCorrect: true, ActExpel: true, ActReinstate: true,
}

// CheckReason is nil, or why an act is not done with that reason.
func CheckReason(a Act, reason string) error {
	switch {
	case utf8.RuneCountInString(reason) > MaxReason || !player.IsLine(reason), needReason[a] && reason == "":
		return ErrReason
	}
	return nil
}

// Hide takes an announced tournament back: a draft again, which only staff see.
// The entries stay.
func (t *Tournament) Hide(by player.Viewer) error {
	switch {
	case !t.May(by, ActHide):
		return ErrNotAllowed
	case t.Status != Registration:
		return ErrNotOpen
	}
	t.Status = Draft
	return nil
}

// Unstart goes back to the registration: numbers, seed and opening seat are
// drawn anew at the next start. No round may have been paired, except for a
// first one in which nothing has happened; its matches are not played any more.
func (t *Tournament) Unstart(by player.Viewer, begun func(match.ID) bool) (void []match.ID, err error) {
	switch {
	case !t.May(by, ActUnstart):
		return nil, ErrNotAllowed
	case t.Status.IsOver():
		return nil, ErrFinished
	case t.Status != Running:
		return nil, ErrNotRunning
	case len(t.Rounds) > 1 || len(t.Rounds) == 1 && len(t.losses(begun)) > 0:
		return nil, ErrBegun
	}
	return t.Unstarted(), nil
}

// losses are the boards of the last round on which something has happened: a
// result that is not a mere absence, or a match that has begun.
func (l Rounds) losses(begun func(match.ID) bool) (list []Pairing) {
	if len(l) == 0 {
		return nil
	}
	for _, p := range l[len(l)-1].Pairings {
		absence := p.Match == "" && p.Result.By == "" && p.Result.Reason == match.Forfeit
		if !p.Result.IsPending() && !absence || p.Match != "" && p.Result.IsPending() && begun(p.Match) {
			list = append(list, p)
		}
	}
	return list
}

// Losses are the boards whose play would be lost if the last round were taken
// back.
func (l Rounds) Losses(begun func(match.ID) bool) []Pairing { return l.losses(begun) }

func (r Round) matches() (list []match.ID) {
	for _, p := range r.Pairings {
		if p.Match != "" {
			list = append(list, p.Match)
		}
	}
	return list
}

// Unpair takes the last round back: it is a draft again. Its matches are not
// played any more; with lose also those that have begun, and results are lost.
func (t *Tournament) Unpair(by player.Viewer, lose bool, begun func(match.ID) bool, now time.Time) (void []match.ID, err error) {
	n := len(t.Rounds)
	switch {
	case !t.May(by, ActUnpair):
		return nil, ErrNotAllowed
	case t.Status.IsOver():
		return nil, ErrFinished
	case t.Status != Running:
		return nil, ErrNotRunning
	case n == 0:
		return nil, ErrNoRound
	case t.Format == Arena:
		return nil, ErrArena
	case t.Draft != nil:
		return nil, ErrDraftOpen
	case !lose && len(t.losses(begun)) > 0:
		return nil, ErrBegun
	}
	for _, p := range t.losses(begun) {
		if err := t.PartyOf(by, ActUnpair, n, p.Board); err != nil {
			return nil, err
		}
	}
	c := t.Clone()
	r := c.Rounds[n-1]
	d := &RoundDraft{Number: n, Engine: r.Engine, Edited: r.Edited, By: by.ID, At: now}
	for _, p := range r.Pairings {
		d.Boards = append(d.Boards, DraftBoard{First: p.First, Second: p.Second})
	}
	for _, b := range r.Byes {
		if b.Kind == PairingBye || c.Format == RoundRobin {
			d.Bye = b.Entry
		}
	}
	c.Rounds, c.Draft = c.Rounds[:n-1], d
	for i := range c.Entries {
		e := &c.Entries[i]
		e.From, e.Until = min(e.From, n), min(e.Until, n-1)
		e.Missed = slices.DeleteFunc(e.Missed, func(r int) bool { return r >= n })
	}
	c.replan()
	c.redraft() // corrected since: others are due
	*t = *c
	return r.matches(), nil
}

// Unfinish lets a finished tournament go on. Its ratings are taken back.
func (t *Tournament) Unfinish(by player.Viewer) error {
	switch {
	case !t.May(by, ActUnfinish):
		return ErrNotAllowed
	case t.Status == Finalized:
		return ErrFinalized
	case t.Status != Finished:
		return ErrNotFinished
	}
	t.Status, t.EndedAt, t.RatedAt = Running, time.Time{}, time.Time{}
	return nil
}

// ProvisionalFor is how long results at Verified and above are provisional after
// the last match, so that there is time to look.
const ProvisionalFor = 72 * time.Hour

// ProvisionalUntil is when a tournament can be signed off at the earliest; the zero
// time while that is not known. False: its results are not provisional.
func (t *Table) ProvisionalUntil() (time.Time, bool) {
	switch {
	case t.Policy.OrOpen().Level < fairplay.Verified || t.Status != Running && t.Status != Finished:
		return time.Time{}, false
	case t.Status == Running || len(t.Rounds) == 0:
		return time.Time{}, true
	}
	var last time.Time
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Match != "" && p.Result.At.After(last) {
				last = p.Result.At
			}
		}
	}
	return last.Add(ProvisionalFor), true
}

// ErrProvisional says that results can still change, or until when.
var ErrProvisional = refusal.Conflict("desk.error.provisional", "tournament: its results are provisional")

// Finalize signs a finished tournament off: nothing in it changes any more.
// ErrProvisional: not yet.
func (t *Tournament) Finalize(by player.Viewer, note string, now time.Time) error {
	until, _ := t.ProvisionalUntil()
	switch {
	case !t.May(by, ActFinalize):
		return ErrNotAllowed
	case t.Status == Finalized:
		return ErrFinalized
	case t.Status != Finished:
		return ErrNotFinished
	case now.Before(until):
		return refusal.Case(ErrProvisional, "desk.error.provisional-until",
			"tournament: its results are provisional until "+until.Format(time.RFC3339), "Date", until)
	}
	t.Status, t.Signed = Finalized, &SignOff{by.ID, now, note}
	return nil
}

// Unfinalize takes the sign-off back.
func (t *Tournament) Unfinalize(by player.Viewer) error {
	switch {
	case !t.May(by, ActUnfinalize):
		return ErrNotAllowed
	case t.Status != Finalized:
		return ErrNotFinalized
	}
	t.Status, t.Signed = Finished, nil
	return nil
}
