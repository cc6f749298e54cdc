package keizer

import (
	"cmp"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/internal/blossom"
)

// Neighbors pairs players who stand near each other in the order: the sum of the distances between
// them is the least possible. Who met in the last Gap rounds meets again only if nothing else is
// possible, and whoever may not meet never does.
type Neighbors struct{}

var _ tournament.Pairer = Neighbors{}

// Gap is how many rounds lie between two matches of the same players; half of the players at most.
const Gap = 5

// Pair returns the next round, the highest in the order first. With an odd number of players the
// lowest of those who had the fewest byes for it has the bye.
func (Neighbors) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	players := map[int]tournament.FieldPlayer{}
	for _, p := range f.Players {
		players[p.Number] = p
	}
	played := f
	played.Players = slices.Clone(f.Players)
	for i, p := range played.Players {
		played.Players[i].Rounds = p.Rounds[:min(len(p.Rounds), f.Played)]
	}
	var due []tournament.FieldPlayer // by the order
	for _, l := range Order(played) {
		if p := players[l.Number]; f.IsDue(p) {
			due = append(due, p)
		}
	}
	if len(due)%2 == 0 {
		return pairAll(f, due)
	}
	byes := func(p tournament.FieldPlayer) (n int) {
		for _, r := range p.Rounds[:min(len(p.Rounds), f.Played)] {
			if r.Outcome == tournament.PairingBye {
				n++
			}
		}
		return n
	}
	resting := slices.Clone(due)
	slices.Reverse(resting)
	slices.SortStableFunc(resting, func(a, b tournament.FieldPlayer) int { return cmp.Compare(byes(a), byes(b)) })
	for _, x := range resting {
		round, err := pairAll(f, slices.DeleteFunc(slices.Clone(due), func(p tournament.FieldPlayer) bool { return p.Number == x.Number }))
		if err == nil {
			round.Bye = x.Number
			return round, nil
		}
	}
	return tournament.RoundPairing{}, tournament.ErrNoPairing
}

// pairAll pairs an even number of players, given in their order.
func pairAll(f tournament.Field, due []tournament.FieldPlayer) (round tournament.RoundPairing, err error) {
	n := len(due)
	mate := matched(n, func(i, j int) (int, bool) { return cost(f, due, i, j) })
	for i, j := range mate {
		switch {
		case j < 0:
			return round, tournament.ErrNoPairing
		case j > i:
			round.Boards = append(round.Boards, seats(f, due[i], due[j], i))
		}
	}
	return round, nil
}

// cost returns what it costs to pair two players by their places; false: they may not meet.
func cost(f tournament.Field, due []tournament.FieldPlayer, i, j int) (int, bool) {
	n := len(due)
	c := max(i-j, j-i)
	for _, x := range f.Forbidden {
		next := f.Played + 1
		if x.From > next || x.To > 0 && x.To < next || !slices.Contains(x.Numbers, due[i].Number) || !slices.Contains(x.Numbers, due[j].Number) {
			continue
		}
		if !x.Soft {
			return 0, false
		}
		c += n * n
	}
	gap := min(Gap, n/2)
	for back := 1; back <= min(gap, f.Played); back++ {
		if r := f.Played - back; r < len(due[i].Rounds) && due[i].Rounds[r].Opponent == due[j].Number && due[i].Rounds[r].Outcome.IsPlayed() {
			c += n * n * n * (gap + 1 - back) // the longer ago the better
		}
	}
	return c, true
}

// Relax turns the wishes that the next round grants, pair by pair, into prohibitions and drops the
// others, which leaves its pairing the best.
func Relax(f tournament.Field) (held tournament.Field, err error) {
	wishes := tournament.Field{Played: f.Played}
	held = f
	held.Forbidden = nil
	for _, x := range f.Forbidden {
		if x.Soft {
			wishes.Forbidden = append(wishes.Forbidden, x)
		} else {
			held.Forbidden = append(held.Forbidden, x)
		}
	}
	if len(wishes.Forbidden) == 0 {
		return held, nil
	}
	paired, err := Neighbors{}.Pair(f)
	if err != nil {
		return held, err
	}
	against := map[int]int{}
	for _, b := range paired.Boards {
		against[b.First], against[b.Second] = b.Second, b.First
	}
	for _, x := range wishes.Forbidden {
		for i, a := range x.Numbers {
			for _, b := range x.Numbers[i+1:] {
				if against[a] != b {
					held.Forbidden = append(held.Forbidden, tournament.Forbidden{Numbers: []int{a, b}, From: x.From, To: x.To})
				}
			}
		}
	}
	return held, nil
}

// matched returns whom each of n is paired with at the least cost; of equal ones where the highest
// are nearest to each other. -1: nobody.
func matched(n int, cost func(i, j int) (int, bool)) []int {
	class, table, adj := make([]int32, n), make([][3]uint64, n*n), make([][]uint64, n)
	for i := range n {
		class[i], adj[i] = int32(i), make([]uint64, (n+63)/64)
	}
	const enough = 1 << 50 // more than all costs together, so that everybody is paired if that is possible
	for i := range n {
		for j := range i {
			c, may := cost(i, j)
			if !may {
				continue
			}
			adj[i][j>>6] |= 1 << (j & 63)
			adj[j][i>>6] |= 1 << (i & 63)
			later := max(i-j, j-i) * (n - min(i, j))
			w := [3]uint64{0, uint64(enough - later), uint64(enough - c)}
			table[i*n+j], table[j*n+i] = w, w
		}
	}
	mate := make([]int, n)
	m := blossom.New(class, n, table, adj, n)
	for i := range n {
		m.Loosen(i)
	}
	m.Solve()
	for i := range n {
		mate[i] = m.Mate(i)
	}
	return mate
}

// seats returns the board of two players, of whom a stands higher, at a place from 0: First is who
// had that seat less often, else who had the other one last, else by place.
func seats(f tournament.Field, a, b tournament.FieldPlayer, place int) tournament.Board {
	first := tournament.Board{First: a.Number, Second: b.Number}
	second := tournament.Board{First: b.Number, Second: a.Number}
	x, y := seatsOf(f, a), seatsOf(f, b)
	lead := func(list []match.Seat) (n int) {
		for _, s := range list {
			n += map[match.Seat]int{match.First: 1, match.Second: -1}[s]
		}
		return n
	}
	switch d := lead(x) - lead(y); {
	case d < 0:
		return first
	case d > 0:
		return second
	}
	for i, j := len(x)-1, len(y)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if x[i] != y[j] && x[i] == match.Second {
			return first
		}
		if x[i] != y[j] {
			return second
		}
	}
	if (place/2%2 == 0) == (f.Opening != match.Second) {
		return first
	}
	return second
}

// seatsOf returns the seats that a player had at a board, in order.
func seatsOf(f tournament.Field, p tournament.FieldPlayer) (list []match.Seat) {
	for _, r := range p.Rounds[:min(len(p.Rounds), f.Played)] {
		if r.Opponent != 0 && r.Outcome.IsPlayed() {
			list = append(list, r.Seat)
		}
	}
	return list
}

// Judge returns the boards that a pairing must not have.
func Judge(f tournament.Field, p tournament.RoundPairing) (list []tournament.Objection, _ error) {
	for _, b := range p.Boards {
		pair := []tournament.FieldPlayer{{Number: b.First}, {Number: b.Second}}
		for _, x := range f.Forbidden {
			one := tournament.Field{Played: f.Played, Forbidden: []tournament.Forbidden{x}}
			c, may := cost(one, pair, 0, 1)
			if !may {
				list = append(list, tournament.Objection{Rule: "forbidden", First: b.First, Second: b.Second})
			} else if c > 1 {
				list = append(list, tournament.Objection{Rule: "wish", First: b.First, Second: b.Second})
			}
		}
	}
	return list, nil
}
