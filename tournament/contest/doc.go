// Package contest decides who meets whom and who advances in a bracket. A contest has two
// sides, one or more matches, and one decision; a side may be the winner or loser of an
// earlier contest. The package knows players only by their numbers, not the rounds of play, and the
// time only as the order in which results came. A player may be a team, whose match is several
// boards.
package contest

import "slices"

// Version names the behavior.
const Version = "knock-out-6"

// Kind says who takes a side of a contest.
type Kind uint8

const (
	Nobody     Kind = iota // a bye: the other side advances without a match
	Player                 // the player with number Of, which is their seed
	Winner                 // of contest Of
	Loser                  // of contest Of
	FirstLoser             // of contest Of, if they came to it by a bye
	Best                   // the winner of the previous wave with the Of-th lowest number, from 1
)

// Slot is one side of a contest before anything is played. Of is a contest's index in the
// graph, a player's number, or a rank; see Kind.
type Slot struct {
	Kind Kind
	Of   int
}

// Part is a tree of contests within a graph.
type Part uint8

const (
	Main        Part = iota // the bracket, or the upper one of two
	Places                  // losers meet for lower places
	Consolation             // for those who lost their first match
	Lower                   // for those who have lost once
	GrandFinal              // the winners of the upper and the lower bracket
	Reset                   // the grand final again, if the winner of the upper bracket lost it
)

var partNames = [...]string{"main", "places", "consolation", "lower", "grand-final", "reset"}

func (p Part) String() string { return partNames[p] }

// Contest is two sides who are to meet.
type Contest struct {
	Wave   int // the step of play, from 1; later than those of the contests it depends on
	Part   Part
	Level  int    // the round within its part, from 1
	Places [2]int // the best and worst place at stake in its part; zero: none
	After  int    // the loser's final place; 0: they play on, or no place is decided
	Slots  [2]Slot
}

// IsThird reports whether the contest is for third place.
func (c Contest) IsThird() bool { return c.Places == [2]int{3, 4} }

// Graph is a bracket's contests in the order of play.
type Graph []Contest

// Step is one way to break a tie in a contest.
type Step string

const (
	Points  Step = "points"  // total Chpok points, with a difference of at most 100 per match
	Pair    Step = "pair"    // two more matches with the seats swapped
	Decider Step = "decider" // one more match, with draw odds for the higher sealed bid
	Lot     Step = "lot"     // the lot of the last match, or the lower number if none was drawn
	Seed    Step = "seed"    // the lower number advances

	// Of teams, over the boards of all matches; forfeits count like games (FIDE C.07, 12 and 13).
	BoardCount Step = "boards" // the lower sum of board numbers, each times what was won there
	TopBoards  Step = "top"    // who won more on board 1, else on board 2 and so on
	LessBottom Step = "bottom" // who won more without the last board, else without the last two and so on
)

// AllSteps lists every step.
var AllSteps = []Step{Points, Pair, Decider, Lot, Seed, BoardCount, TopBoards, LessBottom}

// MostPairs limits the Pair steps of a contest.
const MostPairs = 3

// Rules apply to every contest of a graph.
type Rules struct {
	Losers Losers
	Legs   int    // matches per contest: 1, 2 or 4
	Tie    []Step // tried in order when they are level; see Decides
	// Most is the score of a match that is won by as much as possible; 0: that of a win, 2.
	Most int
	// Opening is the side, 0 or 1, that an odd number gets when nothing else decides
	// who opens the bidding. An even number gets the other.
	Opening int
}

// DecideTeams is Decides for teams: Lot or Seed comes last, and before it BoardCount, TopBoards and LessBottom at most once.
func DecideTeams(steps []Step) bool {
	return decide(steps, []Step{BoardCount, TopBoards, LessBottom}, []Step{Lot, Seed})
}

// Decides reports whether steps always break a tie of players: Decider, Lot or Seed comes last and
// only there, with at most one Points and MostPairs Pair steps before it.
func Decides(steps []Step) bool { return decide(steps, []Step{Points}, []Step{Decider, Lot, Seed}) }

func decide(steps, once, last []Step) bool {
	pairs := 0
	for i, s := range steps {
		switch {
		case s == Pair:
			pairs++
		case slices.Contains(last, s):
			return i == len(steps)-1 && pairs <= MostPairs
		case !slices.Contains(once, s) || slices.Contains(steps[:i], s):
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

// Lines orders the numbers down the first round of a bracket: neighbors add up to size+1,
// and numbers up to 2^j do not meet before 2^j players remain.
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
