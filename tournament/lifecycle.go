package tournament

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
)

// Change replaces the settings before the start. There has to be room for the active entries;
// new room is for the waiting list (Promote).
func (t *Tournament) Change(by player.Viewer, s Settings, now time.Time) error {
	if !t.May(by, ActSettings) {
		return ErrNotAllowed
	}
	if err := t.BeforeStart(); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if t.Active() > s.room() {
		return ErrFull
	}
	if len(t.Entries) > 0 && s.HasTeams() != t.HasTeams() || t.outgrows(s.Teams) || !t.keepsCamps(s.Battle) {
		return ErrTeamsFixed
	}
	old := t.Settings.Entry
	t.Settings = s
	if t.Status == Registration && (!s.Entry.Opens.Equal(old.Opens) || !s.Entry.Closes.Equal(old.Closes)) {
		t.Gate, t.Timetable.StaysOpen = s.gateAt(now), time.Time{}
	}
	return nil
}

// SetPolicy changes what fair play demands from the next round on. Open matches keep the
// policy that they were opened with.
func (t *Tournament) SetPolicy(by player.Viewer, p fairplay.Policy) error {
	if !t.May(by, ActPolicy) {
		return ErrNotAllowed
	}
	if t.Status.IsOver() {
		return ErrFinished
	}
	s := t.Settings
	s.Policy = p
	if err := s.Validate(); err != nil {
		return err
	}
	t.Settings = s
	return nil
}

// BeforeStart returns nil before the start, then ErrStarted or ErrFinished.
func (t *Tournament) BeforeStart() error {
	switch t.Status {
	case Draft, Registration:
		return nil
	case Finished, Finalized:
		return ErrFinished
	}
	return ErrStarted
}

// Players in the Varma tables (FIDE C.05, annex 2).
const minVarma, maxVarma = 9, 24

// Drawing is the source of chance for the start of a tournament.
type Drawing struct {
	Seed string          // what Pick follows from; kept with the tournament
	Next string          // promise of the next draw (package draw); empty: none
	Pick func(n int) int // returns a random number below n
	// Restricted draws numbers for clubs of the given sizes (Varma).
	Restricted func(clubs []int, pick func(n int) int) ([][]int, error)
}

// Seat draws a seat.
func (d Drawing) Seat() match.Seat { return match.Seats[d.Pick(2)] }

// Start ends registration, draws numbers and the opening seat, and fixes the number of rounds.
func (t *Tournament) Start(by player.Viewer, d Drawing, now time.Time) error {
	if !t.May(by, ActStart) {
		return ErrNotAllowed
	}
	return t.start(d, now)
}

func (t *Tournament) start(d Drawing, now time.Time) error {
	if err := t.BeforeStart(); err != nil {
		return err
	}
	if t.AwaitsGroups() {
		return ErrGroupsPlay
	}
	n := t.Active()
	if n < t.LeastPlayers() {
		return ErrTooFew
	}
	if t.Numbering == Varma && (n < minVarma || n > maxVarma) {
		return ErrVarmaSize
	}
	if err := t.smallTeams(); err != nil {
		return err
	}
	c := t.Clone()
	if err := c.drawNumbers(d); err != nil {
		return err
	}
	c.Opening = d.Seat()
	c.Settings.Rounds = c.Format.rules().rounds(&c.Table)
	if c.Acceleration == Baku {
		upper := 2 * ((n + 3) / 4) // FIDE C.04.7: half the field, rounded up to an even number
		for i := range c.Entries {
			c.Entries[i].Fast = c.Entries[i].Number > 0 && c.Entries[i].Number <= upper
		}
	}
	c.Seed, c.Promise, c.Status, c.StartedAt = d.Seed, d.Next, Running, now
	c.replan()
	if c.Firm && c.overrun(now) > 0 {
		return ErrCannotFit
	}
	*t = *c
	return nil
}

// Redrawn returns the tournament as a drawing starts it, to check a start that was logged.
func (t *Tournament) Redrawn(d Drawing, at time.Time) (*Tournament, error) {
	c := t.Clone()
	err := c.start(d, at)
	return c, err
}

func (t *Tournament) drawNumbers(d Drawing) error {
	var order []int // indices of active entries, in the order of numbers
	for i := range t.Entries {
		t.Entries[i].Number = 0
		if t.Entries[i].Team == 0 && t.Entries[i].Status == Active {
			order = append(order, i)
		}
	}
	switch t.Numbering {
	case ByRating:
		t.sortByRating(order)
	case Given:
		t.sortBySeed(order)
	case Lots:
		t.drawApart(order, d, func(yield func(int, int) bool) { yield(0, len(order)) })
	case Varma:
		return t.drawRestricted(order, d)
	case Pots:
		t.sortByRating(order)
		t.drawApart(order, d, contest.Pots(len(order)))
	}
	for n, i := range order {
		t.Entries[i].Number = n + 1
	}
	return nil
}

// drawApart draws lots within each part of an order. In a knock-out it keeps club mates from
// meeting in the first round.
func (t *Table) drawApart(order []int, d Drawing, parts iter.Seq2[int, int]) {
	list, meet := slices.Clone(order), func(yield func(int, int) bool) {
		for a, b := range contest.FirstPairs(len(order)) {
			if !t.Format.HasBracket() || !yield(a-1, b-1) {
				return
			}
		}
	}
	for to, from := range draw.Order(len(list), parts, meet, func(a, b int) bool {
		return t.Entries[list[a]].IsMateOf(t.Entries[list[b]])
	}, d.Pick).Order {
		order[to] = list[from]
	}
}

// IsMateOf reports whether two entries belong to the same club.
func (e Entry) IsMateOf(other Entry) bool {
	return e.ClubKey() != "" && e.ClubKey() == other.ClubKey()
}

// ClubKey returns the club of an entry without regard to case and space; empty: none.
func (e Entry) ClubKey() string { return strings.ToLower(strings.TrimSpace(e.Club)) }

// drawRestricted draws numbers by the Varma tables. A player without a club counts as a club
// of their own.
func (l Entries) drawRestricted(order []int, d Drawing) error {
	var names []string
	members := map[string][]int{}
	for _, i := range order {
		name := l[i].ClubKey()
		if name == "" {
			name = "\x00" + string(rune(i)) // unique, and unlike any club
		}
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], i)
	}
	sizes := make([]int, len(names))
	for c, name := range names {
		sizes[c] = len(members[name])
	}
	drawn, err := d.Restricted(sizes, d.Pick)
	if err != nil {
		return err
	}
	for c, name := range names {
		for k, i := range members[name] {
			l[i].Number = drawn[c][k]
		}
	}
	return nil
}

// sortByRating sorts entries by the initial ranking: rating, name, then time of entry.
func (l Entries) sortByRating(order []int) {
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := l[a], l[b]
		return cmp.Or(cmp.Compare(y.Rating, x.Rating),
			strings.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name)), cmp.Compare(x.ID, y.ID))
	})
}

// numberLate gives a late entry its number. Until the fourth round is paired, an order by
// rating makes room for it (FIDE C.04.2). After that, or if lots were drawn, it comes last.
func (t *Tournament) numberLate(id EntryID) {
	last := 0
	for _, e := range t.Entries {
		last = max(last, e.Number)
	}
	t.Entries[t.index(id)].Number = last + 1
	t.renumber()
}

// renumber puts the numbers in the order of ratings as long as they may change. A draft that was paired by others is
// paired again.
func (t *Tournament) renumber() {
	var order []int
	for i, e := range t.Entries {
		if e.Number > 0 {
			order = append(order, i)
		}
	}
	if t.Numbering != ByRating || len(t.Rounds) >= 4 || !t.Format.PairsByScore() {
		return
	}
	t.sortByRating(order)
	for n, i := range order {
		if t.Entries[i].Number != n+1 && t.Draft != nil {
			t.Draft = t.Draft.clone()
			t.Draft.Basis = otherNumbers
		}
		t.Entries[i].Number = n + 1
	}
}

// Finish ends the tournament early, once the open round is over. An arena stops pairing and
// ends with the last result.
func (t *Tournament) Finish(by player.Viewer, now time.Time) error {
	switch {
	case !t.May(by, ActFinish):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Status != Running:
		return ErrNotRunning
	case !t.RoundIsOver():
		if _, open := t.PairsUntil(); open {
			t.closeArena()
			t.Conclude(now)
			return nil
		}
		return t.roundOpen()
	}
	t.Draft = nil
	t.Status, t.EndedAt = Finished, now
	return nil
}

// Conclude does what follows the last result of a round, and reports whether the tournament is
// finished. Matches that went on after a player left are now judged as their others.
func (t *Tournament) Conclude(now time.Time) bool {
	if t.Status != Running {
		return false
	}
	t.redraft()
	if !t.RoundIsOver() {
		return false
	}
	t.judgeLeavers()
	t.replan()
	if len(t.Rounds) < t.Settings.Rounds {
		return false
	}
	t.Status, t.EndedAt = Finished, now
	return true
}
