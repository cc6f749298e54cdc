package roundrobin_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roundrobin"
)

// lines decodes a file of one JSON object per line.
func lines[T any](t *testing.T, file string) (list []T) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return list
}

type published struct {
	Players int
	Rounds  [][][2]int
}

func flat(round tournament.RoundPairing) (list [][2]int) {
	if round.Bye != 0 {
		list = append(list, [2]int{round.Bye, 0})
	}
	for _, b := range round.Boards {
		list = append(list, [2]int{b.First, b.Second})
	}
	return list
}

func TestPublishedTables(t *testing.T) {
	t.Parallel()
	for file, system := range map[string]roundrobin.Berger{
		"testdata/berger.jsonl":        {},
		"testdata/berger_double.jsonl": {Double: true},
	} {
		for _, want := range lines[published](t, file) {
			table, err := system.Table(want.Players)
			if err != nil {
				t.Fatal(err)
			}
			var got [][][2]int
			for _, round := range table {
				got = append(got, flat(round))
			}
			if !reflect.DeepEqual(got, want.Rounds) {
				t.Errorf("%s, %d players:\n%v\nwant\n%v", file, want.Players, got, want.Rounds)
			}
		}
	}
}

func TestEverybodyMeetsEverybodyWithBalancedSeats(t *testing.T) {
	t.Parallel()
	for n := roundrobin.MinPlayers; n <= roundrobin.MaxPlayers; n++ {
		for _, system := range []roundrobin.Berger{{}, {Double: true}, {Double: true, KeepOrder: true}} {
			table, err := system.Table(n)
			if err != nil {
				t.Fatal(err)
			}
			cycles := 1
			if system.Double {
				cycles = 2
			}
			met, first, rested := map[[2]int]int{}, map[int]int{}, map[int]int{}
			for _, round := range table {
				seen := map[int]bool{0: true}
				for _, pair := range flat(round) {
					for _, p := range pair {
						if seen[p] && p != 0 {
							t.Fatalf("%d players: %d twice in a round", n, p)
						}
						seen[p] = true
					}
					if pair[1] == 0 {
						rested[pair[0]]++
						continue
					}
					first[pair[0]]++
					met[[2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}]++
				}
				if len(seen) != n+1 {
					t.Fatalf("%d players: a round of %d", n, len(seen)-1)
				}
			}
			for p := 1; p <= n; p++ {
				for o := p + 1; o <= n; o++ {
					if met[[2]int{p, o}] != cycles {
						t.Errorf("%d players: %d and %d meet %d times", n, p, o, met[[2]int{p, o}])
					}
				}
				if games := cycles * (n - 1); 2*first[p]-games > 1 || 2*first[p]-games < -1 {
					t.Errorf("%d players: %d opens %d of %d", n, p, first[p], games)
				}
				if rested[p] != cycles*(n%2) {
					t.Errorf("%d players: %d rests %d times", n, p, rested[p])
				}
			}
		}
	}
}

func TestNobodyKeepsASeatForThreeRoundsInADouble(t *testing.T) {
	t.Parallel()
	for n := 3; n <= roundrobin.MaxPlayers; n++ {
		table, err := roundrobin.Berger{Double: true}.Table(n)
		if err != nil {
			t.Fatal(err)
		}
		run := map[int]int{} // games in a row: positive first, negative second
		for _, round := range table {
			for _, b := range round.Boards {
				run[b.First], run[b.Second] = max(run[b.First], 0)+1, min(run[b.Second], 0)-1
				if run[b.First] > 2 || run[b.Second] < -2 {
					t.Errorf("%d players: three in a row on board %v", n, b)
				}
			}
		}
	}
}

func TestPairFollowsTheTableByOrderOfNumbers(t *testing.T) {
	t.Parallel()
	f := tournament.Field{Played: 1, Players: []tournament.FieldPlayer{{Number: 40}, {Number: 7}, {Number: 20}, {Number: 31}}}
	// Round 2 of four is 4-3 and 1-2; the numbers in order are 7, 20, 31, 40.
	got, err := roundrobin.Berger{}.Pair(f)
	want := tournament.RoundPairing{Boards: []tournament.Board{{First: 40, Second: 31}, {First: 7, Second: 20}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	f.Played = 3
	if _, err := (roundrobin.Berger{}).Pair(f); !errors.Is(err, tournament.ErrNoPairing) {
		t.Errorf("after the last round: %v", err)
	}
	if _, err := (roundrobin.Berger{Double: true}).Pair(f); err != nil {
		t.Errorf("the second cycle: %v", err)
	}
	if _, err := (roundrobin.Berger{}).Pair(tournament.Field{Players: make([]tournament.FieldPlayer, 33)}); err == nil {
		t.Error("33 players were paired")
	}
}

func TestPublishedVarmaGroups(t *testing.T) {
	t.Parallel()
	for _, want := range lines[struct {
		Players int
		Groups  map[string][]int
	}](t, "testdata/varma.jsonl") {
		got, err := roundrobin.Varma(want.Players)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"A", "B", "C", "D"} {
			if !slices.Equal(got[i], want.Groups[name]) {
				t.Errorf("%d players, group %s: %v, want %v", want.Players, name, got[i], want.Groups[name])
			}
		}
	}
	for _, n := range []int{8, 25} {
		if _, err := roundrobin.Varma(n); err == nil {
			t.Errorf("groups for %d players", n)
		}
	}
}

func TestDrawGivesEveryNumberOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		players := rapid.IntRange(9, 24).Draw(t, "players")
		var clubs []int
		for left := players; left > 0; {
			size := rapid.IntRange(1, min(left, 6)).Draw(t, "club")
			clubs = append(clubs, size)
			left -= size
		}
		drawn, err := roundrobin.Draw(clubs, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") })
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		for i, numbers := range drawn {
			if len(numbers) != clubs[i] {
				t.Fatalf("club %d of %d drew %v", i, clubs[i], numbers)
			}
			all = append(all, numbers...)
		}
		slices.Sort(all)
		for i, n := range all {
			if n != i+1 {
				t.Fatalf("numbers %v", all)
			}
		}
	})
}

func TestAClubThatFitsAGroupDrawsFromOneGroup(t *testing.T) {
	t.Parallel()
	drawn, err := roundrobin.Draw([]int{1, 1, 3, 1, 1, 1, 1, 1}, func(n int) int { return n - 1 })
	if err != nil {
		t.Fatal(err)
	}
	// Ten players: three fit A or B; the last of these, B, is 5, 7, 9.
	slices.Sort(drawn[2])
	if !slices.Equal(drawn[2], []int{5, 7, 9}) {
		t.Errorf("the club of three drew %v", drawn[2])
	}
}
