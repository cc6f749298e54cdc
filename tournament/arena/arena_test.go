package arena_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/tournament/arena"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// waits makes a player who has waited for some seconds.
func waits(id, rank, rating, seconds int, latest ...int) arena.Waiting {
	return arena.Waiting{ID: id, Rank: rank, Rating: rating, Since: noon.Add(-time.Duration(seconds) * time.Second), Latest: latest}
}

func pass(active int, list ...arena.Waiting) arena.Pass {
	return arena.Pass{At: noon, Waiting: list, Ranked: max(active, len(list)), Active: active}
}

// met lists the pairs in order, the lower number first.
func met(pairs []arena.Pair) (list [][2]int) {
	for _, p := range pairs {
		list = append(list, [2]int{min(p.First, p.Second), max(p.First, p.Second)})
	}
	slices.SortFunc(list, func(a, b [2]int) int { return a[0] - b[0] })
	return list
}

func TestWhoMeetsWhom(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name string
		pass arena.Pass
		want [][2]int
	}{
		{"two equals meet at once", pass(20, waits(1, 1, 0, 0), waits(2, 1, 0, 0)), [][2]int{{1, 2}}},
		// In a table of 20 a place at the top weighs 0.3 + 1.7 × 19/20 = 1.915, ten of
		// them 19.1 s of the 20 that a match is worth; eleven are 21.06.
		{"ten places apart", pass(20, waits(1, 1, 0, 0), waits(2, 11, 0, 0)), [][2]int{{1, 2}}},
		{"eleven places apart are too many", pass(20, waits(1, 1, 0, 0), waits(2, 12, 0, 0)), nil},
		{"and not after two seconds of waiting", pass(20, waits(1, 1, 0, 2), waits(2, 12, 0, 0)), [][2]int{{1, 2}}},
		{"ratings: 199 points are 19.9 s", pass(20, waits(1, 1, 1700, 0), waits(2, 1, 1501, 0)), [][2]int{{1, 2}}},
		{"200 points are too much", pass(20, waits(1, 1, 1700, 0), waits(2, 1, 1500, 0)), nil},
		{"who has no rating is as good as anybody", pass(20, waits(1, 1, 1700, 0), waits(2, 1, 0, 0)), [][2]int{{1, 2}}},
		// 1-2 and 3-4 gain 20 each; 1-3 and 2-4 less.
		{"neighbors", pass(20, waits(1, 1, 0, 0), waits(2, 1, 0, 0), waits(3, 5, 0, 0), waits(4, 5, 0, 0)), [][2]int{{1, 2}, {3, 4}}},
		{"nobody meets their latest opponent", pass(20, waits(1, 1, 0, 40, 2), waits(2, 1, 0, 40)), nil},
		{"but after 45 s of both", pass(20, waits(1, 1, 0, 45, 2), waits(2, 1, 0, 45)), [][2]int{{1, 2}}},
		{"not of one", pass(20, waits(1, 1, 0, 45, 2), waits(2, 1, 0, 44)), nil},
		{"two alone play on", pass(2, waits(1, 1, 0, 0, 2), waits(2, 1, 0, 0, 1)), [][2]int{{1, 2}}},
		// An opponent before the latest costs 40 s, as much as the gain of 20 + 10 + 10.
		{"met before the latest", pass(20, waits(1, 1, 0, 10, 9, 2), waits(2, 1, 0, 10)), nil},
		{"met before the latest, after 21 s", pass(20, waits(1, 1, 0, 11, 9, 2), waits(2, 1, 0, 10)), [][2]int{{1, 2}}},
		{"of twelve only the latest counts", pass(12, waits(1, 1, 0, 0, 9, 2), waits(2, 1, 0, 0)), [][2]int{{1, 2}}},
		// 100 places cost 191.5 s, too much for 20 + 29 + 29, but after 30 s the cap applies.
		{"nobody after 29 s", pass(200, waits(1, 1, 0, 29), waits(2, 101, 0, 29)), nil},
		{"anybody after 30 s", pass(200, waits(1, 1, 0, 30), waits(2, 101, 0, 0)), [][2]int{{1, 2}}},
		// 1 has waited longest: 1-2 is worth more than 2-3 although 2 and 3 are equal.
		{"who waits goes first", pass(200, waits(1, 1, 0, 30), waits(2, 40, 0, 0), waits(3, 40, 0, 0)), [][2]int{{1, 2}}},
	} {
		if got := met(x.pass.Pairs()); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}

func TestTheRunOfSeatsDecidesBeforeTheirBalance(t *testing.T) {
	t.Parallel()
	of := func(id, strike, firsts int) arena.Waiting {
		return arena.Waiting{ID: id, Rank: 1, Since: noon, Strike: strike, Firsts: firsts}
	}
	for _, x := range []struct {
		a, b arena.Waiting
		want int // who opens
	}{
		{of(1, 1, 1), of(2, -1, -1), 2},
		{of(1, 1, -3), of(2, -1, 3), 2}, // the run counts first
		{of(1, 1, 1), of(2, 2, 0), 1},
		{of(1, 1, 3), of(2, 1, 1), 2},
		{of(1, 0, 0), of(2, 0, 0), 1}, // 1+2 is odd: the lower number
		{of(1, 0, 0), of(3, 0, 0), 3},
	} {
		if got := arena.Seats(x.a, x.b); got.First != x.want || got != arena.Seats(x.b, x.a) {
			t.Errorf("%+v, %+v: %d opens, want %d", x.a, x.b, got.First, x.want)
		}
	}
	if p := pass(20, of(1, 3, 3), of(2, 3, 3)).Pairs(); p != nil {
		t.Errorf("both three times first meet: %v", p)
	}
	if p := pass(20, of(1, 3, 3), of(2, 2, 3)).Pairs(); len(p) != 1 || p[0].First != 2 {
		t.Errorf("three and two times first: %v, the other opens", p)
	}
}

// games makes games of number 1 against new opponents: w, d, l, a claimed draw c, a win by
// forfeit f, an absence a.
func games(of string) (list []arena.Game) {
	outcomes := map[rune][2]arena.Outcome{
		'w': {arena.Win, arena.Loss}, 'd': {arena.Draw, arena.Draw}, 'c': {arena.Draw, arena.Draw}, 'l': {arena.Loss, arena.Win},
		'f': {arena.WinByForfeit, arena.Absent}, 'a': {arena.Absent, arena.WinByForfeit}, '?': {},
	}
	for i, r := range of {
		list = append(list, arena.Game{Board: i + 1, Players: [2]int{1, 2 + i}, Outcomes: outcomes[r], Claimed: r == 'c'})
	}
	return list
}

func TestScoresWithStreaks(t *testing.T) {
	t.Parallel()
	for of, want := range map[string][]int{
		"":          nil,
		"wwwdwwl":   {2, 2, 4, 2, 2, 2, 0},       // 14
		"wlwwdwwww": {2, 0, 2, 2, 2, 2, 2, 4, 4}, // 20
		"wwfw":      {2, 2, 2, 4},                // a forfeit is not doubled, but the streak goes on
		"fff":       {2, 2, 2},                   // nor does a forfeit begin one
		"wwaw":      {2, 2, 0, 2},                // an absence breaks it
		"dd":        {1, 1},
		"dcc":       {1, 0, 0}, // claimed after a draw, with no win between
		"cwc":       {1, 2, 1},
		"clc":       {1, 0, 0}, // a loss is no win
		"cfc":       {1, 2, 0}, // nor is a forfeit
		"wwc":       {2, 2, 2},
		"ww?":       {2, 2, 0},
	} {
		players := []arena.Player{{ID: 1}}
		for i := range of {
			players = append(players, arena.Player{ID: 2 + i})
		}
		table := arena.Table(players, games(of))
		line := table[slices.IndexFunc(table, func(l arena.Line) bool { return l.ID == 1 })]
		sum := 0
		var got []int
		for _, c := range line.Cells {
			got, sum = append(got, c.Points), sum+c.Points
		}
		if !slices.Equal(got, want) || line.Score != sum {
			t.Errorf("%s: %v, want %v; score %d", of, got, want, line.Score)
		}
	}
}

func TestWhatTellsEqualScoresApart(t *testing.T) {
	t.Parallel()
	// 1 and 2 have 2 points; 1 by a win in one match, 2 by two draws in two. 3 and 4 have
	// a win each in one match: 3 against 1800, 4 against 1400. 5 has a win in two.
	players := []arena.Player{{1, 1500}, {2, 1500}, {3, 1500}, {4, 1500}, {5, 1500}, {6, 1800}, {7, 1400}, {8, 0}, {9, 1500}, {10, 1500}, {11, 0}}
	list := []arena.Game{
		{1, [2]int{3, 6}, [2]arena.Outcome{arena.Win, arena.Loss}, false},
		{2, [2]int{4, 7}, [2]arena.Outcome{arena.Win, arena.Loss}, false},
		{3, [2]int{5, 7}, [2]arena.Outcome{arena.Win, arena.Loss}, false},
		{4, [2]int{5, 6}, [2]arena.Outcome{arena.Loss, arena.Win}, false},
		{5, [2]int{2, 9}, [2]arena.Outcome{arena.Draw, arena.Draw}, false},
		{6, [2]int{2, 10}, [2]arena.Outcome{arena.Draw, arena.Draw}, false},
	}
	var got []string
	for _, l := range arena.Table(players, list) {
		got = append(got, fmt.Sprintf("%d:%d", l.Rank, l.ID))
	}
	// 6 has won 2 and lost 1: one win in two matches, by 1500 and 1500: like 5, who beat
	// 1400 and lost to 1800: 1600 on average to 1500. 9 and 10 are equal in all; so are
	// those who have played nothing, and 7 has lost twice.
	want := []string{"1:3", "2:4", "3:5", "4:6", "5:2", "6:9", "6:10", "8:1", "8:8", "8:11", "11:7"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func draw(t *rapid.T) arena.Pass {
	n := rapid.IntRange(0, 150).Draw(t, "waiting")
	p := arena.Pass{At: noon, Ranked: n + rapid.IntRange(0, 100).Draw(t, "playing"), Active: n + rapid.IntRange(0, 20).Draw(t, "active")}
	chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for i := range n {
		w := waits(i+1, 1+chance.IntN(max(1, p.Ranked)), 1000+chance.IntN(1200), chance.IntN(70))
		for range chance.IntN(4) {
			if x := 1 + chance.IntN(n); x != i+1 {
				w.Latest = append(w.Latest, x)
			}
		}
		w.Strike = chance.IntN(9) - 4
		w.Firsts = w.Strike
		p.Waiting = append(p.Waiting, w)
	}
	return p
}

func TestPairsAreLegal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) { legal(rt, draw(rt)) })
}

func legal(t interface{ Fatalf(string, ...any) }, p arena.Pass) {
	byID, seen := map[int]arena.Waiting{}, map[int]bool{}
	for _, w := range p.Waiting {
		byID[w.ID] = w
	}
	pairs := p.Pairs()
	for _, x := range pairs {
		a, b := byID[x.First], byID[x.Second]
		if a.ID == b.ID || a.ID == 0 || b.ID == 0 || seen[a.ID] || seen[b.ID] {
			t.Fatalf("%v: twice, or nobody", x)
		}
		seen[a.ID], seen[b.ID] = true, true
		rematch := len(a.Latest) > 0 && a.Latest[0] == b.ID || len(b.Latest) > 0 && b.Latest[0] == a.ID
		short := noon.Sub(a.Since) < arena.Despair || noon.Sub(b.Since) < arena.Despair
		if rematch && short && p.Active > 2 {
			t.Fatalf("%v meet again at once", x)
		}
		if a.Strike >= 3 && b.Strike >= 3 || a.Strike <= -3 && b.Strike <= -3 {
			t.Fatalf("%v have the same run", x)
		}
	}
	backwards := p
	backwards.Waiting = slices.Clone(p.Waiting)
	slices.Reverse(backwards.Waiting)
	if again := backwards.Pairs(); !slices.Equal(pairs, again) {
		t.Fatalf("listed otherwise: %v, %v", pairs, again)
	}
}

func FuzzPairsAreLegal(f *testing.F) {
	f.Add(uint64(1), 10, 20)
	f.Fuzz(func(t *testing.T, seed uint64, n, active int) {
		chance := rand.New(rand.NewPCG(seed, 2))
		p := arena.Pass{At: noon, Active: active, Ranked: active}
		for i := range max(0, min(n, 200)) {
			w := waits(i+1, chance.IntN(300), chance.IntN(3000), chance.IntN(200)-10)
			w.Latest, w.Strike = []int{chance.IntN(n + 1)}, chance.IntN(11)-5
			p.Waiting = append(p.Waiting, w)
		}
		legal(t, p)
	})
}

// Scores, wins and games are what the sheets add up to, whatever was played.
func TestATableIsItsSheets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(rt, "players")
		var players []arena.Player
		for i := range n {
			players = append(players, arena.Player{ID: i + 1, Rating: rapid.IntRange(0, 2000).Draw(rt, "rating")})
		}
		pairs := [][2]arena.Outcome{{}, {arena.Win, arena.Loss}, {arena.Loss, arena.Win}, {arena.Draw, arena.Draw},
			{arena.WinByForfeit, arena.Absent}, {arena.Absent, arena.WinByForfeit}, {arena.Absent, arena.Absent}}
		var list []arena.Game
		won, played := map[int]int{}, map[int]int{}
		for i := range rapid.IntRange(0, 200).Draw(rt, "games") {
			a, b := rapid.IntRange(1, n).Draw(rt, "a"), rapid.IntRange(1, n).Draw(rt, "b")
			if a == b {
				continue
			}
			g := arena.Game{Board: i + 1, Players: [2]int{a, b}, Outcomes: rapid.SampledFrom(pairs).Draw(rt, "outcome")}
			list = append(list, g)
			for side, id := range g.Players {
				won[id] += map[arena.Outcome]int{arena.Win: 1, arena.WinByForfeit: 1}[g.Outcomes[side]]
				if g.Outcomes[side] != arena.Playing {
					played[id]++
				}
			}
		}
		table := arena.Table(players, list)
		for i, l := range table {
			sum := 0
			for _, c := range l.Cells {
				sum += c.Points
			}
			if l.Score != sum || l.Wins != won[l.ID] || l.Games != played[l.ID] || l.Score < 2*l.Wins || l.Score > 4*l.Games {
				rt.Fatalf("%+v: sheet %d, %d wins in %d", l, sum, won[l.ID], played[l.ID])
			}
			if i > 0 && (l.Score > table[i-1].Score || l.Rank < table[i-1].Rank || l.Rank > i+1) {
				rt.Fatalf("out of order: %+v after %+v", l, table[i-1])
			}
		}
	})
}

func field(n int) arena.Pass {
	chance := rand.New(rand.NewPCG(3, 4))
	p := arena.Pass{At: noon, Ranked: n * 2, Active: n * 2}
	for i := range n {
		w := waits(i+1, 1+2*i, 2200-i*1200/n, chance.IntN(32), 1+chance.IntN(n), 1+chance.IntN(n), 1+chance.IntN(n))
		w.Strike = chance.IntN(5) - 2
		p.Waiting = append(p.Waiting, w)
	}
	return p
}

// Goals: 60 waiting 1 ms, 600 10 ms, 5,000 60 ms.
func BenchmarkPass(b *testing.B) { // goals: 1, 10 and 60 ms of a core
	for _, n := range []int{60, 600, 5000} {
		p := field(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			before := processor(b)
			for b.Loop() {
				p.Pairs()
			}
			b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// processor returns the processor time of this process, so that others do not count.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Goal: 3 ms.
func BenchmarkTableOf1000(b *testing.B) {
	chance := rand.New(rand.NewPCG(5, 6))
	var players []arena.Player
	var list []arena.Game
	for i := range 1000 {
		players = append(players, arena.Player{ID: i + 1, Rating: 1000 + chance.IntN(1200)})
	}
	for i := range 4500 {
		a := chance.IntN(1000)
		list = append(list, arena.Game{Board: i + 1, Players: [2]int{a + 1, (a+1+chance.IntN(998))%1000 + 1}, Outcomes: [2]arena.Outcome{arena.Win, arena.Loss}})
	}
	for b.Loop() {
		arena.Table(players, list)
	}
}
