package tournament

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/tournament/setting"
)

// Entering returns the status an entry made now would get: Active, Waiting if all places
// are taken, or Requested if staff have to accept it. Otherwise it returns why the candidate
// cannot enter; a *setting.Unmet or *fairplay.UnmetError names what they lack. Players
// enter themselves while registration is open, and late if the settings allow it. Staff
// enter anybody, earlier and later too, and against a condition if they give a reason.
func (t *Tournament) Entering(by player.Viewer, c Candidate, now time.Time) (EntryStatus, error) {
	isStaff := t.May(by, ActEnter)
	if !isStaff && !by.Is(c.Player) {
		return 0, ErrNotAllowed
	}
	if t.HasTeams() {
		return 0, ErrInTeams
	}
	if err := t.admits(isStaff, now); err != nil {
		return 0, err
	}
	if e, entered := t.EntryOf(c.Player); entered {
		switch {
		case e.Number > 0 || e.isIn():
			return 0, ErrEntered
		case !isStaff && (e.Status == Refused || e.Removed):
			return 0, ErrShutOut
		}
	}
	rules := t.Settings.Entry
	if !isStaff && rules.Code != "" && fold.Code(c.Code) != fold.Code(rules.Code) {
		return 0, ErrCode
	}
	if len(c.Standing.Waived) > 0 && !t.May(by, ActWaive) {
		return 0, ErrNotAllowed
	}
	c.Barred = c.Barred && !isStaff
	if !isStaff {
		c.Reason = ""
	}
	if err := t.Fits(c, by.Is(c.Player), now); err != nil {
		return 0, err
	}
	switch {
	case len(t.Entries) >= 2*MaxPlayers:
		return 0, ErrFull
	case rules.Approval && !isStaff:
		return Requested, nil
	case !t.isFull():
		return Active, nil
	case t.Status == Running:
		return 0, ErrFull
	}
	return Waiting, nil
}

// Fits returns nil, or why a candidate cannot have a place now, whoever gives it to them: a
// *setting.Unmet, unless staff gave a reason, player.ErrBarred or a *fairplay.UnmetError. own
// says that they ask for themselves.
func (t *Tournament) Fits(c Candidate, own bool, now time.Time) error {
	return t.fits(c, own, t.Verdicts(c, now))
}

func (t *Tournament) fits(c Candidate, own bool, verdicts []setting.Verdict) error {
	if bad := setting.Failed(verdicts); len(bad) > 0 && strings.TrimSpace(c.Reason) == "" {
		return &setting.Unmet{Failed: bad}
	}
	if t.HonourNoShows && c.Barred {
		return player.ErrBarred
	}
	if c.OverTheBoard {
		c.Standing = fairplay.Standing{Human: true}
	}
	return t.Admits(c.Standing, own)
}

// OpenTo reports whether the candidate could enter an announced tournament right away,
// without a code or approval. It takes the number of entries, so that lists of tournaments
// need not load them.
func (t *Tournament) OpenTo(c Candidate, entries int, now time.Time) bool {
	return t.Status == Registration && t.IsOpen(now) && !t.HasTeams() && t.Settings.Entry.Code == "" && entries < t.room() &&
		t.Fits(c, true, now) == nil
}

// FreePlaces returns the places left beside a number of entries. It reports false if there
// is no limit worth mentioning.
func (s Settings) FreePlaces(entries int) (int, bool) {
	if s.Capacity == 0 && s.MostPlayers() > MaxRoundRobinPlayers {
		return 0, false
	}
	return max(0, s.room()-entries), true
}

// StartsAt returns when a tournament started or is due to start; zero: when staff start it.
func (t *Tournament) StartsAt() time.Time {
	if !t.StartedAt.IsZero() {
		return t.StartedAt
	}
	at, _ := t.plannedAt(1)
	return at
}

// admits returns nil, or why nobody can enter now.
func (t *Tournament) admits(isStaff bool, now time.Time) error {
	switch t.Status {
	case Draft:
		if !isStaff {
			return ErrNotOpen
		}
	case Registration:
		switch {
		case t.Origin.IsAwaited():
			return ErrGroupsPlay
		case isStaff || t.IsOpen(now):
		case now.Before(t.Settings.Entry.Opens):
			return ErrNotOpen
		default:
			return ErrClosed
		}
	case Running:
		return t.Format.rules().late(t, isStaff, now)
	default:
		return ErrFinished
	}
	return nil
}

// Register enters a candidate, with the status that Entering returns.
func (t *Tournament) Register(by player.Viewer, c Candidate, now time.Time) (Entry, error) {
	status, err := t.Entering(by, c, now)
	if err != nil {
		return Entry{}, err
	}
	if c.Name, c.Club, err = t.named(c, 0); err != nil {
		return Entry{}, err
	}
	if err := checkReason(c.Reason); err != nil {
		return Entry{}, err
	}
	camp, err := t.campFor(c)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{
		ID: EntryID(len(t.Entries) + 1), Player: c.Player, Name: c.Name, Club: c.Club,
		Rating: max(0, c.Rating), Bot: c.Bot, Status: status, From: t.nextRound(), EnteredAt: now,
		Waived: slices.Clone(c.Standing.Waived), OverTheBoard: c.OverTheBoard && t.Format.InRounds(), Camp: camp,
	}
	e = e.Brought(c.Report)
	if len(setting.Failed(t.Verdicts(c, now))) > 0 {
		e.Reason = strings.TrimSpace(c.Reason)
	}
	if old, again := t.EntryOf(c.Player); again {
		e.ID = old.ID
		if t.Status == Running {
			e.LateBye = ZeroBye // no half-point byes for those who left and come back
		}
		t.Entries[t.index(old.ID)] = e
	} else {
		t.Entries = append(t.Entries, e)
	}
	if status == Active {
		t.seat(t.index(e.ID))
	}
	return t.Entries[t.index(e.ID)], nil
}

// seat makes an entry active; in a running tournament it becomes a late entry.
func (t *Tournament) seat(i int) {
	e := &t.Entries[i]
	e.Status, e.From = Active, t.nextRound()
	if t.Status != Running {
		return
	}
	if e.LateBye == NoRecord && e.From <= t.Settings.Entry.LateUntil {
		e.LateBye = t.Settings.Entry.LateBye
	}
	t.numberLate(e.ID)
	t.markLate(e.ID)
}

// Accept admits an entry that is requested, waiting or refused. If all places are taken
// before the start, the entry joins the waiting list by its time of entry. The reason is why it is
// accepted against a condition, or empty.
func (t *Tournament) Accept(by player.Viewer, id EntryID, reason string, now time.Time) error {
	if err := cmp.Or(t.MayAccept(by, id, now), checkReason(reason)); err != nil {
		return err
	}
	i := t.index(id)
	t.Entries[i].Reason, t.Entries[i].AcceptedAt = strings.TrimSpace(reason), now
	if t.isFull() {
		t.Entries[i].Status = Waiting
		return nil
	}
	t.admit(i, now)
	return nil
}

// MayAccept returns nil, or why Accept refuses.
func (t *Tournament) MayAccept(by player.Viewer, id EntryID, now time.Time) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActAccept):
		return ErrNotAllowed
	}
	if err := t.admits(true, now); err != nil {
		return err
	}
	switch s := t.Entries[i].Status; {
	case t.Entries[i].Team != 0: // see AcceptMate
		return ErrNoTeam
	case s == Active:
		return ErrEntered
	case s == Withdrawn:
		return ErrWithdrawn
	case t.Entries[i].isUnanswered(): // see AnswerInvitation
		return ErrNoRequest
	case (s == Waiting || t.Status == Running) && t.isFull():
		return ErrFull
	}
	return nil
}

// Refuse turns down an entry that is requested or waiting. The player sees the reason and
// cannot enter again.
func (t *Tournament) Refuse(by player.Viewer, id EntryID, reason string) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActRefuse):
		return ErrNotAllowed
	case t.Entries[i].Status != Requested && t.Entries[i].Status != Waiting:
		return ErrNoRequest
	}
	if err := checkReason(reason); err != nil {
		return err
	}
	t.Entries[i].Status, t.Entries[i].Reason = Refused, strings.TrimSpace(reason)
	return nil
}

func checkReason(reason string) error {
	if utf8.RuneCountInString(reason) > MaxReason || !player.IsText(reason) {
		return ErrBadReason
	}
	return nil
}

// WaitingList returns the waiting entries, the longest wait first.
func (l Entries) WaitingList() []Entry {
	var list []Entry
	for _, e := range l {
		if e.Status == Waiting {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Or(a.EnteredAt.Compare(b.EnteredAt), cmp.Compare(a.ID, b.ID)) })
	return list
}

// WaitingPlace returns an entry's place on the waiting list, from 1; 0: not on it.
func (l Entries) WaitingPlace(id EntryID) int {
	return slices.IndexFunc(l.WaitingList(), func(e Entry) bool { return e.ID == id }) + 1
}

// Promote gives free places to waiting entries that still fit. It returns those who are passed
// over, and keep their place on the list. After the start only Accept gives places.
func (t *Tournament) Promote(fits func(Entry) bool, now time.Time) (passed []Entry) {
	if t.BeforeStart() != nil {
		return nil
	}
	for _, e := range t.WaitingList() {
		switch {
		case t.isFull():
			return passed
		case !fits(e):
			passed = append(passed, e)
		default:
			t.admit(t.index(e.ID), now)
		}
	}
	return passed
}

// admit seats an entry that had to wait. If the window of the check-in is open already, the entry is
// checked in: it could not have done so before.
func (t *Tournament) admit(i int, now time.Time) {
	t.seat(i)
	if w, known := t.CheckInWindow(); known && !now.Before(w.Opens) {
		t.mark(i, w.Round, true)
	}
}

// HasDoor reports whether people without an account can play, so that the event can have a
// door (package venue).
func (s Settings) HasDoor() bool {
	return s.Policy.OrOpen().Level < fairplay.Declared && !s.MembersOnly && !s.HasTeams()
}
