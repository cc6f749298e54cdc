// Package review decides what is noticed of how people play, how much it weighs, and
// how a review of it goes, from its opening to an appeal. It refuses to judge: people
// do, and nobody in their own case.
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

// ReviewStatus is where a review stands.
type Status string

const (
	StatusOpen     Status = "open"     // an arbiter looks
	StatusTold     Status = "told"     // the player knows of it and may answer
	StatusDecided  Status = "decided"  // they may appeal
	StatusAppealed Status = "appealed" // people who were not involved judge
	StatusClosed   Status = "closed"
)

// Opening is what a review was opened for.
type Opening string

const (
	OpenedBySignal  Opening = "signal"  // a fact of class S1
	OpenedByResults Opening = "results" // a pattern of results, see Sandbagging and ShortWins
	OpenedByArbiter Opening = "arbiter" // their wish
	OpenedByReports Opening = "reports" // of enough players, see ReportsOpen
)

// Openings is every opening.
var Openings = []Opening{OpenedBySignal, OpenedByResults, OpenedByReports, OpenedByArbiter}

// Decision is what arbiters make of a review. None is made by a machine.
type Decision string

const (
	DecideNothing   Decision = "nothing"
	DecideTalk      Decision = "talk"
	DecideRepeat    Decision = "repeat-check"
	DecideSupervise Decision = "supervise" // a steward watches the next rounds
	DecideAnnul     Decision = "annul"     // own results in the event
	DecideExclude   Decision = "exclude"   // from Verified and above, for a term
)

// Decisions is every decision, the mildest first.
var Decisions = []Decision{DecideNothing, DecideTalk, DecideRepeat, DecideSupervise, DecideAnnul, DecideExclude}

// NeedsTwo tells whether one arbiter alone cannot decide that.
func (d Decision) NeedsTwo() bool { return d == DecideAnnul || d == DecideExclude }

// Ground is on what annulling and excluding rest. Numbers alone are none.
type Ground string

const (
	GroundFact      Ground = "server-fact" // of class S1
	GroundSteward   Ground = "steward"     // a steward's observation
	GroundAdmission Ground = "admission"   // the player's own
)

// Grounds is every ground.
var Grounds = []Ground{GroundFact, GroundSteward, GroundAdmission}

// Explanation is an innocent one that an arbiter ticks where it fits.
type Explanation string

// Explanations is every explanation on the page.
var Explanations = []Explanation{"new-rating", "preparation", "streamer", "accessibility", "shared-house", "mistake", "bad-line"}

// Terms of a review.
const (
	AnswerWithin   = 14 * 24 * time.Hour
	AppealWithin   = 30 * 24 * time.Hour
	JudgeWithin    = 30 * 24 * time.Hour // of the appeal
	PanelSize      = 3
	MaxExclusion   = 365 // days
	mostReviewText = 4000
)

// Step is one line of a review's log: what was done, seen or said, and by whom.
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
	StepView     = "view"    // somebody looked at it; of release 0.2, see Look
	StepExplain  = "explain" // Word: the explanations, with spaces between
	StepNote     = "note"
	StepTell     = "tell"
	StepAnswer   = "answer"
	StepPropose  = "propose" // Word: Decision
	StepReject   = "reject"  // the proposal
	StepDecide   = "decide"  // Word: Decision
	StepAppeal   = "appeal"
	StepAppoint  = "appoint" // Word: the panel, with spaces between
	StepVote     = "vote"    // Word: uphold or overturn
	StepUphold   = "uphold"
	StepOverturn = "overturn"
	StepClose    = "close"
)

// Proposal is what one arbiter wants to decide and a second has to confirm.
type Proposal struct {
	Decision Decision  `json:"decision"`
	Ground   Ground    `json:"ground,omitempty"`
	Days     int       `json:"days,omitempty"` // DecideExclude
	Why      string    `json:"why"`
	By       player.ID `json:"by"`
}

// Review is a concern about one player in one event: what was done about it, by
// whom, and what follows. It is for the player and the arbiters, for nobody else.
type Review struct {
	ID         string
	Player     player.ID
	Event      string // the tournament
	Status     Status
	OpenedAt   time.Time
	ToldAt     time.Time
	DecidedAt  time.Time
	ClosedAt   time.Time
	Answer     string
	Explained  []Explanation
	Proposed   *Proposal // waits for a second arbiter
	Decided    *Proposal // what was decided, By the one who proposed it
	Second     player.ID // who confirmed it
	Excluded   time.Time // until when
	Appeal     string
	Panel      []player.ID
	Votes      map[player.ID]bool // true: uphold
	Overturned bool
	Before     bool // they were disqualified before the decision, which an appeal leaves as it was
	Hurried    bool // who can help was told that an appeal is overdue
	Steps      []Step
}

// What a review refuses.
var (
	ErrOrder    = refusal.Conflict("review.error.order", "review: the review is at another stage")
	ErrText     = refusal.Invalid("review.error.text", "review: the reason is empty or too long")
	ErrAlone    = refusal.Conflict("review.error.alone", "review: a second arbiter must confirm")
	ErrInvolved = refusal.Invalid("review.error.involved", "review: players answer and appeal in their own review, others judge")
	ErrNoGround = refusal.Invalid("review.error.ground",
		"review: annulling and excluding need a fact of the server, a steward's observation or an admission")
	ErrUnheard = refusal.Conflict("review.error.unheard", "review: the player still has time to answer")
	ErrTooLate = refusal.Conflict("review.error.late", "review: too late")
	ErrTerm    = refusal.Invalid("review.error.term", "review: an exclusion has a term of 1 to 365 days")
	ErrPanel   = refusal.Invalid("review.error.panel",
		"review: an appeal is judged by three people who were not involved, or where an operator finds no three by one")
)

// Judge is who acts in a review, and what it decides: who is a party to that, such
// as whoever met the player at a board, does not decide it.
type Judge struct {
	ID   player.ID
	Case fairplay.Case
}

// mayDecide is nil, ErrInvolved or a *PartyError.
func (j Judge) mayDecide(r *Review) error {
	if j.ID == r.Player {
		return ErrInvolved
	}
	return j.Case.Decide(j.ID)
}

// New opens a review.
func New(id string, of player.ID, event string, why Opening, by player.ID, now time.Time) *Review {
	r := &Review{ID: id, Player: of, Event: event, Status: StatusOpen, OpenedAt: now}
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

// Explain ticks innocent explanations, all those that fit.
func (r *Review) Explain(by Judge, list []Explanation, now time.Time) error {
	if by.ID == r.Player {
		return ErrInvolved
	}
	if !r.isUndecided() {
		return ErrOrder
	}
	r.Explained = slices.DeleteFunc(slices.Clone(Explanations), func(e Explanation) bool { return !slices.Contains(list, e) })
	words := make([]string, len(r.Explained))
	for i, e := range r.Explained {
		words[i] = string(e)
	}
	r.step(by.ID, StepExplain, strings.Join(words, " "), "", now)
	return nil
}

// Note keeps an arbiter's note; the player reads it, too.
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

// Tell lets the player know; from now on they have 14 days.
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

// AnswerBy is until when the player's answer is waited for; zero: they were not told.
func (r *Review) AnswerBy() time.Time {
	if r.ToldAt.IsZero() {
		return time.Time{}
	}
	return r.ToldAt.Add(AnswerWithin)
}

// Reply is the player's answer, once, before anything is decided.
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

// Decide is an arbiter's decision. What needs two is only proposed by it. hasFact:
// there is a fact of class S1; hasSteward: a steward's observation.
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

// Confirm is the second arbiter's word for a proposal.
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

// Reject is the second arbiter's word against it, or the first one's second thoughts.
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

// AppealBy is until when the player may appeal; zero: nothing is decided.
func (r *Review) AppealBy() time.Time {
	if r.DecidedAt.IsZero() {
		return time.Time{}
	}
	return r.DecidedAt.Add(AppealWithin)
}

// Contest is the player's appeal.
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

// IsInvolved tells whether somebody has done more in the review than looked.
func (r *Review) IsInvolved(id player.ID) bool {
	return id == r.Player || slices.ContainsFunc(r.Steps, func(s Step) bool {
		return s.By == id && s.Kind != StepView && s.Kind != StepAppoint && s.Kind != StepVote
	})
}

// JudgeBy is until when an appeal is to be judged; zero: there is none.
func (r *Review) JudgeBy() (until time.Time) {
	for _, s := range r.Steps {
		if s.Kind == StepAppeal && r.Status == StatusAppealed {
			until = s.At.Add(JudgeWithin)
		}
	}
	return until
}

// Appoint names the three who judge an appeal. Where three cannot be found an
// operator of the site, who was not involved, names one, who judges alone.
// Others may be named again as long as they have not voted.
func (r *Review) Appoint(by player.ID, judges []Judge, operates bool, now time.Time) error {
	if r.Status != StatusAppealed {
		return ErrOrder
	}
	var ids []player.ID
	var words []string
	for _, j := range judges {
		if j.mayDecide(r) != nil || r.IsInvolved(j.ID) || slices.Contains(ids, j.ID) {
			return ErrPanel
		}
		ids, words = append(ids, j.ID), append(words, string(j.ID))
	}
	alone := len(ids) == 1 && operates && !r.IsInvolved(by)
	if len(ids) != PanelSize && !alone || by == r.Player {
		return ErrPanel
	}
	for id := range r.Votes {
		if !alone && !slices.Contains(ids, id) {
			return ErrPanel
		}
	}
	if r.Panel = ids; alone {
		r.Votes = nil // who judges alone does so anew; votes before stand in the steps
	}
	r.step(by, StepAppoint, strings.Join(words, " "), "", now)
	return nil
}

// Vote is the word of one of the panel; most of them the same way end it.
func (r *Review) Vote(by player.ID, uphold bool, text string, now time.Time) error {
	text, err := reviewText(text)
	_, voted := r.Votes[by]
	switch {
	case err != nil:
		return err
	case r.Status != StatusAppealed || voted:
		return ErrOrder
	case !slices.Contains(r.Panel, by):
		return ErrPanel
	}
	votes := map[player.ID]bool{by: uphold}
	for id, v := range r.Votes {
		votes[id] = v
	}
	r.Votes = votes
	word := "overturn"
	if uphold {
		word = "uphold"
	}
	r.step(by, StepVote, word, text, now)
	same := 0
	for _, v := range votes {
		if v == uphold {
			same++
		}
	}
	if same*2 <= len(r.Panel) {
		return nil
	}
	if !uphold {
		r.Overturned, r.Excluded = true, time.Time{}
		r.step("", StepOverturn, "", "", now)
	} else {
		r.step("", StepUphold, "", "", now)
	}
	r.close("", now)
	return nil
}

// Expire closes a decided review against which nobody appealed in time; false: it
// is not time.
func (r *Review) Expire(now time.Time) bool {
	if r.Status != StatusDecided || now.Before(r.AppealBy()) {
		return false
	}
	r.close("", now)
	return true
}

// Runs tells whether the review can still end one way or the other.
func (r *Review) Runs() bool { return r.isUndecided() || r.Status == StatusAppealed }

// HoldsResults tells whether it keeps an event of a level from being signed off:
// whether results can still change by it. Below Verified, where no result is
// provisional, a pattern of results holds nothing until an arbiter has told the
// player of it or proposed what to decide.
func (r *Review) HoldsResults(event fairplay.Assurance) bool {
	if event < fairplay.Verified && r.Status == StatusOpen && r.Proposed == nil && r.isOpenedBy(OpenedByResults) {
		return false
	}
	return r.isUndecided() || r.Status != StatusClosed && r.Decided != nil && r.Decided.Decision == DecideAnnul
}

func (r *Review) isOpenedBy(o Opening) bool { return len(r.Steps) > 0 && r.Steps[0].Word == string(o) }

// IsUpheld tells whether a closed review has found something that stands.
func (r *Review) IsUpheld() bool {
	return r.Decided != nil && r.Decided.Decision != DecideNothing && !r.Overturned
}

// Stands is what was decided, unless nothing was, or an appeal took it back.
func (r *Review) Stands(d Decision) bool { return r.IsUpheld() && r.Decided.Decision == d }
