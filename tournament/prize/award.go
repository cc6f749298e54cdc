package prize

import (
	"cmp"
	"math/big"
	"slices"
)

// Player is one line of the standings, or of the players of a board.
type Player struct {
	Number int // unique in the standings, and among those of a board
	Board  int // of an event of teams, on which they played; Reserves: as one of these; 0: a line of the standings
	Rank   int // shared by players that nothing separates
	Score  int
	Rating int // 0: unrated
	Club   string
	Born   int  // declared year of birth; 0: not declared
	Out    bool // without prizes: withdrawn, disqualified or never played
}

// Award is what one player gets.
type Award struct {
	Number  int
	List    int   // 0: places; n: the nth category
	Place   int   // in the list; 0: below its last prize, by sharing only
	Own     int64 // prize of the place
	Amount  int64
	Shared  int   // number of players who shared
	Pool    int64 // what they shared
	Rounded int64 // units above the exact share rounded down, from the indivisible rest
}

// Left is a prize that nobody gets.
type Left struct {
	List, Place int
	Amount      int64
}

// Result is the distribution of a fund.
type Result struct {
	Awards []Award // by list, then by standings
	Left   []Left  // returned
}

// Paid returns the sum of all awards.
func (r Result) Paid() (sum int64) {
	for _, a := range r.Awards {
		sum += a.Amount
	}
	return sum
}

// Allot distributes a fund. The order of the players does not matter. Boards of teams are standings of their own, whose
// prizes are those of their places.
func Allot(f Fund, players []Player) Result {
	on := map[int][]Player{}
	for _, p := range players {
		on[p.Board] = append(on[p.Board], p)
	}
	main := f.Clone()
	for i, c := range main.Categories {
		if c.board() != 0 {
			main.Categories[i].Amounts = nil
		}
	}
	r := allot(main, on[0])
	for i, c := range f.Categories {
		if c.board() == 0 {
			continue
		}
		own := allot(Fund{Places: c.Amounts, Sharing: f.Sharing}, on[c.board()])
		for k := range own.Awards {
			own.Awards[k].List = i + 1
		}
		for k := range own.Left {
			own.Left[k].List = i + 1
		}
		r.Awards, r.Left = append(r.Awards, own.Awards...), append(r.Left, own.Left...)
	}
	slices.SortStableFunc(r.Awards, func(a, b Award) int { return a.List - b.List })
	slices.SortStableFunc(r.Left, func(a, b Left) int { return a.List - b.List })
	return r
}

// allot distributes a fund in one table.
//
// Going down the standings, each player takes the largest remaining prize of the lists
// they are in, before sharing; among equal ones that of the first list. So nobody has two
// prizes, and a player with a category prize leaves the prize of the place to the next.
// Then the prizes of each list are shared among tied players. A place before the best that anybody
// has, such as the first of a knock-out to whose final nobody came, is nobody's, and so is its
// prize: those who share the best take one prize less than they are.
func allot(f Fund, players []Player) Result {
	order := slices.DeleteFunc(slices.Clone(players), func(p Player) bool { return p.Out })
	slices.SortFunc(order, func(a, b Player) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Number, b.Number)) })
	first, sharing := bestOf(players)
	next := make([]int, f.lists())       // index of the next prize, by list
	taken := make([][]winner, f.lists()) // by list, in the order of its prizes
	next[0] = first - 1
	has := make([]bool, len(order))
	for i, p := range order {
		best := -1
		for list, place := range next {
			if !f.admits(list, p) || place >= len(f.amounts(list)) || list == 0 && p.Rank == first && place >= sharing {
				continue
			}
			if best < 0 || f.amounts(list)[place] > f.amounts(best)[next[best]] {
				best = list
			}
		}
		if best >= 0 {
			place := next[best]
			taken[best], has[i] = append(taken[best], winner{at: i, Player: p, place: place + 1, own: f.amounts(best)[place]}), true
			next[best]++
		}
	}
	var r Result
	for list, winners := range taken {
		for place, amount := range f.amounts(list) {
			if place >= next[list] || list == 0 && place < first-1 {
				r.Left = append(r.Left, Left{list, place + 1, amount})
			}
		}
		for _, w := range f.share(list, winners, order, f.ties(list, order), has) {
			has[w.at] = true
			r.Awards = append(r.Awards, w.award(list))
		}
	}
	return r
}

// bestOf returns the best place that anybody has, and how many share it.
func bestOf(players []Player) (rank, sharing int) {
	for _, p := range players {
		switch {
		case sharing == 0 || p.Rank < rank:
			rank, sharing = p.Rank, 1
		case p.Rank == rank:
			sharing++
		}
	}
	return max(rank, 1), sharing
}

func (f Fund) admits(list int, p Player) bool {
	return list == 0 || f.Categories[list-1].Admits(p)
}

// winner is a player with the prize of a place; below the last prize both are 0.
type winner struct {
	Player
	at     int // in the standings
	place  int
	own    int64
	part   *big.Rat // the exact share
	amount int64
	more   int64
	tied   int
	pool   int64
}

func (w winner) award(list int) Award {
	return Award{w.Number, list, w.place, w.own, w.amount, w.tied, w.pool, w.more}
}

// SharingOf returns how a list is shared: in groups only players that nothing separates share.
func (f Fund) SharingOf(list int) Sharing {
	if list == 0 || f.IsOfBoard(list) {
		return f.Sharing
	}
	return Alone
}

// ties numbers the groups of tied players in the order of the standings. Only neighbors
// are tied: where standings do not follow points, as in a knock-out, equal points further
// down are no tie.
func (f Fund) ties(list int, order []Player) []int {
	ties := make([]int, len(order))
	for i := 1; i < len(order); i++ {
		ties[i] = ties[i-1]
		if a, b := order[i-1], order[i]; a.Rank != b.Rank && (f.SharingOf(list) == Alone || a.Score != b.Score) {
			ties[i]++
		}
	}
	return ties
}

// share divides the prizes of a list among tied players: winners, and players without a
// prize (has is false) who are tied with a winner.
func (f Fund) share(list int, winners []winner, order []Player, ties []int, has []bool) (all []winner) {
	for len(winners) > 0 {
		tie, n := ties[winners[0].at], 1
		for n < len(winners) && ties[winners[n].at] == tie {
			n++
		}
		group := slices.Clone(winners[:n])
		for i, p := range order {
			if !has[i] && f.admits(list, p) && ties[i] == tie {
				group = append(group, winner{Player: p, at: i})
			}
		}
		winners = winners[n:]
		all = append(all, divide(group, f.SharingOf(list))...)
	}
	return all
}

// divide gives every player of a tied group the exact share, rounded down to whole units,
// and the rest to the largest remainders, among equals to the higher ranked. The amounts
// add up to the pool.
func divide(group []winner, sharing Sharing) []winner {
	slices.SortFunc(group, func(a, b winner) int { return cmp.Compare(a.at, b.at) })
	var pool int64
	for _, w := range group {
		pool += w.own
	}
	even := big.NewRat(pool, int64(len(group)))
	left, by, rests := pool, make([]int, len(group)), make([]*big.Rat, len(group))
	for i := range group {
		w := &group[i]
		w.tied, w.pool = len(group), pool
		switch own := ownShare(group, w.Rank); sharing {
		case Equal:
			w.part = even
		case Hort:
			w.part = new(big.Rat).Mul(big.NewRat(1, 2), new(big.Rat).Add(own, even))
		default:
			w.part = own
		}
		w.amount = new(big.Int).Quo(w.part.Num(), w.part.Denom()).Int64()
		left -= w.amount
		by[i], rests[i] = i, new(big.Rat).Sub(w.part, big.NewRat(w.amount, 1))
	}
	slices.SortStableFunc(by, func(a, b int) int { return rests[b].Cmp(rests[a]) })
	for _, i := range by[:left] {
		group[i].amount++
		group[i].more = 1
	}
	return slices.DeleteFunc(group, func(w winner) bool { return w.amount == 0 })
}

// ownShare returns the prize of a player's own place, or an equal part of the prizes of
// places that nothing separates.
func ownShare(group []winner, rank int) *big.Rat {
	var sum, n int64
	for _, w := range group {
		if w.Rank == rank {
			sum, n = sum+w.own, n+1
		}
	}
	return big.NewRat(sum, n)
}
