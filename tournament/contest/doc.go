// Package contest decides who meets whom and who goes on where that follows from
// results. A contest is two sides, one match or more, one decision; a side may
// still be the winner or the loser of another contest. Round robin and Swiss are
// its simplest case, every board a contest of two players and one match, and need
// nothing of this package. It refuses to know players but for their numbers, rounds
// as they are played, and the time.
package contest

// Version names the behaviour.
const Version = "knock-out-4"

// Kind is what stands on a side of a contest.
type Kind uint8

const (
	Nobody     Kind = iota // an empty line: the other side goes on without a match
	Player                 // the player with number Of, who is seeded by it
	Winner                 // of contest Of
	Loser                  // of contest Of
	FirstLoser             // of contest Of, if they came to it by a bye
	Best                   // who has the Of-th lowest number, from 1, of the winners of the wave before
)

// Slot is one side of a contest before anything is played. Contests are named by
// their places in the graph, from 0.
type Slot struct {
	Kind Kind
	Of   int
}

// Part is a tree of contests within a graph.
type Part uint8

const (
	Main        Part = iota // who loses here is out, or goes on elsewhere; of two brackets the upper one
	Places                  // losers meet for lower places
	Consolation             // who loses their first match plays for the consolation
	Lower                   // who has lost once
	GrandFinal              // the last of the upper bracket and the last of the lower one
	Reset                   // the two once more, if the last of the upper bracket has lost now
)

var partNames = [...]string{"main", "places", "consolation", "lower", "grand-final", "reset"}

func (p Part) String() string { return partNames[p] }

// Contest is two sides who are to meet.
type Contest struct {
	Wave   int // when it is played, from 1: after whatever it waits for
	Part   Part
	Level  int    // the round of its part, from 1
	Places [2]int // the places its part decides: whoever plays is at the first of them at best; none: 0
	After  int    // the place of who loses and is out; 0: they go on, or it decides no place
	Slots  [2]Slot
}

// IsThird tells whether it is the match for third place.
func (c Contest) IsThird() bool { return c.Places == [2]int{3, 4} }

// Graph are contests, each after those it waits for.
type Graph []Contest

// Step is one way to decide a contest whose matches are level.
type Step string

const (
	Points  Step = "points"  // Chpok points of its matches, a difference of at most 100 each
	Pair    Step = "pair"    // two more matches with the seats swapped
	Decider Step = "decider" // one more match, for which the two bid for draw odds
	Lot     Step = "lot"     // the lot of the last match; where none was drawn, the lower number
	Seed    Step = "seed"    // the lower number goes on
)

// AllSteps are all there are.
var AllSteps = []Step{Points, Pair, Decider, Lot, Seed}

// MostPairs is how often two more matches can be played.
const MostPairs = 3

// Rules are those of every contest of a graph.
type Rules struct {
	Losers Losers
	Legs   int    // matches of a contest: 1, 2 or 4
	Tie    []Step // where they are level; the last is Decider, Lot or Seed
	// Opening is the side, 0 or 1, that an odd number gets where nothing else tells
	// who opens the bidding; even numbers get the other.
	Opening int
}

// Decides tells whether steps are sure to decide: the last is Decider, Lot or Seed, no
// other is, points are looked at once at most and pairs are played MostPairs times at most.
func Decides(steps []Step) bool {
	pairs, points := 0, 0
	for i, s := range steps {
		switch s {
		case Points:
			points++
		case Pair:
			pairs++
		case Decider, Lot, Seed:
			return i == len(steps)-1 && points <= 1 && pairs <= MostPairs
		default:
			return false
		}
	}
	return false
}

// Size is the number of lines of the bracket for n players, a power of two.
func Size(n int) int {
	size := 2
	for size < n {
		size *= 2
	}
	return size
}

// Lines is the order of numbers down the first round of a bracket: neighbors add
// up to size+1, and 1…2^j do not meet before 2^j players remain.
func Lines(size int) []int {
	lines := []int{1, 2}
	for len(lines) < size {
		var next []int
		for _, n := range lines {
			next = append(next, n, 2*len(lines)+1-n)
		}
		lines = next
	}
	return lines
}
