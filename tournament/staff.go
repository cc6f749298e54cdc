package tournament

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
)

// Duty is the role of a person in a tournament. The zero value is none.
type Duty uint8

const (
	Owner    Duty = iota + 1 // may do everything, including staff and settings
	Arbiter                  // runs the rounds, judges matches, corrects results
	Pairings                 // drafts, edits and publishes pairings
	Results                  // enters results
	Reader                   // sees the desk and the log
	Operator                 // runs the site; may do everything without being staff
)

var dutyNames = [...]string{"", "owner", "arbiter", "pairing", "results", "read-only", "operator"}

func (d Duty) String() string { return nameOf(dutyNames[:], d) }

// Duties lists the duties that can be given.
var Duties = []Duty{Owner, Arbiter, Pairings, Results, Reader}

// ParseDuty reads the name of a duty that can be given.
func ParseDuty(s string) (Duty, error) { return parseName[Duty]("duty", dutyNames[:Operator], s) }

// Member is one of a tournament's staff.
type Member struct {
	Player  player.ID `json:"player"`
	Duty    Duty      `json:"duty"`
	Invited bool      `json:"invited,omitempty"` // not accepted yet, so without rights
	Since   time.Time `json:"since"`
}

// IsInvited reports whether somebody has not answered yet.
func (t *Tournament) IsInvited(id player.ID) bool {
	return slices.ContainsFunc(t.Staff, func(m Member) bool { return m.Player == id && m.Invited })
}

// Act is a kind of action on a tournament. The log names it, and duties allow it. Acts that
// change nothing in the tournament are never in its log.
type Act string

// Acts of staff.
const (
	ActCreate   Act = "create"
	ActImport   Act = "import"
	ActSettings Act = "settings"
	ActStaff    Act = "staff"
	ActOpen     Act = "open-registration"
	ActClose    Act = "end-registration"
	ActStage    Act = "stage"  // take qualified players to a later stage, or take them again
	ActEnter    Act = "enter"  // one's own entry or another's
	ActAccept   Act = "accept" // a requested, waiting or refused entry
	ActRefuse   Act = "refuse"
	ActWaive    Act = "waive" // demands of fair play, when entering somebody
	ActPolicy   Act = "policy"
	ActVenue    Act = "venue" // name or forget the network that the event is played in
	ActWithdraw Act = "withdraw"
	ActReadmit  Act = "readmit"
	ActBye      Act = "bye"
	ActFixBoard Act = "fix-board" // of a player who cannot change places
	// ActParticulars corrects the name, rating or club of an entry.
	ActParticulars Act = "correct-entry"
	ActPrizes      Act = "prizes"
	ActDeclare     Act = "declare" // a player's year of birth, for prizes
	ActReport      Act = "report"  // what the head of its report tells
	ActStart       Act = "start"
	ActPair        Act = "pair"
	ActResult      Act = "result" // enter one by hand on a board without one
	ActFinish      Act = "finish"
	ActLink        Act = "link"    // a guest to an account, or open the match of a board
	ActExport      Act = "export"  // the whole log, for another site; not logged
	ActCalls       Act = "calls"   // take and settle players' calls, talk on matches; not logged
	ActMatch       Act = "match"   // act in a live match; only in the match's log
	ActReopen      Act = "reopen"  // continue a finished match
	ActReplay      Act = "replay"  // void a match and play it again
	ActScreen      Act = "screen"  // what a venue's screens show; the logged reason is the screen's name
	ActDoor        Act = "door"    // open or close the short address for entering (package venue)
	ActSteward     Act = "steward" // who watches whose matches
	ActReview      Act = "review"  // concerns about players; not logged
	ActWatch       Act = "watch"   // matches without delay, and what was noticed in them; not logged

	ActHide         Act = "hide"    // back from registration to draft
	ActUnstart      Act = "unstart" // back to registration
	ActDraft        Act = "draft"   // make, change or discard one
	ActPublish      Act = "publish" // now or later
	ActForbid       Act = "forbid"  // or allow again
	ActRepair       Act = "re-pair" // boards of the open round
	ActUnpair       Act = "unpair"
	ActCorrect      Act = "correct"
	ActExpel        Act = "expel"
	ActForfeitMatch Act = "forfeit-match" // of teams, without its boards
	ActReinstate    Act = "reinstate"
	ActUnfinish     Act = "unfinish" // reopen a finished tournament
	ActFinalize     Act = "finalize"
	ActUnfinalize   Act = "unfinalize"

	ActDesk     Act = "desk" // see what only staff see; not logged
	ActAnnounce Act = "announce"
	ActModerate Act = "moderate" // the chat: remove posts, mute players, open or close it
)

// Acts of the site itself.
const (
	ActLineUps  Act = "line-ups" // publish them
	ActRecord   Act = "record"   // the result of a match
	ActConclude Act = "conclude"
	ActStuck    Act = "stuck"
	ActRate     Act = "rate"
	ActErase    Act = "erase" // the name of a deleted account
)

// ActLineUp is a captain's: to hand in a line-up, which stays sealed.
const ActLineUp Act = "line-up"

// ActPlayHere is a player's own: to play on the site, not over the board.
const ActPlayHere Act = "play-here"

// mayAct lists the duties that allow each act, besides owner and operator, who may do all.
var mayAct = map[Act][]Duty{
	ActOpen:        {Arbiter},
	ActClose:       {Arbiter},
	ActEnter:       {Arbiter},
	ActStage:       {Arbiter},
	ActWaive:       {Arbiter},
	ActPolicy:      {},
	ActVenue:       {Arbiter},
	ActAccept:      {Arbiter},
	ActRefuse:      {Arbiter},
	ActWithdraw:    {Arbiter},
	ActReadmit:     {Arbiter},
	ActBye:         {Arbiter, Pairings},
	ActFixBoard:    {Arbiter, Pairings},
	ActParticulars: {Arbiter},
	ActPrizes:      {},
	ActDeclare:     {Arbiter},
	ActReport:      {Arbiter},
	ActStart:       {Arbiter},
	ActPair:        {Arbiter, Pairings},
	ActResult:      {Arbiter, Results},
	ActFinish:      {Arbiter},
	ActLink:        {Arbiter},
	ActExport:      {Arbiter},
	ActCalls:       {Arbiter},
	ActMatch:       {Arbiter},
	ActReopen:      {Arbiter},
	ActReplay:      {Arbiter},
	ActCheckIn:     {Arbiter, Pairings},
	ActPause:       {Arbiter},
	ActAppeal:      {Arbiter},
	ActPostpone:    {Arbiter},
	ActExtend:      {Arbiter},
	ActRounds:      {Arbiter},
	ActAnnounce:    {Arbiter, Pairings},
	ActModerate:    {Arbiter},
	ActScreen:      {Arbiter, Pairings},
	ActDoor:        {Arbiter},

	ActHide:         {Arbiter},
	ActUnstart:      {Arbiter},
	ActDraft:        {Arbiter, Pairings},
	ActPublish:      {Arbiter, Pairings},
	ActForbid:       {Arbiter, Pairings},
	ActRepair:       {Arbiter, Pairings},
	ActUnpair:       {Arbiter},
	ActCorrect:      {Arbiter},
	ActExpel:        {Arbiter},
	ActForfeitMatch: {Arbiter},
	ActReinstate:    {Arbiter},
	ActUnfinish:     {Arbiter},
	ActFinalize:     {Arbiter},
	ActUnfinalize:   {Arbiter},

	ActDesk:     {Arbiter, Pairings, Results, Reader},
	ActWatch:    {Arbiter},
	ActSteward:  {Arbiter},
	ActReview:   {Arbiter},
	ActSettings: {},
	ActStaff:    {},
}

// StaffActs lists the acts that a duty can allow, sorted by name.
func StaffActs() []Act { return slices.Sorted(maps.Keys(mayAct)) }

// DutiesFor lists the duties that allow an act, Owner first.
func DutiesFor(a Act) []Duty { return append([]Duty{Owner}, mayAct[a]...) }

// Allows reports whether a duty allows an act. It panics if mayAct lacks the act.
func Allows(d Duty, a Act) bool {
	allowed, known := mayAct[a]
	if !known {
		panic(fmt.Sprintf("no row for the act %q", a))
	}
	return d == Owner || d == Operator || slices.Contains(allowed, d)
}

// DutyOf returns the viewer's duty: the one they have as a player, or Operator for those who run
// the site.
func (t *Tournament) DutyOf(v player.Viewer) Duty {
	if v.AsPlayer {
		return 0
	}
	duty := t.GivenDuty(v.ID)
	if duty == 0 && v.MayOperate() {
		return Operator
	}
	return duty
}

// GivenDuty returns a player's duty apart from their role on the site: the one given here or the
// one from their role in the club, whichever allows more. An invitation gives none until it is
// accepted.
func (t *Tournament) GivenDuty(id player.ID) Duty {
	duty := t.clubDuty(id)
	for _, m := range t.Staff {
		if m.Player == id && !m.Invited && (duty == 0 || m.Duty < duty) {
			duty = m.Duty
		}
	}
	return duty
}

// clubDuty returns the duty that a role in the club gives: its directors own its tournaments,
// and its arbiters are arbiters there.
func (t *Tournament) clubDuty(id player.ID) Duty {
	for _, m := range t.ClubStaff {
		switch {
		case m.Player != id || m.Club != t.ClubID:
		case club.Allows(m.Role, club.ActDirect):
			return Owner
		case club.Allows(m.Role, club.ActJudge):
			return Arbiter
		}
	}
	return 0
}

// May reports whether the viewer's duty allows an act. What players may do to their own entries
// is up to the methods that do it. It panics if mayAct lacks the act.
func (t *Tournament) May(v player.Viewer, a Act) bool {
	return Allows(t.DutyOf(v), a) || v.MayOperate()
}

// MaySee reports whether the viewer sees the tournament at all. Only staff and those invited
// see drafts and rehearsals.
func (t *Tournament) MaySee(v player.Viewer) bool {
	return t.Status != Draft && t.Rehearsal == "" || t.May(v, ActDesk) || t.invites(v)
}

// invites reports whether the viewer has an open invitation to the staff.
func (t *Tournament) invites(v player.Viewer) bool {
	return slices.ContainsFunc(t.Staff, func(m Member) bool { return v.Is(m.Player) && m.Invited })
}

// Refusals about staff.
var (
	ErrLastOwner  = refusal.Conflict("staff.error.last-owner", "tournament: it needs an owner")
	ErrNotStaff   = refusal.Conflict("staff.error.not-staff", "tournament: not a member of staff")
	ErrStaffTwice = refusal.Conflict("staff.error.twice", "tournament: already has that duty")
)

// Appoint invites a player to a duty, or changes the duty of a member of staff at once. The
// last owner stays owner.
func (t *Tournament) Appoint(by player.Viewer, id player.ID, d Duty, now time.Time) error {
	i, err := t.member(id), t.MayAppoint(by, id)
	switch {
	case i >= 0 && t.Staff[i].Duty == d && t.May(by, ActStaff):
		return ErrStaffTwice
	case err != nil:
		return err
	case !slices.Contains(Duties, d):
		return fmt.Errorf("no such duty: %d", d)
	case i < 0:
		t.Staff = append(slices.Clone(t.Staff), Member{Player: id, Duty: d, Invited: !by.Is(id), Since: now})
		return nil
	}
	t.Staff = slices.Clone(t.Staff)
	t.Staff[i].Duty = d
	return nil
}

// MayAppoint returns nil, or why Appoint refuses to give a player another duty.
func (t *Tournament) MayAppoint(by player.Viewer, id player.ID) error {
	switch i := t.member(id); {
	case !t.May(by, ActStaff):
		return ErrNotAllowed
	case i >= 0 && t.isLastOwner(i):
		return ErrLastOwner
	}
	return nil
}

// AcceptDuty accepts an invitation.
func (t *Tournament) AcceptDuty(by player.Viewer, now time.Time) error {
	i := t.member(by.ID)
	if i < 0 || !t.Staff[i].Invited {
		return ErrNotStaff
	}
	t.Staff = slices.Clone(t.Staff)
	t.Staff[i].Invited, t.Staff[i].Since = false, now
	return nil
}

// Dismiss ends a duty or an invitation. Owners dismiss anybody, others themselves.
func (t *Tournament) Dismiss(by player.Viewer, id player.ID) error {
	if err := t.MayDismiss(by, id); err != nil {
		return err
	}
	i := t.member(id)
	t.Staff = slices.Delete(slices.Clone(t.Staff), i, i+1)
	return nil
}

// MayDismiss returns nil, or why Dismiss refuses.
func (t *Tournament) MayDismiss(by player.Viewer, id player.ID) error {
	i := t.member(id)
	switch {
	case !by.Is(id) && !t.May(by, ActStaff):
		return ErrNotAllowed
	case i < 0:
		return ErrNotStaff
	case t.isLastOwner(i):
		return ErrLastOwner
	}
	return nil
}

// OnlyArbiter returns the one arbiter or owner; nobody if there are several.
func (t *Tournament) OnlyArbiter() []player.ID {
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

// Admits returns nil, or a *fairplay.UnmetError with what somebody lacks to play. Attestations
// by the only arbiter do not count. own says that players ask for themselves.
func (t *Tournament) Admits(s fairplay.Standing, own bool) error {
	policy := t.Policy.OrOpen()
	return policy.Admit(policy.Counted(s, t.OnlyArbiter()...), own)
}

// member returns the index of a player in Staff; -1: none.
func (t *Tournament) member(id player.ID) int {
	return slices.IndexFunc(t.Staff, func(m Member) bool { return m.Player == id })
}

// isLastOwner reports whether a member is the only owner who has accepted.
func (t *Tournament) isLastOwner(i int) bool {
	return t.Staff[i].Duty == Owner && !t.Staff[i].Invited && !slices.ContainsFunc(t.Staff, func(m Member) bool {
		return m.Player != t.Staff[i].Player && m.Duty == Owner && !m.Invited
	})
}
