package league

import "time"

// Level is how a player of a league stands after sanctions.
type Level int

const (
	Clean Level = iota
	Warned
	Yellow
	Red // out for the rest of the season
)

// SanctionID numbers the sanctions of a league from 1.
type SanctionID int

// Sanction is one offense. Each raises the level by one within its season; a new season heals one level, so red
// carries over as yellow, yellow as a warning, and a warning is forgotten.
type Sanction struct {
	ID     SanctionID `json:"id"`
	Member Member     `json:"member"`
	Season int        `json:"season"`
	Reason string     `json:"reason"`
	By     Member     `json:"by"`
	At     time.Time  `json:"at"`

	Appeal   string    `json:"appeal,omitempty"` // what the player objects; empty: nothing
	Decision string    `json:"decision,omitempty"`
	Lifted   bool      `json:"lifted,omitempty"` // the appeal was granted
	Decided  time.Time `json:"decided,omitzero"`
}

// IsOpen reports whether an appeal waits for a decision.
func (s Sanction) IsOpen() bool { return s.Appeal != "" && s.Decided.IsZero() }

// LevelOf returns how a member stands in a season, by all sanctions in the order they were given. One that was
// lifted counts as if it had never been given.
func LevelOf(who Member, season int, list []Sanction) Level {
	level, at := Clean, 0
	for _, s := range list {
		if s.Member != who || s.Lifted || s.Season > season {
			continue
		}
		level = min(heal(level, s.Season-at)+1, Red)
		at = s.Season
	}
	return heal(level, season-at)
}

func heal(l Level, seasons int) Level { return max(Clean, l-Level(seasons)) }
