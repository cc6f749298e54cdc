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

// SignOff says who signed off a tournament.
type SignOff struct {
	By   player.ID `json:"by"`
	At   time.Time `json:"at"`
	Note string    `json:"note,omitempty"`
}

// Refusals of steps back.
var (
	ErrFinalized    = refusal.Conflict("desk.error.finalized", "tournament: signed off")
	ErrNotFinished  = refusal.Conflict("desk.error.not-finished", "tournament: not finished")
	ErrNotFinalized = refusal.Conflict("desk.error.not-finalized", "tournament: not signed off")
	ErrBegun        = refusal.Conflict("desk.error.begun", "tournament: a match has begun")
	ErrNoRound      = refusal.Conflict("desk.error.no-round", "tournament: no round to take back")
)

// needReason lists the acts that need a reason.
var needReason = map[Act]bool{
	ActHide: true, ActUnstart: true, ActUnpair: true, ActUnfinish: true,
	ActUnfinalize: true, ActCorrect: true, ActExpel: true, ActForfeitMatch: true, ActReinstate: true,
}

// CheckReason returns nil, or ErrReason if an act cannot be done with that reason.
func CheckReason(a Act, reason string) error {
	if utf8.RuneCountInString(reason) > MaxReason || !player.IsLine(reason) || needReason[a] && reason == "" {
		return ErrReason
	}
	return nil
}

// Hide makes an announced tournament a draft again. Its entries stay.
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

// Unstart goes back to registration; see Unstarted. A paired first round is dropped if nothing
// has happened in it. After that it is too late.
func (t *Tournament) Unstart(by player.Viewer, begun func(match.ID) bool) (void []match.ID, err error) {
	switch {
	case !t.May(by, ActUnstart):
		return nil, ErrNotAllowed
	case t.Status.IsOver():
		return nil, ErrFinished
	case t.Status != Running:
		return nil, ErrNotRunning
	case len(t.Rounds) > 1 || len(t.Losses(begun)) > 0:
		return nil, ErrBegun
	}
	return t.Unstarted(), nil
}

// Losses returns the boards of the last round where something has happened: those with a result
// other than an absence, or with a match that has begun.
func (l Rounds) Losses(begun func(match.ID) bool) (list []Pairing) {
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

// matches lists the matches of a round on the server.
func (r Round) matches() (list []match.ID) {
	for _, p := range r.Pairings {
		if p.Match != "" {
			list = append(list, p.Match)
		}
	}
	return list
}

// Unpair makes the last round a draft again and returns its matches, which are no longer
// played. Without lose it is refused if results or begun matches would be lost.
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
	case !t.Format.InRounds():
		return nil, ErrArena
	case t.Pace == Rolling && n > 1:
		return nil, ErrRolling
	case t.Draft != nil:
		return nil, ErrDraftOpen
	case !lose && len(t.Losses(begun)) > 0:
		return nil, ErrBegun
	}
	for _, p := range t.Losses(begun) {
		if err := t.PartyOf(by, ActUnpair, n, p.Board); err != nil {
			return nil, err
		}
	}
	c := t.Clone()
	r := c.Rounds[n-1]
	d := r.draft()
	d.By, d.At = by.ID, now
	for _, b := range r.Byes {
		if b.Kind == PairingBye || c.Format.MeetsAll() {
			d.Bye = b.Entry
		}
	}
	c.keepRounds(n - 1)
	c.Draft = d
	c.replan()
	c.redraft() // a correction may have changed who is due
	*t = *c
	return r.matches(), nil
}

// keepRounds drops all rounds after the first n. Who left during one of them has left before the
// next one, and who came is there from it on.
func (t *Table) keepRounds(n int) {
	t.Rounds = t.Rounds[:n]
	for i := range t.Entries {
		e := &t.Entries[i]
		e.From, e.Until = min(e.From, n+1), min(e.Until, n)
		e.Missed = slices.DeleteFunc(slices.Clone(e.Missed), func(r int) bool { return r > n })
	}
}

// Unfinish reopens a finished tournament. The caller has to take back its ratings.
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

// ProvisionalFor is how long results at fairplay.Verified and above stay provisional after the
// last match, to leave time for reviews.
const ProvisionalFor = 72 * time.Hour

// ProvisionalUntil returns when a tournament can be signed off at the earliest; zero while that
// is not known. It reports false if results are not provisional.
func (t *Table) ProvisionalUntil() (time.Time, bool) {
	switch {
	case t.Policy.OrOpen().Level < fairplay.Verified || t.Status != Running && t.Status != Finished:
		return time.Time{}, false
	case t.Status == Running || len(t.Rounds) == 0:
		return time.Time{}, true
	}
	var last time.Time
	for _, p := range t.AllBoards() {
		if p.Match != "" {
			last = later(last, p.Result.At)
		}
	}
	return last.Add(ProvisionalFor), true
}

// ErrProvisional is returned while results can still change.
var ErrProvisional = refusal.Conflict("desk.error.provisional", "tournament: the results are provisional")

var errProvisionalUntil = refusal.Kindred(ErrProvisional, "desk.error.provisional-until", "tournament: the results are provisional for some days")

// Finalize signs off a finished tournament; nothing in it changes anymore. It returns
// ErrProvisional if that is too early.
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
		return refusal.Case(errProvisionalUntil,
			"tournament: the results are provisional until "+until.Format(time.RFC3339), "Date", until)
	}
	t.Status, t.Signed = Finalized, &SignOff{by.ID, now, note}
	return nil
}

// Unfinalize takes back the sign-off.
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
