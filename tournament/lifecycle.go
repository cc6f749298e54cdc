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

// Change replaces the settings, before the start. A tournament with entries
// keeps room for them; where there is more room, who waits gets it.
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
	if o := t.Settings; !t.LineUpsAt.IsZero() && (s.Format != ClubMatch || s.Boards != o.Boards || s.ClubID != o.ClubID ||
		s.OpponentID != o.OpponentID || s.Numbering != o.Numbering) {
		return ErrLaidOpen
	}
	if t.Active() > s.room() {
		return ErrFull
	}
	old := t.Settings.Entry
	t.Settings = s
	if t.Status == Registration && (!s.Entry.Opens.Equal(old.Opens) || !s.Entry.Closes.Equal(old.Closes)) {
		t.Gate = s.gateAt(now)
	}
	t.promote()
	return nil
}

// SetPolicy changes what matches demand from the next round on; those that are
// open keep what they were opened with.
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

// BeforeStart is nil, or that it has started or is over.
func (t *Course) BeforeStart() error {
	switch t.Status {
	case Draft, Registration:
		return nil
	case Finished, Finalized:
		return ErrFinished
	}
	return ErrStarted
}

// For how many players there are Varma tables (FIDE C.05, annex 2).
const minVarma, maxVarma = 9, 24

// Drawing is chance, as the start of a tournament needs it.
type Drawing struct {
	Seed string // what Pick was made from, kept with the tournament
	Next string // what is promised of the draw after it; empty: nothing
	Pick func(n int) int
	// Restricted draws table numbers for clubs of given sizes (Varma).
	Restricted func(clubs []int, pick func(n int) int) ([][]int, error)
}

// Seat is either seat.
func (d Drawing) Seat() match.Seat { return [...]match.Seat{match.First, match.Second}[d.Pick(2)] }

// Start ends the registration, draws the numbers and the opening seat, and
// fixes the number of rounds.
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
	if t.Format == ClubMatch && t.LineUpsAt.IsZero() {
		return ErrNoLineUps
	}
	n := t.Active()
	if n < t.LeastPlayers() {
		return ErrTooFew
	}
	if t.Numbering == Varma && (n < minVarma || n > maxVarma) {
		return ErrVarmaSize
	}
	c := t.Clone()
	if c.Format == ClubMatch {
		c.numberBoards()
	} else if err := c.drawNumbers(d); err != nil {
		return err
	}
	c.Opening = d.Seat()
	if c.Format.HasTable() && c.Format != KnockOut {
		c.Settings.Rounds = c.tableRounds(n)
	}
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

// Redrawn is the tournament with the numbers and the opening seat that a drawing gives: who
// checks a start has the tournament as it stood before, and the seed.
func (t *Tournament) Redrawn(d Drawing, at time.Time) (*Tournament, error) {
	c := t.Clone()
	err := c.start(d, at)
	return c, err
}

// LeastPlayers is how many it takes to start.
func (s Settings) LeastPlayers() int {
	switch s.Format {
	case RoundRobin:
		return MinRoundRobinPlayers
	case ClubMatch:
		return 1 // the other boards are forfeited
	case KnockOut:
		least, _ := s.Losers.Bounds()
		return least
	}
	return MinPlayers
}

// tableRounds is how many rounds the table has for n players.
func (s Settings) tableRounds(n int) int {
	rounds := 1
	if s.Format == RoundRobin {
		rounds = n - 1 + n%2
	}
	if s.Double {
		rounds *= 2
	}
	return rounds
}

func (t *Course) drawNumbers(d Drawing) error {
	var order []int // indices of active entries, in the order of numbers
	for i := range t.Entries {
		t.Entries[i].Number = 0
		if t.Entries[i].Status == Active {
			order = append(order, i)
		}
	}
	switch t.Numbering {
	case ByRating:
		t.sortByRating(order)
	case Given:
		t.bySeed(order)
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

// drawApart draws lots within each part of an order. In a knock-out club mates are kept
// from meeting in the first round.
func (t *Table) drawApart(order []int, d Drawing, parts iter.Seq2[int, int]) {
	list, meet := slices.Clone(order), func(yield func(int, int) bool) {
		for a, b := range contest.FirstPairs(len(order)) {
			if t.Format != KnockOut || !yield(a-1, b-1) {
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

// IsMateOf reports whether two entries are of one club.
func (e Entry) IsMateOf(other Entry) bool {
	return e.ClubKey() != "" && e.ClubKey() == other.ClubKey()
}

// ClubKey is the club of an entry, however it is written; empty: none.
func (e Entry) ClubKey() string { return strings.ToLower(strings.TrimSpace(e.Club)) }

// drawRestricted gives club mates numbers of one group; everybody without a
// club is a club of their own.
func (l Entries) drawRestricted(order []int, d Drawing) error {
	var names []string
	members := map[string][]int{}
	for _, i := range order {
		name := l[i].ClubKey()
		if name == "" {
			name = "\x00" + string(rune(i)) // no two the same, and like no club's
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

// sortByRating is the initial ranking: rating, then name, then who came first.
func (l Entries) sortByRating(order []int) {
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := l[a], l[b]
		return cmp.Or(cmp.Compare(y.Rating, x.Rating),
			strings.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name)), cmp.Compare(x.ID, y.ID))
	})
}

// numberLate gives a late entry its number. Where the rating makes the order it
// takes its place in it and the numbers behind move, until the fourth round is
// paired (FIDE C.04.2); after that, and where lots were drawn, it comes last.
func (t *Table) numberLate(id EntryID) {
	var order []int
	last := 0
	for i, e := range t.Entries {
		if e.Number > 0 || e.ID == id {
			order = append(order, i)
			last = max(last, e.Number)
		}
	}
	t.Entries[t.index(id)].Number = last + 1
	if t.Numbering != ByRating || len(t.Rounds) >= 4 || t.Format == Arena {
		return
	}
	t.sortByRating(order)
	for n, i := range order {
		t.Entries[i].Number = n + 1
	}
}

// Finish ends the tournament: by itself after its last round, or by its
// organizer earlier, once the open round is over.
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
			t.closeArena() // with the last result it is over
			t.Conclude(now)
			return nil
		}
		return ErrRoundOpen
	}
	t.Draft = nil
	t.Status, t.EndedAt = Finished, now
	return nil
}

// Conclude does what follows the last result of a round: matches that went on
// after somebody left are judged as their others, and after the last round the
// tournament is finished; false: it goes on.
func (t *Course) Conclude(now time.Time) bool {
	if t.Status != Running {
		return false
	}
	if t.redraft(); !t.RoundIsOver() {
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
