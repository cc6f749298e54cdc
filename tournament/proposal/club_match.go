package proposal

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// ClubMatch is what one club asks of another: a round robin of their two teams.
type ClubMatch struct {
	Home, Guest club.ID // the first holds it
	Name, About string
	Boards      int
	Double      bool      // two rounds, with seats reversed
	Begins      time.Time // round 1; zero: when its staff start it
	Rated       bool
	Envelope    bidding.Envelope
}

// Check returns nil or a case of setting.ErrSettings.
func (m ClubMatch) Check(now time.Time) error {
	var f setting.Faults
	if m.Guest == "" || m.Guest == m.Home {
		f.Add("opponent", "missing", "a match is between two clubs")
	}
	if !m.Begins.IsZero() && !m.Begins.After(now) {
		f.Add("begins", "past", "a match begins in the future")
	}
	return f.Err()
}

// lineUpsAtBoard is how long a captain who is late with the line-up of a club match has.
const lineUpsAtBoard = 15 * time.Minute

// Settings returns the event of a match: more game points win, then the board count (Berlin) and the first board that is not even
// (C.07, EDEBT). One player is enough, the other boards are forfeited; others than the two clubs ask to enter.
func (m ClubMatch) Settings() tournament.Settings {
	s := tournament.DefaultSettings(tournament.RoundRobin)
	s.Name, s.About, s.ClubID, s.Double, s.Rated, s.Envelope = m.Name, m.About, m.Home, m.Double, m.Rated, m.Envelope
	s.Teams = tournament.Teams{Boards: m.Boards, Reserves: min(max(m.Boards, 1), tournament.MaxTeamReserves), ByGames: true, Least: 1, LineUps: lineUpsAtBoard}
	s.Tiebreaks, s.Numbering, s.Capacity, s.Lateness = []string{"EDEBT"}, tournament.Given, 2, 10*time.Minute
	s.Entry.Approval = true
	return s
}
