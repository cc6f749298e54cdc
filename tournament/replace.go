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
		if t.HasTeams() {
			if err := t.replaceTeam(&rounds[n], out, in, begun, &void); err != nil {
				return nil, nil, err
			}
			continue
		}
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
	for n := range t.Rounds {
		if t.HasTeams() {
			changed = append(changed, t.seatTeam(&t.Rounds[n], in, newID)...)
		}
	}
	if t.Draft = t.Draft.clone(); t.Draft != nil {
		if at := t.Draft.place(out); at != nil {
			*at = in
		}
	}
	t.replan()
	return void, changed, nil
}

// replaceTeam gives the match of a team in a round to another that has not begun one. Its boards wait for seatTeam.
func (t *Table) replaceTeam(r *Round, out, in EntryID, begun func(match.ID) bool, void *[]match.ID) error {
	n, m := r.MatchOf(out)
	if n == 0 {
		return nil
	}
	isLost := t.Entries[t.index(out)].Expelled
	for _, p := range r.BoardsOf(n) {
		isEmpty := t.isEmptySeat(p.First) || t.isEmptySeat(p.Second)
		forfeited := p.Result.Reason == match.Forfeit && (isEmpty || m.IsForfeited() || isLost && p.Result.By != "")
		if r.Number < len(t.Rounds) || !p.Result.IsPending() && !forfeited || p.Result.IsPending() && p.Match != "" && begun(p.Match) {
			return ErrHasPlayed
		}
		if p.Match != "" && p.Result.IsPending() {
			*void = append(*void, p.Match)
		}
	}
	r.Teams = slices.Clone(r.Teams)
	if x := &r.Teams[n-1]; x.First == out {
		x.First = in
	} else {
		x.Second = in
	}
	return nil
}

// seatTeam seats the first players of a team that came for another at the boards of its match, if they are open.
func (t *Table) seatTeam(r *Round, in EntryID, newID func() match.ID) (changed []Pairing) {
	n, m := r.MatchOf(in)
	if n == 0 || m.OpenedAt.IsZero() {
		return nil
	}
	list := t.lineUp(r.Number, in, nil)
	r.Pairings = slices.Clone(r.Pairings)
	r.Teams[n-1].Lost, r.Teams[n-1].By, r.Teams[n-1].Why = [2]bool{}, "", ""
	k := 0
	for i := range r.Pairings {
		p := &r.Pairings[i]
		if p.TeamMatch != n {
			continue
		}
		id := in
		if k < len(list) {
			id = list[k]
		}
		if TeamSeat(k+1, m.SeatOf(in)) == match.First {
			p.First = id
		} else {
			p.Second = id
		}
		k++
		p.Match = ""
		if p.Result = absent(t.isEmptySeat(p.First), t.isEmptySeat(p.Second), m.OpenedAt); p.Result.IsPending() {
			t.NameMatch(p, newID)
		}
		changed = append(changed, *p)
	}
	return changed
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
