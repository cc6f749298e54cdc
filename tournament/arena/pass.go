package arena

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/tournament/internal/blossom"
)

// Pairs returns who meets now, by place in the table. Players in no pair go on waiting.
// The order of Waiting does not matter.
func (p Pass) Pairs() (pairs []Pair) {
	list := slices.Clone(p.Waiting)
	for i := range list {
		list[i].wait = max(0, tenths(p.At.Sub(list[i].Since)))
	}
	slices.SortFunc(list, func(a, b Waiting) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.ID, b.ID))
	})
	groups := (len(list) + groupSize - 1) / groupSize
	for i := range groups {
		from, to := even(len(list), i, groups), even(len(list), i+1, groups)
		pairs = append(pairs, p.group(list[from:to])...)
	}
	return pairs
}

// even returns where group i begins. All groups but the last hold an even number.
func even(n, i, groups int) int {
	if i == groups {
		return n
	}
	return n * i / groups / 2 * 2
}

// group pairs neighbors for the greatest sum of gains.
func (p Pass) group(list []Waiting) (pairs []Pair) {
	n := len(list)
	words := (n + 63) / 64
	class, table, adj := make([]int32, n), make([][2]uint64, n*n), make([][]uint64, n)
	for i := range n {
		class[i], adj[i] = int32(i), make([]uint64, words)
	}
	joined := false
	for i := range n {
		for j := range i {
			gain := p.gain(list[i], list[j])
			if gain <= 0 {
				continue
			}
			joined = true
			adj[i][j>>6] |= 1 << (j & 63)
			adj[j][i>>6] |= 1 << (i & 63)
			w := [2]uint64{0, uint64(gain)}
			table[i*n+j], table[j*n+i] = w, w
		}
	}
	if !joined {
		return nil
	}
	m := blossom.New(class, n, table, adj, n)
	for i := range n { // ties go to the higher place in the table
		m.Bump(i, uint64(2*(n-i)))
		m.Loosen(i)
	}
	m.Solve()
	for i := range n {
		if j := m.Mate(i); j > i {
			pairs = append(pairs, Seats(list[i], list[j]))
		}
	}
	return pairs
}

// gain returns the gain of a match in tenths of a second; 0 or less: they do not meet.
func (p Pass) gain(a, b Waiting) int {
	if !p.mayMeet(a, b) {
		return 0
	}
	cost := p.cost(a, b)
	wait := max(a.wait, b.wait)
	if wait >= tenths(Patience) {
		return urgent + 5*wait - min(cost, mostCost)
	}
	return worthwhile + a.wait + b.wait - cost
}

// mayMeet reports whether two may meet at all.
func (p Pass) mayMeet(a, b Waiting) bool {
	if a.Team != 0 && a.Team == b.Team {
		return false
	}
	if a.Strike >= mostStrike && b.Strike >= mostStrike || a.Strike <= -mostStrike && b.Strike <= -mostStrike {
		return false
	}
	despair := tenths(Despair)
	return !metWithin(a, b, 1) || p.Active <= 2 || p.hasOneFoe(a) || p.hasOneFoe(b) || a.wait >= despair && b.wait >= despair
}

// hasOneFoe reports whether a player of a battle has no more than one opponent in the other teams.
func (p Pass) hasOneFoe(a Waiting) bool { return a.Team != 0 && p.Active-p.ActiveIn[a.Team] <= 1 }

// tenths converts a duration to tenths of a second.
func tenths(d time.Duration) int { return int(d.Milliseconds() / 100) }

// metWithin reports whether either was among the other's last opponents.
func metWithin(a, b Waiting, last int) bool {
	return slices.Contains(a.Latest[:min(last, len(a.Latest))], b.ID) || slices.Contains(b.Latest[:min(last, len(b.Latest))], a.ID)
}

// cost returns how ill-matched two players are, in tenths of a second: by the places
// between them, which weigh more at the top of the table, and by their ratings.
func (p Pass) cost(a, b Waiting) int {
	n := max(1, p.Ranked)
	places := max(a.Rank-b.Rank, b.Rank-a.Rank)
	cost := places * (3*n + 17*max(0, n-min(a.Rank, b.Rank))) / n
	if a.Rating > 0 && b.Rating > 0 {
		cost += max(a.Rating-b.Rating, b.Rating-a.Rating)
	}
	if p.Active > smallField && metWithin(a, b, recent) {
		cost += again
	}
	return cost
}

// Seats decides who opens the bidding: the player with the longer run as Second, then the
// one who opened less often, then one by the sum of both ids, so that no id is favored.
func Seats(a, b Waiting) Pair {
	if a.ID > b.ID {
		a, b = b, a
	}
	c := cmp.Or(cmp.Compare(a.Strike, b.Strike), cmp.Compare(a.Firsts, b.Firsts))
	if c < 0 || c == 0 && (a.ID+b.ID)%2 == 1 {
		return Pair{a.ID, b.ID}
	}
	return Pair{b.ID, a.ID}
}
