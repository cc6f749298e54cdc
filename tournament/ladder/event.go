package ladder

import (
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/fixture"
)

// Kind is what happened: to the fixture of a challenge, or one of these.
type Kind = fixture.Kind

const (
	Created         Kind = "created"
	Changed         Kind = "changed"
	Joined          Kind = "joined"   // Player at To
	LeftLadder      Kind = "left"     // Player from From
	Moved           Kind = "moved"    // Player from From to To
	Sunk            Kind = "sunk"     // Player from From to To, by inactivity
	Warned          Kind = "warned"   // Player will sink at Due
	VacationStarted Kind = "vacation" // Player is away until Due
	VacationOver    Kind = "returned"
	Sent            Kind = "sent"     // Player challenges Other, who answers by Due
	Agreed          Kind = "accepted" // to agree on a time by Due and to play by PlayBy
	Paused          Kind = "paused"
	Resumed         Kind = "resumed" // with new deadlines Due and PlayBy
	ChallengeEnded  Kind = "ended"   // by Ending, for Player
)

// Event is one line of a ladder's log. Fields that a kind does not need are empty.
type Event struct {
	Seq       int64       `json:"-"`
	At        time.Time   `json:"-"`
	Kind      Kind        `json:"-"`
	By        player.ID   `json:"by,omitempty"` // empty: by itself
	Player    player.ID   `json:"player,omitempty"`
	Other     player.ID   `json:"other,omitempty"`
	Challenge ChallengeID `json:"challenge,omitempty"`
	From      int         `json:"from,omitempty"` // places
	To        int         `json:"to,omitempty"`
	Swap      bool        `json:"swap,omitempty"`
	Rating    int         `json:"rating,omitempty"`
	Due       time.Time   `json:"due,omitzero"`
	PlayBy    time.Time   `json:"playBy,omitzero"`
	Time      time.Time   `json:"time,omitzero"`
	Match     match.ID    `json:"match,omitempty"`
	Ending    Ending      `json:"ending,omitempty"`
	Text      string      `json:"text,omitempty"`
	Off       bool        `json:"off,omitempty"` // proposed: on a day that the other had crossed out
	Settings  *Settings   `json:"settings,omitempty"`
}

// Fold builds a ladder from its log.
func Fold(id ID, log []Event) (l *Ladder, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			l, err = nil, fmt.Errorf("ladder %s: broken log: %v", id, broken)
		}
	}()
	l = &Ladder{ID: id}
	for _, e := range log {
		if e.Seq != l.Seq+1 {
			return nil, fmt.Errorf("ladder %s: event %d follows %d", id, e.Seq, l.Seq)
		}
		l.apply(e)
	}
	l.ended = nil
	return l, nil
}

// apply applies an event. Only valid events reach the log, so it panics on a broken one.
func (l *Ladder) apply(e Event) {
	l.Seq = e.Seq
	switch e.Kind {
	case Created:
		l.Organizer, l.CreatedAt, l.Settings = e.By, e.At, *e.Settings
		l.Rungs, l.Challenges = []Rung{}, []Challenge{}
	case Changed:
		l.Settings = *e.Settings
	case Joined, LeftLadder, Moved, Sunk, Warned, VacationStarted, VacationOver:
		l.applyRung(e)
	case Sent:
		l.Last = e.Challenge
		l.rung(e.Player).Challenges++
		l.Challenges = append(l.Challenges, Challenge{
			Number: e.Challenge, Challenger: e.Player, Defender: e.Other, Places: [2]int{l.Place(e.Player), l.Place(e.Other)},
			SentAt: e.At, Fixture: fixture.Fixture[player.ID]{Status: Proposed, Due: e.Due},
		})
	case ChallengeEnded:
		l.applyEnd(e)
	default:
		l.applyChallenge(l.challenge(e.Challenge), e)
	}
}

func (l *Ladder) rung(id player.ID) *Rung { return &l.Rungs[l.Place(id)-1] }

func (l *Ladder) applyRung(e Event) {
	switch e.Kind {
	case Joined:
		l.Rungs = slices.Insert(l.Rungs, e.To-1, Rung{Player: e.Player, Rating: e.Rating, JoinedAt: e.At, ActiveAt: e.At})
	case LeftLadder:
		l.Rungs = slices.Delete(l.Rungs, e.From-1, e.From)
	case Moved:
		if e.Swap {
			l.Rungs[e.From-1], l.Rungs[e.To-1] = l.Rungs[e.To-1], l.Rungs[e.From-1]
			return
		}
		l.shift(e.From, e.To)
	case Sunk:
		r := l.rung(e.Player)
		r.ActiveAt, r.WarnedAt, r.Credit = e.At, time.Time{}, 0
		l.shift(e.From, e.To)
	case Warned:
		l.rung(e.Player).WarnedAt = e.At
	case VacationStarted:
		r := l.rung(e.Player)
		if year := e.At.UTC().Year(); r.VacationYear != year {
			r.VacationYear, r.VacationUsed = year, 0
		}
		r.VacationFrom, r.VacationUntil = e.At, e.Due
	case VacationOver:
		r := l.rung(e.Player)
		away := e.At.Sub(r.VacationFrom)
		r.VacationUsed += away
		r.ActiveAt = r.ActiveAt.Add(away)
		if !r.WarnedAt.IsZero() {
			r.WarnedAt = r.WarnedAt.Add(away)
		}
		r.VacationFrom, r.VacationUntil = time.Time{}, time.Time{}
	}
}

// shift moves a rung to a place; those between make room.
func (l *Ladder) shift(from, to int) {
	r := l.Rungs[from-1]
	l.Rungs = slices.Insert(slices.Delete(l.Rungs, from-1, from), to-1, r)
}

func (l *Ladder) applyChallenge(c *Challenge, e Event) {
	switch e.Kind {
	case Agreed:
		c.Status, c.Due, c.PlayBy = fixture.Arranging, e.Due, e.PlayBy
	case fixture.TimeProposed, fixture.Appointed, fixture.Opened, fixture.Reopened, fixture.ForfeitClaimed, fixture.Objected:
		c.Take(fixture.Step[player.ID]{Kind: e.Kind, By: e.By, Time: e.Time, Made: e.At, Due: e.Due, PlayBy: e.PlayBy, Winner: e.Player, Text: e.Text,
			Off: e.Off})
		switch e.Kind {
		case fixture.Opened:
			c.Match, c.Rated = e.Match, l.Settings.Rated
		case fixture.Reopened:
			c.Match = ""
		case fixture.Objected:
			c.Paused = time.Time{} // what the organizer decides waits for nobody
		}
	case Paused:
		c.Paused = e.At
		if c.Status == fixture.Scheduled || c.Status == fixture.Arranging {
			// The vacation makes the proposed times useless.
			if c.Status == fixture.Scheduled {
				c.Due = e.At.Add(l.Settings.Schedule)
				c.PlayBy = later(c.PlayBy, c.Due)
			}
			c.Status, c.At, c.Times = fixture.Arranging, time.Time{}, nil
		}
	case Resumed:
		c.Paused, c.Due, c.PlayBy = time.Time{}, e.Due, e.PlayBy
	default:
		panic(fmt.Sprintf("no such event: %q", e.Kind))
	}
}

// maxCredits is how many defended places count against inactivity at once.
const maxCredits = 3

func (l *Ladder) applyEnd(e Event) {
	i := slices.IndexFunc(l.Challenges, func(c Challenge) bool { return c.Number == e.Challenge })
	c := l.Challenges[i]
	l.Challenges = slices.Delete(l.Challenges, i, i+1)
	c.Status, c.Ending, c.Winner, c.EndedAt = Ended, e.Ending, e.Player, e.At
	c.Due, c.Paused = time.Time{}, time.Time{}
	if e.Text != "" {
		c.Text = e.Text
	}
	l.ended = append(l.ended, c)

	l.Met = slices.DeleteFunc(l.Met, func(m Meeting) bool { return !e.At.Before(m.At.Add(l.Settings.Rest)) })
	l.Met = append(l.Met, Meeting{[2]player.ID{c.Challenger, c.Defender}, e.At})

	challenger, defender := l.rung(c.Challenger), l.rung(c.Defender)
	switch e.Player {
	case c.Challenger:
		challenger.Won++
		defender.Lost++
	case c.Defender:
		defender.Won++
		challenger.Lost++
		defender.Defended++
	}
	// A match, or a challenge won without one, counts as activity. Whom somebody else's decision, or
	// the clock, leaves without a match is warned anew.
	for _, r := range []*Rung{challenger, defender} {
		isActive := e.Ending == Played || e.Player == r.Player
		if isActive {
			r.ActiveAt = e.At
		}
		if isActive || e.By != r.Player {
			r.WarnedAt = time.Time{}
		}
	}
	if e.Player == c.Defender || e.Ending == Played && e.Player == "" {
		defender.Credit = min(defender.Credit+l.Settings.Credit, maxCredits*l.Settings.Credit)
	}
}
