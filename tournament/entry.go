package tournament

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament/setting"
)

// EntryID identifies an entry in its tournament, in the order of entry from 1. Unlike the
// number, it never changes.
type EntryID int

// EntryStatus is the status of an entry.
type EntryStatus uint8

const (
	Active EntryStatus = iota + 1
	Withdrawn
	Waiting   // for a place
	Requested // for staff to accept
	Refused
	Invited // a club's team, which the club has yet to accept
)

var entryStatusNames = [...]string{"", "active", "withdrawn", "waiting", "requested", "refused", "invited"}

func (s EntryStatus) String() string { return nameOf(entryStatusNames[:], s) }

// State names the status as everybody is told it: whoever was disqualified has not just withdrawn.
func (e Entry) State() string {
	if e.Status == Withdrawn && e.Expelled {
		return "disqualified"
	}
	return e.Status.String()
}

// AskedBye is a bye that a player requested or staff gave.
type AskedBye struct {
	Round int     `json:"round"`
	Kind  Outcome `json:"kind"` // HalfBye, ZeroBye, or FullBye from staff
}

// Entry is a player in a tournament. A guest has no account, so their boards cannot be
// played on the server and staff enter the results.
type Entry struct {
	ID     EntryID     `json:"id"`
	Player player.ID   `json:"player,omitempty"` // empty: a guest
	Name   string      `json:"name"`             // as lists show it
	Club   string      `json:"club,omitempty"`   // the draw keeps club mates apart
	Rating int         `json:"rating,omitempty"` // at entry; 0: unrated
	Bot    bool        `json:"bot,omitempty"`
	Status EntryStatus `json:"status"`
	Number int         `json:"number,omitempty"` // from 1, drawn at the start; 0: none
	From   int         `json:"from"`             // first round; above 1 for a late entry
	Until  int         `json:"until,omitempty"`  // while withdrawn: last round before the withdrawal
	Byes   []AskedBye  `json:"byes,omitempty"`
	// CheckedIn holds the rounds that the entry checked in for, Missed those it missed for
	// want of a check-in.
	CheckedIn []int `json:"checkedIn,omitempty"`
	Missed    []int `json:"missed,omitempty"`
	// CheckedOut is the round that the entry was last checked out of by hand; 0: none.
	CheckedOut int `json:"checkedOut,omitempty"`
	// LateBye is what each round before From gave a late entry: HalfBye, ZeroBye for those
	// who left and came back, or zero for nothing.
	LateBye Outcome `json:"lateBye,omitempty"`
	Removed bool    `json:"removed,omitempty"` // withdrawn by staff; only staff can readmit it
	Reason  string  `json:"reason,omitempty"`  // why staff refused it, or let it in against a condition
	// Fast marks the upper half of an accelerated Swiss, which has virtual points.
	Fast     bool `json:"fast,omitempty"`
	Expelled bool `json:"expelled,omitempty"` // withdrawn by disqualification
	// Was is the status before the disqualification; zero: Active.
	Was EntryStatus `json:"was,omitempty"`
	// Steward watches the entry's matches; empty: nobody.
	Steward player.ID `json:"steward,omitempty"`
	// Waived holds the demands of fair play that an arbiter waived.
	Waived    []fairplay.Demand `json:"waived,omitempty"`
	EnteredAt time.Time         `json:"enteredAt"`
	// AcceptedAt is when staff accepted the entry, overlooking what absences were known; zero: nobody
	// had to.
	AcceptedAt time.Time `json:"acceptedAt,omitzero"`
	// Team is the team that the entry plays for, Place its place in the team's board order.
	Team  EntryID `json:"team,omitempty"`
	Place int     `json:"place,omitempty"`
	Camp  int     `json:"camp,omitempty"` // the team in a battle, by its place in Battle.Teams from 1
	// Captains are the accounts that act for the entry, which is a team. If it plays for a club of the site, so do Officers:
	// those who name players there. They are read each time with the entry, and not stored with it.
	Captains []player.ID `json:"captains,omitempty"`
	ClubID   club.ID     `json:"clubId,omitempty"` // of a team; empty: none
	Officers []player.ID `json:"-"`
	// FixedBoard is the board of a player who cannot change places; 0: any.
	FixedBoard int `json:"fixedBoard,omitempty"`
	// OverTheBoard is set for somebody with an account who plays at a table of the venue:
	// the results of their boards are entered by hand.
	OverTheBoard bool `json:"overTheBoard,omitempty"`
	// Born is the year of birth declared for age group prizes; 0: none. Only staff and the
	// player see it.
	Born int `json:"born,omitempty"`
	// Report is what the event's report says of them besides.
	Report ReportPlayer `json:"report,omitzero"`
}

// Public returns the entry without what only staff and the player see: reasons, who watches it, a fixed board,
// sex and birth.
func (e Entry) Public() Entry {
	e.Reason, e.Waived, e.Steward, e.FixedBoard, e.Born = "", nil, "", 0, 0
	e.Report.Sex, e.Report.Birth = "", ""
	return e
}

// Brought returns the entry with what a report told of its player. The year of birth is that of age groups, too.
func (e Entry) Brought(p ReportPlayer) Entry {
	e.Report = p
	e.Born = cmp.Or(p.BirthYear(), e.Born)
	return e
}

// IsGuest reports whether the entry has no account behind it.
func (e Entry) IsGuest() bool { return e.Player == "" }

// PlaysHere reports whether the entry's boards become matches of the site.
func (e Entry) PlaysHere() bool { return !e.IsGuest() && !e.OverTheBoard }

// IsPrivate reports whether an entry was requested, or a team invited, and not accepted. Only the player, or the
// team's club, and staff see it.
func (e Entry) IsPrivate() bool {
	return e.Status == Requested || e.Status == Refused || e.Status == Invited
}

// MaySeeEntry reports whether the viewer sees an entry.
func (t *Tournament) MaySeeEntry(v player.Viewer, e Entry) bool {
	return !e.IsPrivate() || e.IsOwn(v) || t.May(v, ActDesk)
}

// isIn reports whether the entry is active or may still become so.
func (e Entry) isIn() bool { return e.Status != Withdrawn && e.Status != Refused }

// TakesPart reports whether the entry can be paired in a round.
func (e Entry) TakesPart(round int) bool {
	return e.Number > 0 && e.From <= round && (e.Status == Active || round <= e.Until)
}

// Entries holds everyone who has entered or asked to, by id.
type Entries []Entry

// Candidate is a player who wants to enter, with what is known about them; of guests, what
// staff say.
type Candidate struct {
	Player player.ID // empty: a guest
	Name   string
	Club   string
	Rating int // as lists show it
	Bot    bool

	Rated int       // current rating; 0: none
	Best  int       // best rating in setting.RatingWindow
	Games int       // rated games
	Since time.Time // of the account
	Clubs []club.ID // that they are a member of

	Barred bool // for recent absences; see Settings.HonourNoShows
	// Standing is how the candidate meets the demands of fair play. Its Waived holds the
	// demands that staff want to waive.
	Standing fairplay.Standing
	Code     string // entry code, as the candidate wrote it
	Another  bool   // is known to be another person than those of the same name
	// OverTheBoard is Entry.OverTheBoard. Nothing is checked at a table, so they are judged
	// as guests are.
	OverTheBoard bool
	Reason       string // why staff let them in against a condition
	Report       ReportPlayer
	Camp         int // the team of a battle that they fight for; 0: whichever has the fewest
}

// Entry returns the entry with an id, or ErrNoEntry.
func (t *Table) Entry(id EntryID) (Entry, error) {
	if i := t.index(id); i >= 0 {
		return t.Entries[i], nil
	}
	return Entry{}, ErrNoEntry
}

// EntryOf returns the entry of a player; false for guests.
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

// index returns the index of an entry; -1: none. No entry is ever removed, so ids are places.
func (l Entries) index(id EntryID) int {
	if i := int(id) - 1; i >= 0 && i < len(l) {
		return i
	}
	return -1
}

// Matches lists all matches on the server, in the order of play.
func (l Rounds) Matches() (ids []match.ID) {
	for _, r := range l {
		ids = append(ids, r.matches()...)
	}
	return ids
}

// Withdraw withdraws an entry. In a running tournament past rounds and a match in play stay,
// and later rounds do without the player; see FieldAfter for the results in a round robin.
// Before the start the place is for the waiting list (Promote).
func (t *Tournament) Withdraw(by player.Viewer, id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActWithdraw) && !t.Entries[i].IsOwn(by) && !t.IsCaptain(by, t.Entries[i].Team):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case !t.Entries[i].isIn():
		return ErrWithdrawn
	}
	e := &t.Entries[i]
	e.Status, e.Removed = Withdrawn, !e.IsOwn(by)
	e.Until = len(t.Rounds)
	if e.Team != 0 {
		t.weigh(e.Team)
	}
	t.judgeLeavers()
	return nil
}

// Readmit readmits a withdrawn entry from the next round. The rounds in between count as
// absences, used byes stay used, and forfeits in a round robin stay.
func (t *Tournament) Readmit(by player.Viewer, id EntryID) error {
	if err := t.MayReadmit(by, id); err != nil {
		return err
	}
	t.readmit(t.index(id))
	return nil
}

// MayReadmit returns nil, or why Readmit refuses.
func (t *Tournament) MayReadmit(by player.Viewer, id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActReadmit):
		return ErrNotAllowed
	}
	return t.readmits(i)
}

// Returns returns nil, or why the player of a withdrawn entry cannot come back by themselves: what
// others have got by their leaving is theirs, unless staff decide otherwise.
func (t *Table) Returns(e Entry) error {
	switch {
	case t.Status.IsOver():
		return ErrFinished
	case e.Removed:
		return ErrShutOut
	case t.Status == Running && e.Number > 0:
		return t.Format.rules().back(t, e)
	case t.Status == Running || t.Settings.Entry.Approval: // they enter like anybody
		return ErrNoEntry
	case t.Origin != nil && t.Origin.SeedOf(e.ID) < 0: // others qualified
		return ErrNoEntry
	}
	return nil
}

// Return lets players who withdrew come back, if Returns allows it, as those enter who have a place
// now. After the start rating limits no longer count, as the tournament itself may have changed
// their rating.
func (t *Tournament) Return(by player.Viewer, c Candidate, now time.Time) error {
	if err := t.MayReturn(by, c, now); err != nil {
		return err
	}
	e, _ := t.EntryOf(by.ID)
	t.readmit(t.index(e.ID))
	return nil
}

// MayReturn returns nil, or why Return refuses.
func (t *Tournament) MayReturn(by player.Viewer, c Candidate, now time.Time) error {
	e, entered := t.EntryOf(by.ID)
	if !entered || c.Player != by.ID {
		return ErrNoEntry
	}
	if err := t.Returns(e); err != nil {
		return err
	}
	c = e.Again(c)
	verdicts := t.Verdicts(c, now)
	if t.Status == Running {
		c.Barred, c.Reason = false, ""
		verdicts = slices.DeleteFunc(verdicts, func(v setting.Verdict) bool {
			return v.Kind == setting.LeastRating || v.Kind == setting.MostRating
		})
	}
	return cmp.Or(t.fits(c, true, verdicts), t.readmits(t.index(e.ID)))
}

// Again returns a candidate who has made the entry before, with what staff overlooked for it.
func (e Entry) Again(c Candidate) Candidate {
	c.Standing.Waived, c.Reason, c.OverTheBoard = e.Waived, e.Reason, e.OverTheBoard
	return c
}

// readmits returns nil, or why an entry cannot be active again.
func (t *Tournament) readmits(i int) error {
	switch {
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status != Withdrawn:
		return ErrEntered
	case t.Entries[i].Expelled, t.Entries[i].isUnanswered():
		return ErrWithdrawn
	case t.Entries[i].Team != 0 && len(t.Roster(t.Entries[i].Team)) >= t.Teams.Boards+t.Teams.Reserves:
		return ErrTeamFull
	case t.Entries[i].Team != 0:
		return nil
	case t.isFull():
		return ErrFull
	case t.Status == Running && t.Entries[i].Number == 0:
		return ErrStarted
	}
	return nil
}

// readmit makes a withdrawn entry active again.
func (t *Tournament) readmit(i int) {
	e := &t.Entries[i]
	e.Status, e.Until, e.Removed = Active, 0, false
	if e.Team != 0 {
		t.weigh(e.Team)
		return
	}
	if t.Status == Running {
		t.markLate(e.ID)
	}
	t.judgeLeavers()
}

// AskBye records a bye in a coming round of a Swiss; NoRecord removes it. Staff give any bye,
// players request them within the limits of the settings.
func (t *Tournament) AskBye(by player.Viewer, id EntryID, round int, kind Outcome) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActBye) && (kind == FullBye || !t.Entries[i].IsOwn(by)):
		return ErrNotAllowed
	case !t.Format.PairsByScore(), t.Entries[i].Team != 0, kind != FullBye && kind != HalfBye && kind != ZeroBye && kind != NoRecord:
		return ErrNoBye
	case t.Status.IsOver():
		return ErrFinished
	case !t.Entries[i].isIn():
		return ErrWithdrawn
	case round <= len(t.Rounds) || round > t.Settings.Rounds:
		return ErrNoBye
	}
	byes := t.Entries[i].byesBeside(round)
	if kind != NoRecord {
		if !t.May(by, ActBye) && !t.byeLeft(t.Entries[i], byes, AskedBye{round, kind}) {
			return ErrByeLimit
		}
		byes = withBye(byes, AskedBye{round, kind})
	}
	t.Entries[i].Byes = byes
	return nil
}

// LeaveOut keeps players out of the next round who may not play at its level for now: with a
// zero-point bye in a Swiss, by forfeit in a table. A bye they already have stays.
func (t *Table) LeaveOut(who func(player.ID) bool) {
	next := len(t.Rounds) + 1
	if len(t.Awaited()) > 0 {
		next = len(t.Rounds) // its boards are to open
	}
	for i := range t.Entries {
		if t.Format.HasTable() && len(t.Entries[i].Byes) > 0 { // byes of an earlier draft; nothing else makes any there
			t.Entries[i].Byes = t.Entries[i].byesBeside(next)
		}
		e := t.Entries[i]
		if _, asked := e.askedBye(next); asked || e.Status != Active || e.Player == "" || !who(e.Player) {
			continue
		}
		t.Entries[i].Byes = withBye(slices.Clone(e.Byes), AskedBye{next, ZeroBye})
	}
}

// byesBeside returns an entry's byes in all other rounds.
func (e Entry) byesBeside(round int) []AskedBye {
	return slices.DeleteFunc(slices.Clone(e.Byes), func(b AskedBye) bool { return b.Round == round })
}

// withBye adds a bye in the order of rounds.
func withBye(byes []AskedBye, b AskedBye) []AskedBye {
	byes = append(byes, b)
	slices.SortFunc(byes, func(a, b AskedBye) int { return a.Round - b.Round })
	return byes
}

// byeLeft reports whether a player may request one more bye. Byes of past rounds count, even
// if the player had left by then, and so do the half points of a late entry.
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
	return half < rules.HalfByes && more.Round <= s.LastHalfBye()
}

// AllowsByes reports whether players may give themselves the byes that an entry has not had.
func (s Settings) AllowsByes(was Entry, byes []AskedBye) bool {
	return !slices.ContainsFunc(byes, func(b AskedBye) bool {
		others := slices.DeleteFunc(slices.Clone(byes), func(x AskedBye) bool { return x.Round == b.Round })
		return !slices.Contains(was.Byes, b) && (b.Kind == FullBye || !s.byeLeft(was, others, b))
	})
}

// MayAskBye returns the kinds of bye that the viewer may request for their entry in a round now.
func (t *Tournament) MayAskBye(by player.Viewer, id EntryID, round int) []Outcome {
	var kinds []Outcome
	for _, kind := range [...]Outcome{ZeroBye, HalfBye} {
		c := *t
		c.Entries = slices.Clone(t.Entries)
		if c.AskBye(by, id, round, kind) == nil && t.AllowsByes(t.Entries[t.index(id)], c.Entries[t.index(id)].Byes) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// askedBye returns the bye that an entry has in a round, and whether there is one.
func (e Entry) askedBye(round int) (Outcome, bool) {
	for _, b := range e.Byes {
		if b.Round == round {
			return b.Kind, true
		}
	}
	return 0, false
}

// Active counts the active sides.
func (l Entries) Active() int {
	n := 0
	for _, e := range l {
		if e.Team == 0 && e.Status == Active {
			n++
		}
	}
	return n
}

// room returns the most active entries.
func (s Settings) room() int {
	most := s.MostPlayers()
	if s.Capacity > 0 {
		most = min(most, s.Capacity)
	}
	return most
}

// isFull reports whether there is no place for another active entry.
func (t *Table) isFull() bool { return t.Active() >= t.room() }
