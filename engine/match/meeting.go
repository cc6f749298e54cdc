package match

import (
	"time"

	"chpok.org/chpok/engine/bidding"
)

// meeting is the state of the meeting for the board phase.
type meeting struct {
	named [2]time.Time // latest proposal of each player, by seat
	at    time.Time    // agreed time; zero: none yet
	here  [2]time.Time // when each player was last ready
}

// IsMeeting reports whether the bidding is over and the players are to meet for the board phase
// (Options.Meet).
func (s State) IsMeeting() bool { return s.status == Waiting && s.game.OnBoard() }

// Appointment returns the agreed time to meet for the board phase, zero if there is none yet,
// and the latest proposals by seat.
func (s State) Appointment() (agreed time.Time, named [2]time.Time) {
	return s.meeting.at, s.meeting.named
}

// isHere reports whether a player counts as being at the board. Before a meeting that lasts
// MeetWindow, before the bidding it does not end.
func (s State) isHere(by Seat, now time.Time) bool {
	if !s.ready[by.Index()] {
		return false
	}
	return !s.IsMeeting() || now.Sub(s.meeting.here[by.Index()]) <= MeetWindow
}

// came returns who has come when the wait is over. Coming to a meeting before its window does
// not count.
func (s State) came() [2]bool {
	came := s.ready
	for i, here := range s.meeting.here {
		if !s.meeting.at.IsZero() && here.Before(s.meeting.at.Add(-MeetWindow)) {
			came[i] = false
		}
	}
	return came
}

// meet begins the wait for the players after the bidding.
func (s *State) meet(at time.Time) {
	s.status, s.ready, s.meeting = Waiting, [2]bool{}, meeting{}
	s.clock.running, s.clock.since, s.clock.wait = 0, at, s.options.Meet
}

// comes makes a player ready.
func (s *State) comes(e PlayerReady, at time.Time) error {
	by := e.Seat
	if s.status != Waiting || !by.Valid() || s.isHere(by, at) && !s.IsMeeting() {
		return refuse(bidding.Malformed, "nobody is waited for")
	}
	other := by.Other().Index()
	s.ready[other] = s.isHere(by.Other(), at)
	s.ready[by.Index()], s.meeting.here[by.Index()] = true, at
	if s.options.Odds && !s.game.OnBoard() {
		s.sealed[by.Index()] = e.Sealed
		if e.Seal != SealOf(s.seed.salt(by), e.Sealed) {
			return refuse(bidding.Malformed, "the seal does not fit the bid")
		}
	}
	s.alone()
	return nil
}

func (d decision) decideReady(c Ready) ([]Event, error) {
	switch {
	case !c.Seat.Valid():
		return nil, refuse(UnknownPlayer, "no such player")
	case d.status != Waiting || d.isHere(c.Seat, d.now):
		return nil, nil
	}
	e, err := d.seal(c)
	switch {
	case err != nil:
		return nil, err
	case !d.isHere(c.Seat.Other(), d.now):
		return []Event{e}, nil
	}
	var started Started
	if d.options.Odds && !d.game.OnBoard() {
		bids := d.sealed
		bids[c.Seat.Index()] = e.Sealed
		started.Odds = d.seed.reveal(bids)
	}
	return []Event{e, started}, nil
}

// decideAppoint accepts proposals within the time for the meeting.
func (d decision) decideAppoint(c Appoint) ([]Event, error) {
	c.At = c.At.UTC().Truncate(time.Minute)
	last := d.clock.since.Add(d.options.Meet)
	switch {
	case !c.Seat.Valid():
		return nil, refuse(UnknownPlayer, "no such player")
	case !d.IsMeeting() || !d.meeting.at.IsZero():
		return nil, refuse(NoMeeting, "no meeting to agree on")
	case !c.At.After(d.now) || c.At.After(last):
		return nil, refuse(NoMeeting, "a meeting must be before %v", last)
	case d.meeting.named[c.Seat.Index()].Equal(c.At):
		return nil, nil
	}
	return []Event{Appointed(c)}, nil
}

// appoint records a proposal. Once both propose the same time, players who are not there by
// then, plus MeetGrace, forfeit.
func (s *State) appoint(e Appointed) error {
	if !s.IsMeeting() || !e.Seat.Valid() || !s.meeting.at.IsZero() {
		return refuse(bidding.Malformed, "no meeting to agree on")
	}
	s.meeting.named[e.Seat.Index()] = onClock(e.At)
	if s.meeting.named[0].Equal(s.meeting.named[1]) {
		s.meeting.at = onClock(e.At)
		s.clock.wait = max(0, s.meeting.at.Add(MeetGrace).Sub(s.clock.since))
	}
	return nil
}
