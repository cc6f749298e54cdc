package tournament

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/club"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// EntryID names an entry inside its tournament, in the order of entering. It
// never changes, unlike the number.
type EntryID int

// EntryStatus is whether an entry is still in it.
type EntryStatus uint8

const (
	Active EntryStatus = iota + 1
	Withdrawn
)

func (s EntryStatus) String() string {
	if s == Withdrawn {
		return "withdrawn"
	}
	return "active"
}

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
	// Fast is whether the entry has the virtual points of an accelerated Swiss.
	Fast     bool `json:"fast,omitempty"`
	Expelled bool `json:"expelled,omitempty"` // withdrawn because disqualified
	// Waived is what an arbiter let the entry pass without.
	Waived    []fairplay.Demand `json:"waived,omitempty"`
	EnteredAt time.Time         `json:"enteredAt"`
}

// IsGuest tells whether the entry has no account behind it.
func (e Entry) IsGuest() bool { return e.Player == "" }

// TakesPart tells whether the entry can be paired in a round.
func (e Entry) TakesPart(round int) bool {
	return e.Number > 0 && e.From <= round && (e.Status == Active || round <= e.Until)
}

// Candidate is who wants to enter.
type Candidate struct {
	Player player.ID // empty: a guest
	Name   string
	Club   string
	Rating int
	Bot    bool
	Clubs  []club.ID // whose member the player is
	Barred bool      // kept out after absences, where that is honoured
	// Standing is how the candidate stands to the demands of fair play; Waived in
	// it is what whoever enters him wants to let pass.
	Standing fairplay.Standing
}

// Entry is the entry with that id.
func (t *Tournament) Entry(id EntryID) (Entry, error) {
	if i := t.index(id); i >= 0 {
		return t.Entries[i], nil
	}
	return Entry{}, ErrNoEntry
}

// EntryOf is the entry of a player.
func (t *Tournament) EntryOf(id player.ID) (Entry, bool) {
	if id == "" {
		return Entry{}, false
	}
	i := slices.IndexFunc(t.Entries, func(e Entry) bool { return e.Player == id })
	if i < 0 {
		return Entry{}, false
	}
	return t.Entries[i], true
}

func (t *Tournament) index(id EntryID) int {
	// Ids are the places in the list, as nobody is ever taken off it.
	if i := int(id) - 1; i >= 0 && i < len(t.Entries) {
		return i
	}
	return -1
}

// MayEnter is nil or why the candidate cannot enter now, an *fairplay.UnmetError
// where he does not meet the policy's demands. Players enter
// themselves while registration is open; the organizer enters anybody, before
// that as well, and in a Swiss also late.
func (t *Tournament) MayEnter(by player.Viewer, c Candidate) error {
	if !t.May(by, ActEnter) && (c.Player == "" || c.Player != by.ID) {
		return ErrNotAllowed
	}
	switch t.Status {
	case Draft:
		if !t.May(by, ActEnter) {
			return ErrNotOpen
		}
	case Registration:
	case Running:
		if t.Format == RoundRobin {
			return ErrStarted
		}
		if !t.May(by, ActEnter) {
			return ErrNotOpen
		}
		if len(t.Rounds) >= t.Settings.Rounds {
			return ErrNoRoundsLeft
		}
	default:
		return ErrFinished
	}
	if e, entered := t.EntryOf(c.Player); entered && (e.Status == Active || e.Number > 0) {
		return ErrEntered
	}
	if t.MembersOnly && c.Player != "" && !slices.Contains(c.Clubs, t.ClubID) {
		return ErrMembersOnly
	}
	if t.active() >= t.room() {
		return ErrFull
	}
	if t.HonourNoShows && c.Barred && !t.May(by, ActEnter) {
		return player.ErrBarred
	}
	if len(c.Standing.Waived) > 0 && !t.May(by, ActWaive) {
		return ErrNotAllowed
	}
	return t.Policy.OrOpen().Admit(c.Standing)
}

// Register enters a candidate.
func (t *Tournament) Register(by player.Viewer, c Candidate, now time.Time) (Entry, error) {
	if err := t.MayEnter(by, c); err != nil {
		return Entry{}, err
	}
	if c.Name = strings.TrimSpace(c.Name); c.Name == "" || utf8.RuneCountInString(c.Name) > MaxNameLength || !isLine(c.Name) || !isLine(c.Club) {
		return Entry{}, ErrBadName
	}
	e := Entry{
		ID: EntryID(len(t.Entries) + 1), Player: c.Player, Name: c.Name, Club: c.Club,
		Rating: max(0, c.Rating), Bot: c.Bot, Status: Active, From: len(t.Rounds) + 1, EnteredAt: now,
		Waived: slices.Clone(c.Standing.Waived),
	}
	if old, entered := t.EntryOf(c.Player); entered {
		e.ID = old.ID
		t.Entries[t.index(old.ID)] = e
	} else {
		t.Entries = append(t.Entries, e)
	}
	if t.Status == Running {
		t.numberLate(e.ID)
		t.markLate(e.ID)
	}
	return t.Entries[t.index(e.ID)], nil
}

// Withdraw takes an entry out. In a running tournament the rounds so far stay:
// a match in play goes on, later rounds do without the player. In a round robin
// see Field for what becomes of the results.
func (t *Tournament) Withdraw(by player.Viewer, id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActWithdraw) && (t.Entries[i].Player == "" || t.Entries[i].Player != by.ID):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status == Withdrawn:
		return ErrWithdrawn
	}
	t.Entries[i].Status = Withdrawn
	t.Entries[i].Until = len(t.Rounds)
	t.judgeLeavers()
	return nil
}

// Readmit takes a withdrawn entry in again, from the next round. The rounds
// between count as absences; in a round robin forfeits already given stay.
func (t *Tournament) Readmit(by player.Viewer, id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActReadmit):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status == Active:
		return ErrEntered
	case t.Entries[i].Expelled:
		return ErrWithdrawn
	case t.active() >= t.room():
		return ErrFull
	case t.Status == Running && t.Entries[i].Number == 0:
		return ErrStarted
	}
	t.Entries[i].Status, t.Entries[i].Until = Active, 0
	if t.Status == Running {
		t.markLate(id)
	}
	t.judgeLeavers()
	return nil
}

// AskBye notes that an entry will not play a coming round of a Swiss; NoRecord
// takes the wish back. Half-point byes are the organizer's to give.
func (t *Tournament) AskBye(by player.Viewer, id EntryID, round int, kind Outcome) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActBye) && (kind == HalfBye || kind == FullBye || t.Entries[i].Player == "" || t.Entries[i].Player != by.ID):
		return ErrNotAllowed
	case t.Format != Swiss, kind != FullBye && kind != HalfBye && kind != ZeroBye && kind != NoRecord:
		return ErrNoBye
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status == Withdrawn:
		return ErrWithdrawn
	case round <= len(t.Rounds) || round > t.Settings.Rounds:
		return ErrNoBye
	}
	byes := slices.DeleteFunc(slices.Clone(t.Entries[i].Byes), func(b AskedBye) bool { return b.Round == round })
	if kind != NoRecord {
		byes = append(byes, AskedBye{round, kind})
		slices.SortFunc(byes, func(a, b AskedBye) int { return a.Round - b.Round })
	}
	t.Entries[i].Byes = byes
	return nil
}

func (e Entry) askedBye(round int) (Outcome, bool) {
	for _, b := range e.Byes {
		if b.Round == round {
			return b.Kind, true
		}
	}
	return 0, false
}

func (t *Tournament) active() int {
	n := 0
	for _, e := range t.Entries {
		if e.Status == Active {
			n++
		}
	}
	return n
}

// room is how many entries there can be.
func (t *Tournament) room() int {
	most := MaxPlayers
	if t.Format == RoundRobin {
		most = MaxRoundRobinPlayers
	}
	if t.Capacity > 0 {
		most = min(most, t.Capacity)
	}
	return most
}
