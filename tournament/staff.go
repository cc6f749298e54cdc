package tournament

import (
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Duty is what somebody is to a tournament. The zero value: nobody in particular.
type Duty uint8

const (
	Owner    Duty = iota + 1 // everything, staff and settings included
	Arbiter                  // runs the rounds, judges matches, corrects results
	Pairings                 // drafts, edits and publishes pairings
	Results                  // enters results
	Reader                   // sees the desk and the log, changes nothing
	Operator                 // of the site: everything, without being staff
)

var dutyNames = [...]string{"", "owner", "arbiter", "pairing", "results", "read-only", "operator"}

func (d Duty) String() string { return nameOf(dutyNames[:], int(d)) }

// Duties are those that can be given to somebody.
var Duties = []Duty{Owner, Arbiter, Pairings, Results, Reader}

// ParseDuty reads the name of a duty that can be given.
func ParseDuty(s string) (Duty, error) {
	i, err := parseName("duty", dutyNames[:Operator], s)
	return Duty(i), err
}

// Member is one of a tournament's staff.
type Member struct {
	Player  player.ID `json:"player"`
	Duty    Duty      `json:"duty"`
	Invited bool      `json:"invited,omitempty"` // has not accepted yet: no rights
	Since   time.Time `json:"since"`
}

// Act is one kind of thing done to a tournament: what the log calls it and what
// the duties allow.
type Act string

// What staff do.
const (
	ActCreate   Act = "create"
	ActImport   Act = "import"
	ActSettings Act = "settings"
	ActStaff    Act = "staff"
	ActOpen     Act = "open-registration"
	ActClose    Act = "end-registration"
	ActStage    Act = "stage"  // who has qualified goes on, or is taken anew
	ActEnter    Act = "enter"  // an entry, one's own or another's
	ActAccept   Act = "accept" // a request, or somebody who waits
	ActRefuse   Act = "refuse"
	ActWaive    Act = "waive" // a demand of fair play, with the entry that lacks it
	ActPolicy   Act = "policy"
	ActVenue    Act = "venue" // which network the event is played in, named or forgotten
	ActWithdraw Act = "withdraw"
	ActReadmit  Act = "readmit"
	ActBye      Act = "bye"
	ActFixBoard Act = "fix-board" // of a player who cannot move about
	ActPrizes   Act = "prizes"    // what there is to win
	ActDeclare  Act = "declare"   // the year a player was born in, for prizes
	ActStart    Act = "start"
	ActPair     Act = "pair"
	ActResult   Act = "result" // by hand, where none stands yet
	ActFinish   Act = "finish"
	ActLink     Act = "link"    // a guest to their account, and a match between two
	ActExport   Act = "export"  // the whole log, for another site; never in a log
	ActCalls    Act = "calls"   // to take and settle players' calls, and to talk on matches; never in a log
	ActMatch    Act = "match"   // to act in a live match; in the match's log only
	ActReopen   Act = "reopen"  // a match that is over goes on
	ActReplay   Act = "replay"  // a match is void and played again
	ActScreen   Act = "screen"  // what a venue's screens show; its reason is the screen's name
	ActDoor     Act = "door"    // the short address by which people come in, opened or closed
	ActSteward  Act = "steward" // who watches whose matches
	ActReview   Act = "review"  // concerns about players; never in a log
	ActWatch    Act = "watch"   // matches as they stand, and what was noticed in them; never in a log

	ActHide       Act = "hide"    // back from registration to draft
	ActUnstart    Act = "unstart" // back to registration
	ActDraft      Act = "draft"   // to make, change or discard one
	ActPublish    Act = "publish" // now, or when
	ActForbid     Act = "forbid"  // and to allow again
	ActRepair     Act = "re-pair" // boards of the open round
	ActUnpair     Act = "unpair"
	ActCorrect    Act = "correct"
	ActExpel      Act = "expel"
	ActReinstate  Act = "reinstate"
	ActUnfinish   Act = "unfinish" // a finished tournament goes on
	ActFinalize   Act = "finalize"
	ActUnfinalize Act = "unfinalize"

	ActDesk     Act = "desk" // to see what only staff see; never in a log
	ActAnnounce Act = "announce"
	ActModerate Act = "moderate" // the chat: posts taken away, players muted, open or not
)

// What the site does by itself.
const (
	ActLineUps  Act = "line-ups" // laid open
	ActRecord   Act = "record"   // the result of a match
	ActConclude Act = "conclude"
	ActStuck    Act = "stuck"
	ActRate     Act = "rate"
	ActErase    Act = "erase" // an account: its name goes
)

// mayAct is what the duties below owner may do; an owner and an operator may
// do everything.
var mayAct = map[Act][]Duty{
	ActOpen:     {Arbiter},
	ActClose:    {Arbiter},
	ActEnter:    {Arbiter},
	ActStage:    {Arbiter},
	ActWaive:    {Arbiter},
	ActPolicy:   {},
	ActVenue:    {Arbiter},
	ActAccept:   {Arbiter},
	ActRefuse:   {Arbiter},
	ActWithdraw: {Arbiter},
	ActReadmit:  {Arbiter},
	ActBye:      {Arbiter, Pairings},
	ActFixBoard: {Arbiter, Pairings},
	ActPrizes:   {},
	ActDeclare:  {Arbiter},
	ActStart:    {Arbiter},
	ActPair:     {Arbiter, Pairings},
	ActResult:   {Arbiter, Results},
	ActFinish:   {Arbiter},
	ActLink:     {Arbiter},
	ActExport:   {Arbiter},
	ActCalls:    {Arbiter},
	ActMatch:    {Arbiter},
	ActReopen:   {Arbiter},
	ActReplay:   {Arbiter},
	ActCheckIn:  {Arbiter, Pairings},
	ActPause:    {Arbiter},
	ActAppeal:   {Arbiter},
	ActPostpone: {Arbiter},
	ActAnnounce: {Arbiter, Pairings},
	ActModerate: {Arbiter},
	ActScreen:   {Arbiter, Pairings},
	ActDoor:     {Arbiter},

	ActHide:       {Arbiter},
	ActUnstart:    {Arbiter},
	ActDraft:      {Arbiter, Pairings},
	ActPublish:    {Arbiter, Pairings},
	ActForbid:     {Arbiter, Pairings},
	ActRepair:     {Arbiter, Pairings},
	ActUnpair:     {Arbiter},
	ActCorrect:    {Arbiter},
	ActExpel:      {Arbiter},
	ActReinstate:  {Arbiter},
	ActUnfinish:   {Arbiter},
	ActFinalize:   {Arbiter},
	ActUnfinalize: {Arbiter},

	ActDesk:     {Arbiter, Pairings, Results, Reader},
	ActWatch:    {Arbiter},
	ActSteward:  {Arbiter},
	ActReview:   {Arbiter},
	ActSettings: {},
	ActStaff:    {},
}

// StaffActs are the acts that a duty can allow, in no order.
func StaffActs() []Act {
	acts := make([]Act, 0, len(mayAct))
	for a := range mayAct {
		acts = append(acts, a)
	}
	slices.Sort(acts)
	return acts
}

// DutiesFor are the duties that allow an act, an owner's first.
func DutiesFor(a Act) []Duty { return append([]Duty{Owner}, mayAct[a]...) }

// DutyOf is what the viewer is to the tournament, by what they were given here or
// by their role in its club, whichever allows more; an invitation gives nothing.
func (t *Staffed) DutyOf(v player.Viewer) Duty {
	duty := t.clubDutyOf(v)
	for _, m := range t.Staff {
		if v.Is(m.Player) && !m.Invited && (duty == 0 || m.Duty < duty) {
			duty = m.Duty
		}
	}
	switch {
	case duty != 0:
		return duty
	case v.MayOperate():
		return Operator
	}
	return 0
}

// clubDutyOf: who directs a club owns what is held in its name, and its arbiters
// are arbiters there.
func (t *Staffed) clubDutyOf(v player.Viewer) Duty {
	for _, m := range t.ClubStaff {
		switch plain := (player.Viewer{Player: player.Player{ID: v.ID, Role: player.Plain}}); {
		case !v.Is(m.Player) || m.Club != t.ClubID:
		case club.May(plain, m.Role, club.ActDirect):
			return Owner
		case club.May(plain, m.Role, club.ActJudge):
			return Arbiter
		}
	}
	return 0
}

// May reports whether the viewer's duty allows an act. What a player does to their
// own entry is judged by the method that does it.
func (t *Staffed) May(v player.Viewer, a Act) bool {
	allowed, known := mayAct[a]
	if !known {
		panic(fmt.Sprintf("no row for the act %q", a))
	}
	switch d := t.DutyOf(v); d {
	case 0:
		return false
	case Owner, Operator:
		return true
	default:
		return slices.Contains(allowed, d) || v.MayOperate()
	}
}

// MaySee reports whether the viewer sees this tournament at all: drafts and
// rehearsals are for the staff.
func (t *Staffed) MaySee(v player.Viewer) bool {
	return t.Status != Draft && t.Rehearsal == "" || t.May(v, ActDesk) || t.invites(v)
}

func (t *Staffed) invites(v player.Viewer) bool {
	return slices.ContainsFunc(t.Staff, func(m Member) bool { return v.Is(m.Player) && m.Invited })
}

// What staff cannot be.
var (
	ErrLastOwner  = refusal.Conflict("staff.error.last-owner", "tournament: somebody has to own it")
	ErrNotStaff   = refusal.Conflict("staff.error.not-staff", "tournament: not of its staff")
	ErrStaffTwice = refusal.Conflict("staff.error.twice", "tournament: has that duty already")
)

// Appoint gives a player a duty: an invitation that they accept, or at once
// another duty where they are staff already. The last owner stays owner.
func (t *Staffed) Appoint(by player.Viewer, id player.ID, d Duty, now time.Time) error {
	if !t.May(by, ActStaff) {
		return ErrNotAllowed
	}
	if !slices.Contains(Duties, d) {
		return fmt.Errorf("no such duty: %d", d)
	}
	i := t.member(id)
	switch {
	case i < 0:
		t.Staff = append(slices.Clone(t.Staff), Member{Player: id, Duty: d, Invited: !by.Is(id), Since: now})
		return nil
	case t.Staff[i].Duty == d:
		return ErrStaffTwice
	case d != Owner && t.isLastOwner(i):
		return ErrLastOwner
	}
	t.Staff = slices.Clone(t.Staff)
	t.Staff[i].Duty = d
	return nil
}

// AcceptDuty takes an invitation up.
func (t *Staffed) AcceptDuty(by player.Viewer, now time.Time) error {
	i := t.member(by.ID)
	if i < 0 || !t.Staff[i].Invited {
		return ErrNotStaff
	}
	t.Staff = slices.Clone(t.Staff)
	t.Staff[i].Invited, t.Staff[i].Since = false, now
	return nil
}

// Dismiss ends a duty or an invitation: by an owner, or by whose it is.
func (t *Staffed) Dismiss(by player.Viewer, id player.ID) error {
	i := t.member(id)
	switch {
	case !by.Is(id) && !t.May(by, ActStaff):
		return ErrNotAllowed
	case i < 0:
		return ErrNotStaff
	case t.isLastOwner(i):
		return ErrLastOwner
	}
	t.Staff = slices.Delete(slices.Clone(t.Staff), i, i+1)
	return nil
}

// OnlyArbiter is who alone can judge in the tournament; nobody when several can.
func (t *Staffed) OnlyArbiter() []player.ID {
	var judges []player.ID
	for _, m := range t.Staff {
		if !m.Invited && m.Duty <= Arbiter {
			judges = append(judges, m.Player)
		}
	}
	if len(judges) != 1 {
		return nil
	}
	return judges
}

// Admits is nil, or a *fairplay.UnmetError of what somebody lacks to play in the
// tournament; the word of its only arbiter does not count. own: they ask themselves.
func (t *Staffed) Admits(s fairplay.Standing, own bool) error {
	policy := t.Policy.OrOpen()
	return policy.Admit(policy.Counted(s, t.OnlyArbiter()...), own)
}

func (t *Staffed) member(id player.ID) int {
	return slices.IndexFunc(t.Staff, func(m Member) bool { return m.Player == id })
}

// isLastOwner reports whether nobody else has accepted to own the tournament.
func (t *Staffed) isLastOwner(i int) bool {
	return t.Staff[i].Duty == Owner && !t.Staff[i].Invited && !slices.ContainsFunc(t.Staff, func(m Member) bool {
		return m.Player != t.Staff[i].Player && m.Duty == Owner && !m.Invited
	})
}
