// Package arena decides who meets whom in an arena and what results are worth. For a fixed
// time, waiting players are paired again and again, without rounds. Each pass maximizes
// total gain: waiting raises the gain of a pair, distance in the table lowers it. After two
// wins in a row, further points are doubled. The package knows no names, live matches or
// clock: the time is an argument, and the same pass always gives the same pairs.
//
// The rules are our own. From arenas on chess sites come the double points of a streak, no
// immediate rematch, and seats balanced by the current run first. Waiting as a capped
// weight is not from there, nor that matches in play at the end count.
package arena

import "time"

// Version names the behavior of pairing and scoring. Each stored pass carries it, so that
// nodes with other rules do not check it by theirs.
const Version = "arena-1"

// Weights of pairing. Costs and gains are in tenths of a second of waiting.
const (
	// Interval is the least time between two passes.
	Interval = 2 * time.Second
	// groupSize is the most neighbors in the table that are paired together.
	groupSize = 60
	// worthwhile is the gain of a match between players who have just begun to wait.
	worthwhile = 200
	// again is the cost of meeting a recent opponent.
	again = 400
	// recent is how many opponents count as recent. In a field of at most smallField,
	// only the latest does.
	recent, smallField = 3, 12
	// Patience is the wait after which a player is urgent and meets anyone they may;
	// their costs are capped at mostCost.
	Patience         = 30 * time.Second
	urgent, mostCost = 5000, 4000
	// Despair is the wait after which two players may meet twice in a row.
	Despair = 45 * time.Second
	// mostStrike is the run of the same seat after which two players with such runs do
	// not meet.
	mostStrike = 3
)

// Waiting is a player who waits for an opponent.
type Waiting struct {
	ID     int
	Since  time.Time
	Rank   int // in the table, from 1; shared by equal players
	Rating int
	Latest []int // opponents, the latest first
	Firsts int   // matches in which they opened the bidding, minus the others
	Strike int   // current run of the same seat: positive as First, negative as Second
	Team   int   // of a battle: nobody is paired with their own; 0: none
	wait   int   // in tenths of a second
}

// Pair is two players who meet; First opens the bidding.
type Pair struct{ First, Second int }

// Pass is one moment of pairing.
type Pass struct {
	At      time.Time
	Waiting []Waiting
	Ranked  int // players in the table
	Active  int // players who wait or play
	// ActiveIn counts those of each team of a battle; nil: there are none.
	ActiveIn map[int]int
}
