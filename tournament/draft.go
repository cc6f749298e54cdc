package tournament

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// RoundDraft is the next round, paired but not yet published. Only staff see it. Byes that
// were requested or given are kept with the entries.
type RoundDraft struct {
	Number    int          `json:"number"`
	Boards    []DraftBoard `json:"boards"`
	Bye       EntryID      `json:"bye,omitempty"`   // who has the pairing-allocated bye or, in a round robin, rests; 0: nobody
	Apart     [][2]EntryID `json:"apart,omitempty"` // pairs kept apart in this draft
	Engine    string       `json:"engine"`
	Edited    bool         `json:"edited,omitempty"` // differs from what the system gives
	By        player.ID    `json:"by,omitempty"`     // empty: the site
	At        time.Time    `json:"at"`
	PublishAt time.Time    `json:"publishAt,omitzero"` // zero: by hand
	Known     []Objection  `json:"known,omitempty"`    // what its boards break because the system or an edit chose so
	Basis     string       `json:"basis,omitempty"`    // hash of the results it was paired from; empty: unknown, or they do not matter
}

// DraftBoard is two sides who are to meet. A fixed board stays when the rest is paired
// again.
type DraftBoard struct {
	First  EntryID `json:"first"`
	Second EntryID `json:"second"`
	Fixed  bool    `json:"fixed,omitempty"`
}

// Objection is a rule that a board of a pairing breaks.
type Objection struct {
	// Rule is C1 (have met), C2 (a second bye), C3 (both claim the same seat), forbidden,
	// wish, seats (reversed by the rules), or table; or, without numbers, the criterion by
	// which the whole pairing is worse than the system's: C5…C21, order (as good, but not the
	// first).
	Rule   string `json:"rule"`
	First  int    `json:"first"` // numbers; Second 0: First has the bye
	Second int    `json:"second,omitempty"`
	Round  int    `json:"round,omitempty"` // C1: when they met
}

// Refusals of drafts.
var (
	ErrDraftOpen    = refusal.Conflict("desk.error.draft-open", "tournament: a draft is waiting to be published")
	ErrNoDraft      = refusal.Conflict("desk.error.no-draft", "tournament: no round is drafted")
	ErrDraftUnfit   = refusal.Conflict("desk.error.draft-unfit", "tournament: the draft does not hold every player exactly once")
	ErrDraftStale   = refusal.Conflict("desk.error.draft-stale", "tournament: results have changed since the draft was paired")
	ErrDraftDue     = refusal.Kindred(ErrDraftStale, "desk.error.draft-due", "tournament: other boards are due since the draft was made")
	ErrDraftRounds  = refusal.Kindred(ErrDraftStale, "desk.error.draft-rounds", "tournament: the number of rounds has changed since the draft was paired")
	ErrDraftNumbers = refusal.Kindred(ErrDraftStale, "desk.error.draft-numbers", "tournament: players have other numbers since the draft was paired")
	ErrDraftBroken  = refusal.Conflict("desk.error.draft-broken", "tournament: the draft breaks a rule that came after it")
	ErrTable        = refusal.Conflict("desk.error.table", "tournament: a round robin is paired by its table")
	ErrDraftTime    = refusal.Invalid("desk.error.draft-time", "tournament: the time has passed")
	ErrBadEdit      = refusal.Invalid("desk.error.bad-edit", "tournament: that cannot be done to this pairing")
)

// draft returns a round as a draft, without its bye.
func (r Round) draft() *RoundDraft {
	d := &RoundDraft{Number: r.Number, Engine: r.Engine, Edited: r.Edited}
	for _, p := range r.Pairings {
		if p.TeamMatch == 0 {
			d.Boards = append(d.Boards, DraftBoard{First: p.First, Second: p.Second})
		}
	}
	for _, p := range r.Teams {
		d.Boards = append(d.Boards, DraftBoard{First: p.First, Second: p.Second})
	}
	return d
}

func (d *RoundDraft) clone() *RoundDraft {
	if d == nil {
		return nil
	}
	c := *d
	c.Boards, c.Apart = slices.Clone(d.Boards), slices.Clone(d.Apart)
	return &c
}

// DraftNext pairs the next round without opening it. It returns ErrNoPairing if there is no
// legal pairing.
func (t *Tournament) DraftNext(s System, by player.ID, now time.Time) error {
	if err := t.mayPair(now); err != nil {
		return err
	}
	if t.Rolls() {
		return ErrRolling
	}
	t.attend()
	if t.CheckIn.Scope != NoCheckIn && len(t.Attendance().Present) < t.LeastPresent() {
		return ErrFewPresent
	}
	d := &RoundDraft{Number: len(t.Rounds) + 1, Engine: s.Engine, By: by, At: now}
	if err := t.pairDraft(d, s); err != nil {
		return err
	}
	t.Draft = d
	return nil
}

// LeastPresent returns how many players a round needs. In a knock-out one is enough, as
// absent players forfeit.
func (s Settings) LeastPresent() int {
	if s.Format.HasBracket() {
		return 1
	}
	return MinPlayers
}

// DraftField returns what the boards of a draft, except for fixed ones, are paired from.
func (t *Table) DraftField(d *RoundDraft) Field {
	f := t.PairingField()
	settled := map[int]bool{}
	for _, b := range d.Boards {
		if b.Fixed {
			settled[t.numberOf(b.First)], settled[t.numberOf(b.Second)] = true, true
		}
	}
	for i, p := range f.Players {
		if settled[p.Number] && len(p.Rounds) <= f.Played {
			f.Players[i].Rounds = append(p.Rounds, RoundResult{Outcome: ZeroBye})
		}
	}
	for _, pair := range d.Apart {
		f.Forbidden = append(f.Forbidden, Forbidden{Numbers: []int{t.numberOf(pair[0]), t.numberOf(pair[1])}, From: d.Number, To: d.Number})
	}
	return f
}

func (l Entries) numberOf(id EntryID) int {
	if i := l.index(id); i >= 0 {
		return l[i].Number
	}
	return 0
}

// pairDraft pairs everyone who is not on a fixed board.
func (t *Tournament) pairDraft(d *RoundDraft, s System) error {
	field := t.DraftField(d)
	paired, err := s.Pairer.Pair(field)
	if err != nil {
		return err
	}
	if err := covers(field, paired); err != nil {
		return err
	}
	ids := t.idsByNumber()
	d.Boards = slices.DeleteFunc(slices.Clone(d.Boards), func(b DraftBoard) bool { return !b.Fixed })
	stand := slices.Clone(d.Boards)
	fixed := len(stand)
	for _, b := range paired.Boards {
		d.Boards = append(d.Boards, DraftBoard{First: ids[b.First], Second: ids[b.Second]})
	}
	if len(d.Boards) == 0 {
		return ErrNoPairing
	}
	d.Bye = ids[paired.Bye]
	if fixed > 0 {
		t.orderBoards(d.Boards, s)
	}
	t.seatFixed(d.Boards)
	d.Basis = t.basis()
	return t.acknowledge(d, s, stand)
}

// objections returns what the boards of a draft break as the rules are now.
func (t *Tournament) objections(d *RoundDraft, s System) ([]Objection, error) {
	if s.Judge == nil {
		return nil, nil
	}
	return s.Judge(t.PairingField(), d.Pairing(t.Entries))
}

// acknowledge notes what the boards of a draft break; of those that stand as they were, only
// what was noted before. So a ban that came in between stays unacknowledged.
func (t *Tournament) acknowledge(d *RoundDraft, s System, stand []DraftBoard) error {
	list, err := t.objections(d, s)
	if err != nil {
		return err
	}
	d.Known = slices.DeleteFunc(list, func(o Objection) bool {
		return !slices.Contains(d.Known, o) && slices.ContainsFunc(stand, func(b DraftBoard) bool {
			return t.numberOf(b.First) == o.First && t.numberOf(b.Second) == o.Second && slices.Contains(d.Boards, b)
		})
	})
	return nil
}

// Uphold notes what the boards of a round that was taken back break: whoever published or
// changed it has seen that. Bans and wishes may be newer, and count anew.
func (t *Tournament) Uphold(s System) error {
	list, err := t.objections(t.Draft, s)
	t.Draft.Known = slices.DeleteFunc(list, func(o Objection) bool { return o.Rule == "forbidden" || o.Rule == "wish" })
	return err
}

// DraftBreaks returns nil, or ErrDraftBroken with the players of the first board that breaks a
// rule which nobody knew of when it was drafted.
func (t *Tournament) DraftBreaks(s System) error {
	list, err := t.objections(t.Draft, s)
	if err != nil {
		return err
	}
	ids := t.idsByNumber()
	for _, o := range list {
		if slices.Contains(t.Draft.Known, o) {
			continue
		}
		var names []string
		for _, n := range []int{o.First, o.Second} {
			if i := t.index(ids[n]); i >= 0 {
				names = append(names, t.Entries[i].Name)
			}
		}
		return refusal.Case(ErrDraftBroken, ErrDraftBroken.Error(), "Who", strings.Join(names, " – "))
	}
	return nil
}

// PairDraftAgain pairs a draft again that no longer holds who is to play, unless it was edited by
// hand: that one waits for staff. A draft that cannot be paired again stays as it is.
func (t *Tournament) PairDraftAgain(s System) error {
	if t.Draft == nil || t.Draft.Edited {
		return nil
	}
	if left, gone := t.DraftMisfits(); len(left)+len(gone) == 0 {
		return nil
	}
	d := t.Draft.clone()
	switch err := t.pairDraft(d, s); {
	case errors.Is(err, ErrNoPairing):
		return nil
	case err != nil:
		return err
	}
	t.Draft = d
	return nil
}

// basis hashes the results so far; empty if pairings do not depend on them.
func (t *Table) basis() string {
	if t.Format.HasTable() {
		return ""
	}
	sum := sha256.New()
	for n, p := range t.AllBoards() {
		fmt.Fprintln(sum, n, t.Rounds[n-1].basisOf(*p))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// DraftStale returns what has changed since the draft was paired that decides pairings: an
// ErrDraftStale; nil: nothing.
func (t *Tournament) DraftStale() error {
	switch {
	case t.Draft == nil:
		return nil
	case t.Draft.Basis == otherRounds:
		return ErrDraftRounds
	case t.Draft.Basis == otherNumbers:
		return ErrDraftNumbers
	case !t.Format.HasBracket():
		if t.Draft.Basis != "" && t.Draft.Basis != t.basis() {
			return ErrDraftStale
		}
		return nil
	}
	due := t.due()
	for _, b := range t.Draft.Boards {
		if _, is := due[[2]int{t.numberOf(b.First), t.numberOf(b.Second)}]; !is {
			return ErrDraftDue
		}
	}
	if 2*len(t.Draft.Boards) != len(due) {
		return ErrDraftDue
	}
	return nil
}

func (l Entries) idsByNumber() map[int]EntryID {
	ids := map[int]EntryID{}
	for _, e := range l {
		if e.Number > 0 {
			ids[e.Number] = e.ID
		}
	}
	return ids
}

// orderBoards sorts boards for publication: by the higher score of the two players, then the
// lower score, then the lower number (FIDE C.04.2).
func (t *Table) orderBoards(boards []DraftBoard, s System) {
	score, ids := map[EntryID]Score{}, t.idsByNumber()
	for number, sc := range s.ScoresIn(t.Field()) {
		score[ids[number]] = sc
	}
	slices.SortStableFunc(boards, func(a, b DraftBoard) int {
		return cmp.Or(
			cmp.Compare(max(score[b.First], score[b.Second]), max(score[a.First], score[a.Second])),
			cmp.Compare(min(score[b.First], score[b.Second]), min(score[a.First], score[a.Second])),
			cmp.Compare(min(t.numberOf(a.First), t.numberOf(a.Second)), min(t.numberOf(b.First), t.numberOf(b.Second))))
	})
}

// Pairing returns the draft by numbers, as a pairing system does.
func (d *RoundDraft) Pairing(of Entries) RoundPairing {
	p := RoundPairing{Bye: of.numberOf(d.Bye)}
	for _, b := range d.Boards {
		p.Boards = append(p.Boards, Board{of.numberOf(b.First), of.numberOf(b.Second)})
	}
	return p
}

// DraftMisfits returns the players who are missing from the draft, and the entries in it who
// do not play: somebody has come, gone or requested a bye since, or an edit left them out.
func (t *Tournament) DraftMisfits() (left, gone []EntryID) {
	if t.Draft == nil {
		return nil, nil
	}
	due := map[EntryID]bool{}
	f, ids := t.PairingField(), t.idsByNumber()
	for _, p := range f.Players {
		if f.IsDue(p) {
			due[ids[p.Number]] = true
		}
	}
	for _, id := range t.Draft.entries() {
		if !due[id] {
			gone = append(gone, id)
		}
		delete(due, id)
	}
	for _, e := range t.Entries {
		if due[e.ID] {
			left = append(left, e.ID)
		}
	}
	return left, gone
}

// entries lists everyone in the draft.
func (d *RoundDraft) entries() []EntryID {
	var list []EntryID
	for _, b := range d.Boards {
		list = append(list, b.First, b.Second)
	}
	if d.Bye != 0 {
		list = append(list, d.Bye)
	}
	return list
}

// Publish opens the drafted round. newID names the match of each board that is played on the
// server. The boards of teams open with it if both teams are among those that have named their players (nil: none), or if no
// time is given for that.
func (t *Tournament) Publish(s System, named LineUps, newID func() match.ID, now time.Time) (Round, error) {
	d := t.Draft
	if d == nil {
		return Round{}, ErrNoDraft
	}
	if err := t.mayOpen(now); err != nil {
		return Round{}, err
	}
	if left, gone := t.DraftMisfits(); len(left) > 0 || len(gone) > 0 {
		return Round{}, ErrDraftUnfit
	}
	if err := t.DraftStale(); err != nil {
		return Round{}, err
	}
	if err := t.DraftBreaks(s); err != nil {
		return Round{}, err
	}
	r := Round{Number: d.Number, OpenedAt: now, Engine: d.Engine, Edited: d.Edited}
	for i, b := range d.Boards {
		if t.HasTeams() {
			r.Teams = append(r.Teams, TeamPairing{First: b.First, Second: b.Second})
			continue
		}
		r.Pairings = append(r.Pairings, Pairing{Board: i + 1, First: b.First, Second: b.Second})
	}
	t.nameContests(&r)
	t.giveByes(&r, d.Bye)
	t.forfeitAbsent(&r, now)
	t.carryOver(&r, now)
	for i := range r.Pairings {
		if r.Pairings[i].Result.IsPending() {
			t.setUp(&r.Pairings[i], newID, now)
		}
	}
	for i, m := range r.Teams {
		if t.Teams.LineUps == 0 || named[m.First] != nil && named[m.Second] != nil {
			t.openTeamMatch(&r, i+1, named, newID, now)
		}
	}
	t.noteMissed(r, now)
	t.Rounds = append(t.Rounds, r)
	t.Draft, t.Timetable.Held = nil, Hold{}
	return r, nil
}

// NameMatch gives a board a match, unless one of its entries does not play here.
func (l Entries) NameMatch(p *Pairing, newID func() match.ID) {
	p.Match = ""
	if l[l.index(p.First)].PlaysHere() && l[l.index(p.Second)].PlaysHere() {
		p.Match = newID()
	}
}

func (t *Table) giveByes(r *Round, allocated EntryID) {
	if t.Format.HasTable() {
		if allocated != 0 && t.Entries[t.index(allocated)].TakesPart(r.Number) {
			r.Byes = append(r.Byes, Bye{allocated, ZeroBye})
		}
		return
	}
	if allocated != 0 {
		r.Byes = append(r.Byes, Bye{allocated, PairingBye})
	}
	for _, e := range t.Entries {
		if !e.TakesPart(r.Number) {
			continue
		}
		if kind, asked := e.askedBye(r.Number); asked {
			r.Byes = append(r.Byes, Bye{e.ID, kind})
		} else if !t.hasCheckedIn(e, r.Number) {
			r.Byes = append(r.Byes, Bye{e.ID, ZeroBye})
		}
	}
	r.SortByes()
}

// forfeitAbsent forfeits boards of a table whose players are withdrawn, are left out or have
// not checked in. Whether a forfeit counts is for the standings to decide (see annulled).
func (t *Table) forfeitAbsent(r *Round, now time.Time) {
	if !t.Format.HasTable() {
		return
	}
	for i, p := range r.Pairings {
		r.Pairings[i].Result = t.absence(p, r.Number, now)
	}
}

// absence returns the result of a board whose players do not both play in a round; pending if
// they do.
func (t *Table) absence(p Pairing, round int, now time.Time) Result {
	first, second := t.sitsDown(t.Entries[t.index(p.First)], round), t.sitsDown(t.Entries[t.index(p.Second)], round)
	r := absent(!first, !second, now)
	if !r.IsPending() {
		r.Gone = t.Gone()
	}
	return r
}

// sitsDown reports whether an entry takes its board in a round of a table.
func (s Settings) sitsDown(e Entry, round int) bool {
	_, leftOut := e.askedBye(round)
	return e.TakesPart(round) && s.hasCheckedIn(e, round) && !leftOut
}

// errCoverage is returned when a Pairer has a bug.
var errCoverage = errors.New("the pairing does not hold every player exactly once")

// covers checks that a pairing holds each player who is to be paired exactly once.
func covers(f Field, paired RoundPairing) error {
	due := map[int]bool{}
	for _, p := range f.Players {
		if f.IsDue(p) {
			due[p.Number] = true
		}
	}
	take := func(n int) error {
		if !due[n] {
			return fmt.Errorf("%w: %d", errCoverage, n)
		}
		delete(due, n)
		return nil
	}
	for _, b := range paired.Boards {
		if err := errors.Join(take(b.First), take(b.Second)); err != nil {
			return err
		}
	}
	if paired.Bye != 0 {
		if err := take(paired.Bye); err != nil {
			return err
		}
	}
	if len(due) > 0 {
		return fmt.Errorf("%w: %d left out", errCoverage, len(due))
	}
	return nil
}
