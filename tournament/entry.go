package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/condition"
)

// EntryID names an entry inside its tournament, in the order of entering. It
// never changes, unlike the number.
type EntryID int

// EntryStatus is where an entry stands.
type EntryStatus uint8

const (
	Active EntryStatus = iota + 1
	Withdrawn
	Waiting   // for a place
	Requested // waits for staff to accept it
	Refused
)

var entryStatusNames = [...]string{"", "active", "withdrawn", "waiting", "requested", "refused"}

func (s EntryStatus) String() string { return nameOf(entryStatusNames[:], int(s)) }

// AskedBye is a round for which an entry has asked not to be paired.
type AskedBye struct {
	Round int     `json:"round"`
	Kind  Outcome `json:"kind"` // HalfBye or ZeroBye; FullBye is given by staff only
}

// Entry is a player inside one tournament. A guest has no account: nobody can
// play the boards on the server, so the organizer enters the results.
type Entry struct {
	ID     EntryID     `json:"id"`
	Player player.ID   `json:"player,omitempty"` // empty: a guest
	Name   string      `json:"name"`             // as the lists show it
	Club   string      `json:"club,omitempty"`   // whom the draw keeps apart (Varma)
	Rating int         `json:"rating,omitempty"` // when entering; 0: unrated
	Bot    bool        `json:"bot,omitempty"`
	Status EntryStatus `json:"status"`
	Number int         `json:"number,omitempty"` // in the tournament, from 1; 0: not drawn
	From   int         `json:"from"`             // first round, above 1 for a late entry
	Until  int         `json:"until,omitempty"`  // last round before the withdrawal, while withdrawn
	Byes   []AskedBye  `json:"byes,omitempty"`
	// CheckedIn and Missed are the rounds for which the entry said that it is
	// there, and those from which it was left out because it did not.
	CheckedIn []int `json:"checkedIn,omitempty"`
	Missed    []int `json:"missed,omitempty"`
	// LateBye is what every round before From gave a late entry: HalfBye, ZeroBye
	// for who was in and had left, or zero for nothing.
	LateBye Outcome `json:"lateBye,omitempty"`
	Removed bool    `json:"removed,omitempty"` // withdrawn by staff, who alone take it in again
	Reason  string  `json:"reason,omitempty"`  // of staff: why refused, or why let in against a condition
	// Fast is whether the entry has the virtual points of an accelerated Swiss.
	Fast     bool `json:"fast,omitempty"`
	Expelled bool `json:"expelled,omitempty"` // withdrawn because disqualified
	// Was is where a disqualified entry stood before; zero: Active.
	Was EntryStatus `json:"was,omitempty"`
	// Steward is who watches the entry's matches; empty: nobody is named.
	Steward player.ID `json:"steward,omitempty"`
	// Waived is what an arbiter let the entry pass without.
	Waived    []fairplay.Demand `json:"waived,omitempty"`
	EnteredAt time.Time         `json:"enteredAt"`
	Side      Side              `json:"side,omitempty"` // in a club match
	// FixedBoard is the board of a player who cannot move about; 0: any.
	FixedBoard int `json:"fixedBoard,omitempty"`
	// Born is the year declared for the prizes of an age group; 0: none. Staff see it,
	// and who it is of.
	Born int `json:"born,omitempty"`
}

// IsGuest reports whether the entry has no account behind it.
func (e Entry) IsGuest() bool { return e.Player == "" }

// IsPrivate tells an entry that is asked for and not granted: it is between the
// player and staff.
func (e Entry) IsPrivate() bool { return e.Status == Requested || e.Status == Refused }

// TakesPart reports whether the entry can be paired in a round.
func (e Entry) TakesPart(round int) bool {
	return e.Number > 0 && e.From <= round && (e.Status == Active || round <= e.Until)
}

// Entries is everybody who has entered or asked to, by id.
type Entries []Entry

// Candidate is who wants to enter, with what is known of them. Of a guest that
// is what staff say.
type Candidate struct {
	Player player.ID // empty: a guest
	Name   string
	Club   string
	Rating int // as the lists show it
	Bot    bool

	Rated int // the rating they have; 0: none
	Best  int // the highest of the last RatingWindow
	Games int // rated ones
	Since time.Time
	Clubs []club.ID // whose member they are

	Barred bool // kept out after absences, where that is honoured
	// Standing is how the candidate stands to the demands of fair play; Waived in
	// it is what whoever enters them wants to let pass.
	Standing fairplay.Standing
	Code     string // as the candidate wrote it
	Reason   string // why staff let them in against a condition
}

// Entry is the entry with that id.
func (t *Table) Entry(id EntryID) (Entry, error) {
	if i := t.index(id); i >= 0 {
		return t.Entries[i], nil
	}
	return Entry{}, ErrNoEntry
}

// EntryOf is the entry of a player.
func (l Entries) EntryOf(id player.ID) (Entry, bool) {
	if id == "" {
		return Entry{}, false
	}
	i := slices.IndexFunc(l, func(e Entry) bool { return e.Player == id })
	if i < 0 {
		return Entry{}, false
	}
	return l[i], true
}

func (l Entries) index(id EntryID) int {
	// Ids are the places in the list, as nobody is ever taken off it.
	if i := int(id) - 1; i >= 0 && i < len(l) {
		return i
	}
	return -1
}

// Matches are all matches of the tournament on the server, in the order of play.
func (l Rounds) Matches() (ids []match.ID) {
	for _, r := range l {
		for _, p := range r.Pairings {
			if p.Match != "" {
				ids = append(ids, p.Match)
			}
		}
	}
	return ids
}

// Withdraw takes an entry out. In a running tournament the rounds so far stay:
// a match in play goes on, later rounds do without the player. In a round robin
// see Field for what becomes of the results. Before the start, who waits first
// has the place.
func (t *Tournament) Withdraw(by player.Viewer, id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActWithdraw) && !by.Is(t.Entries[i].Player):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status == Withdrawn || t.Entries[i].Status == Refused:
		return ErrWithdrawn
	}
	e := &t.Entries[i]
	e.Status, e.Removed = Withdrawn, !by.Is(e.Player)
	e.Until = len(t.Rounds)
	t.judgeLeavers()
	t.promote()
	return nil
}

// Readmit takes a withdrawn entry in again, from the next round. The rounds
// between count as absences, byes that were used stay used; in a round robin
// forfeits already given stay.
func (t *Tournament) Readmit(by player.Viewer, id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActReadmit):
		return ErrNotAllowed
	}
	return t.readmit(i)
}

// Return is how a player who has withdrawn comes back into a running
// Swiss. The conditions hold as before, but for the rating, which the
// tournament itself may have changed.
func (t *Tournament) Return(by player.Viewer, c Candidate, now time.Time) error {
	e, entered := t.EntryOf(by.ID)
	switch {
	case !entered || c.Player != by.ID || e.Number == 0:
		return ErrNoEntry
	case t.Status.IsOver():
		return ErrFinished
	case t.Format != Swiss && t.Format != Arena || t.Status != Running:
		return ErrStarted
	case t.Format == Swiss && len(t.Rounds) >= t.Settings.Rounds:
		return ErrNoRoundsLeft
	case e.Removed:
		return ErrShutOut
	}
	bad := slices.DeleteFunc(condition.Failed(t.Verdicts(c, now)),
		func(v condition.Verdict) bool {
			return v.Kind == condition.LeastRating || v.Kind == condition.MostRating
		})
	if len(bad) > 0 {
		return &condition.Error{Failed: bad}
	}
	c.Standing.Waived = e.Waived
	if err := t.Admits(c.Standing, true); err != nil {
		return err
	}
	return t.readmit(t.index(e.ID))
}

func (t *Course) readmit(i int) error {
	switch {
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status != Withdrawn:
		return ErrEntered
	case t.Entries[i].Expelled:
		return ErrWithdrawn
	case t.Active() >= t.room():
		return ErrFull
	case t.Status == Running && t.Entries[i].Number == 0:
		return ErrStarted
	}
	e := &t.Entries[i]
	e.Status, e.Until, e.Removed = Active, 0, false
	if t.Status == Running {
		t.markLate(e.ID)
	}
	t.judgeLeavers()
	return nil
}

// AskBye notes that an entry will not play a coming round of a Swiss; NoRecord
// takes the wish back. Staff give any bye, players ask within the limits of the
// settings.
func (t *Tournament) AskBye(by player.Viewer, id EntryID, round int, kind Outcome) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActBye) && (kind == FullBye || !by.Is(t.Entries[i].Player)):
		return ErrNotAllowed
	case kind == FullBye && by.Is(t.Entries[i].Player):
		return t.ownEntry(by, ActBye)
	case t.Format != Swiss, kind != FullBye && kind != HalfBye && kind != ZeroBye && kind != NoRecord:
		return ErrNoBye
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status == Withdrawn || t.Entries[i].Status == Refused:
		return ErrWithdrawn
	case round <= len(t.Rounds) || round > t.Settings.Rounds:
		return ErrNoBye
	}
	byes := slices.DeleteFunc(slices.Clone(t.Entries[i].Byes), func(b AskedBye) bool { return b.Round == round })
	if kind != NoRecord {
		if staff := t.May(by, ActBye); (!staff || by.Is(t.Entries[i].Player)) && !t.byeLeft(t.Entries[i], byes, AskedBye{round, kind}) {
			if staff {
				return t.ownEntry(by, ActBye)
			}
			return ErrByeLimit
		}
		byes = append(byes, AskedBye{round, kind})
		slices.SortFunc(byes, func(a, b AskedBye) int { return a.Round - b.Round })
	}
	t.Entries[i].Byes = byes
	return nil
}

// LeaveOut keeps active entries of players out of the next round, who may not
// play at its level for now: a zero-point bye in a Swiss, forfeits in a table.
// Who has a bye already keeps that.
func (t *Table) LeaveOut(who func(player.ID) bool) {
	next := len(t.Rounds) + 1
	for i := range t.Entries {
		if t.Format.HasTable() { // from a draft before: nothing else makes byes there
			t.Entries[i].Byes = slices.DeleteFunc(slices.Clone(t.Entries[i].Byes), func(b AskedBye) bool { return b.Round == next })
		}
		e := t.Entries[i]
		if _, asked := e.askedBye(next); asked || e.Status != Active || e.Player == "" || !who(e.Player) {
			continue
		}
		byes := append(slices.Clone(e.Byes), AskedBye{next, ZeroBye})
		slices.SortFunc(byes, func(a, b AskedBye) int { return a.Round - b.Round })
		t.Entries[i].Byes = byes
	}
}

// byeLeft reports whether a player may ask for one more bye. Those of rounds gone
// by count as well, also when they had left by then, and so do the rounds that a
// late entry has half points for.
func (s Settings) byeLeft(e Entry, others []AskedBye, more AskedBye) bool {
	rules := s.Entry
	if rules.ByeLimit > 0 && len(others) >= rules.ByeLimit {
		return false
	}
	if more.Kind != HalfBye {
		return true
	}
	half := 0
	if e.LateBye == HalfBye {
		half = e.From - 1
	}
	for _, b := range others {
		if b.Kind == HalfBye {
			half++
		}
	}
	return half < rules.HalfByes && (rules.HalfUntil == 0 || more.Round <= rules.HalfUntil)
}

// MayAskBye are the kinds of bye that a player may ask for a round now.
func (t *Tournament) MayAskBye(by player.Viewer, id EntryID, round int) []Outcome {
	var kinds []Outcome
	for _, kind := range [...]Outcome{ZeroBye, HalfBye} {
		c := *t
		c.Entries = slices.Clone(t.Entries)
		if c.AskBye(by, id, round, kind) == nil {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func (e Entry) askedBye(round int) (Outcome, bool) {
	for _, b := range e.Byes {
		if b.Round == round {
			return b.Kind, true
		}
	}
	return 0, false
}

// Active is how many play: those who wait, have only asked or have left do not count.
func (l Entries) Active() int {
	n := 0
	for _, e := range l {
		if e.Status == Active {
			n++
		}
	}
	return n
}

// room is how many entries there can be.
func (s Settings) room() int {
	most := s.mostPlayers()
	if s.Capacity > 0 {
		most = min(most, s.Capacity)
	}
	return most
}
