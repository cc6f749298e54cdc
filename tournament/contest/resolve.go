package contest

import (
	"cmp"
	"slices"
	"time"
)

// Leg is one match of a contest.
type Leg struct {
	Contest    int       // index in the graph: the same two may meet in more than one
	Round      int       // of play, from 1
	Sides      [2]int    // numbers; the first opens the bidding
	Score      [2]int    // in half points; of teams whose game points come first, those in tenths
	Other      [2]int    // of teams: the other score, which breaks a tie of the first
	Boards     []int     // of teams: what the first side won on each board minus what the second did
	Difference int       // Chpok points of the first side minus those of the second
	Absent     [2]bool   // lost by forfeit
	Gone       []int     // the numbers of all who had left when the result came
	Came       time.Time // when the result came
	Odds       int       // the number that has draw odds, or the lot; 0: neither
	Open       bool      // no result yet
}

// Status is the progress of a contest.
type Status uint8

const (
	Waiting Status = iota // for its sides
	Due                   // a match is to be played
	Playing               // a match is being played
	Over
)

// By is how a contest was decided.
type By uint8

const (
	Undecided By = iota
	ByBye
	ByScore
	ByForfeit // one side missed every match, or has left and was level
	ByPoints
	ByOther // teams: the other score
	ByPair
	ByBoardCount
	ByTopBoards
	ByLessBottom
	ByDecider
	ByLot
	BySeed
	ByNobody // nobody advances: neither side came, there is none, or the only one had left before
	Needless // a reset that the grand final made unnecessary
)

var byNames = [...]string{"", "bye", "score", "forfeit", "points", "games", "pair", "boards", "top", "bottom", "decider", "lot", "seed", "nobody", "needless"}

func (b By) String() string { return byNames[b] }

// State is a contest with its results.
type State struct {
	Contest
	At     int    // index in the graph
	Sides  [2]int // numbers; 0: nobody, or not known yet
	Known  [2]bool
	Legs   []int  // indices into the legs
	Round  int    // of the latest match; 0: none
	Score  [2]int // over all matches, as that of a leg
	Other  [2]int // as Score
	Status Status
	By     By
	Winner int    // 0: nobody, or not known yet
	Loser  int    // as Winner
	Tie    bool   // a tie-break match is due, being played or was played
	Sealed bool   // that match is a Decider
	First  int    // Due: the number that opens the bidding
	last   int    // index of the leg that decided it; -1: none
	left   [2]int // matches to come after those in play: if nothing is level, and if everything is
}

// Second returns the opponent of First.
func (s State) Second() int { return s.Sides[0] + s.Sides[1] - s.First }

// Bracket is a graph with results.
type Bracket struct {
	States []State
	Stray  []Leg // between players who would not have met, or open though nothing is to be played
}

// Resolve applies results to a graph. Legs are in the order of play and count only for a
// contest with the same two sides. A leg played after the decision changes nothing. The
// same legs always give the same bracket.
func Resolve(g Graph, r Rules, legs []Leg) Bracket {
	b := Bracket{States: make([]State, len(g))}
	of := make([][]int, len(g))
	isStray := make([]bool, len(legs))
	for i, l := range legs {
		if l.Contest < 0 || l.Contest >= len(g) {
			isStray[i] = true
			continue
		}
		of[l.Contest] = append(of[l.Contest], i)
	}
	for i, c := range g {
		s := State{Contest: c, At: i, last: -1}
		switch needed, known := b.isNeeded(c); {
		case !known:
			s.left[1] = r.Legs + further(r.Tie)
		case !needed:
			s.Status, s.By = Over, Needless
		default:
			s.takeSides(b, r, legs, of[i])
		}
		for _, k := range of[i] {
			isLate := s.Status == Over && !legs[k].Open && pairOf(legs[k].Sides) == pairOf(s.Sides)
			isStray[k] = !isLate && !slices.Contains(s.Legs, k)
		}
		b.States[i] = s
	}
	for i, l := range legs {
		if isStray[i] {
			b.Stray = append(b.Stray, l)
		}
	}
	for i := range b.States {
		if s := &b.States[i]; s.Status == Due {
			s.First = s.opens(r, legs)
		}
	}
	return b
}

// isNeeded reports whether a contest is played at all, and whether that is known yet. A
// reset is played only if the winner of the lower bracket won the grand final.
func (b Bracket) isNeeded(c Contest) (needed, known bool) {
	if c.Part != Reset {
		return true, true
	}
	final := b.States[c.Slots[0].Of]
	return final.Loser != 0 && final.Winner == final.Sides[1], final.Status == Over
}

// takeSides finds the two sides and judges their matches.
func (s *State) takeSides(b Bracket, r Rules, legs []Leg, own []int) {
	for k, slot := range s.Slots {
		s.Sides[k], s.Known[k] = b.side(slot, s.Wave)
	}
	if !s.Known[0] || !s.Known[1] || s.Sides[0] == 0 || s.Sides[1] == 0 {
		s.pass(b, r, legs)
		return
	}
	for _, i := range own {
		if pairOf(legs[i].Sides) == pairOf(s.Sides) {
			s.Legs = append(s.Legs, i)
		}
	}
	used := s.judge(r, legs)
	if s.Status == Playing {
		used++
	}
	s.Legs = s.Legs[:used]
	for _, i := range s.Legs {
		leg := s.of(legs[i])
		for k := range s.Sides {
			s.Score[k], s.Other[k] = s.Score[k]+leg.Score[k], s.Other[k]+leg.Other[k]
		}
		s.Round = legs[i].Round
		s.last = later(s.last, i, legs)
	}
}

func pairOf(sides [2]int) [2]int { return [2]int{min(sides[0], sides[1]), max(sides[0], sides[1])} }

// side returns the number on a slot, 0 for nobody, and whether it is known yet.
func (b Bracket) side(slot Slot, wave int) (number int, known bool) {
	switch slot.Kind {
	case Best:
		return b.best(slot.Of, wave-1)
	case Player:
		return slot.Of, true
	case Winner:
		s := b.States[slot.Of]
		return s.Winner, s.Status == Over
	case Loser:
		s := b.States[slot.Of]
		return s.Loser, s.Status == Over
	case FirstLoser:
		s := b.States[slot.Of]
		for k, from := range s.Slots {
			if s.Loser != 0 && s.Sides[k] == s.Loser && b.States[from.Of].By == ByBye {
				return s.Loser, true
			}
		}
		return 0, s.Status == Over
	}
	return 0, true
}

// best returns the winner of a wave with the rank-th lowest number, 0 if there are fewer,
// and whether it is known yet.
func (b Bracket) best(rank, wave int) (number int, known bool) {
	var winners []int
	for _, s := range b.States {
		switch {
		case s.Wave != wave || s.By == ByNobody:
		case s.Status != Over:
			return 0, false
		default:
			winners = append(winners, s.Winner)
		}
	}
	slices.Sort(winners)
	if rank > len(winners) {
		return 0, true
	}
	return winners[rank-1], true
}

// later returns the one of two legs whose result came later, or the one that there is.
func later(i, k int, legs []Leg) int {
	if i >= 0 && (k < 0 || legs[k].Came.Before(legs[i].Came)) {
		return i
	}
	return k
}

// known returns the leg whose result made the sides of a contest known; -1: they always were.
func (s *State) known(b Bracket, legs []Leg) int {
	last := -1
	for _, slot := range s.Slots {
		switch slot.Kind {
		case Winner, Loser, FirstLoser:
			last = later(last, b.States[slot.Of].last, legs)
		case Best:
			for _, x := range b.States {
				if x.Wave == s.Wave-1 {
					last = later(last, x.last, legs)
				}
			}
		}
	}
	return last
}

// pass advances a side without an opponent, unless they had left when it became known that they have none.
func (s *State) pass(b Bracket, r Rules, legs []Leg) {
	if !s.Known[0] || !s.Known[1] {
		for k := range s.Sides {
			if s.Known[k] && s.Sides[k] == 0 {
				return // the other side will advance without a match
			}
		}
		s.left = [2]int{r.Legs, r.Legs + further(r.Tie)}
		return
	}
	s.Status, s.By, s.Winner = Over, ByBye, s.Sides[0]+s.Sides[1]
	s.last = s.known(b, legs)
	if s.Winner == 0 || s.last >= 0 && slices.Contains(legs[s.last].Gone, s.Winner) {
		s.By, s.Winner = ByNobody, 0
	}
}

// further returns the most matches that steps can add.
func further(steps []Step) (n int) {
	for _, s := range steps {
		switch s {
		case Pair:
			n += 2
		case Decider:
			n++
		}
	}
	return n
}

// judge decides a contest between two players, or finds what to play next. It returns how
// many results that took.
func (s *State) judge(r Rules, legs []Leg) (used int) {
	if s.series(&used, stretch{r.Legs, further(r.Tie), ByScore, r.most()}, legs) {
		return used
	}
	for i, step := range r.Tie {
		switch later := further(r.Tie[i+1:]); step {
		case Points:
			sum := 0
			for _, i := range s.Legs[:used] {
				sum += max(-100, min(100, s.of(legs[i]).Difference))
			}
			if sum != 0 {
				s.decide(sum > 0, ByPoints)
				return used
			}
		case Pair:
			s.Tie = true
			if s.series(&used, stretch{2, later, ByPair, r.most()}, legs) {
				return used
			}
		case Decider:
			s.Tie, s.Sealed = true, true
			if s.series(&used, stretch{1, later, ByDecider, r.most()}, legs) {
				return used
			}
			if s.byOdds(legs[s.Legs[used-1]], ByDecider) {
				return used
			}
		case BoardCount, TopBoards, LessBottom:
			if lead := lead(step, s.boards(legs, used)); lead != 0 {
				s.decide(lead > 0, byBoards[step])
				return used
			}
		case Lot:
			if s.byOdds(legs[s.Legs[used-1]], ByLot) {
				return used
			}
		}
	}
	s.decide(s.Sides[0] < s.Sides[1], BySeed)
	return used
}

var byBoards = map[Step]By{BoardCount: ByBoardCount, TopBoards: ByTopBoards, LessBottom: ByLessBottom}

// boards returns what the first side won on each board minus what the second did, over a number of matches.
func (s *State) boards(legs []Leg, used int) (sum []int) {
	for _, i := range s.Legs[:used] {
		for k, d := range s.of(legs[i]).Boards {
			if k == len(sum) {
				sum = append(sum, 0)
			}
			sum[k] += d
		}
	}
	return sum
}

// lead says who is ahead by a step when game points are level, from what the first side won on each board minus what the
// second did: above 0 the first, below 0 the second.
func lead(step Step, boards []int) int {
	sum := 0
	for k, d := range boards {
		switch step {
		case BoardCount:
			sum -= (k + 1) * d
		case TopBoards:
			sum = cmp.Or(sum, d)
		default:
			sum += d
		}
	}
	for k := len(boards) - 1; step == LessBottom && k >= 0; k-- {
		if sum -= boards[k]; sum != 0 {
			break
		}
	}
	return sum
}

// byOdds advances the side with the odds or the lot of the last match, and reports whether
// there is one.
func (s *State) byOdds(last Leg, by By) bool {
	if last.Odds == 0 {
		return false
	}
	s.decide(last.Odds == s.Sides[0], by)
	return true
}

// of returns a leg as seen from the contest's first side.
func (s *State) of(l Leg) Leg {
	if l.Sides[0] != s.Sides[0] {
		l.Sides[0], l.Sides[1] = l.Sides[1], l.Sides[0]
		l.Score[0], l.Score[1] = l.Score[1], l.Score[0]
		l.Absent[0], l.Absent[1] = l.Absent[1], l.Absent[0]
		l.Other[0], l.Other[1] = l.Other[1], l.Other[0]
		l.Difference, l.Boards = -l.Difference, slices.Clone(l.Boards)
		for k := range l.Boards {
			l.Boards[k] = -l.Boards[k]
		}
	}
	return l
}

// most returns the score of a match that is won by as much as possible.
func (r Rules) most() int { return cmp.Or(r.Most, 2) }

// stretch is a number of matches, after which more may follow, and how they decide.
type stretch struct {
	n, later int
	by       By
	most     int // see Rules.most
}

// series counts the matches of a stretch from used on. It reports
// false if they are level. Matches that can no longer change the outcome are not played.
// Who has left when the last result comes plays no further match and wins no tie: it goes to who
// is there, who need not have come, or to nobody.
func (s *State) series(used *int, of stretch, legs []Leg) bool {
	var score, other, absent [2]int
	var gone [2]bool
	from := *used
	for i := range of.n {
		if lead := score[0] - score[1]; max(lead, -lead) > of.most*(of.n-i) {
			break
		}
		if *used == len(s.Legs) {
			s.Status, s.left = Due, [2]int{of.n - i, of.n - i + of.later}
			return true
		}
		l := s.of(legs[s.Legs[*used]])
		if l.Open {
			s.Status, s.left = Playing, [2]int{of.n - i - 1, of.n - i - 1 + of.later}
			return true
		}
		*used++
		for k := range score {
			score[k], other[k] = score[k]+l.Score[k], other[k]+l.Other[k]
			if l.Absent[k] {
				absent[k]++
			}
			gone[k] = slices.Contains(l.Gone, s.Sides[k])
		}
	}
	by, ahead, played := of.by, score[0]-score[1], *used-from
	if ahead == 0 && by == ByScore {
		by = ByOther
	}
	ahead = cmp.Or(ahead, other[0]-other[1])
	switch {
	case ahead == 0 && gone[0] != gone[1]:
		s.decide(gone[1], ByForfeit)
	case absent == [2]int{played, played}, ahead == 0 && gone[0]:
		s.Status, s.By = Over, ByNobody
	case ahead == 0:
		return false
	case absent[0] == played || absent[1] == played:
		s.decide(ahead > 0, ByForfeit)
	default:
		s.decide(ahead > 0, by)
	}
	return true
}

func (s *State) decide(first bool, by By) {
	s.Status, s.By, s.Winner, s.Loser = Over, by, s.Sides[1], s.Sides[0]
	if first {
		s.Winner, s.Loser = s.Sides[0], s.Sides[1]
	}
}

// opens returns the number that opens the bidding in the due match. Within a contest the
// two alternate. In its first match it is the player who opened less often before, then
// the one who did not open their latest match, then the better seed if its number is odd
// and Rules.Opening is 0, or neither; otherwise the other.
func (s *State) opens(r Rules, legs []Leg) int {
	if n := len(s.Legs); n > 0 {
		latest := legs[s.Legs[n-1]].Sides
		if n == 2 && r.Legs == 4 {
			return latest[0] // the same player opens the second and the third of four
		}
		return latest[1]
	}
	var balance, latest [2]int // matches opened minus others; 1 or -1 for the latest one
	for _, l := range legs {
		if l.Absent[0] || l.Absent[1] {
			continue
		}
		for k, number := range s.Sides {
			switch number {
			case l.Sides[0]:
				balance[k], latest[k] = balance[k]+1, 1
			case l.Sides[1]:
				balance[k], latest[k] = balance[k]-1, -1
			}
		}
	}
	better, worse := min(s.Sides[0], s.Sides[1]), max(s.Sides[0], s.Sides[1])
	switch c := cmp.Or(cmp.Compare(balance[0], balance[1]), cmp.Compare(latest[0], latest[1])); {
	case c < 0:
		return s.Sides[0]
	case c > 0:
		return s.Sides[1]
	case (better%2 == 1) == (r.Opening == 0):
		return better
	}
	return worse
}
