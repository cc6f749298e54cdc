package tournament

import (
	"time"

	"chpok.org/chpok/player"
)

// rehearsalBreak is between the rounds of a rehearsal.
const rehearsalBreak = 10 * time.Second

// Rehearse is a tournament like this one for house bots, which only its staff
// see and which counts for nothing: rounds follow each other, and who is not
// there is not waited for.
func (t *Tournament) Rehearse(by player.Viewer, id ID, bots []Candidate, now time.Time) (*Tournament, error) {
	switch {
	case !t.May(by, ActStart):
		return nil, ErrNotAllowed
	case t.Rehearsal != "":
		return nil, ErrStarted
	case t.Format == ClubMatch:
		return nil, ErrLineUp
	}
	s := t.Settings
	s.Pace, s.Break, s.Times, s.Until, s.Firm = Auto, rehearsalBreak, nil, time.Time{}, false
	s.CheckIn, s.Rated, s.HonourNoShows, s.MembersOnly, s.ClubID, s.Capacity = CheckIn{}, false, false, false, "", 0
	if s.Numbering == Given {
		s.Numbering = ByRating
	}
	r, err := New(id, t.Organizer, s, now)
	if err != nil {
		return nil, err
	}
	r.Rehearsal, r.Status, r.Staff = t.ID, Registration, t.Clone().Staff
	for i, c := range bots {
		e := Entry{ID: EntryID(i + 1), Player: c.Player, Name: c.Name, Rating: c.Rating, Bot: true, Status: Active, From: 1, EnteredAt: now}
		r.Entries = append(r.Entries, e)
	}
	return r, nil
}
