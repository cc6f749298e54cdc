package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// EditKind is a kind of change by hand to a pairing.
type EditKind uint8

const (
	SwapEntries EditKind = iota + 1 // A and B trade places
	SwapSeats                       // A and their opponent trade seats
	FixPair                         // A meets B and opens the bidding; the board becomes fixed
	FreePair                        // the board of A is no longer fixed
	PartPair                        // A and B do not meet in this round
	JoinPair                        // undoes PartPair
	GiveBye                         // A is not paired and gets Bye
	TakeBye                         // undoes GiveBye
	Repair                          // everyone not on a fixed board is paired again
)

var editNames = [...]string{"", "swap", "seats", "fix", "free", "part", "join", "bye", "no-bye", "re-pair"}

func (k EditKind) String() string { return nameOf(editNames[:], k) }

// ParseEditKind reads what String writes.
func ParseEditKind(s string) (EditKind, error) { return parseName[EditKind]("edit", editNames[:], s) }

// Edit is one change by hand to a pairing.
type Edit struct {
	Kind EditKind
	A, B EntryID
	Bye  Outcome // GiveBye: FullBye, HalfBye or ZeroBye
	// Rest does Repair afterwards.
	Rest bool
}

// EditDraft changes the drafted round.
func (t *Tournament) EditDraft(by player.Viewer, e Edit, s System) error {
	switch {
	case !t.May(by, ActDraft):
		return ErrNotAllowed
	case t.Draft == nil:
		return ErrNoDraft
	}
	if err := t.Format.rules().edits(e.Kind); err != nil {
		return err
	}
	c := t.Clone()
	if err := c.edit(by, e); err != nil {
		return err
	}
	if e.Kind == FixPair {
		c.orderBoards(c.Draft.Boards, s)
	}
	if e.Rest || e.Kind == Repair {
		if err := c.pairDraft(c.Draft, s); err != nil {
			return err
		}
	}
	c.seatFixed(c.Draft.Boards)
	if err := c.acknowledge(c.Draft, s, t.Draft.Boards); err != nil {
		return err
	}
	c.Draft.Edited = c.differs(s)
	*t = *c
	return nil
}

// differs reports whether the draft differs from what the system gives.
func (t *Tournament) differs(s System) bool {
	fresh := &RoundDraft{Number: t.Draft.Number}
	return t.pairDraft(fresh, s) != nil || fresh.Bye != t.Draft.Bye ||
		!slices.EqualFunc(fresh.Boards, t.Draft.Boards, func(a, b DraftBoard) bool { return a.First == b.First && a.Second == b.Second })
}

// edit applies an edit to the draft, which may be left with misfits.
func (t *Tournament) edit(by player.Viewer, e Edit) error {
	d := t.Draft
	if e.Kind != Repair && t.index(e.A) < 0 {
		return ErrNoEntry
	}
	switch e.Kind {
	case SwapEntries:
		return t.swap(e.A, e.B)
	case SwapSeats:
		i := d.BoardOf(e.A)
		if i < 0 {
			return ErrBadEdit
		}
		d.Boards[i].First, d.Boards[i].Second = d.Boards[i].Second, d.Boards[i].First
	case FixPair:
		if !t.plays(e.A) || !t.plays(e.B) || e.A == e.B {
			return ErrBadEdit
		}
		d.takeOut(e.A)
		d.takeOut(e.B)
		d.Boards = append(d.Boards, DraftBoard{e.A, e.B, true})
	case FreePair:
		i := d.BoardOf(e.A)
		if i < 0 {
			return ErrBadEdit
		}
		d.Boards[i].Fixed = false
	case PartPair:
		if t.index(e.B) < 0 || e.A == e.B {
			return ErrBadEdit
		}
		d.Apart = append(without(d.Apart, e.A, e.B), [2]EntryID{e.A, e.B})
	case JoinPair:
		d.Apart = without(d.Apart, e.A, e.B)
	case GiveBye:
		if e.Bye != FullBye && e.Bye != HalfBye && e.Bye != ZeroBye {
			return ErrNoBye
		}
		d.takeOut(e.A)
		return t.AskBye(by, e.A, d.Number, e.Bye)
	case TakeBye:
		return t.AskBye(by, e.A, d.Number, NoRecord)
	case Repair:
	default:
		return ErrBadEdit
	}
	return nil
}

// plays reports whether an entry is to be paired in the draft's round.
func (t *Tournament) plays(id EntryID) bool {
	i := t.index(id)
	if i < 0 || !t.Entries[i].TakesPart(t.Draft.Number) || !t.Format.HasTable() && !t.hasCheckedIn(t.Entries[i], t.Draft.Number) {
		return false
	}
	_, asked := t.Entries[i].askedBye(t.Draft.Number)
	return !asked
}

// swap lets two entries trade places: on boards, with the bye, or left over.
func (t *Tournament) swap(a, b EntryID) error {
	d := t.Draft
	x, y := d.place(a), d.place(b)
	if a == b || !t.plays(a) || !t.plays(b) || x == nil && y == nil || d.BoardOf(a) >= 0 && d.BoardOf(a) == d.BoardOf(b) {
		return ErrBadEdit
	}
	for _, id := range []EntryID{a, b} {
		if i := d.BoardOf(id); i >= 0 {
			d.Boards[i].Fixed = false
		}
	}
	if x != nil {
		*x = b
	}
	if y != nil {
		*y = a
	}
	return nil
}

// BoardOf returns the index in Boards where an entry sits; -1: nowhere.
func (d *RoundDraft) BoardOf(id EntryID) int {
	return slices.IndexFunc(d.Boards, func(b DraftBoard) bool { return b.First == id || b.Second == id })
}

// place returns where an entry stands in the draft; nil: nowhere.
func (d *RoundDraft) place(id EntryID) *EntryID {
	if i := d.BoardOf(id); i >= 0 {
		if d.Boards[i].First == id {
			return &d.Boards[i].First
		}
		return &d.Boards[i].Second
	}
	if d.Bye == id && id != 0 {
		return &d.Bye
	}
	return nil
}

// takeOut removes an entry from the draft; its opponent is left over.
func (d *RoundDraft) takeOut(id EntryID) {
	if i := d.BoardOf(id); i >= 0 {
		d.Boards = slices.Delete(d.Boards, i, i+1)
	}
	if d.Bye == id {
		d.Bye = 0
	}
}

// without returns pairs without the one of a and b.
func without(pairs [][2]EntryID, a, b EntryID) [][2]EntryID {
	return slices.DeleteFunc(slices.Clone(pairs), func(p [2]EntryID) bool {
		return p == [2]EntryID{a, b} || p == [2]EntryID{b, a}
	})
}

// Schedule sets when the draft is published by itself; zero: by hand.
func (t *Tournament) Schedule(by player.Viewer, at, now time.Time) error {
	switch {
	case !t.May(by, ActPublish):
		return ErrNotAllowed
	case t.Draft == nil:
		return ErrNoDraft
	case !at.IsZero() && !at.After(now):
		return ErrDraftTime
	}
	t.Draft = t.Draft.clone()
	t.Draft.PublishAt = at
	return nil
}

// Discard throws the draft away. If the pace would pair the round again at once, the round is
// held until staff release it or pair it by hand.
func (t *Tournament) Discard(by player.Viewer, now time.Time) error {
	switch {
	case !t.May(by, ActDraft):
		return ErrNotAllowed
	case t.Draft == nil:
		return ErrNoDraft
	}
	t.Draft = nil
	n := len(t.Rounds) + 1
	if _, timed := t.plannedAt(n); timed {
		t.Timetable.Held = Hold{Round: n, By: by.ID, Since: now}
	}
	return nil
}

// EditRound changes boards of the open round where nothing has happened yet, by SwapSeats or
// SwapEntries; the pairing-allocated bye can be swapped, too. It returns the matches that are
// no longer played and the boards that have new ones.
func (t *Tournament) EditRound(by player.Viewer, e Edit, begun func(match.ID) bool,
	newID func() match.ID) (void []match.ID, changed []Pairing, err error) {
	n := len(t.Rounds)
	switch {
	case !t.May(by, ActRepair):
		return nil, nil, ErrNotAllowed
	case t.Status != Running:
		return nil, nil, ErrNotRunning
	case n == 0 || t.HasTeams() || e.Kind != SwapEntries && e.Kind != SwapSeats: // see Reseat
		return nil, nil, ErrBadEdit
	}
	if err := t.Format.rules().edits(e.Kind); err != nil {
		return nil, nil, err
	}
	c := t.Clone()
	r := &c.Rounds[n-1]
	c.Draft = r.draft()
	allocated := slices.IndexFunc(r.Byes, func(b Bye) bool { return b.Kind == PairingBye })
	if allocated >= 0 {
		c.Draft.Bye = r.Byes[allocated].Entry
	}
	for _, id := range []EntryID{e.A, e.B} {
		if i := c.Draft.BoardOf(id); i >= 0 && (!r.Pairings[i].Result.IsPending() || r.Pairings[i].Match != "" && begun(r.Pairings[i].Match)) {
			return nil, nil, ErrBeingPlayed
		}
	}
	if err := c.edit(by, e); err != nil {
		return nil, nil, err
	}
	if allocated >= 0 {
		r.Byes[allocated].Entry = c.Draft.Bye
		r.SortByes()
	}
	for i, b := range c.Draft.Boards {
		p := &r.Pairings[i]
		if p.First == b.First && p.Second == b.Second {
			continue
		}
		if p.Match != "" {
			void = append(void, p.Match)
		}
		p.First, p.Second = b.First, b.Second
		c.setUp(p, newID, r.OpenedAt)
		changed = append(changed, *p)
	}
	c.Draft, r.Edited = nil, true
	*t = *c
	return void, changed, nil
}
