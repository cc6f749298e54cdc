package stage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/stage"
)

func noLots(int) int { return 0 }

// tables makes g tables, the first the strongest at every place.
func tables(g, size int) [][]stage.Line {
	list := make([][]stage.Line, g)
	for t := range list {
		for i := range size {
			list[t] = append(list[t], stage.Line{Rank: i + 1, Matches: size - 1, Points: 100 - 10*i - t})
		}
	}
	return list
}

// drawn lists qualifiers down the lines of a bracket: "A1 B2 | B1 A2".
func drawn(seeds []stage.Place) string {
	var list []string
	lines := contest.Lines(contest.Size(len(seeds)))
	for i, seed := range lines {
		text := "-"
		if seed <= len(seeds) {
			p := seeds[seed-1]
			text = fmt.Sprintf("%c%d", 'A'+p.Table, p.Line+1)
		}
		if i == len(lines)/2 {
			list = append(list, "|")
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func seedsOf(list [][]stage.Line, each int, pick func(int) int) []stage.Place {
	seeds, _ := stage.Qualifiers(list, each, pick)
	return seeds
}

func TestPlayersOfOneTableMeetAsLateAsTheyCan(t *testing.T) {
	for _, x := range []struct {
		g, each int
		want    string
	}{
		{2, 2, "A1 B2 | B1 A2"},
		{4, 2, "A1 C2 D1 B2 | B1 D2 C1 A2"},
		{2, 4, "A1 B4 B2 A3 | B1 A4 A2 B3"},
		{4, 4, "A1 C4 D2 B3 D1 B4 A2 C3 | B1 D4 C2 A3 C1 A4 B2 D3"},
		{1, 8, "A1 A8 A4 A5 | A2 A7 A3 A6"}, // of one table: its order
	} {
		if got := drawn(seedsOf(tables(x.g, x.each+1), x.each, noLots)); got != x.want {
			t.Errorf("%d of %d tables:\n%s, want\n%s", x.each, x.g, got, x.want)
		}
	}
}

// Of the seconds of three tables, B's has more points per match than A's, who has more in
// all. C's equals B's in points and wins per match, but has a smaller difference.
func TestEqualPlacesAreComparedByTheMatch(t *testing.T) {
	first := stage.Line{Rank: 1, Matches: 3, Points: 30, Wins: 3}
	list := [][]stage.Line{
		{first, {Rank: 2, Matches: 4, Points: 25, Wins: 2, Difference: 90}},
		{first, {Rank: 2, Matches: 3, Points: 20, Wins: 2, Difference: 12}},
		{first, {Rank: 2, Matches: 3, Points: 20, Wins: 2, Difference: 11}},
	}
	list[1][0].Points, list[2][0].Points = 29, 28
	seeds := seedsOf(list, 1, noLots)
	if got := drawn(seeds); got != "A1 - | B1 C1" {
		t.Errorf("the firsts: %s", got)
	}
	for t := range list {
		list[t] = list[t][1:]
	}
	if seeds = seedsOf(list, 1, noLots); seeds[0].Table != 1 || seeds[1].Table != 2 || seeds[2].Table != 0 || seeds[0].ByLot {
		t.Errorf("the seconds: %+v", seeds)
	}
}

// Two share the last qualifying place: lots decide, and the places say so.
func TestALotDecidesASharedLastPlace(t *testing.T) {
	table := []stage.Line{{Rank: 1}, {Rank: 2}, {Rank: 2}, {Rank: 4}}
	for chance, want := range []int{2, 1} { // 0 swaps the two
		seeds, next := stage.Qualifiers([][]stage.Line{table}, 2, func(int) int { return chance })
		if seeds[1].Line != want || !seeds[1].ByLot || seeds[0].ByLot {
			t.Errorf("lot %d: %+v, want line %d", chance, seeds, want)
		}
		if len(next) != 2 || next[0].Line != 3-want || !next[0].ByLot || next[1].Line != 3 { // the reserves, in order
			t.Errorf("lot %d: %+v stand by", chance, next)
		}
	}
	if got := seedsOf([][]stage.Line{table[:1]}, 2, noLots); got != nil {
		t.Errorf("more qualify than there are: %+v", got)
	}
}

// The first of each table advance exactly once, and no lower place gets a better seed.
func TestEveryQualifierHasOneSeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, each := rapid.IntRange(1, tournament.MaxTables).Draw(t, "tables"), rapid.IntRange(1, 4).Draw(t, "each")
		list := make([][]stage.Line, g)
		for k := range list {
			rank := 1
			for i := range rapid.IntRange(each, each+3).Draw(t, "size") {
				if rapid.Bool().Draw(t, "separated") {
					rank = i + 1
				}
				list[k] = append(list[k], stage.Line{Rank: rank, Matches: rapid.IntRange(0, 5).Draw(t, "matches"),
					Points: rapid.IntRange(0, 50).Draw(t, "points")})
			}
		}
		seeds := seedsOf(list, each, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "lot") })
		if len(seeds) != g*each {
			t.Fatalf("%d seeds for %d places", len(seeds), g*each)
		}
		for i, p := range seeds {
			if slices.ContainsFunc(seeds[:i], func(o stage.Place) bool { return o.Table == p.Table && o.Line == p.Line }) {
				t.Fatalf("%+v twice", p)
			}
			if best := list[p.Table][i/g].Rank; list[p.Table][p.Line].Rank != best {
				t.Fatalf("seed %d has rank %d of its table, want %d", i+1, list[p.Table][p.Line].Rank, best)
			}
		}
	})
}
