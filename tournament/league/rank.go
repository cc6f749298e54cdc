package league

// Standing is what a player of a division has, in tenths of a point.
type Standing struct {
	Points int
}

// Game is a fixture that is left to play, by the indices of its two players.
type Game [2]int

// Worth is what a fixture can bring to the first and to the second, in tenths of a point.
type Worth [2]int

// Ranks are the best and the worst final place that is still possible, from 1.
type Ranks struct{ Best, Worst int }

// mostExact bounds the cases that PossibleRanks counts one by one: 3^8.
const mostExact = 6561

// PossibleRanks returns for each player which final places their points still allow, whatever tie-breaks say
// among equal points. All cases are counted where no more than eight fixtures hang together, each with three outcomes;
// beyond that, the least and the most points of everybody bound them. The answers are sound, and only narrow as
// fixtures are decided, as long as nobody leaves the division and no result is corrected.
func PossibleRanks(now []Standing, left []Game, worth []Worth) []Ranks {
	out := make([]Ranks, len(now))
	clusters := clustersOf(now, left)
	for _, c := range clusters {
		cases := 1
		for range c.games {
			if cases *= len(worth); cases > mostExact {
				return bounds(now, left, worth)
			}
		}
	}
	scores := map[int]*around{} // of everybody by their points in the end, over all clusters
	for _, c := range clusters {
		c.play(now, worth, func(points []int) {
			for _, p := range points {
				if scores[p] == nil {
					scores[p] = &around{}
				}
			}
		})
	}
	beside := make([]map[int]around, len(clusters)) // what each cluster adds
	for k, c := range clusters {
		beside[k] = c.around(now, worth, scores)
		for p, a := range beside[k] {
			scores[p].above += a.above
			scores[p].below += a.below
		}
	}
	for k, c := range clusters {
		for _, i := range c.players {
			out[i] = Ranks{len(now), 1}
		}
		c.play(now, worth, func(points []int) {
			for x, i := range c.players {
				p := points[x]
				own := count(points, p)
				above := own.above + scores[p].above - beside[k][p].above
				below := own.below + scores[p].below - beside[k][p].below
				out[i].Best, out[i].Worst = min(out[i].Best, 1+above), max(out[i].Worst, len(now)-below)
			}
		})
	}
	return out
}

// around is how many stand above and below some points.
type around struct{ above, below int }

func count(points []int, p int) (a around) {
	for _, q := range points {
		if q > p {
			a.above++
		} else if q < p {
			a.below++
		}
	}
	return a
}

// cluster is players whose fixtures hang together.
type cluster struct {
	players []int
	games   []Game // by the places in players
}

// clustersOf divides players into clusters; whoever has no fixture left is one alone.
func clustersOf(now []Standing, left []Game) (list []cluster) {
	of := make([]int, len(now))
	for i := range of {
		of[i] = i
	}
	for _, g := range left {
		from, to := of[g[1]], of[g[0]]
		for i := range of {
			if of[i] == from {
				of[i] = to
			}
		}
	}
	for root := range of {
		c, at := cluster{}, map[int]int{}
		for i := range of {
			if of[i] == root {
				at[i] = len(c.players)
				c.players = append(c.players, i)
			}
		}
		for _, g := range left {
			if of[g[0]] == root {
				c.games = append(c.games, Game{at[g[0]], at[g[1]]})
			}
		}
		if len(c.players) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// play calls f with the points in the end of every case.
func (c cluster) play(now []Standing, worth []Worth, f func(points []int)) {
	points := make([]int, len(c.players))
	for x, i := range c.players {
		points[x] = now[i].Points
	}
	var try func(k int)
	try = func(k int) {
		if k == len(c.games) {
			f(points)
			return
		}
		g := c.games[k]
		for _, w := range worth {
			points[g[0]] += w[0]
			points[g[1]] += w[1]
			try(k + 1)
			points[g[0]] -= w[0]
			points[g[1]] -= w[1]
		}
	}
	try(0)
}

// around returns for each score the fewest of the cluster who end above it, and the fewest below it.
func (c cluster) around(now []Standing, worth []Worth, scores map[int]*around) map[int]around {
	out := make(map[int]around, len(scores))
	for p := range scores {
		least := around{len(c.players), len(c.players)}
		c.play(now, worth, func(points []int) {
			a := count(points, p)
			least = around{min(least.above, a.above), min(least.below, a.below)}
		})
		out[p] = least
	}
	return out
}

// bounds judges by the least and the most that everybody can reach by themselves.
func bounds(now []Standing, left []Game, worth []Worth) []Ranks {
	least, most := make([]int, len(now)), make([]int, len(now))
	for i, s := range now {
		least[i], most[i] = s.Points, s.Points
	}
	for _, g := range left {
		for side, i := range g {
			lo, hi := worth[0][side], worth[0][side]
			for _, w := range worth {
				lo, hi = min(lo, w[side]), max(hi, w[side])
			}
			least[i] += lo
			most[i] += hi
		}
	}
	return RanksBetween(least, most)
}

// RanksBetween returns the final places that are still possible for players who end with these points, at least and at most.
func RanksBetween(least, most []int) []Ranks {
	out := make([]Ranks, len(least))
	for i := range out {
		out[i] = Ranks{1, len(out)}
		for j := range out {
			if least[j] > most[i] {
				out[i].Best++
			}
			if most[j] < least[i] {
				out[i].Worst--
			}
		}
	}
	return out
}
