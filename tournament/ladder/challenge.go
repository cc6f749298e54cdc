package ladder

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/fixture"
)

// Status is the stage of a challenge: one of its fixture, or one of these.
type Status = fixture.Status

const (
	Proposed Status = "proposed" // the defender has to answer
	Ended    Status = "ended"
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

// Challenge is one challenge, running or ended. The challenger bids first.
type Challenge struct {
	Number     ChallengeID `json:"number"`
	Challenger player.ID   `json:"challenger"`
	Defender   player.ID   `json:"defender"`
	Places     [2]int      `json:"places"` // places of the two when it was sent
	SentAt     time.Time   `json:"sent"`
	// Due is the deadline to reply as well, and Winner in the end who has won the challenge.
	fixture.Fixture[player.ID]
	Match match.ID `json:"match,omitempty"`
	// Rated says that the match counts for the rating lists, by the settings when it
	// opened.
	Rated bool `json:"rated,omitempty"`
	// Paused is when a vacation stopped all deadlines; they continue afterwards.
	Paused  time.Time `json:"paused,omitzero"`
	Ending  Ending    `json:"ending,omitempty"`
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
	case !c.IsArranging():
		return nil, fixture.ErrNotNow
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
		return fixture.ErrNotNow
	}
	l.record(Event{Kind: Agreed, By: by.Player, Challenge: n, Due: now.Add(l.Settings.Schedule), PlayBy: now.Add(l.Settings.Play)}, now)
	if l.Settings.BidTime > 0 { // the bidding needs no appointment
		l.record(Event{Kind: fixture.Appointed, By: by.Player, Challenge: n, Time: now, Due: now}, now)
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
	case (c.Status == fixture.Arranging || c.Status == fixture.Scheduled) && id == c.Defender:
		return CostsPlace, Conceded, nil
	case c.Status == fixture.Arranging || c.Status == fixture.Scheduled:
		return CostsCredit, Withdrawn, nil
	}
	return "", "", fixture.ErrNotNow
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
func (l *Ladder) Propose(by Actor, n ChallengeID, o fixture.Offer) error {
	c, err := l.arranging(by.Player, n)
	if err != nil {
		return err
	}
	step, isNew, err := c.Propose(by.Player, o)
	if isNew {
		l.step(n, step, o.Now)
	}
	return err
}

// step records what happens to a challenge's fixture.
func (l *Ladder) step(n ChallengeID, s fixture.Step[player.ID], now time.Time) {
	l.record(Event{Kind: s.Kind, By: s.By, Challenge: n, Time: s.Time, Due: s.Due, PlayBy: s.PlayBy, Player: s.Winner, Text: s.Text, Off: s.Off}, now)
}

// Agree accepts a time proposed by the opponent.
func (l *Ladder) Agree(by Actor, n ChallengeID, at, now time.Time) error {
	c, err := l.arranging(by.Player, n)
	if err != nil {
		return err
	}
	step, err := c.Agree(by.Player, at, now)
	if err == nil {
		l.step(n, step, now)
	}
	return err
}

// Result records the result of a challenge's match; repeated calls do nothing. A forfeit
// waits for an objection, a void match needs a new time.
func (l *Ladder) Result(n ChallengeID, r match.Result, now time.Time) {
	c := l.challenge(n)
	if c == nil || c.Status != fixture.Playing {
		return
	}
	var winner player.ID
	switch r.Outcome {
	case match.FirstWins:
		winner = c.Challenger
	case match.SecondWins:
		winner = c.Defender
	case match.Draw, match.BothLose, match.Void:
	default:
		return // not ended
	}
	if step, follows := c.Ended(r, winner, fixture.Terms{Object: l.Settings.Dispute, Schedule: l.Settings.Schedule}, now); follows {
		l.step(n, step, now)
		l.pauseIfAway(n, now)
		return
	}
	l.end(Event{Challenge: n, Ending: Played, Player: winner}, now)
}

// Object disputes a forfeit, which the organizer decides within fixture.DecideWithin, or it counts. No vacation stops that.
func (l *Ladder) Object(by Actor, n ChallengeID, text string, now time.Time) error {
	c, err := l.of(by.Player, n)
	if err != nil {
		return err
	}
	step, err := c.Object(by.Player, text, now)
	if err == nil {
		l.step(n, step, now)
	}
	return err
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
	case c.Status == fixture.Playing:
		return ErrPlaying
	case winner != "" && !c.Is(winner):
		return ErrNotOnLadder
	}
	text, err := fixture.CleanText(text)
	if err != nil {
		return err
	}
	l.end(Event{Challenge: n, Ending: Judged, Player: winner, Text: text, By: by.Player}, now)
	return nil
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
