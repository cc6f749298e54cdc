// Package arena decides who meets whom in an arena, and what the results are worth:
// for a time that is fixed beforehand, whoever waits is paired with somebody who waits
// as well, again and again, without rounds. Pairing is an assignment in which waiting
// weighs against the distance in the table; wins in a row are worth double. It refuses
// to know names, matches as they are played, and the time: moments are arguments, and
// the same pass always gives the same pairs.
//
// The rules are our own. That two wins in a row double what follows until somebody does
// not win, that nobody meets their latest opponent again at once and that seats are
// balanced by the run first is the usage of arenas on chess sites; waiting as a weight
// with a cap, and that all matches under way at the end count, are not.
package arena

import "time"

// Version names the behaviour of pairing and scores. It stands in every pass that is
// kept, so that nodes with other rules do not mix theirs in.
const Version = "arena-1"

// What a pass weighs. Costs and gains are in tenths of a second of waiting.
const (
	// Interval is how soon one pass follows another.
	Interval = 2 * time.Second
	// groupSize is how many neighbors in the table are looked at together.
	groupSize = 60
	// worthwhile is what a match is worth when nobody has waited for it yet.
	worthwhile = 200
	// again is the cost of meeting one of the latest opponents.
	again = 400
	// recent is how many of the latest opponents count as met lately; in a field of at
	// most smallField only the latest does, or there would be nobody left.
	recent, smallField = 3, 12
	// Patience is after how long somebody gets whoever they may meet, if urgent ones
	// come first, and mostCost the cost that still matters then.
	Patience         = 30 * time.Second
	urgent, mostCost = 5000, 4000
	// Despair is after how long two may meet at once again.
	Despair = 45 * time.Second
	// mostStrike is so many times the same seat running, after which two with the same
	// run do not meet.
	mostStrike = 3
)

// Waiting is somebody who waits for an opponent.
type Waiting struct {
	ID     int
	Since  time.Time
	Rank   int // in the table, from 1; equal ones share it
	Rating int
	Latest []int // opponents, the latest first
	Firsts int   // matches in which they opened the bidding, less the others
	Strike int   // of the latest matches running: how often first, or less than 0 how often second
	wait   int   // in tenths
}

// Pair is two who are to meet; First opens the bidding.
type Pair struct{ First, Second int }

// Pass is one moment of pairing.
type Pass struct {
	At      time.Time
	Waiting []Waiting
	Ranked  int // how many stand in the table
	Active  int // how many take part at the moment: who waits and who plays
}
