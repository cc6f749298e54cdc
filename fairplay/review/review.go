// Package review decides what is noticed about how people play, how much it weighs, and
// how a review goes, from its opening to an appeal. It never judges: people do, and
// nobody in their own case.
package review

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Status is where a review stands.
type Status string

const (
	StatusOpen     Status = "open"     // an arbiter looks
	StatusTold     Status = "told"     // the player knows of it and may answer
	StatusDecided  Status = "decided"  // they may appeal
	StatusAppealed Status = "appealed" // an operator who was not involved judges
	StatusClosed   Status = "closed"
)

// Opening is why a review was opened.
type Opening string

const (
	OpenedBySignal  Opening = "signal"  // a fact of class S1
	OpenedByResults Opening = "results" // a pattern of results, see Sandbagging and ShortWins
	OpenedByArbiter Opening = "arbiter" // because they wished to
	OpenedByReports Opening = "reports" // by enough players, see ReportsOpen
	OpenedByMoves   Opening = "moves"   // unusual ones, see Dossier and screening.Concerns
)

// Openings is every opening.
var Openings = []Opening{OpenedBySignal, OpenedByResults, OpenedByMoves, OpenedByReports, OpenedByArbiter}

// Decision is what arbiters decide in a review. No machine ever does.
type Decision string

const (
	DecideNothing   Decision = "nothing"
	DecideTalk      Decision = "talk"
	DecideRepeat    Decision = "repeat-check"
	DecideSupervise Decision = "supervise" // a steward watches the next rounds
	DecideAnnul     Decision = "annul"     // own results in the event
	DecideExclude   Decision = "exclude"   // from events at Verified or higher, for a term
)

// Decisions is every decision, the mildest first.
var Decisions = []Decision{DecideNothing, DecideTalk, DecideRepeat, DecideSupervise, DecideAnnul, DecideExclude}

// DecisionsIn is every decision that can be made in a place. Outside of tournaments places and ratings have moved on by
// results, and no steward watches.
func DecisionsIn(p fairplay.Place) []Decision {
	if p.Tournament() != "" {
		return Decisions
	}
	return []Decision{DecideNothing, DecideTalk, DecideRepeat, DecideExclude}
}

// NeedsTwo reports whether a second arbiter has to confirm d.
func (d Decision) NeedsTwo() bool { return d == DecideAnnul || d == DecideExclude }

// Ground is what annulment or exclusion rests on. Statistics alone never suffice.
type Ground string

const (
	GroundFact      Ground = "server-fact" // a fact of class S1
	GroundSteward   Ground = "steward"     // a steward's observation
	GroundAdmission Ground = "admission"   // the player's own
)

// Grounds is every ground.
var Grounds = []Ground{GroundFact, GroundSteward, GroundAdmission}

// Explanation is an innocent explanation that an arbiter ticks.
type Explanation string

// Explanations lists every explanation, in the order of the page.
var Explanations = []Explanation{"new-rating", "preparation", "streamer", "accessibility", "shared-house", "mistake", "bad-line"}

// Limits of a review.
const (
	AnswerWithin   = 14 * 24 * time.Hour
	AppealWithin   = 30 * 24 * time.Hour
	JudgeWithin    = 30 * 24 * time.Hour // of the appeal
	MaxExclusion   = 365                 // days
	mostReviewText = 4000
)

// Step is one line in the log of a review: who did, saw or said what.
type Step struct {
	At   time.Time `json:"at"`
	By   player.ID `json:"by,omitempty"` // empty: the site by itself
	Kind string    `json:"kind"`         // one of the steps below
	Word string    `json:"word,omitempty"`
	Text string    `json:"text,omitempty"`
}

// The kinds of steps.
const (
	StepOpen     = "open"    // Word: Opening
	StepExplain  = "explain" // Word: the explanations, with spaces between
	StepNote     = "note"
	StepTell     = "tell"
	StepAnswer   = "answer"
	StepPropose  = "propose" // Word: Decision
	StepReject   = "reject"  // the proposal
	StepDecide   = "decide"  // Word: Decision
	StepAppeal   = "appeal"
	StepUphold   = "uphold"
	StepOverturn = "overturn"
	StepClose    = "close"
)

// Proposal is a decision proposed by one arbiter that a second has to confirm.
type Proposal struct {
	Decision Decision  `json:"decision"`
	Ground   Ground    `json:"ground,omitempty"`
	Days     int       `json:"days,omitempty"` // DecideExclude
	Why      string    `json:"why"`
	By       player.ID `json:"by"`
}

// Review is a concern about one player in one place, with everything done about it. Only
// the player and those who judge there see it.
type Review struct {
	ID         string
	Player     player.ID
	Place      fairplay.Place
	Status     Status
	OpenedAt   time.Time
	ToldAt     time.Time
	DecidedAt  time.Time
	ClosedAt   time.Time
	Answer     string
	Explained  []Explanation
	Proposed   *Proposal // waits for a second arbiter
	Decided    *Proposal // By whoever proposed it
	Second     player.ID // who confirmed it
	Excluded   time.Time // until when
	Appeal     string
	Overturned bool
	Before     bool // disqualified before the decision; an appeal leaves that as it was
	Steps      []Step
}

// The refusals of a review.
var (
	ErrOrder    = refusal.Conflict("review.error.order", "review: the review is at another stage")
	ErrText     = refusal.Invalid("review.error.text", "review: the reason is empty or too long")
	ErrAlone    = refusal.Conflict("review.error.alone", "review: a second arbiter must confirm")
	ErrInvolved = refusal.Invalid("review.error.involved", "review: players answer and appeal in their own review, others judge")
	ErrNoGround = refusal.Invalid("review.error.ground",
		"review: annulling and excluding need a fact of the server, a steward's observation or an admission")
	ErrUnheard = refusal.Conflict("review.error.unheard", "review: the player still has time to answer")
	ErrTooLate = refusal.Conflict("review.error.late", "review: too late")
	ErrStands  = refusal.Invalid("review.error.stands-there", "review: only a tournament's results are annulled and its rounds watched")
	ErrTerm    = refusal.Invalid("review.error.term", "review: an exclusion has a term of 1 to 365 days")
	ErrAppeal  = refusal.Forbidden("review.error.appeal", "review: an appeal is judged by an operator of the site who was not involved")
)

// Judge is somebody acting in a review, with the case that tells whether they are a party
// to it, such as an opponent of the player. A party does not decide.
type Judge struct {
	ID   player.ID
	Case fairplay.Case
}

// mayDecide returns nil, ErrInvolved or a *PartyError.
func (j Judge) mayDecide(r *Review) error {
	if j.ID == r.Player {
		return ErrInvolved
	}
	return j.Case.Decide(j.ID)
}

// New opens a review.
func New(id string, of player.ID, in fairplay.Place, why Opening, by player.ID, now time.Time) *Review {
	r := &Review{ID: id, Player: of, Place: in, Status: StatusOpen, OpenedAt: now}
	r.step(by, StepOpen, string(why), "", now)
	return r
}

func (r *Review) step(by player.ID, kind, word, text string, now time.Time) {
	r.Steps = append(r.Steps[:len(r.Steps):len(r.Steps)], Step{now, by, kind, word, text})
}

func reviewText(s string) (string, error) {
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n == 0 || n > mostReviewText {
		return "", ErrText
	}
	return s, nil
}

func (r *Review) isUndecided() bool { return r.Status == StatusOpen || r.Status == StatusTold }

// Explain replaces the ticked explanations by list.
func (r *Review) Explain(by Judge, list []Explanation, now time.Time) error {
	if by.ID == r.Player {
		return ErrInvolved
	}
	if !r.isUndecided() {
		return ErrOrder
	}
	r.Explained = slices.DeleteFunc(slices.Clone(Explanations), func(e Explanation) bool { return !slices.Contains(list, e) })
	r.step(by.ID, StepExplain, strings.Join(words(r.Explained), " "), "", now)
	return nil
}

// Note adds an arbiter's note, which the player reads, too.
func (r *Review) Note(by Judge, text string, now time.Time) error {
	text, err := reviewText(text)
	switch {
	case err != nil:
		return err
	case by.ID == r.Player:
		return ErrInvolved
	case r.Status == StatusClosed:
		return ErrOrder
	}
	r.step(by.ID, StepNote, "", text, now)
	return nil
}

// Tell informs the player, who then has AnswerWithin to reply.
func (r *Review) Tell(by Judge, text string, now time.Time) error {
	text, err := reviewText(text)
	switch {
	case err != nil:
		return err
	case by.ID == r.Player:
		return ErrInvolved
	case r.Status != StatusOpen:
		return ErrOrder
	}
	r.Status, r.ToldAt = StatusTold, now
	r.step(by.ID, StepTell, "", text, now)
	return nil
}

// AnswerBy returns the deadline of the player's answer; zero if they were not told.
func (r *Review) AnswerBy() time.Time {
	if r.ToldAt.IsZero() {
		return time.Time{}
	}
	return r.ToldAt.Add(AnswerWithin)
}

// Reply records the player's only answer, before anything is decided.
func (r *Review) Reply(by player.ID, text string, now time.Time) error {
	text, err := reviewText(text)
	switch {
	case err != nil:
		return err
	case by != r.Player:
		return ErrInvolved
	case r.Status != StatusTold || r.Answer != "":
		return ErrOrder
	}
	r.Answer = text
	r.step(by, StepAnswer, "", text, now)
	return nil
}

// Decide records an arbiter's decision, or proposes it if it needs a second arbiter.
// hasFact says that there is a fact of class S1, hasSteward that a steward observed
// something.
func (r *Review) Decide(by Judge, p Proposal, hasFact, hasSteward bool, now time.Time) error {
	text, err := reviewText(p.Why)
	if err != nil {
		return err
	}
	if p.Decision != DecideExclude {
		p.Days = 0
	}
	if !p.Decision.NeedsTwo() {
		p.Ground = ""
	}
	p.Why, p.By = text, by.ID
	if err := by.mayDecide(r); err != nil {
		return err
	}
	switch {
	case !r.isUndecided() || r.Proposed != nil || !slices.Contains(Decisions, p.Decision):
		return ErrOrder
	case !slices.Contains(DecisionsIn(r.Place), p.Decision):
		return ErrStands
	case p.Decision != DecideNothing && (r.Status != StatusTold || r.Answer == "" && now.Before(r.AnswerBy())):
		return ErrUnheard
	case p.Decision == DecideExclude && (p.Days < 1 || p.Days > MaxExclusion):
		return ErrTerm
	case !p.Decision.NeedsTwo():
		r.decided(p, "", now)
		return nil
	case !slices.Contains(Grounds, p.Ground), p.Ground == GroundFact && !hasFact, p.Ground == GroundSteward && !hasSteward,
		p.Ground == GroundAdmission && r.Answer == "":
		return ErrNoGround
	}
	r.Proposed = &p
	r.step(by.ID, StepPropose, string(p.Decision), text, now)
	return nil
}

// Unseen returns the last step that somebody else has taken since the review had so many, if an act of the kind has to
// be made in sight of it: whoever judges has read all that was said. What only adds words of one's own does not.
func (r *Review) Unseen(by player.ID, kind string, seen int) (s Step, is bool) {
	switch kind {
	case StepNote, StepAnswer, StepAppeal:
		return s, false
	}
	for _, x := range r.Steps[min(max(seen, 0), len(r.Steps)):] {
		if x.By != by && (kind != StepExplain || x.Kind == StepExplain) {
			s, is = x, true
		}
	}
	return s, is
}

// Confirm is the second arbiter's agreement to a proposal.
func (r *Review) Confirm(by Judge, now time.Time) error {
	switch {
	case r.Proposed == nil || !r.isUndecided():
		return ErrOrder
	case by.ID == r.Proposed.By:
		return ErrAlone
	}
	if err := by.mayDecide(r); err != nil {
		return err
	}
	p := *r.Proposed
	r.decided(p, by.ID, now)
	return nil
}

// Reject withdraws a proposal, by the second arbiter or by whoever proposed it.
func (r *Review) Reject(by Judge, text string, now time.Time) error {
	text, err := reviewText(text)
	switch {
	case err != nil:
		return err
	case r.Proposed == nil || !r.isUndecided():
		return ErrOrder
	}
	if err := by.mayDecide(r); err != nil {
		return err
	}
	word := string(r.Proposed.Decision)
	r.Proposed = nil
	r.step(by.ID, StepReject, word, text, now)
	return nil
}

func (r *Review) decided(p Proposal, second player.ID, now time.Time) {
	r.Decided, r.Second, r.Proposed, r.Status, r.DecidedAt = &p, second, nil, StatusDecided, now
	by := p.By
	if second != "" {
		by = second
	}
	if p.Decision == DecideExclude {
		r.Excluded = now.Add(time.Duration(p.Days) * 24 * time.Hour)
	}
	r.step(by, StepDecide, string(p.Decision), p.Why, now)
	if p.Decision == DecideNothing {
		r.close("", now)
	}
}

func (r *Review) close(by player.ID, now time.Time) {
	r.Status, r.ClosedAt = StatusClosed, now
	r.step(by, StepClose, "", "", now)
}

// AppealBy returns the deadline of an appeal; zero before a decision.
func (r *Review) AppealBy() time.Time {
	if r.DecidedAt.IsZero() {
		return time.Time{}
	}
	return r.DecidedAt.Add(AppealWithin)
}

// Contest records the player's appeal.
func (r *Review) Contest(by player.ID, text string, now time.Time) error {
	text, err := reviewText(text)
	switch {
	case err != nil:
		return err
	case by != r.Player:
		return ErrInvolved
	case r.Status != StatusDecided:
		return ErrOrder
	case !now.Before(r.AppealBy()):
		return ErrTooLate
	}
	r.Status, r.Appeal = StatusAppealed, text
	r.step(by, StepAppeal, "", text, now)
	return nil
}

// IsInvolved reports whether id is the player or acted in the review before an appeal.
func (r *Review) IsInvolved(id player.ID) bool {
	before := r.Steps
	if i := slices.IndexFunc(before, func(s Step) bool { return s.Kind == StepAppeal }); i >= 0 {
		before = before[:i]
	}
	return id == r.Player || slices.ContainsFunc(before, func(s Step) bool { return s.By == id })
}

// JudgeBy returns the deadline for judging the open appeal; zero if there is none.
func (r *Review) JudgeBy() (until time.Time) {
	for _, s := range r.Steps {
		if s.Kind == StepAppeal && r.Status == StatusAppealed {
			until = s.At.Add(JudgeWithin)
		}
	}
	return until
}

// MayJudge returns nil, or why somebody cannot judge the appeal: they operate the site and are
// neither involved in the review nor a party.
func (r *Review) MayJudge(by Judge, operates bool) error {
	switch {
	case r.Status != StatusAppealed:
		return ErrOrder
	case !operates || r.IsInvolved(by.ID):
		return ErrAppeal
	}
	return by.mayDecide(r)
}

// Hear judges the appeal: the decision stands, or is taken back. It closes the review.
func (r *Review) Hear(by Judge, operates, uphold bool, text string, now time.Time) error {
	text, err := reviewText(text)
	if err == nil {
		err = r.MayJudge(by, operates)
	}
	if err != nil {
		return err
	}
	if uphold {
		r.step(by.ID, StepUphold, "", text, now)
	} else {
		r.Overturned, r.Excluded = true, time.Time{}
		r.step(by.ID, StepOverturn, "", text, now)
	}
	r.close("", now)
	return nil
}

// Expire closes a decided review after AppealWithin without an appeal and reports whether
// it did.
func (r *Review) Expire(now time.Time) bool {
	if r.Status != StatusDecided || now.Before(r.AppealBy()) {
		return false
	}
	r.close("", now)
	return true
}

// Runs reports whether the outcome of the review is still open.
func (r *Review) Runs() bool { return r.isUndecided() || r.Status == StatusAppealed }

// HoldsResults reports whether the review can still change results, and so keeps an event
// of that level from being signed off. Below Verified, where no result is provisional, a
// review opened by results or by moves holds nothing until an arbiter has told the player or proposed
// a decision.
func (r *Review) HoldsResults(event fairplay.Assurance) bool {
	if event < fairplay.Verified && r.Status == StatusOpen && r.Proposed == nil && (r.isOpenedBy(OpenedByResults) || r.isOpenedBy(OpenedByMoves)) {
		return false
	}
	return r.isUndecided() || r.Status != StatusClosed && r.Decided != nil && r.Decided.Decision == DecideAnnul
}

func (r *Review) isOpenedBy(o Opening) bool { return len(r.Steps) > 0 && r.Steps[0].Word == string(o) }

// IsUpheld reports whether the review decided something against the player that no appeal
// overturned.
func (r *Review) IsUpheld() bool {
	return r.Decided != nil && r.Decided.Decision != DecideNothing && !r.Overturned
}

// Stands reports whether d was decided and not overturned by an appeal.
func (r *Review) Stands(d Decision) bool { return r.IsUpheld() && r.Decided.Decision == d }
