package dryrun

import (
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// rehearsalBreak is the break between rounds of a rehearsal.
const rehearsalBreak = 10 * time.Second

// Rehearse returns a copy of the tournament for house bots that only its staff see and
// that counts for nothing: rounds follow each other, and nobody waits for absent players.
func Rehearse(t *tournament.Tournament, by player.Viewer, id tournament.ID, bots []tournament.Candidate,
	now time.Time) (*tournament.Tournament, error) {
	switch {
	case !t.May(by, tournament.ActStart):
		return nil, tournament.ErrNotAllowed
	case t.Rehearsal != "":
		return nil, tournament.ErrStarted
	}
	s := t.Settings
	s.Pace, s.Break, s.Times, s.Until, s.Firm = tournament.Auto, rehearsalBreak, nil, time.Time{}, false
	s.Groups, s.DrawUnmet, s.BidTime = 0, false, 0
	if s.Format.InRounds() {
		s.Window = 0
	}
	s.CheckIn, s.Rated, s.HonourNoShows, s.MembersOnly, s.ClubID, s.Capacity = tournament.CheckIn{}, false, false, false, "", 0
	if s.Numbering == tournament.Given {
		s.Numbering = tournament.ByRating
	}
	r, err := tournament.New(id, t.Organizer, s, now)
	if err != nil {
		return nil, err
	}
	r.Rehearsal, r.Status, r.Staff = t.ID, tournament.Registration, t.Clone().Staff
	for i, c := range bots {
		e := tournament.Entry{ID: tournament.EntryID(i + 1), Player: c.Player, Name: c.Name, Rating: c.Rating, Bot: true,
			Status: tournament.Active, From: 1, EnteredAt: now}
		r.Entries = append(r.Entries, e)
	}
	return r, nil
}
