package rating

import (
	"time"

	"chpok.org/chpok/refusal"
)

// PoolID names a pool: a rating list with its own rules and results.
type PoolID string

// The pools that every site has.
const (
	Main     PoolID = "main"     // rated tournaments, challenges and ladder matches
	Handicap PoolID = "handicap" // rated matches with a chip handicap
)

// Counts is which results a pool counts. Results with a chip handicap count in handicap
// pools only, and the others never in those.
type Counts struct {
	Tournaments bool `json:"tournaments"`
	Challenges  bool `json:"challenges"`
	Ladders     bool `json:"ladders"`
	Handicap    bool `json:"handicap"`
}

// ErrPool refuses an impossible pool.
var ErrPool = refusal.Invalid("rating.pool-wrong", "rating pool: needs a name, a known time zone and results to count")

// ErrBirthYear refuses an impossible birth year.
var ErrBirthYear = refusal.Invalid("rating.error.birth-year", "birth year: out of range")

// Pool is one rating list and its rules. A club's pool counts the games of the club's own
// events, and elsewhere those between two who were members when the event was rated.
type Pool struct {
	ID     PoolID
	Club   string // id of the club it belongs to; empty: of the whole site
	Name   string // empty for the two pools of every site
	Zone   string // of its monthly lists
	Counts Counts
	Rules  Settings
}

// MaxPoolName is the longest name of a pool, in letters.
const MaxPoolName = 60

// Validate refuses a pool that could never hold a rating.
func (p Pool) Validate() error {
	_, err := time.LoadLocation(p.Zone)
	if err != nil || p.Zone == "Local" || (p.Name == "" && p.ID != Main && p.ID != Handicap) || len([]rune(p.Name)) > MaxPoolName ||
		!p.Counts.Tournaments && !p.Counts.Challenges && !p.Counts.Ladders {
		return ErrPool
	}
	return p.Rules.Validate()
}

// Takes reports whether a pool counts results of that kind, whoever played.
func (c Counts) Takes(kind Kind, handicap bool) bool {
	if c.Handicap != handicap {
		return false
	}
	switch kind {
	case InTournament:
		return c.Tournaments
	case InChallenge:
		return c.Challenges
	case InLadder:
		return c.Ladders
	}
	return false
}

// Kind is where a result comes from.
type Kind uint8

const (
	InTournament Kind = iota + 1
	InChallenge
	InLadder
)

// Month is a monthly list: that of the first of a month, 00:00 in the pool's zone.
type Month struct {
	Year  int
	Month time.Month
}

// MonthOf is the latest list due at a moment.
func (p Pool) MonthOf(t time.Time) Month {
	t = t.In(p.Location())
	return Month{t.Year(), t.Month()}
}

// At is the moment of a monthly list: it contains what was rated before.
func (p Pool) At(m Month) time.Time {
	return time.Date(m.Year, m.Month, 1, 0, 0, 0, 0, p.Location())
}

// Location is the time zone of the list.
func (p Pool) Location() *time.Location {
	if zone, err := time.LoadLocation(p.Zone); err == nil {
		return zone
	}
	return time.UTC
}

// Add is the month n months later.
func (m Month) Add(n int) Month {
	t := time.Date(m.Year, m.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return Month{t.Year(), t.Month()}
}

// String is the month in addresses, 2026-11.
func (m Month) String() string {
	return time.Date(m.Year, m.Month, 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
}

// ParseMonth reads Month.String.
func ParseMonth(text string) (Month, bool) {
	t, err := time.Parse("2006-01", text)
	return Month{t.Year(), t.Month()}, err == nil
}
