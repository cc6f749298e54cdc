package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
)

// ErrHasPlayed is returned when it is too late to replace an entry.
var ErrHasPlayed = refusal.Conflict("stage.error.begun", "tournament: the first match of the entry has begun")

// Replace gives the number and the boards of one entry to another, before its first match
// begins. It returns the matches that are no longer played and the boards that have new ones.
// Package stage decides who may do that, and who replaces whom.
func (t *Tournament) Replace(out, in EntryID, begun func(match.ID) bool, newID func() match.ID) (
	void []match.ID, changed []Pairing, err error) {
	rounds := slices.Clone(t.Rounds)
	for n := range rounds {
		boards := slices.Clone(rounds[n].Pairings)
		for i := range boards {
			p := &boards[i]
			seat := p.SeatOf(out)
			if !seat.Valid() {
				continue
			}
			expelled := t.Entries[t.index(out)].Expelled && p.Result.Reason == match.Forfeit && p.Result.By != ""
			if n+1 < len(rounds) || !p.Result.IsPending() && !expelled || !expelled && p.Match != "" && begun(p.Match) {
				return nil, nil, ErrHasPlayed
			}
			if p.Match != "" && !expelled {
				void = append(void, p.Match)
			}
			p.Result = (Result{})
			if seat == match.First {
				p.First = in
			} else {
				p.Second = in
			}
			if other := p.EntryAt(seat.Other()); t.hasLeft(other) {
				return nil, nil, ErrWithdrawn
			}
			t.setUp(p, newID, rounds[n].OpenedAt)
			changed = append(changed, *p)
		}
		rounds[n].Pairings = boards
	}
	x, y := &t.Entries[t.index(out)], &t.Entries[t.index(in)]
	y.Status, y.Removed, y.Number, y.From, y.Until = Active, false, x.Number, x.From, 0
	x.Status, x.Removed, x.Number, x.Until = Withdrawn, true, 0, 0
	t.Rounds = rounds
	if t.Draft = t.Draft.clone(); t.Draft != nil {
		if at := t.Draft.place(out); at != nil {
			*at = in
		}
	}
	t.replan()
	return void, changed, nil
}

// Unstarted goes back to registration and drops all rounds. The next start draws numbers and
// the opening seat again. It returns the matches that there were.
func (t *Tournament) Unstarted() (void []match.ID) {
	void = t.Matches()
	t.Entries = slices.Clone(t.Entries)
	for i := range t.Entries {
		e := &t.Entries[i]
		e.Number, e.From, e.Until, e.Fast, e.Missed, e.CheckedOut = 0, 1, 0, false, nil, 0
	}
	t.Rounds, t.Draft, t.Seed, t.Opening, t.Stuck = nil, nil, "", 0, ""
	t.Timetable.Extra = 0
	t.Status, t.StartedAt, t.EndedAt, t.RatedAt = Registration, time.Time{}, time.Time{}, time.Time{}
	if t.Format.HasTable() {
		t.Settings.Rounds = 0 // it follows from the entries
	}
	return void
}
