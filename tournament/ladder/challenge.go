package ladder

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// Status is the stage of a challenge.
type Status string

const (
	Proposed  Status = "proposed"  // the defender has to answer
	Accepted  Status = "accepted"  // the two have to agree on a time
	Scheduled Status = "scheduled" // the match opens by itself
	Playing   Status = "playing"
	Claimed   Status = "claimed"  // an absent player may object
	Disputed  Status = "disputed" // the organizer has to decide
	Ended     Status = "ended"
)

// Ending is how a challenge ended.
type Ending string

const (
	Played    Ending = "played"    // by the match, won or drawn
	Declined  Ending = "declined"  // by the defender
	NoReply   Ending = "no-reply"  // the defender did not answer
	Withdrawn Ending = "withdrawn" // by the challenger
	Conceded  Ending = "conceded"  // by the defender after accepting
	NoTime    Ending = "no-time"   // no time was agreed
	Forfeited Ending = "forfeited" // somebody was absent
	Left      Ending = "left"      // somebody left the ladder
	Judged    Ending = "judged"    // by the organizer
	Released  Ending = "released"  // the opponent is on vacation
)

// Proposal is a proposed time for the match.
type Proposal struct {
	By player.ID `json:"by"`
	At time.Time `json:"at"`
}

// MaxTimes is how many open proposals each player may have.
const MaxTimes = 5

// Challenge is one challenge, running or ended. The challenger bids first.
type Challenge struct {
	Number     ChallengeID `json:"number"`
	Challenger player.ID   `json:"challenger"`
	Defender   player.ID   `json:"defender"`
	Places     [2]int      `json:"places"` // places of the two when it was sent
	Status     Status      `json:"status"`
	SentAt     time.Time   `json:"sent"`
	// Due is when something happens by itself: the deadline to reply or to agree on a
	// time, the opening of the match, or the end of the time to object.
	Due    time.Time  `json:"due,omitzero"`
	PlayBy time.Time  `json:"playBy,omitzero"` // latest appointment
	Times  []Proposal `json:"times,omitempty"`
	At     time.Time  `json:"at,omitzero"` // the appointment
	Match  match.ID   `json:"match,omitempty"`
	// Rated says that the match counts for the rating lists, by the settings when it
	// opened.
	Rated bool   `json:"rated,omitempty"`
	Text  string `json:"text,omitempty"` // the objection or the organizer's reason
	// Paused is when a vacation stopped all deadlines; they continue afterwards.
	Paused time.Time `json:"paused,omitzero"`
	Ending Ending    `json:"ending,omitempty"`
	// Winner won the challenge, or wins it unless somebody objects; empty: nobody.
	Winner  player.ID `json:"winner,omitempty"`
	EndedAt time.Time `json:"ended,omitzero"`
}

// IsPaused reports whether a vacation stops the challenge.
func (c Challenge) IsPaused() bool { return !c.Paused.IsZero() }

// Is reports whether the player is one of the two.
func (c Challenge) Is(id player.ID) bool {
	return id != "" && (c.Challenger == id || c.Defender == id)
}

// Opponent returns the other of the two.
func (c Challenge) Opponent(id player.ID) player.ID {
	if c.Challenger == id {
		return c.Defender
	}
	return c.Challenger
}

// Send challenges a player. The error is a *Refusal.
func (l *Ladder) Send(by Actor, defender player.ID, now time.Time) (Challenge, error) {
	if why := l.WhyNot(by.Player, defender, now); why != nil {
		return Challenge{}, why
	}
	l.record(Event{Kind: Sent, By: by.Player, Player: by.Player, Other: defender, Challenge: l.Last + 1, Due: now.Add(l.Settings.Reply)}, now)
	return *l.challenge(l.Last), nil
}

// of returns a running challenge in which the player is one of the two.
func (l *Ladder) of(id player.ID, n ChallengeID) (*Challenge, error) {
	c := l.challenge(n)
	switch {
	case c == nil:
		return nil, ErrNoChallenge
	case !c.Is(id):
		return nil, ErrNotAllowed
	}
	return c, nil
}

// arranging returns a challenge of the player whose time can be arranged now.
func (l *Ladder) arranging(id player.ID, n ChallengeID) (*Challenge, error) {
	c, err := l.of(id, n)
	switch {
	case err != nil:
		return nil, err
	case c.IsPaused():
		return nil, ErrVacation
	case c.Status != Accepted && c.Status != Scheduled:
		return nil, ErrNotNow
	}
	return c, nil
}

// Accept accepts a challenge.
func (l *Ladder) Accept(by Actor, n ChallengeID, now time.Time) error {
	c, err := l.of(by.Player, n)
	switch {
	case err != nil:
		return err
	case by.Player != c.Defender:
		return ErrNotAllowed
	case c.IsPaused():
		return ErrVacation
	case c.Status != Proposed:
		return ErrNotNow
	}
	l.record(Event{Kind: Agreed, By: by.Player, Challenge: n, Due: now.Add(l.Settings.Schedule), PlayBy: now.Add(l.Settings.Play)}, now)
	if l.Settings.BidTime > 0 { // the bidding needs no appointment
		l.record(Event{Kind: Appointed, By: by.Player, Challenge: n, Time: now, Due: now}, now)
	}
	return nil
}

// Cost is the effect of giving up a challenge now.
type Cost string

const (
	NoCost      Cost = "none"  // nobody moves
	CostsPlace  Cost = "place" // the challenger takes the place
	CostsCredit Cost = "win"   // nobody moves, the defender is credited
)

// GiveUp returns what giving up a challenge now would cost a player, and the ending; an
// error if they cannot.
func (l *Ladder) GiveUp(id player.ID, n ChallengeID) (Cost, Ending, error) {
	c, err := l.of(id, n)
	switch {
	case err != nil:
		return "", "", err
	case c.IsPaused():
		// Nobody has to wait for the opponent's vacation.
		if r, _ := l.RungOf(id); r.OnVacation() {
			return "", "", ErrVacation
		}
		return NoCost, Released, nil
	case c.Status == Proposed && id == c.Defender:
		return CostsPlace, Declined, nil
	case c.Status == Proposed:
		return NoCost, Withdrawn, nil
	case (c.Status == Accepted || c.Status == Scheduled) && id == c.Defender:
		return CostsPlace, Conceded, nil
	case c.Status == Accepted || c.Status == Scheduled:
		return CostsCredit, Withdrawn, nil
	}
	return "", "", ErrNotNow
}

// Drop gives up a challenge at the cost of GiveUp: the defender declines or concedes, the
// challenger withdraws.
func (l *Ladder) Drop(by Actor, n ChallengeID, now time.Time) error {
	cost, ending, err := l.GiveUp(by.Player, n)
	if err != nil {
		return err
	}
	winner := player.ID("")
	if cost != NoCost {
		winner = l.challenge(n).Opponent(by.Player)
	}
	l.end(Event{Challenge: n, Ending: ending, Player: winner, By: by.Player}, now)
	return nil
}

// Propose proposes a time for the match, also after an agreement.
func (l *Ladder) Propose(by Actor, n ChallengeID, at, now time.Time) error {
	c, err := l.arranging(by.Player, n)
	if err != nil {
		return err
	}
	if at.Before(now) || at.After(c.PlayBy) {
		return ErrTime
	}
	mine := 0
	for _, p := range c.Times {
		if p.By == by.Player && !p.At.Before(now) {
			mine++
		}
		if p.By == by.Player && p.At.Equal(at) {
			return nil
		}
	}
	if mine >= MaxTimes {
		return ErrManyTimes
	}
	e := Event{Kind: TimeProposed, By: by.Player, Challenge: n, Time: at}
	if c.Status == Accepted {
		// Nobody loses because of a proposal at the last minute.
		e.Due = latest(c.Due, earliest(now.Add(Day), c.PlayBy))
	}
	l.record(e, now)
	return nil
}

// Agree accepts a time proposed by the opponent.
func (l *Ladder) Agree(by Actor, n ChallengeID, at, now time.Time) error {
	c, err := l.arranging(by.Player, n)
	switch {
	case err != nil:
		return err
	case !slices.ContainsFunc(c.Times, func(p Proposal) bool { return p.By != by.Player && p.At.Equal(at) }):
		return ErrNotNow
	case at.Before(now):
		return ErrTime
	}
	l.record(Event{Kind: Appointed, By: by.Player, Challenge: n, Time: at, Due: latest(at.Add(-Doors), now)}, now)
	return nil
}

// Result records the result of a challenge's match; repeated calls do nothing. A forfeit
// waits for an objection, a void match needs a new time.
func (l *Ladder) Result(n ChallengeID, r match.Result, now time.Time) {
	c := l.challenge(n)
	if c == nil || c.Status != Playing {
		return
	}
	var winner player.ID
	switch r.Outcome {
	case match.FirstWins:
		winner = c.Challenger
	case match.SecondWins:
		winner = c.Defender
	case match.Void:
		due := now.Add(l.Settings.Schedule)
		l.record(Event{Kind: Reopened, Challenge: n, Due: due, PlayBy: latest(c.PlayBy, due)}, now)
		l.pauseIfAway(n, now)
		return
	case match.Draw, match.BothLose:
	default:
		return // not ended
	}
	if r.Reason == match.Forfeit {
		l.record(Event{Kind: ForfeitClaimed, Challenge: n, Player: winner, Due: now.Add(l.Settings.Dispute)}, now)
		l.pauseIfAway(n, now)
		return
	}
	l.end(Event{Challenge: n, Ending: Played, Player: winner}, now)
}

// Object disputes a forfeit, which the organizer has to decide.
func (l *Ladder) Object(by Actor, n ChallengeID, text string, now time.Time) error {
	c, err := l.of(by.Player, n)
	switch {
	case err != nil:
		return err
	case c.Status != Claimed:
		return ErrNotNow
	case c.Winner == by.Player:
		return ErrNotAllowed
	}
	if text, err = cleanText(text); err != nil {
		return err
	}
	l.record(Event{Kind: Objected, By: by.Player, Challenge: n, Text: text}, now)
	return nil
}

// Judge ends a challenge by decision of the organizer, but not during its match. Nobody
// moves if winner is empty.
func (l *Ladder) Judge(by Actor, n ChallengeID, winner player.ID, text string, now time.Time) error {
	c := l.challenge(n)
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case c == nil:
		return ErrNoChallenge
	case c.Status == Playing:
		return ErrPlaying
	case winner != "" && !c.Is(winner):
		return ErrNotOnLadder
	}
	text, err := cleanText(text)
	if err != nil {
		return err
	}
	l.end(Event{Challenge: n, Ending: Judged, Player: winner, Text: text, By: by.Player}, now)
	return nil
}

func cleanText(s string) (string, error) {
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n == 0 || n > 1000 || !player.IsText(s) {
		return "", ErrText
	}
	return s, nil
}

// end closes a challenge, e.Player having won it, and moves a winning challenger up if they still stand below: the
// only way in which a challenge moves anybody.
func (l *Ladder) end(e Event, now time.Time) {
	c := *l.challenge(e.Challenge)
	e.Kind = ChallengeEnded
	l.record(e, now)
	from, to := l.Place(c.Challenger), l.Place(c.Defender)
	if e.Player == c.Challenger && from > to && to > 0 {
		l.record(Event{Kind: Moved, Player: c.Challenger, Challenge: e.Challenge, From: from, To: to, Swap: l.Settings.Climb == Swap}, now)
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
