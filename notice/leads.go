package notice

import (
	"slices"
	"time"
)

// Leads is how long before a moment (a round, an appointment) a player wants to be
// reminded: early, and once more late. Zero: not at all.
type Leads struct{ Early, Late time.Duration }

// DefaultLeads are the leads of players who chose none.
var DefaultLeads = Leads{Early: 24 * time.Hour, Late: 15 * time.Minute}

// What a player may choose.
var (
	EarlyChoices = []time.Duration{0, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour}
	LateChoices  = []time.Duration{0, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour}
)

// MaxLead is the longest lead: nothing is announced earlier.
const MaxLead = 48 * time.Hour

// IsValid reports whether these can be chosen.
func (l Leads) IsValid() bool {
	return slices.Contains(EarlyChoices, l.Early) && slices.Contains(LateChoices, l.Late)
}

// DueLeads are the possible leads that are due for a moment still to come: nobody is
// reminded of what has begun.
func DueLeads(moment, now time.Time) []time.Duration {
	var due []time.Duration
	for _, lead := range append(slices.Clone(LateChoices), EarlyChoices...) {
		if lead > 0 && !now.Before(moment.Add(-lead)) && now.Before(moment) {
			due = append(due, lead)
		}
	}
	return due
}

// Of is the lead at which the player is reminded, among those that have just become due:
// the shortest of theirs, because one reminder is enough; false: none is theirs.
func (l Leads) Of(fresh []time.Duration) (time.Duration, bool) {
	for _, lead := range [...]time.Duration{l.Late, l.Early} {
		if lead > 0 && slices.Contains(fresh, lead) {
			return lead, true
		}
	}
	return 0, false
}

// Fixed leads.
const (
	// DisputeLead is how long before a forfeit counts that nobody has decided about its judges are told once more.
	DisputeLead = 48 * time.Hour
	// DeadlineLead is how long before a deadline of a ladder its players are told.
	DeadlineLead = 12 * time.Hour
	// ExpiryLead is how long before a challenge expires its receiver is told, if
	// it was open for at least four times as long.
	ExpiryLead = time.Hour
	// SlowTurn is the time to act from which people leave the page during a turn;
	// TurnWait is how long they have to notice the turn on the page itself.
	SlowTurn = time.Hour
	TurnWait = 2 * time.Minute
	// TurnLead is how long before the time to act ends a player is told again, if
	// they had at least twice as long.
	TurnLead = 3 * time.Hour
)
